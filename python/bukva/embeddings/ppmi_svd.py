"""PPMI-SVD: the largest singular vectors of positive pointwise mutual information."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from ..checks import wrong
from .reading import check_memory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .checking import Rows
    from .training_options import VectorOptions

    Matrix = NDArray[np.float64]

OVERSAMPLING = 10
"""Directions beyond those that are asked for, as Halko et al. advise."""


def factorize(
    corpus: _core.VectorCorpus, words: list[str], options: VectorOptions
) -> tuple[Rows, Rows, None, dict[str, Any]]:
    """U · S^p and V · S^(1 - p) of the matrix U · S · V^T, no rows of n-grams, and the facts of the run.

    Raises
    ------
    ArgumentError
        If ``dim`` is beyond the number of words.
    """
    if options.dim > len(words):
        raise wrong("dim", options.caller, f"at most the number of words, {len(words)}", options.dim)
    counts = _core.count_cooccurrences(corpus, **options.counting())
    cells, pairs = counts.sizes()
    memory = estimate_memory(len(words), cells, options.dim)
    check_memory(memory["peak"], len(words), options)
    matrix = _core.PpmiMatrix(counts, **options.mutual_information())
    positive, squares = matrix.sizes()
    left, values, right = largest_singular(matrix, len(words), options)
    power = float(options.eigenvalue_exponent)
    facts = {
        "memory": memory,
        "cells": cells,
        "positive_cells": positive,
        "pairs": pairs,
        "singular_values": [float(value) for value in values],
        "explained": float((values**2).sum() / squares),
    }
    return _weighted(left, values, power), _weighted(right, values, 1 - power), None, facts


def estimate_memory(n_words: int, cells: int, dim: int) -> dict[str, int]:
    """Bytes of the cells, of the dense matrices (seven at one time, float64), of the result, and in all."""
    width = min(n_words, dim + OVERSAMPLING)
    facts = {"counts": 8 * cells + 24 * n_words, "dense": 7 * 8 * n_words * width, "result": 8 * n_words * dim}
    return facts | {"peak": sum(facts.values())}


def largest_singular(matrix: _core.PpmiMatrix, n_words: int, options: VectorOptions) -> tuple[Matrix, Matrix, Matrix]:
    """The ``dim`` largest singular values with their vectors on either side, by randomised subspace iteration.

    A random subspace is sent through the matrix and back some times and made orthogonal in between; the matrix is then
    decomposed within it. O(epochs · (cells · dim + words · dim²)) time.

    Source: Halko, Martinsson and Tropp 2011, algorithms 4.4 and 5.1.
    """
    products = 2 * options.passes + 2
    done = 0

    def times(dense: Matrix, *, transposed: bool) -> Matrix:
        nonlocal done
        found = matrix.times(np.ascontiguousarray(dense), transposed=transposed, threads=options.threads)
        done += 1
        if options.progress is not None:
            options.progress("train", done, products)
        return found

    width = min(n_words, options.dim + OVERSAMPLING)
    start = np.random.default_rng(options.seed).standard_normal((n_words, width))
    basis = np.linalg.qr(times(start, transposed=False))[0]
    for _ in range(options.passes):
        other = np.linalg.qr(times(basis, transposed=True))[0]
        basis = np.linalg.qr(times(other, transposed=False))[0]
    other, triangle = np.linalg.qr(times(basis, transposed=True))
    # The matrix within the subspace is basis · triangle^T · other^T.
    inner, values, outer = np.linalg.svd(triangle.T)
    left, right = basis @ inner[:, : options.dim], other @ outer.T[:, : options.dim]
    signs = _signs(left)
    return left * signs, values[: options.dim], right * signs


def _signs(vectors: Matrix) -> Matrix:
    """1 or -1 for each column, so that its largest number is positive: either sign is as right."""
    largest = np.abs(vectors).argmax(axis=0)
    signs: Matrix = np.where(vectors[largest, np.arange(vectors.shape[1])] < 0, -1.0, 1.0)
    return signs


def _weighted(vectors: Matrix, values: Matrix, power: float) -> Rows:
    """The columns times values^power; a value of 0 gives 0, also where the power is below 0."""
    weights = np.zeros_like(values)
    positive = values > values.max() * np.finfo(np.float64).eps * len(vectors)
    weights[positive] = values[positive] ** power
    return (vectors * weights).astype(np.float32)
