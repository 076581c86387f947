"""Merges identical to Hugging Face tokenizers: ByteLevel, the GPT-2 pattern, line by line, no special tokens."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

import bukva
from bukva.reference import bpe

VOCAB_SIZE = 32_000
SAMPLE = Path(bukva.__file__).with_name("data")


def reference(path: Path, vocab_size: int, **options: object) -> tuple[list[list[str]], dict[str, int]]:
    """Merges and vocabulary that tokenizers learns."""
    tok = Tokenizer(models.BPE())
    tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size, initial_alphabet=alphabet, show_progress=False, **{"special_tokens": [], **options}
    )
    tok.train([str(path)], trainer)
    model = json.loads(tok.to_str())["model"]
    return model["merges"], model["vocab"]


STAND_INS = [bpe.stand_in(bytes([byte])) for byte in range(256)]


def byte_level(token: bytes) -> str:
    return "".join(map(STAND_INS.__getitem__, token))


def assert_same(path: Path, vocab_size: int, **options: object) -> bukva.Tokenizer:
    trainer = bukva.BpeTrainer(vocab_size=vocab_size, pattern="gpt2", tie_break="huggingface", **options)
    tok = bukva.train(path, trainer, unit="line")
    merges, vocab = reference(path, vocab_size, **options)
    ours = [[byte_level(left), byte_level(right)] for left, right in tok.merges]
    different = next((i for i, (a, b) in enumerate(zip(ours, merges, strict=False)) if a != b), None)
    assert different is None, f"merge {different}: {ours[different]} instead of {merges[different]}"
    assert len(ours) == len(merges)
    assert {byte_level(token): number for token, number in tok.vocab.items()} | tok.special_tokens == vocab
    return tok


@pytest.mark.filterwarnings("ignore::bukva.BukvaWarning")
def test_pud(shared: Path) -> None:
    tok = assert_same(shared / "pud" / "ru_train.txt", VOCAB_SIZE)
    assert len(tok.merges) == 13_843  # no pair is left then
    assert tok.training.stopped == "no pair left"


@pytest.mark.parametrize("name", ["sample_ru.txt", "sample_en.txt"])
def test_sample(name: str) -> None:
    assert_same(SAMPLE / name, 1000)


def test_special_tokens_come_first() -> None:
    tok = assert_same(SAMPLE / "sample_en.txt", 600, special_tokens=["<s>", "</s>"])
    assert tok.special_tokens == {"<s>": 0, "</s>": 1}


def test_min_frequency() -> None:
    with pytest.warns(bukva.BukvaWarning):
        assert_same(SAMPLE / "sample_en.txt", 5000, min_frequency=5)


@pytest.mark.heavy
def test_50_megabytes(corpus: Callable[..., Path]) -> None:
    path = corpus("train_300m", 50_000_000)
    assert path.stat().st_size == 49_999_944
    assert len(assert_same(path, VOCAB_SIZE).merges) == 31_744
