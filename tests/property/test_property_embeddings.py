"""Identities of tables and losses on random numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import bukva
from bukva.embeddings import (
    EntropyPatches,
    FixedPatches,
    Sampling,
    cross_entropy,
    log_softmax,
    next_probabilities,
    one_hot,
    softmax,
    train_byte_ngram,
    train_residual_quantizer,
)

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


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=20), st.integers(1, 25), st.floats(0.01, 1), st.floats(0.1, 9))
def test_filters_keep_the_most_probable(logits: list[float], top_k: int, top_p: float, temperature: float) -> None:
    found = next_probabilities(logits, Sampling(temperature=temperature, top_k=top_k, top_p=top_p))
    kept = found > 0
    assert abs(found.sum() - 1) < 1e-12
    assert 1 <= kept.sum() <= top_k
    values = np.array(logits)
    assert kept.all() or values[kept].min() >= values[~kept].max() or np.isclose(found[kept].min(), 0, atol=1e-300)


MODEL = train_byte_ngram(["abracadabra, абракадабра"], order=3)


@given(st.binary(max_size=300), st.integers(1, 9), st.floats(-1, 6), st.floats(-6, 6))
def test_patches_tile_any_bytes(data: bytes, size: int, threshold: float, rise: float) -> None:
    fixed, open_ended = FixedPatches(size), EntropyPatches(MODEL, threshold=threshold, rise=rise)
    bounded = EntropyPatches(MODEL, threshold=threshold, rise=rise, max_size=size)
    for patches in (fixed, open_ended, bounded):
        assert b"".join(patches.cut(data)) == data
        assert all(patches.cut(data))
    assert all(len(patch) <= size for patch in bounded.cut(data))
    assert {*open_ended.starts(data).tolist()} <= {*bounded.starts(data).tolist()}


@given(st.integers(1, 4), st.integers(1, 8), st.integers(1, 5), SEEDS)
def test_codes_are_in_range_and_more_of_them_are_never_worse(k: int, size: int, beam: int, seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(20, 3)).astype(np.float32)
    quantizer = train_residual_quantizer(vectors, k, size, seed=seed, iterations=50)
    codes = quantizer.encode(vectors, beam=beam)
    assert codes.shape == (20, k)
    assert codes.max() < size
    codes = quantizer.encode(vectors)
    left = [np.square(vectors - quantizer.decode(codes[:, :n])).sum() for n in (0, k)]
    assert left[1] <= left[0] * (1 + 1e-5)
