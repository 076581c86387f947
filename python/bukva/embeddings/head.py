"""The output head: a hidden vector becomes one number an id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..checks import check_choice, wrong
from .arrays import as_floats, as_ids, as_table, check_shape
from .table import Embedding

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .arrays import FloatArray

Layout = Literal["rows", "columns"]


@dataclass(frozen=True, kw_only=True)
class HeadGradient:
    """Gradients of what a head is given and of what it holds.

    Attributes
    ----------
    hidden : ndarray, shape of the hidden vectors
    weight : ndarray, shape of the head's weight
        Of a tied head: to be added to the gradient of the table's lookup.
    bias : ndarray, shape (vocab_size,)
        Also where the head has none.
    """

    hidden: FloatArray
    weight: FloatArray
    bias: FloatArray


class OutputHead:
    """Logits of hidden vectors: h Eᵀ with the table of embeddings (tied), or with a matrix of its own (untied).

    Parameters
    ----------
    source : Embedding or array-like
        A table ties the head to it: both share the rows, always. A matrix is the head's own.
    bias : array-like, shape (vocab_size,), optional
    layout : {"rows", "columns"}, optional
        How a matrix lies: ``rows`` (vocab_size, dim), as ``lm_head.weight`` in files, or ``columns`` (dim, vocab_size).
        Left out, the width of the hidden vectors tells; a square matrix must be named.
    """

    def __init__(
        self, source: Embedding | ArrayLike, bias: ArrayLike | None = None, *, layout: Layout | None = None
    ) -> None:
        self.layout: Layout | None = layout
        self._own: FloatArray | None = None
        self.table = source if isinstance(source, Embedding) else None
        if isinstance(source, Embedding):
            if layout == "columns":
                raise wrong("layout", "OutputHead", "left out: a table lies by rows", layout)
            self.layout = "rows"
        else:
            self._own = as_table(source, "source", "OutputHead")
        if layout is not None:
            check_choice("layout", "OutputHead", layout, ("rows", "columns"))
        self.bias = None if bias is None else self._checked_bias(bias)

    def _checked_bias(self, bias: ArrayLike) -> FloatArray:
        given = as_floats(bias, "bias", "OutputHead")
        sizes = self.weight.shape if self.layout is None else (self.vocab_size,)
        if given.ndim != 1 or len(given) not in sizes:
            check_shape(given.shape, (sizes[0],), "bias", "OutputHead")
        return given

    @property
    def weight(self) -> FloatArray:
        """The matrix: the table's own rows where the head is tied."""
        if self.table is not None:
            return self.table.weight
        assert self._own is not None
        return self._own

    @property
    def tied(self) -> bool:
        """Whether the matrix is a table of embeddings."""
        return self.table is not None

    @property
    def vocab_size(self) -> int:
        """Logits of one hidden vector. Needs a layout."""
        if self.layout is None:
            raise wrong("layout", "OutputHead", "'rows' or 'columns'", None, f"The matrix is {self.weight.shape}.")
        return int(self.weight.shape[0 if self.layout == "rows" else 1])

    def __call__(self, hidden: ArrayLike) -> FloatArray:
        """Logits.

        Parameters
        ----------
        hidden : array-like, shape (..., dim)

        Returns
        -------
        ndarray, shape (..., vocab_size)
        """
        given = as_floats(hidden, "hidden", "OutputHead")
        logits: FloatArray = given @ self._columns(given)
        return logits if self.bias is None else logits + self.bias

    def gradient(self, hidden: ArrayLike, d_logits: ArrayLike) -> HeadGradient:
        """Gradients, from the gradient of the logits.

        Parameters
        ----------
        hidden : array-like, shape (..., dim)
        d_logits : array-like, shape (..., vocab_size)
        """
        given, caller = as_floats(hidden, "hidden", "OutputHead.gradient"), "OutputHead.gradient"
        columns = self._columns(given)
        upper = as_floats(d_logits, "d_logits", caller)
        check_shape(upper.shape, (*given.shape[:-1], columns.shape[1]), "d_logits", caller)
        flat = upper.reshape(-1, columns.shape[1])
        weight = flat.T @ given.reshape(-1, columns.shape[0])
        by_rows = self._layout_for(given) == "rows"
        return HeadGradient(hidden=upper @ columns.T, weight=weight if by_rows else weight.T, bias=flat.sum(axis=0))

    def _columns(self, hidden: FloatArray) -> FloatArray:
        """The matrix as (dim, vocab_size)."""
        return self.weight.T if self._layout_for(hidden) == "rows" else self.weight

    def _layout_for(self, hidden: FloatArray) -> str:
        width = hidden.shape[-1] if hidden.ndim else 0
        fits = [layout for layout, axis in (("rows", 1), ("columns", 0)) if self.weight.shape[axis] == width]
        fits = [layout for layout in fits if self.layout in (None, layout)]
        if not fits:
            shape, layout = self.weight.shape, self.layout or "rows or columns"
            expected = f"vectors that fit a matrix of shape {shape} by {layout}"
            raise wrong("hidden", "OutputHead", expected, f"shape {hidden.shape}")
        if len(fits) > 1:
            remedy = f"The matrix is square, {self.weight.shape}, so its shape does not tell."
            raise wrong("layout", "OutputHead", "'rows' or 'columns'", None, remedy)
        return fits[0]

    def __repr__(self) -> str:
        return f"OutputHead({'tied' if self.tied else 'untied'}, {self.weight.shape}, layout={self.layout!r})"


def one_hot(ids: ArrayLike, vocab_size: int) -> FloatArray:
    """Ids as rows with one 1: what a lookup is as a product, ``one_hot(ids, V) @ E.weight``.

    Returns
    -------
    ndarray of float32, shape (..., vocab_size)
    """
    found = as_ids(ids, vocab_size, "one_hot")
    rows = np.zeros((*found.shape, vocab_size), np.float32)
    np.put_along_axis(rows, found[..., None].astype(np.int64), 1, axis=-1)
    return rows
