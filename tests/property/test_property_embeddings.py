"""Identities of tables and losses on random numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import bukva
from bukva.embeddings import cross_entropy, log_softmax, one_hot, softmax

SIZES = st.integers(1, 9)
IDS = st.lists(st.integers(0, 8), max_size=30)
SEEDS = st.integers(0, 2**32)


@given(IDS, SIZES, SEEDS)
def test_lookup_and_gradient_are_products(ids: list[int], dim: int, seed: int) -> None:
    table = bukva.Embedding(9, dim, seed)
    hot = one_hot(ids, 9)
    assert np.array_equal(table(ids), hot @ table.weight)
    d_rows = np.random.default_rng(seed).integers(-50, 50, (len(ids), dim)).astype(np.float32)
    assert np.array_equal(table.gradient(ids, d_rows), hot.T @ d_rows)
    assert np.array_equal(table.sparse_gradient(ids, d_rows).to_dense(), hot.T @ d_rows)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.floats(-1e6, 1e6))
def test_softmax(logits: list[float], shift: float) -> None:
    wide = np.array(logits)
    probabilities = softmax(wide)
    assert abs(probabilities.sum() - 1) < 1e-12
    assert np.allclose(probabilities, softmax(wide + shift), atol=1e-6)
    assert np.allclose(np.exp(log_softmax(wide)), probabilities, atol=1e-12)
    assert cross_entropy(wide, int(wide.argmax())).value <= np.log(len(wide)) + 1e-9
