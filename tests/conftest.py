"""Fixtures that many tests share."""

from __future__ import annotations

import os
from importlib.resources import files

import pytest
from hypothesis import settings

import bukva

from .shared_folder import *  # noqa: F403

settings.register_profile("default", max_examples=60, deadline=None)
settings.register_profile("fuzz", max_examples=int(os.environ.get("CASES", "20000")), deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def sample(name: str) -> str:
    return (files("bukva") / "data" / f"sample_{name}.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def ru() -> str:
    return sample("ru")


@pytest.fixture(scope="session")
def en() -> str:
    return sample("en")


@pytest.fixture(scope="session")
def tok(ru: str) -> bukva.Tokenizer:
    """Bytes, GPT-2 pattern, 500 merges, one special token."""
    trainer = bukva.BpeTrainer(num_merges=500, tie_break="first_seen", special_tokens=["<|endoftext|>"])
    return bukva.train_from_iterator([ru], trainer)
