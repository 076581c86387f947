"""A tokenizer that is saved and loaded gives the same ids, in each of the four formats."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest
from hypothesis import given

import bukva

from .conftest import LOSSLESS, trained
from .texts import texts

FILES = [(name, pattern) for name in ("x.bukva", "tokenizer.json", "x.tiktoken") for pattern in LOSSLESS]
FILES.append(("vocab.json", "gpt2"))


@pytest.fixture(scope="module", params=FILES, ids=str)
def saved(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple:
    """A tokenizer, and the same after a round trip."""
    name, pattern = request.param
    path = tmp_path_factory.mktemp("saved") / name
    tok = trained(pattern, special=False)
    tok.save(path, allow_loss=True)
    given_pattern = {"pattern": pattern or "none"} if name in ("x.tiktoken", "vocab.json") else {}
    return tok, bukva.load(path, **given_pattern)


@given(text=texts)
def test_same_ids(saved: tuple, text: str) -> None:
    tok, again = saved
    assert again.encode(text) == tok.encode(text)
    assert again.decode(again.encode(text)) == text


def test_same_vocabulary_and_merges(saved: tuple) -> None:
    tok, again = saved
    assert dict(again.vocab) == dict(tok.vocab)
    assert again.merges == tok.merges
    assert again.sizes == tok.sizes


@pytest.mark.parametrize("name", ["x.bukva", "tokenizer.json", "folder"])
def test_special_tokens_stay(special_tok: bukva.Tokenizer, tmp_path: Path, name: str) -> None:
    assert special_tok.save(tmp_path / name) == []
    again = bukva.load(tmp_path / name)
    assert again.special_tokens == special_tok.special_tokens
    text = "a<s>b<|end|>x<|end|>"
    assert again.encode(text, allowed_special="all") == special_tok.encode(text, allowed_special="all")


def test_images_are_equal_and_pickles_too(tok: bukva.Tokenizer, tmp_path: Path) -> None:
    tok.save(tmp_path / "x.bukva")
    assert bukva.load(tmp_path / "x.bukva") == tok
    assert pickle.loads(pickle.dumps(tok)) == copy.deepcopy(tok) == tok


def test_saving_what_was_loaded_gives_the_same_file(tok: bukva.Tokenizer, tmp_path: Path) -> None:
    for name in ("x.bukva", "tokenizer.json"):
        first, second = tmp_path / f"1{name}", tmp_path / f"2{name}"
        tok.save(first)
        bukva.load(first).save(second)
        assert first.read_bytes() == second.read_bytes()
