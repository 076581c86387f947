"""Residual quantisation: codes against exhaustive search, centres against what they must be."""

from __future__ import annotations

import itertools
import sys

import numpy as np
import pytest

import bukva
from bukva.embeddings import ResidualQuantizer, train_residual_quantizer
from bukva.embeddings.kmeans import assign, kmeans, spread_start

rng = np.random.default_rng(4)
BOOKS = rng.normal(size=(3, 4, 5)) * np.array([1, 0.5, 0.25])[:, None, None]
VECTORS = rng.normal(size=(60, 5)).astype(np.float32)


def errors(vectors: np.ndarray, found: np.ndarray) -> np.ndarray:
    return np.square(vectors - found).sum(axis=1)


def test_beam_one_takes_the_nearest_entry_each_time() -> None:
    quantizer, left = ResidualQuantizer(BOOKS), VECTORS.astype(np.float64)
    for number, column in enumerate(quantizer.encode(VECTORS).T):
        distances = np.square(left[:, None] - BOOKS[number]).sum(axis=2)
        assert np.array_equal(column, distances.argmin(axis=1))
        left = left - BOOKS[number][column]


def test_a_full_beam_finds_the_best_code() -> None:
    quantizer = ResidualQuantizer(BOOKS)
    sums = {
        code: sum(BOOKS[n][entry] for n, entry in enumerate(code)) for code in itertools.product(range(4), repeat=3)
    }
    best = [min(sums, key=lambda code: np.square(vector - sums[code]).sum()) for vector in VECTORS]
    assert quantizer.encode(VECTORS, beam=64).tolist() == [list(code) for code in best]
    by_beam = [errors(VECTORS, quantizer.decode(quantizer.encode(VECTORS, beam=beam))).sum() for beam in (1, 4, 64)]
    assert by_beam == sorted(by_beam, reverse=True)
    assert by_beam[0] > by_beam[2]


def test_a_prefix_is_a_coarser_vector() -> None:
    quantizer = train_residual_quantizer(VECTORS, 4, 8)
    codes = quantizer.encode(VECTORS)
    assert codes.dtype == np.uint32
    assert codes.max() < 8
    by_prefix = [errors(VECTORS, quantizer.decode(codes[:, :k])).sum() for k in range(5)]
    assert by_prefix == sorted(by_prefix, reverse=True)
    assert np.array_equal(quantizer.encode(VECTORS, n_codebooks=2), codes[:, :2])
    expected = by_prefix[2] / errors(VECTORS, VECTORS.mean(axis=0)).sum()
    assert quantizer.relative_error(VECTORS, n_codebooks=2) == pytest.approx(expected, rel=1e-5)


def test_rates() -> None:
    quantizer = ResidualQuantizer(np.ones((8, 1024, 2)))
    assert (quantizer.rate(50).ids_per_s, quantizer.rate(75).bits_per_s) == (400, 6000)
    assert quantizer.rate(75, n_codebooks=2).bits_per_s == 1500


def test_kmeans_finds_clouds_and_uses_every_centre() -> None:
    places = np.array([[0, 0], [50, 0], [0, 50], [50, 50], [25, 90]], np.float32)
    cloud = (places[:, None] + rng.normal(size=(5, 40, 2))).reshape(-1, 2).astype(np.float32)
    centres = kmeans(cloud, 5, np.random.default_rng(0))
    nearest, distances = assign(cloud, centres)
    assert np.bincount(nearest).tolist() == [40] * 5
    for number, centre in enumerate(centres):
        assert centre == pytest.approx(cloud[nearest == number].mean(axis=0), abs=1e-4)
    assert distances == pytest.approx(errors(cloud, centres[nearest]))


def test_dead_codes_are_put_to_use() -> None:
    """Far apart and one alone: a start of equal centres would leave all but one dead."""
    few = np.repeat(np.array([[0.0], [1], [2], [3], [1000]], np.float32), [100, 100, 100, 100, 1], axis=0)
    for seed in range(10):
        centres = kmeans(few, 5, np.random.default_rng(seed), iterations=50)
        assert sorted(centres[:, 0].tolist()) == [0, 1, 2, 3, 1000]
    same = np.ones((6, 2), np.float32)
    assert np.array_equal(kmeans(same, 3, np.random.default_rng(0)), np.ones((3, 2)))


def test_the_start_is_spread() -> None:
    points = np.repeat(np.arange(6.0), 50)[:, None].astype(np.float32)
    assert sorted(spread_start(points, 6, np.random.default_rng(3))[:, 0].tolist()) == [0, 1, 2, 3, 4, 5]


def test_the_same_seed_gives_the_same_codebooks() -> None:
    one, other = (train_residual_quantizer(VECTORS, 2, 8, seed=5) for _ in range(2))
    assert np.array_equal(one.codebooks, other.codebooks)
    assert repr(one) == "ResidualQuantizer(2 codebooks of 8, dim=5)"


def test_training_beats_random_codebooks_and_beams_help() -> None:
    data = (rng.normal(size=(30, 16))[rng.integers(0, 30, 2000)] + 0.3 * rng.normal(size=(2000, 16))).astype(np.float32)
    quantizer = train_residual_quantizer(data, 4, 32, beam=4)
    drawn = ResidualQuantizer(data[rng.integers(0, 2000, (4, 32))])
    assert quantizer.relative_error(data, beam=4) < quantizer.relative_error(data) < drawn.relative_error(data)
    assert quantizer.relative_error(data) < 0.1


def test_faiss_reads_the_same_codebooks() -> None:
    faiss = pytest.importorskip("faiss")
    data = rng.normal(size=(3000, 8)).astype(np.float32)
    quantizer = train_residual_quantizer(data, 3, 16, engine="faiss", seed=1)
    native = faiss.ResidualQuantizer(8, 3, 4)
    native.max_beam_size = 1
    native.is_trained = True
    faiss.copy_array_to_vector(quantizer.codebooks.ravel(), native.codebooks)
    codes = native.compute_codes(data)
    assert native.decode(codes) == pytest.approx(quantizer.decode(quantizer.encode(data)), abs=1e-5)
    plain = train_residual_quantizer(data, 3, 16)
    assert plain.relative_error(data) < quantizer.relative_error(data) * 1.1
    with pytest.raises(bukva.ArgumentError, match="a power of two"):
        train_residual_quantizer(data, 3, 15, engine="faiss")


def test_faiss_is_asked_for_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    with pytest.raises(bukva.UnsupportedError, match="needs the package faiss-cpu"):
        train_residual_quantizer(VECTORS, 2, 4, engine="faiss")


def test_bad_input() -> None:
    with pytest.raises(bukva.ArgumentError, match=r"at most the number of vectors, 60\. Got 64"):
        train_residual_quantizer(VECTORS, 2, 64)
    with pytest.raises(bukva.ArgumentError, match="'plain', 'faiss'"):
        train_residual_quantizer(VECTORS, 2, 4, engine="torch")  # type: ignore[arg-type]
    spoilt = VECTORS.copy()
    spoilt[7, 1] = np.inf
    with pytest.raises(bukva.ArgumentError, match="Row 7 "):
        train_residual_quantizer(spoilt, 2, 4)
    quantizer = ResidualQuantizer(BOOKS)
    with pytest.raises(bukva.UnknownIdError, match=r"id 4 .*\(0, 1\)"):
        quantizer.decode([[0, 4]])
    with pytest.raises(bukva.ArgumentError, match="k at most 3"):
        quantizer.decode([[0, 1, 2, 3]])
    with pytest.raises(bukva.ArgumentError, match=r"\(5,\). Got \(4,\)"):
        quantizer.encode(np.ones((2, 4)))
    with pytest.raises(bukva.ArgumentError, match=r"at most 3\. Got 4"):
        quantizer.encode(VECTORS, n_codebooks=4)
    with pytest.raises(bukva.ArgumentError, match="n_codebooks, size, dim"):
        ResidualQuantizer(np.ones((2, 3)))
