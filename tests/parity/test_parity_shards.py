"""Shards of whole corpora, one document each, with real vocabularies: the ids of the document in memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import tiktoken

import bukva

from .openai_encodings import reference

FILES = (
    *("gptoss", "llama3_1", "qwen3", "deepseek_v3", "gemma3", "bert", "bert_base_cased", "xlnet", "clip", "gpt_neox"),
    *("mistral01", "mistral03"),
)


def test_shards_are_what_tiktoken_gives(
    artefact: Callable[[str], Path], corpus: Callable[..., Path], tmp_path: Path
) -> None:
    path = corpus("mixed", 3_000_000)
    tok = bukva.load(artefact("openai/cl100k_base.tiktoken"), encoding="cl100k_base")
    theirs: tiktoken.Encoding = reference("cl100k_base", artefact("openai/cl100k_base.tiktoken"))
    shards = tok.encode_file(path, tmp_path / "out", ordinary=True, append="<|endoftext|>", shard_tokens=10**5)
    flat = [*theirs.encode_ordinary(path.read_bytes().decode("utf-8")), theirs.eot_token]
    assert np.concatenate(shards.ids).tolist() == flat


@pytest.mark.heavy
@pytest.mark.parametrize("name", ["en_prose", "ru_prose", "zh_ja", "code", "mixed"])
@pytest.mark.parametrize("file", FILES)
def test_whole_corpora(
    artefact: Callable[[str], Path], corpus: Callable[..., Path], tmp_path: Path, file: str, name: str
) -> None:
    tok, path = bukva.load(artefact(f"{file}/tokenizer.json")), corpus(name)
    text = path.read_bytes().decode("utf-8")
    shards = tok.encode_file(path, tmp_path / "out", disallowed_special=(), shard_tokens=10**6, threads=2)
    assert shards[0].tolist() == tok.encode(text, disallowed_special=())
    lines = tok.encode_file(path, tmp_path / "lines", disallowed_special=(), unit="line", threads=2)
    batch = tok.encode_batch([line + "\n" for line in text.split("\n")[:-1]], disallowed_special=())
    assert np.array_equal(np.concatenate(lines.ids)[: len(batch.ids)], batch.ids)
