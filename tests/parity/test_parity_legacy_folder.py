"""Folders without ``tokenizer.json``: the ids and text of ``transformers.AutoTokenizer``."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bukva

from .nasty_texts import TEXTS

transformers = pytest.importorskip("transformers", reason="transformers is not installed")
transformers.logging.set_verbosity(logging.ERROR)

# A class, the artefact whose tables it gets, and the rest of tokenizer_config.json.
FOLDERS: dict[str, tuple[str, dict[str, Any]]] = {
    "BertTokenizer": ("bert", {"do_lower_case": True}),
    "DistilBertTokenizer": ("bert_base_cased", {"do_lower_case": False, "strip_accents": False}),
    "GPT2Tokenizer": ("gpt_neox", {"add_bos_token": True, "pad_token": "<pad>"}),
    "RobertaTokenizer": ("gpt_neox", {"add_prefix_space": True}),
    "CLIPTokenizer": ("clip", {}),
    "Qwen2Tokenizer": ("qwen3", {"extra_special_tokens": ["<|im_start|>", "<|im_end|>"]}),
}


def write(folder: Path, source: Path, config: dict[str, Any]) -> None:
    model = json.loads(source.read_text(encoding="utf-8"))["model"]
    folder.mkdir()
    (folder / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    if "merges" not in model:
        tokens = sorted(model["vocab"], key=model["vocab"].__getitem__)
        (folder / "vocab.txt").write_text("".join(f"{token}\n" for token in tokens), encoding="utf-8", newline="\n")
        return
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in model["merges"]]
    (folder / "vocab.json").write_text(json.dumps(model["vocab"]), encoding="utf-8")
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *merges, ""]), encoding="utf-8", newline="\n")


@pytest.mark.parametrize("name", FOLDERS)
def test_the_class_gives_the_same_ids(name: str, artefact: Callable[[str], Path], tmp_path: Path) -> None:
    source, config = FOLDERS[name]
    write(tmp_path / "tok", artefact(f"{source}/tokenizer.json"), {"tokenizer_class": name, **config})
    tok = bukva.load(tmp_path / "tok")
    auto = transformers.AutoTokenizer.from_pretrained(str(tmp_path / "tok"), local_files_only=True)
    reference = auto.backend_tokenizer
    for text in [*TEXTS, *tok.special_tokens, *(f"a {token}  b" for token in tok.special_tokens)]:
        expected = reference.encode(text, add_special_tokens=False).ids
        assert tok.encode(text, allowed_special="all") == expected, text[:60]
