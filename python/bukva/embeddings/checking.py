"""What makes up word vectors, checked: words, tables, counts."""

from __future__ import annotations

import mmap
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import wrong
from ..errors import ArgumentError

Rows = NDArray[np.float32]
"""A table of vectors, or one of them."""
SHORTEST, LONGEST = 1e-30, 1e37
"""Lengths of rows with which float32 reckons well."""


def checked_words(words: Sequence[str]) -> list[str]:
    """A list of at least one str, each once."""
    if isinstance(words, (str, bytes)) or not isinstance(words, Sequence) or not words:
        raise wrong("words", "WordVectors", "a list of at least one str", words)
    for row, word in enumerate(words):
        if not isinstance(word, str):
            raise wrong(f"words[{row}]", "WordVectors", "a str", word)
    if len(set(words)) < len(words):
        first: dict[str, int] = {}
        for row, word in enumerate(words):
            if first.setdefault(word, row) != row:
                raise ArgumentError(f"The word {word!r} stands in rows {first[word]} and {row}. Give each word once.")
    return list(words)


def checked_table(name: str, given: ArrayLike, n_words: int, dim: int | None) -> Rows:
    """The numbers as float32, not copied where they are that; one row a word, and ``dim`` columns where that is set."""
    table = np.asanyarray(given)
    expected = f"numbers of shape ({n_words} words, {'dim' if dim is None else dim})"
    fits = (
        table.ndim == 2 and len(table) == n_words and table.shape[1] == (dim or table.shape[1]) and table.shape[1] > 0
    )
    if table.dtype.kind not in "fiu" or not fits:
        shown = f"shape {table.shape}, {table.dtype}"
        raise ArgumentError(f"The {name!r} parameter of WordVectors must be {expected}. Got {shown} instead.")
    kept: Rows = np.ascontiguousarray(table, dtype=np.float32).view()
    kept.flags.writeable = False
    return kept


def is_mapped(table: Rows) -> bool:
    """Whether the numbers lie in a mapped file, which is not read before it is used."""
    owner: object = table
    while isinstance(owner, np.ndarray) and owner.base is not None:
        owner = owner.base
    owner = owner.obj if isinstance(owner, memoryview) else owner
    return isinstance(owner, mmap.mmap)


def checked_counts(counts: ArrayLike, n_words: int) -> NDArray[np.int64]:
    """Whole numbers of at least 0, one a word."""
    table = np.asarray(counts)
    if table.shape != (n_words,) or table.dtype.kind not in "iu" or (table < 0).any():
        shown = f"shape {table.shape}, {table.dtype}"
        expected = f"{n_words} whole numbers of at least 0"
        raise ArgumentError(f"The 'counts' parameter of WordVectors must be {expected}. Got {shown} instead.")
    return table.astype(np.int64)


def lengths(matrix: Rows) -> NDArray[np.floating]:
    """Lengths of rows, float32; float64 where products of one with a unit vector would leave the range of float32."""
    squares = np.einsum("ij,ij->i", matrix, matrix)
    odd = np.flatnonzero(~np.isfinite(squares) | (squares < 1e-30))
    norms: NDArray[np.floating] = np.sqrt(squares)
    if len(odd):
        exact = np.linalg.norm(matrix[odd].astype(np.float64), axis=1)
        within = (exact == 0) | ((exact > SHORTEST) & (exact < LONGEST))
        norms = norms if within.all() else norms.astype(np.float64)
        norms[odd] = exact
    return norms
