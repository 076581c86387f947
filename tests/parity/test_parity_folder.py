"""A saved folder loads in ``transformers.AutoTokenizer``, which gives the same ids and text."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import pytest

import bukva

from .nasty_texts import TEXTS

transformers = pytest.importorskip("transformers", reason="transformers is not installed")
transformers.logging.set_verbosity(logging.ERROR)

SAMPLE = Path(bukva.__file__).with_name("data") / "sample_ru.txt"
TRAINERS = {
    "bytes": bukva.BpeTrainer(num_merges=300, pattern="gpt2", special_tokens=["<|end|>"]),
    "o200k": bukva.BpeTrainer(num_merges=300, pattern="o200k", normalizer="nfc"),
    "characters": bukva.BpeTrainer(num_merges=300, alphabet="chars", pattern="whitespace", unk_token="[UNK]"),
    "words": bukva.WordLevelTrainer(vocab_size=500, pattern="words", unk_token="[UNK]"),
}
# Name in artefacts/, and the encoding of rank files.
ARTEFACTS = {
    "bert/tokenizer.json": None,
    "bert_base_cased/tokenizer.json": None,
    "xlnet/tokenizer.json": None,
    "clip/tokenizer.json": None,
    "gpt_neox/tokenizer.json": None,
    "mistral03/tokenizer.json": None,
    "qwen3/tokenizer.json": None,
    "llama2/llama2.model": None,
    "mistral/mistral_instruct_tokenizer_240323.model.v3": None,
    "mistral/tekken_240718.json": None,
    "openai/cl100k_base.tiktoken": "cl100k_base",
    "openai/o200k_base.tiktoken": "o200k_harmony",
}


def assert_same(tok: bukva.Tokenizer, folder: Path, texts: list[str]) -> None:
    auto = transformers.AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    for text in texts:
        ids = tok.encode(text, allowed_special="all")
        assert auto.encode(text, add_special_tokens=False) == ids, text[:60]
        # Control symbols of a SentencePiece model have no text of their own; in the folder they have.
        theirs = auto.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        assert theirs == tok.decode(ids, errors="replace", skip_special_tokens=True), text[:60]


@pytest.mark.parametrize("name", TRAINERS)
def test_trained(name: str, tmp_path: Path) -> None:
    tok = bukva.train(SAMPLE, TRAINERS[name])
    tok.save(tmp_path / "tok", allow_loss=name == "words")
    texts = [text for text in TEXTS if name != "words" or text.strip()]
    assert_same(tok, tmp_path / "tok", texts)


@pytest.mark.parametrize("name", ARTEFACTS)
def test_real(name: str, artefact: Callable[[str], Path], tmp_path: Path) -> None:
    tok = bukva.load(artefact(name), encoding=ARTEFACTS[name])
    losses = tok.save(tmp_path / "tok", allow_loss=True)
    harmless = {"alias", "unknown field", "merges", "training fields", "user-defined pieces", "side file"}
    assert {what for what, *_ in losses} <= harmless, losses
    # Of several names of an id the file keeps the first.
    first = {number: name for name, number in reversed(tok.special_tokens.items())}
    assert_same(tok, tmp_path / "tok", [*TEXTS, *first.values()])
