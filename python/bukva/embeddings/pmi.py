"""What skip-gram with negative sampling learns: at its optimum w · c = PMI(w, c) - ln k.

Source: Levy and Goldberg 2014, *Neural word embedding as implicit matrix factorization*, section 3.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..checks import check_integer, wrong
from ..errors import TrainingError
from .arrays import as_floats
from .optimizers import Adam
from .sentences import numbered

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Matrix = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class PmiCheck:
    """How near the products w · c of a trained model are to PMI - ln k, on the cells with a positive count.

    Attributes
    ----------
    correlation : float
        Of w · c with PMI - ln k; every cell counts once.
    offset : float
        Mean of PMI - w · c; every pair of the corpus counts once.
    expected_offset : float
        ln k.
    n_words, n_cells, n_pairs : int
        Words, cells with a positive count, and pairs in them.
    dim, negatives : int
    """

    correlation: float
    offset: float
    expected_offset: float
    n_words: int
    n_cells: int
    n_pairs: int
    dim: int
    negatives: int


def cooccurrences(rows: Iterable[Sequence[int]], n_words: int, window: int = 5) -> Matrix:
    """How often word j stands at most ``window`` places from word i, in rows of word numbers.

    Numbers of at least ``n_words`` keep their places and are not counted. The matrix is symmetric.

    Returns
    -------
    ndarray of float64, shape (n_words, n_words)
    """
    check_integer("n_words", "cooccurrences", n_words, 1)
    check_integer("window", "cooccurrences", window, 1)
    counts = np.zeros((n_words, n_words))
    for row in rows:
        ids = np.asarray(row, np.int64)
        for distance in range(1, min(window, len(ids) - 1) + 1):
            left, right = ids[:-distance], ids[distance:]
            known = (left < n_words) & (right < n_words)
            np.add.at(counts, (left[known], right[known]), 1)
    return counts + counts.T


def shifted_pmi(counts: ArrayLike, negatives: int = 5, smoothing: float = 1.0) -> Matrix:
    """ln(#(w, c) · |D| / (#w · #c)) - ln k; minus infinity where a pair never occurs.

    Parameters
    ----------
    counts : array-like, shape (n, n)
    negatives : int
        k.
    smoothing : float
        With noise drawn by count^smoothing, #c / |D| becomes the share of c in that noise; word2vec has 0.75.
    """
    table = _counts(counts, "shifted_pmi")
    check_integer("negatives", "shifted_pmi", negatives, 1)
    with np.errstate(divide="ignore"):
        pmi: Matrix = np.log(table) - np.log(_expected_negatives(table, negatives, smoothing))
    return pmi


def fit_expected_sgns(
    counts: ArrayLike,
    *,
    negatives: int = 5,
    dim: int | None = None,
    steps: int = 2000,
    lr: float = 0.02,
    smoothing: float = 1.0,
    seed: int = 0,
) -> tuple[Matrix, Matrix]:
    """Word and context vectors at the minimum of the loss that skip-gram has on average, by Adam over all pairs.

    The loss is Σ n⁺ ln(1 + exp(-w · c)) + n⁻ ln(1 + exp(w · c)), with n⁺ the counts and n⁻ the negative samples to be
    expected, k · #w · share of c. Nothing is drawn, so what is left is the model itself. O(steps · n² · dim) time.

    Parameters
    ----------
    counts : array-like, shape (n, n)
    negatives, smoothing
        As in :func:`shifted_pmi`.
    dim : int, optional
        n where left out: enough for any matrix.
    steps : int
        The last half with a falling step.
    lr : float
    seed : int

    Returns
    -------
    (ndarray, ndarray), each of shape (n, dim)
    """
    table = _counts(counts, "fit_expected_sgns")
    for name, value in (("negatives", negatives), ("steps", steps)):
        check_integer(name, "fit_expected_sgns", value, 1)
    check_integer("dim", "fit_expected_sgns", dim, 1, optional=True)
    shape, rng = (len(table), dim or len(table)), np.random.default_rng(seed)
    positive = table / table.sum()
    both = positive + _expected_negatives(table, negatives, smoothing) / table.sum()
    words, contexts = rng.normal(0, 0.1, shape), rng.normal(0, 0.1, shape)
    adam = Adam([words, contexts], lr, eps=1e-10)
    for step in range(steps):
        adam.lr = lr * min(1.0, 2 * (steps - step) / steps)
        # The slope of the loss by a product x: n⁻ σ(x) - n⁺ (1 - σ(x)).
        slope = both / (1 + np.exp(-(words @ contexts.T))) - positive
        adam.step([slope @ contexts, slope.T @ words])
    return words, contexts


def check_pmi(
    sentences: Iterable[str | Sequence[str]],
    *,
    n_words: int = 200,
    window: int = 5,
    negatives: int = 5,
    dim: int | None = None,
    steps: int = 2000,
    seed: int = 0,
) -> PmiCheck:
    """Fits the most frequent words of sentences and compares with PMI - ln k.

    With as many numbers in a vector as there are words, the correlation is 1 and the offset ln k. With fewer, the
    products cannot reach the matrix, and both fall short.

    Parameters
    ----------
    sentences : iterable of str or of sequences of str
    n_words : int
        So many of the most frequent words.
    window, negatives, dim, steps, seed
        As in :func:`cooccurrences` and :func:`fit_expected_sgns`.
    """
    check_integer("n_words", "check_pmi", n_words, 2)
    found = numbered(sentences, "check_pmi")
    n_words = min(n_words, len(found.words))
    counts = cooccurrences(found.rows, n_words, window)
    words, contexts = fit_expected_sgns(counts, negatives=negatives, dim=dim, steps=steps, seed=seed)
    positive = counts > 0
    products, target = (words @ contexts.T)[positive], shifted_pmi(counts, negatives)[positive]
    offset = np.average(target + np.log(negatives) - products, weights=counts[positive])
    return PmiCheck(
        correlation=float(np.corrcoef(products, target)[0, 1]),
        offset=float(offset),
        expected_offset=float(np.log(negatives)),
        n_words=n_words,
        n_cells=int(positive.sum()),
        n_pairs=int(counts.sum()),
        dim=words.shape[1],
        negatives=negatives,
    )


def _expected_negatives(counts: Matrix, negatives: int, smoothing: float) -> Matrix:
    noise = counts.sum(axis=0) ** smoothing
    expected: Matrix = negatives * np.outer(counts.sum(axis=1), noise / noise.sum())
    return expected


def _counts(counts: ArrayLike, caller: str) -> Matrix:
    table = as_floats(counts, "counts", caller).astype(np.float64)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not np.isfinite(table).all() or table.min(initial=0) < 0:
        raise wrong("counts", caller, "a square matrix of counts", f"shape {table.shape}")
    if not table.sum(axis=0).all() or not table.sum(axis=1).all():
        raise TrainingError("A word has no neighbour, so it has no PMI. Leave it out, or give longer sentences.")
    return table
