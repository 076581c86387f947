"""Equivalence of tokenizers: what it rests on, and the text that differs."""

from __future__ import annotations

from pathlib import Path

import pytest

import bukva
from bukva.audit.shrinking import shortest


def trained(ru: str, **options: object) -> bukva.Tokenizer:
    return bukva.train_from_iterator([ru], bukva.BpeTrainer(**{"num_merges": 200, **options}))


@pytest.fixture(scope="module")
def base(ru: str) -> bukva.Tokenizer:
    return trained(ru)


def test_same_by_structure(base: bukva.Tokenizer, ru: str, tmp_path: Path) -> None:
    base.save(tmp_path / "tokenizer.json")
    for other in (base, trained(ru), bukva.load(tmp_path / "tokenizer.json")):
        found = bukva.equivalent(base, other)
        assert found
        assert (found.basis, found.text) == ("structure", None)
        assert all(found.parts.values())


def test_same_by_search(base: bukva.Tokenizer, tmp_path: Path) -> None:
    # Whole tokens are looked up first in a rank file; a trained vocabulary has none that merging does not reach.
    base.save(tmp_path / "x.tiktoken", allow_loss=True)
    other = bukva.load(tmp_path / "x.tiktoken", pattern="gpt2")
    found = bukva.equivalent(base, other, n_random=500)
    assert found.same
    assert (found.basis, found.parts["model"]) == ("search", False)
    assert found.n_texts > 100_000


def test_one_merge_less(base: bukva.Tokenizer, ru: str) -> None:
    found = bukva.equivalent(base, trained(ru, num_merges=199))
    left, right = base.merges[199]
    assert not found
    assert found.text == (left + right).decode()
    assert (len(found.ids_a), len(found.ids_b)) == (1, 2)
    assert found.parts == {"normalizer": True, "pre_tokenizer": True, "model": False, "added_tokens": True}


@pytest.mark.parametrize(
    ("options", "part", "size"),
    [
        ({"pattern": "cl100k"}, "pre_tokenizer", 6),
        ({"normalizer": "nfc"}, "normalizer", 2),
        ({"normalizer": "lowercase"}, "normalizer", 1),
    ],
)
def test_other_stages(ru: str, options: dict, part: str, size: int) -> None:
    a, b = trained(ru), trained(ru, **options)
    found = bukva.equivalent(a, b)
    assert found.basis == "difference"
    assert not found.parts[part]
    assert found.text is not None
    assert len(found.text) <= size
    assert a.encode(found.text) == found.ids_a != found.ids_b == b.encode(found.text)
    assert bukva.equivalent(a, b) == found


def test_special_tokens(ru: str) -> None:
    a, b = (trained(ru, special_tokens=[name]) for name in ("<|a|>", "<|b|>"))
    found = bukva.equivalent(a, b)
    assert (found.basis, found.recognised) == ("difference", True)
    assert found.text in ("<|a|>", "<|b|>")


def test_errors_are_outcomes(ru: str) -> None:
    a, b = (bukva.train_from_iterator([text], bukva.CharTrainer(unk_token=None)) for text in ("ab", "abc"))
    found = bukva.equivalent(a, b, n_random=10)
    assert found.ids_a != found.ids_b


def test_shortest() -> None:
    assert shortest("x" * 40 + "ab" + "y" * 1000 + "c", lambda text: "a" in text and "c" in text) == "ac"
    assert shortest("a", lambda text: "a" in text) == "a"
    assert shortest("aXbXc" * 9, lambda text: text.count("X") >= 3) == "XXX"


def test_arguments(base: bukva.Tokenizer) -> None:
    with pytest.raises(bukva.ArgumentError, match="n_random"):
        bukva.equivalent(base, base, n_random=-1)
