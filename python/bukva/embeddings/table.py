"""The table of embeddings: an id picks a row, and the gradient of a row is the sum over all uses of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from .. import _core
from ..checks import check_integer, wrong
from ..errors import ArgumentError
from .arrays import as_floats, as_ids, as_table, check_shape

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .arrays import FloatArray, IdArray


@dataclass(frozen=True, kw_only=True)
class RowGradient:
    """The gradient of a table by its rows that were used; all other rows are zero.

    Attributes
    ----------
    ids : ndarray of uint32, shape (n_used,)
        Rising, each once.
    rows : ndarray, shape (n_used, dim)
    shape : (int, int)
        Of the table.
    """

    ids: NDArray[np.uint32]
    rows: FloatArray
    shape: tuple[int, int]

    def to_dense(self) -> FloatArray:
        """The gradient with all rows, shape ``shape``."""
        dense = np.zeros(self.shape, self.rows.dtype)
        dense[self.ids] = self.rows
        return dense


class Embedding:
    """A table with one row an id. ``E(ids)`` picks rows; it equals one-hot vectors times the table.

    Parameters
    ----------
    vocab_size : int
        Rows, V. The id range of a tokenizer, ``tok.sizes.id_range``, or more.
    dim : int
        Numbers in a row, d.
    seed : int
        Rows are drawn from the normal distribution with standard deviation d^-½, so that their length is about 1.
    padding_id : int, optional
        A row that is zero and has no gradient.

    Attributes
    ----------
    weight : ndarray of float32, shape (vocab_size, dim)
        To be changed in place. What is assigned is copied into it.
    """

    def __init__(self, vocab_size: int, dim: int, seed: int = 0, *, padding_id: int | None = None) -> None:
        check_integer("vocab_size", "Embedding", vocab_size, 1)
        check_integer("dim", "Embedding", dim, 1)
        check_integer("seed", "Embedding", seed, 0)
        rows = _drawn(vocab_size, dim, seed)
        self._adopt(rows, padding_id, "Embedding")
        if padding_id is not None:
            rows[padding_id] = 0

    @classmethod
    def from_weight(cls, weight: ArrayLike, *, padding_id: int | None = None) -> Embedding:
        """A table of given rows.

        Parameters
        ----------
        weight : array-like, shape (vocab_size, dim)
            Kept as it is, not copied, where it is an array of float32, or of float64 (for checks of gradients);
            anything else becomes float32.
        padding_id : int, optional
            A row without gradient; it is not set to zero here.

        Raises
        ------
        ArgumentError
            If it is no matrix, or a row holds NaN or infinity.
        """
        table = cls.__new__(cls)
        table._adopt(as_table(weight, "weight", "Embedding.from_weight"), padding_id, "Embedding.from_weight")
        return table

    def _adopt(self, rows: FloatArray, padding_id: int | None, caller: str) -> None:
        check_integer("padding_id", caller, padding_id, 0, optional=True)
        if padding_id is not None and padding_id >= len(rows):
            raise wrong("padding_id", caller, f"below the number of rows, {len(rows)}", padding_id)
        self._weight = rows
        self.padding_id = padding_id

    @property
    def weight(self) -> FloatArray:
        """The rows, shape (vocab_size, dim)."""
        return self._weight

    @weight.setter
    def weight(self, rows: ArrayLike) -> None:
        given = as_table(rows, "weight", "Embedding")
        check_shape(given.shape, self._weight.shape, "weight", "Embedding")
        self._weight[...] = given

    @property
    def vocab_size(self) -> int:
        """Rows."""
        return int(self._weight.shape[0])

    @property
    def dim(self) -> int:
        """Numbers in a row."""
        return int(self._weight.shape[1])

    def __call__(self, ids: ArrayLike) -> FloatArray:
        """Rows of ids.

        Parameters
        ----------
        ids : array-like of int
            Of any shape.

        Returns
        -------
        ndarray, shape (..., dim)

        Raises
        ------
        UnknownIdError
            If an id has no row.
        """
        return self._weight.take(as_ids(ids, self.vocab_size, "Embedding"), axis=0)

    def gradient(self, ids: ArrayLike, d_rows: ArrayLike) -> FloatArray:
        """The gradient of the whole table, from the gradients of the rows that :meth:`__call__` gave.

        A row's gradient is the sum over all places of its id, in the order of the places: the same bits on every
        machine. ``gradient[ids] += d_rows`` would keep only one of them.

        Parameters
        ----------
        ids : array-like of int
        d_rows : array-like, shape (..., dim)

        Returns
        -------
        ndarray, shape (vocab_size, dim)
            float64 where ``d_rows`` is an array of float64, else float32.
        """
        flat, rows = self._flat(ids, d_rows)
        total = np.zeros(self._weight.shape, rows.dtype)
        _core.scatter_add(total, flat.astype(np.uint32, copy=False), rows)
        if self.padding_id is not None:
            total[self.padding_id] = 0
        return total

    def sparse_gradient(self, ids: ArrayLike, d_rows: ArrayLike) -> RowGradient:
        """The same by the rows that were used only: for large tables, and for :class:`SparseAdam`."""
        flat, rows = self._flat(ids, d_rows)
        if self.padding_id is not None:
            used = flat != self.padding_id
            flat, rows = flat[used], rows[used]
        unique, places = np.unique(flat, return_inverse=True)
        total = np.zeros((len(unique), self.dim), rows.dtype)
        _core.scatter_add(total, places.astype(np.uint32), rows)
        return RowGradient(ids=unique.astype(np.uint32), rows=total, shape=(self.vocab_size, self.dim))

    def _flat(self, ids: ArrayLike, d_rows: ArrayLike) -> tuple[IdArray, FloatArray]:
        found = as_ids(ids, self.vocab_size, "Embedding.gradient")
        rows = as_floats(d_rows, "d_rows", "Embedding.gradient")
        check_shape(rows.shape, (*found.shape, self.dim), "d_rows", "Embedding.gradient")
        return found.reshape(-1), np.ascontiguousarray(rows.reshape(-1, self.dim))

    def __repr__(self) -> str:
        padding = "" if self.padding_id is None else f", padding_id={self.padding_id}"
        return f"Embedding({self.vocab_size}, {self.dim}{padding})"


def _drawn(vocab_size: int, dim: int, seed: int) -> FloatArray:
    """Normal rows whose length is about 1."""
    try:
        rows = np.random.default_rng(seed).standard_normal((vocab_size, dim), np.float32)
    except (MemoryError, ValueError):
        n_bytes = 4 * vocab_size * dim
        raise ArgumentError(
            f"A table of {vocab_size} rows of {dim} float32 numbers takes {n_bytes:,} bytes, which this machine does "
            "not give. Take fewer."
        ) from None
    rows *= np.float32(dim**-0.5)
    return rows
