"""Tokenizers trained once on the sample of the package."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import bukva

SAMPLE = Path(bukva.__file__).with_name("data")
LOSSLESS = ("gpt2", "cl100k", "o200k", "llama3", "qwen2", "course", None)
SPECIAL = ("<s>", "<|end|>", "<|pad|>")


@cache
def trained(pattern: str | None, special: bool) -> bukva.Tokenizer:
    trainer = bukva.BpeTrainer(num_merges=500, pattern=pattern, special_tokens=list(SPECIAL) if special else [])
    return bukva.train([SAMPLE / "sample_ru.txt", SAMPLE / "sample_en.txt"], trainer)


@pytest.fixture(scope="session", params=LOSSLESS, ids=str)
def tok(request: pytest.FixtureRequest) -> bukva.Tokenizer:
    """A byte-level tokenizer with a lossless pattern and no normaliser."""
    return trained(request.param, special=False)


@pytest.fixture(scope="session")
def special_tok() -> bukva.Tokenizer:
    """The same with special tokens."""
    return trained("cl100k", special=True)
