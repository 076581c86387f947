"""Two spaces of word vectors laid over each other by pairs of words that mean the same."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ...errors import ArgumentError

if TYPE_CHECKING:
    from ..vectors import WordVectors


def align_vectors(source: WordVectors, target: WordVectors, pairs: Iterable[tuple[str, str]]) -> WordVectors:
    """The source, turned so that words of a pair lie near each other.

    Parameters
    ----------
    source, target : WordVectors
        Of the same dimension.
    pairs : iterable of (str, str)
        A word of the source and one of the target. Pairs with an unknown word are left out.

    Returns
    -------
    WordVectors
        The words and lengths of the source; angles between its words do not change.

    Raises
    ------
    ArgumentError
        If dimensions differ, or no pair is known.

    Notes
    -----
    The orthogonal matrix W that makes the sum of |W x − y|² least over unit vectors, from one singular value
    decomposition. Source: P. Schönemann, *A generalized solution of the orthogonal Procrustes problem*, 1966.
    """
    from ..neighbors import lengths_of
    from ..vectors import WordVectors

    if source.dim != target.dim:
        raise ArgumentError(f"Vectors of {source.dim} numbers cannot be turned to vectors of {target.dim} numbers.")
    known = [(source.index(a), target.index(b)) for a, b in pairs if a in source and b in target]
    if not known:
        raise ArgumentError("No pair of words is known to both. Give pairs (word of the source, word of the target).")
    rows, to = np.array(known).T
    x = source.matrix[rows].astype(np.float64) / lengths_of(source)[rows, None]
    y = target.matrix[to].astype(np.float64) / lengths_of(target)[to, None]
    left, _, right = np.linalg.svd(x.T @ y)
    turned = (source.matrix @ (left @ right)).astype(np.float32)
    return WordVectors(source.words, turned, source.counts, source.record)
