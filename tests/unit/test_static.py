"""Texts as means of rows, against sums by hand."""

from __future__ import annotations

import numpy as np
import pytest

import bukva
from bukva.embeddings import StaticEmbedding, WordVectors, pool_mean, remove_common, sif_weights

rng = np.random.default_rng(2)
TEXTS = ["привет, мир", "", "мир", "и ещё раз <|endoftext|>"]


@pytest.fixture(scope="module")
def table(tok: bukva.Tokenizer) -> np.ndarray:
    return rng.normal(size=(tok.sizes.id_range + 2, 5)).astype(np.float32)


def test_the_mean_of_the_rows_of_a_text(tok: bukva.Tokenizer, table: np.ndarray) -> None:
    found = StaticEmbedding(table, tok).encode(TEXTS)
    assert found.dtype == np.float32
    for text, vector in zip(TEXTS, found, strict=True):
        ids = tok.encode(text, disallowed_special=())
        expected = table[ids].mean(axis=0) if ids else np.zeros(5)
        assert vector == pytest.approx(expected, abs=1e-6)
    alone = StaticEmbedding(bukva.Embedding.from_weight(table), tok)
    assert np.array_equal(alone.encode(TEXTS[0]), found[:1])
    assert alone.encode([]).shape == (0, 5)


def test_weights(tok: bukva.Tokenizer, table: np.ndarray) -> None:
    plain = StaticEmbedding(table, tok)
    counts = plain.counts(TEXTS)
    assert counts.sum() == len(tok.encode_batch(TEXTS, disallowed_special=()).ids)
    weights = sif_weights(counts)
    assert weights[counts == 0] == pytest.approx(1)
    p = counts.max() / counts.sum()
    assert weights[counts.argmax()] == pytest.approx(1e-3 / (1e-3 + p))
    found = plain.with_weights(weights).encode(TEXTS)
    ids = tok.encode(TEXTS[0])
    assert found[0] == pytest.approx(np.average(table[ids], axis=0, weights=weights[ids]), abs=1e-6)
    assert not plain.with_weights(np.zeros(len(table))).encode(TEXTS).any()


def test_words_without_a_vector_are_left_out() -> None:
    vectors = WordVectors(["мир", "вода"], [[1, 0], [0, 2]])
    found = StaticEmbedding(vectors).encode(["мир! Вода, вода...", "ничего", "мир мир вода"])
    assert found == pytest.approx(np.array([[0.5, 1], [0, 0], [2 / 3, 2 / 3]]))
    assert StaticEmbedding(vectors).counts(["мир мир вода"]).tolist() == [2, 1]


def test_pool_mean() -> None:
    rows = np.arange(12.0).reshape(6, 2)
    assert pool_mean(rows, [0, 2, 2, 6]).tolist() == [[1, 2], [0, 0], [7, 8]]
    assert pool_mean(rows, [0, 6], [0, 0, 0, 1, 0, 3]).tolist() == [[9, 10]]
    assert pool_mean(np.empty((0, 3)), [0, 0]).tolist() == [[0, 0, 0]]
    for offsets in ([0, 5], [1, 6], [0, 4, 3, 6], []):
        with pytest.raises(bukva.ArgumentError, match="rising from 0 to 6"):
            pool_mean(rows, offsets)


def test_what_is_common_goes() -> None:
    direction = np.array([3.0, 4, 0]) / 5
    parts = rng.normal(size=(50, 1)) * [0, 0, 0.1]
    vectors = 5 * rng.uniform(1, 2, (50, 1)) * direction + parts
    assert np.abs(remove_common(vectors) @ direction).max() < 0.2
    assert remove_common(vectors, 3) == pytest.approx(np.zeros((50, 3)), abs=1e-5)
    with pytest.raises(bukva.ArgumentError, match="at most 3"):
        remove_common(vectors, 4)


def test_bad_input(tok: bukva.Tokenizer, table: np.ndarray) -> None:
    with pytest.raises(bukva.ArgumentError, match="a Tokenizer for a table"):
        StaticEmbedding(table)
    with pytest.raises(bukva.ArgumentError, match="left out for vectors of words"):
        StaticEmbedding(WordVectors(["a"], [[1]]), tok)
    with pytest.raises(bukva.UnknownIdError, match="has no row: the table has 10 rows"):
        StaticEmbedding(table[:10], tok).encode("привет")
    with pytest.raises(bukva.ArgumentError, match=r"The weight of row 1 is -1"):
        StaticEmbedding(table, tok, weights=np.where(np.arange(len(table)) == 1, -1, 1))
    with pytest.raises(bukva.CorpusError, match="No row is used"):
        sif_weights([0, 0])
    with pytest.raises(bukva.ArgumentError, match="'a'"):
        sif_weights([1], a=0)
