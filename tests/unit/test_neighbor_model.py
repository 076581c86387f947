"""Pairs of neighbours, and the small trainer on them."""

from __future__ import annotations

import numpy as np
import pytest

import bukva
from bukva.embeddings import neighbor_pairs, train_on_neighbors


def test_pairs_lie_within_the_window_and_the_row() -> None:
    inputs, targets = neighbor_pairs([[1, 2, 3], [4, 5], [6]], window=1)
    assert list(zip(inputs, targets, strict=True)) == [(1, 2), (2, 1), (2, 3), (3, 2), (4, 5), (5, 4)]
    inputs, targets = neighbor_pairs([[1, 2, 3]], window=5)
    assert sorted(zip(inputs, targets, strict=True)) == [(1, 2), (1, 3), (2, 1), (2, 3), (3, 1), (3, 2)]


def test_words_that_stand_alike_are_near() -> None:
    sentences = [f"the {animal} sleeps" for animal in ("cat", "dog")] * 20
    sentences += [["a", word, "tastes", "good"] for word in ("soup", "bread")] * 20
    vectors = train_on_neighbors(sentences, epochs=10, batch=16)
    assert vectors.neighbors("cat", 1)[0].word == "dog"
    assert vectors.neighbors("bread", 1)[0].word == "soup"
    assert vectors.words[:4] == ["the", "sleeps", "a", "tastes"]
    assert vectors.counts is not None
    assert vectors.counts.tolist()[:4] == [40] * 4
    assert vectors.record["pairs"] == 40 * 6 + 40 * 10
    again = train_on_neighbors(sentences, epochs=10, batch=16)
    assert np.array_equal(again.matrix, vectors.matrix)
    assert again.output is not None


def test_bad_input() -> None:
    with pytest.raises(bukva.CorpusError, match="no word"):
        train_on_neighbors([" "])
    with pytest.raises(bukva.TrainingError, match="no pair"):
        train_on_neighbors(["a", "b"])
    with pytest.raises(bukva.ArgumentError, match=r"sentences\[1\]"):
        train_on_neighbors(["a b", [1, 2]])
    with pytest.raises(bukva.ArgumentError, match="'window'"):
        train_on_neighbors(["a b"], window=0)
