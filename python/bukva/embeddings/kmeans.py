"""k-means with a good start and no dead centres."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .. import _core

if TYPE_CHECKING:
    from .arrays import FloatArray, IdArray

BLOCK = 1 << 22
"""Distances that are held at a time."""


def kmeans(vectors: FloatArray, size: int, rng: np.random.Generator, iterations: int = 20) -> FloatArray:
    """Centres that the vectors lie around.

    Starts by k-means++ and moves each centre to the mean of its vectors, until nothing changes. A centre without
    vectors (a *dead code*) is put on a vector drawn by its squared distance, so that every centre is used while the
    vectors have so many different values. O(iterations · n · size · dim) time.
    Sources: Lloyd 1982; Arthur and Vassilvitskii 2007, *k-means++*.

    Parameters
    ----------
    vectors : ndarray, shape (n, dim)
        At least ``size`` of them.
    size : int
    rng : numpy.random.Generator
    iterations : int

    Returns
    -------
    ndarray, shape (size, dim)
    """
    centres = spread_start(vectors, size, rng)
    previous, wide = None, np.ascontiguousarray(vectors, np.float64)
    for _ in range(iterations):
        nearest, distances = assign(vectors, centres)
        if previous is not None and np.array_equal(nearest, previous):
            break
        counts = np.bincount(nearest, minlength=size)
        sums = np.zeros(centres.shape, np.float64)
        _core.scatter_add(sums, nearest.astype(np.uint32), wide)
        centres = np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], centres).astype(vectors.dtype)
        dead = np.flatnonzero(counts == 0)
        centres[dead] = vectors[_draw(distances, len(dead), rng)]
        previous = nearest if len(dead) == 0 else None
    return centres


def spread_start(vectors: FloatArray, size: int, rng: np.random.Generator) -> FloatArray:
    """The start of k-means++: each next centre is a vector drawn by its squared distance to the centres so far."""
    centres = np.empty((size, vectors.shape[1]), vectors.dtype)
    centres[0] = vectors[rng.integers(len(vectors))]
    distances, lengths = np.full(len(vectors), np.inf), np.einsum("nd,nd->n", vectors, vectors)
    for number in range(1, size):
        last = centres[number - 1]
        # |v|² - 2 v · c + |c|², which rounding may put a little below zero.
        distances = np.minimum(distances, np.maximum(lengths - 2 * (vectors @ last) + last @ last, 0))
        centres[number] = vectors[_draw(distances, 1, rng)[0]]
    return centres


def assign(vectors: FloatArray, centres: FloatArray) -> tuple[IdArray, FloatArray]:
    """The nearest centre of each vector, the first among equals, and the squared distance to it."""
    nearest = np.empty(len(vectors), np.int64)
    distances = np.empty(len(vectors), np.float64)
    lengths = np.einsum("cd,cd->c", centres, centres)
    step = max(1, BLOCK // len(centres))
    for start in range(0, len(vectors), step):
        block = vectors[start : start + step]
        scores = lengths - 2 * (block @ centres.T)
        nearest[start : start + step] = scores.argmin(axis=1)
        difference = block - centres[nearest[start : start + step]]
        distances[start : start + step] = np.einsum("nd,nd->n", difference, difference)
    return nearest, distances


def _draw(distances: FloatArray, n: int, rng: np.random.Generator) -> IdArray:
    """Numbers of vectors drawn by squared distance; evenly where all distances are zero."""
    sums = np.cumsum(distances, dtype=np.float64)
    if not sums[-1] > 0:
        return rng.integers(len(distances), size=n)
    drawn: IdArray = np.searchsorted(sums, rng.random(n) * sums[-1], side="right")
    return np.minimum(drawn, len(distances) - 1)
