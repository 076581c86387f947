"""The words nearest to a word or a vector."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..checks import check_integer, wrong
from ..errors import ArgumentError

if TYPE_CHECKING:
    from .checking import Rows
    from .vectors import WordVectors

QUERIES_AT_ONCE = 64
"""Queries of one matrix product: their scores for 100,000 words take 26 MB."""
FEW = 8
"""Below so many queries a scan of bytes is faster than a product of matrices,"""
LARGE = 4096
"""from so many rows on."""
GROUP = 64
"""Scores whose greatest stands for all of them where the best are looked for."""


@dataclass(frozen=True)
class Query:
    """A direction, and the rows that are no answer."""

    unit: NDArray[np.float64]
    excluded: tuple[int, ...] = ()


def query_of(vectors: WordVectors, given: object, exclude: Sequence[str] = ()) -> Query:
    """The query that a word or a vector stands for; a word is no answer to itself."""
    named = [given, *exclude] if isinstance(given, str) else list(exclude)
    vector: NDArray[Any] = vectors[given] if isinstance(given, str) else np.asarray(given)
    name = f"The vector of {given!r}" if isinstance(given, str) else "The vector of the query"
    excluded = tuple(vectors.index(word) for word in named if word in vectors)
    return Query(unit_of(vector, vectors.dim, name), excluded)


def unit_of(vector: NDArray[np.floating], dim: int, name: str) -> NDArray[np.float64]:
    """The vector at length 1, in float64.

    Raises
    ------
    ArgumentError
        If it has another length than ``dim``, is not finite, or is all zeros and so has no direction.
    """
    if vector.shape != (dim,) or vector.dtype.kind not in "fiu":
        raise ArgumentError(f"{name} must have {dim} numbers. Got shape {vector.shape}, {vector.dtype} instead.")
    wide = vector.astype(np.float64)
    length = float(np.linalg.norm(wide))
    if not np.isfinite(length):
        raise ArgumentError(f"{name} is not finite.")
    if length == 0:
        raise ArgumentError(f"{name} is all zeros: it has no direction, so nothing is near it.")
    unit: NDArray[np.float64] = wide / length
    return unit


def is_many(query: object) -> bool:
    """Whether a query is a list of them: of words, or a table of vectors."""
    if isinstance(query, str):
        return False
    if isinstance(query, np.ndarray):
        return query.ndim == 2
    if isinstance(query, (list, tuple)):
        return True
    raise wrong("query", "neighbors", "a word, a vector, or a list of them", query)


def nearest(
    vectors: WordVectors, queries: Sequence[Query], k: int, among: int | None = None
) -> list[list[tuple[int, float]]]:
    """The ``k`` rows of greatest cosine for each query, the greatest first; equal ones in the order of the rows.

    Parameters
    ----------
    vectors : WordVectors
    queries : sequence of Query
    k : int
        Fewer are returned where there are not so many.
    among : int, optional
        Only the first so many rows: the most frequent words, where rows are in that order.

    Returns
    -------
    list of list of (int, float)
        Row and cosine. A cosine is computed in float64, so it does not depend on the other queries. A row of zeros has
        the cosine 0.

    Notes
    -----
    Many queries: one product of float32 matrices for 64. The greatest of each group of scores give a bound below which
    no answer lies; what reaches it, less the error that float32 can make, is computed again in float64.

    Few queries wait for memory, so they go through a copy of the table in bytes, made at the first of them, with bounds
    of its error; what can be among the nearest is computed in float64.
    """
    check_integer("k", "neighbors", k, 1)
    check_integer("among", "neighbors", among, 1, optional=True)
    # Codes are of rows at length 1, so they also serve where lengths leave the range of float32.
    if (len(queries) < FEW and len(vectors) >= LARGE) or vectors.norms.dtype == np.float64:
        return [_by_codes(vectors, query, k, among) for query in queries]
    found: list[list[tuple[int, float]]] = []
    for block, scores in score_blocks(vectors, queries, among):
        for query, row in zip(block, scores, strict=True):
            row[[number for number in query.excluded if number < len(row)]] = -np.inf
            found.append(_exact(vectors, query, candidates(row, k, _tolerance(vectors.dim)), k))
    return found


def _by_codes(vectors: WordVectors, query: Query, k: int, among: int | None) -> list[tuple[int, float]]:
    count = len(vectors) if among is None else min(among, len(vectors))
    unit = query.unit.astype(np.float32)
    rows = vectors.codes.candidates(unit, min(k, len(vectors)), count, list(query.excluded))
    return _exact(vectors, query, rows.astype(np.intp), k)


def score_blocks(
    vectors: WordVectors, queries: Sequence[Query], among: int | None
) -> Iterator[tuple[Sequence[Query], Rows]]:
    """Blocks of queries with their cosines to the rows, float32, shape (queries, rows)."""
    table = vectors.matrix[:among]
    lengths = lengths_of(vectors)[:among]
    for start in range(0, len(queries), QUERIES_AT_ONCE):
        block = queries[start : start + QUERIES_AT_ONCE]
        units = np.stack([query.unit for query in block]).astype(np.float32)
        scores = units @ table.T
        scores /= lengths
        yield block, scores


def lengths_of(vectors: WordVectors) -> NDArray[np.floating]:
    """Lengths to divide by: those of the rows, 1 for a row of zeros."""
    norms = vectors.norms
    return np.where(norms == 0, norms.dtype.type(1), norms)


def candidates(scores: Rows, k: int, tolerance: float) -> NDArray[np.intp]:
    """Rows that may be among the ``k`` of greatest score, if scores are wrong by at most half the tolerance."""
    groups = len(scores) // GROUP
    if groups < 2 * k:
        bound = np.partition(scores, -k)[-k] if k < len(scores) else -np.inf
    else:
        # k groups have a score that reaches this bound, so at least k scores do.
        greatest = scores[: groups * GROUP].reshape(GROUP, groups).max(axis=0)
        bound = np.partition(greatest, -k)[-k]
    return np.flatnonzero(scores >= max(bound - tolerance, np.finfo(np.float32).min))


def _tolerance(dim: int) -> float:
    """Twice the greatest error of a cosine in float32: a sum of ``dim`` products of unit vectors, and a division."""
    return 2 * (dim + 4) * float(np.finfo(np.float32).eps)


def _exact(vectors: WordVectors, query: Query, rows: NDArray[np.intp], k: int) -> list[tuple[int, float]]:
    return best(rows, cosines(vectors, query.unit, rows), k)


def best(rows: NDArray[np.intp], scores: NDArray[np.float64], k: int) -> list[tuple[int, float]]:
    """The ``k`` rows of greatest score; equal ones in the order of the rows."""
    order = np.lexsort((rows, -scores))[:k]
    return [(int(rows[at]), float(scores[at])) for at in order]


def cosines(vectors: WordVectors, unit: NDArray[np.float64], rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """Cosines of some rows to a unit vector, in float64."""
    table = vectors.matrix[rows].astype(np.float64)
    # Not a product of BLAS: its order of summation depends on how many rows there are.
    lengths = np.sqrt(np.einsum("ij,ij->i", table, table))
    dots = np.einsum("ij,j->i", table, unit)
    found: NDArray[np.float64] = dots / np.where(lengths == 0, 1, lengths)
    return found
