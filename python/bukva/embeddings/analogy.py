"""Analogies: the word that is to c as b is to a.

Source: O. Levy, Y. Goldberg, *Linguistic Regularities in Sparse and Explicit Word Representations*, 2014.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..checks import check_choice, check_integer
from .neighbors import Query, best, candidates, cosines, nearest, query_of, score_blocks, unit_of

if TYPE_CHECKING:
    from .vectors import WordVectors

METHODS = ("add", "mul")
EPSILON = 1e-3
"""What 3CosMul adds to the denominator."""


def solve(
    vectors: WordVectors, a: str, b: str, c: str, k: int, method: str, among: int | None
) -> list[tuple[int, float]]:
    """Rows and scores of the ``k`` best answers; none of the three words is one."""
    check_choice("method", "analogy", method, METHODS)
    check_integer("k", "analogy", k, 1)
    parts = [query_of(vectors, word) for word in (a, b, c)]
    excluded = tuple(row for part in parts for row in part.excluded)
    if method == "add":
        return nearest(vectors, [Query(sum_of(parts, vectors.dim), excluded)], k, among)[0]
    check_integer("among", "analogy", among, 1, optional=True)
    (_, scores), *_ = score_blocks(vectors, parts, among)
    rough = product_of(*scores)
    rough[[row for row in excluded if row < len(rough)]] = -np.inf
    rows = candidates(rough, min(2 * k + 10, len(rough)), 0.0)
    exact = product_of(*(cosines(vectors, part.unit, rows) for part in parts))
    return best(rows, exact, k)


def sum_of(parts: Sequence[Query], dim: int) -> NDArray[np.float64]:
    """3CosAdd: the direction b − a + c of unit vectors; the answer is the word nearest to it."""
    a, b, c = (part.unit for part in parts)
    return unit_of(b - a + c, dim, "The vector b − a + c")


def product_of(a: NDArray[Any], b: NDArray[Any], c: NDArray[Any]) -> NDArray[Any]:
    """3CosMul: cos(x, b) · cos(x, c) / (cos(x, a) + ε), each cosine moved to 0 … 1."""
    score: NDArray[Any] = (1 + b) / 2 * ((1 + c) / 2) / ((1 + a) / 2 + EPSILON)
    return score
