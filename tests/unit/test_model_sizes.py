"""Sizes of a vocabulary beside those of a model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bukva
from bukva.audit.model_sizes import TIED, UNTIED

QWEN = {"model_type": "qwen3", "vocab_size": 151936, "hidden_size": 4096, "torch_dtype": "bfloat16"}
QWEN |= {"tie_word_embeddings": False}


def test_qwen(artefact: Callable[[str], Path], golden: dict) -> None:
    tok = bukva.load(artefact("qwen3/tokenizer.json"))
    found = bukva.model_sizes(tok, QWEN)
    assert found.rows_beyond == found.rows_unused == golden["vocabulary_sizes"]["qwen3_8b"]["rows_beyond_defined_ids"]
    assert found.embedding_bytes == found.head_bytes == 151936 * 4096 * 2


def test_file_and_folder(tok: bukva.Tokenizer, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(QWEN))
    assert bukva.model_sizes(tok, path) == bukva.model_sizes(tok, tmp_path) == bukva.model_sizes(tok, QWEN)


@pytest.mark.parametrize("part", ["text_config", "llm_config", "language_config", "thinker_config"])
def test_parts(tok: bukva.Tokenizer, part: str) -> None:
    inner = {**QWEN, "tie_word_embeddings": True}
    nested = {part: {"text_config": inner} if part == "thinker_config" else inner, "vision_config": {"hidden_size": 5}}
    found = bukva.model_sizes(tok, nested)
    assert (found.rows, found.hidden, found.tied, found.tied_from) == (151936, 4096, True, "file")
    assert (found.embedding_bytes, found.head_bytes) == (151936 * 4096 * 2, 0)
    outer = bukva.model_sizes(tok, {**nested, "tie_word_embeddings": False, "dtype": "float32"})
    assert (outer.tied, outer.dtype) == (False, "bfloat16")


def test_silence(tok: bukva.Tokenizer) -> None:
    nothing = bukva.model_sizes(tok, {})
    assert nothing.sizes == tok.sizes
    assert (nothing.rows, nothing.rows_beyond, nothing.tied, nothing.tied_from) == (None, None, None, "unknown")
    assert (nothing.dtype, nothing.embedding_bytes, nothing.head_bytes) == (None, None, None)
    assert bukva.model_sizes(tok, {"vocab_size": 5}).rows_beyond == 5 - tok.sizes.id_range
    odd = bukva.model_sizes(tok, {**QWEN, "torch_dtype": "float3"})
    assert (odd.dtype, odd.embedding_bytes) == ("float3", None)
    gpt2 = bukva.model_sizes(tok, {"model_type": "gpt2", "vocab_size": 50257, "n_embd": 768, "dtype": "torch.float32"})
    assert (gpt2.tied, gpt2.tied_from, gpt2.embedding_bytes) == (True, "default of gpt2", 50257 * 768 * 4)
    albert = bukva.model_sizes(tok, {**QWEN, "embedding_size": 128})
    assert (albert.width, albert.hidden) == (128, 4096)


@pytest.mark.parametrize("value", [-1, 0, 2**40, "5", True, 1.5, [5]])
def test_wrong_sizes(tok: bukva.Tokenizer, value: object) -> None:
    with pytest.raises(bukva.FormatError, match="vocab_size"):
        bukva.model_sizes(tok, {"vocab_size": value})


def test_wrong_files(tok: bukva.Tokenizer, tmp_path: Path) -> None:
    with pytest.raises(bukva.FileError):
        bukva.model_sizes(tok, tmp_path / "config.json")
    for text in ("{", "[]", "[" * 100_000):
        (tmp_path / "config.json").write_text(text)
        with pytest.raises(bukva.FormatError, match=r"config\.json"):
            bukva.model_sizes(tok, tmp_path)
    with pytest.raises(bukva.FormatError, match="more than once: 5, 6"):
        bukva.model_sizes(tok, {"text_config": {"vocab_size": 5}, "decoder": {"vocab_size": 6}})


def test_defaults_are_those_of_transformers() -> None:
    transformers: Any = pytest.importorskip("transformers")
    known = set(transformers.CONFIG_MAPPING)
    for name in sorted((TIED | UNTIED) & known):
        assert transformers.CONFIG_MAPPING[name]().tie_word_embeddings is (name in TIED), name
