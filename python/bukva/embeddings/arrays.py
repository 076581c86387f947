"""What tables and heads are given: ids and matrices, checked once and named where they are wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .._core import Batch
from ..checks import wrong
from ..errors import ArgumentError, UnknownIdError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    FloatArray = NDArray[np.floating[Any]]
    IdArray = NDArray[np.integer[Any]]

BLOCK = 1 << 22
"""Numbers that are looked at together: a test for NaN makes a mask as large as what it looks at."""


def as_ids(ids: ArrayLike, n_rows: int, caller: str) -> IdArray:
    """Ids of any shape as an array of integers, each with a row.

    Raises
    ------
    ArgumentError
        If they are no integers, or a list of lists is ragged.
    UnknownIdError
        If an id has no row; names the id, its place and the number of rows.
    """
    if isinstance(ids, Batch):
        raise wrong("ids", caller, "an array of integers", ids, "Write batch.ids, or batch.pad() for a rectangle.")
    found = _array(ids, "ids", caller)
    if found.size == 0:
        return np.empty(found.shape, np.uint32)
    if found.dtype.kind not in "iu":
        raise wrong("ids", caller, "integers of any shape", ids)
    if found.max() >= n_rows or (found.dtype.kind == "i" and found.min() < 0):
        place = tuple(int(axis) for axis in np.argwhere((found < 0) | (found >= n_rows))[0])
        raise UnknownIdError(
            f"id {found[place]} has no row: the table has {n_rows} rows, for ids from 0 to {n_rows - 1}. "
            "Is it the tokenizer that the table was made for?",
            f"index {place}" if place else None,
        )
    return found


def as_floats(values: ArrayLike, parameter: str, caller: str) -> FloatArray:
    """Numbers as float32, or as float64 where they are that already."""
    found = _array(values, parameter, caller)
    if found.dtype.kind not in "iufb":
        raise wrong(parameter, caller, "an array of numbers", values)
    wanted = np.float64 if found.dtype == np.float64 and isinstance(values, np.ndarray) else np.float32
    return found.astype(wanted, copy=False)


def as_table(values: ArrayLike, parameter: str, caller: str) -> FloatArray:
    """A matrix of finite numbers with at least one row and one column.

    Raises
    ------
    ArgumentError
        If it has another shape, or holds NaN or infinity; names the first such row.
    """
    found = as_floats(values, parameter, caller)
    if found.ndim != 2 or 0 in found.shape:
        expected = f"a matrix of at least one row and one column, not of shape {found.shape}"
        raise wrong(parameter, caller, expected, type(values).__name__)
    check_finite(found, parameter, caller)
    return found


def check_finite(rows: FloatArray, parameter: str, caller: str) -> None:
    """Refuses NaN and infinity, and names the first row that holds one."""
    step = max(1, BLOCK // max(1, rows.shape[1]))
    for start in range(0, len(rows), step):
        finite = np.isfinite(rows[start : start + step]).all(axis=1)
        if not finite.all():
            row = start + int(np.argmin(finite))
            message = f"Row {row} of the {parameter!r} parameter of {caller} holds NaN or infinity. Mend or drop it."
            raise ArgumentError(message)


def check_shape(found: tuple[int, ...], expected: tuple[int, ...], parameter: str, caller: str) -> None:
    """Refuses another shape than the expected one, and names both."""
    if found != expected:
        raise ArgumentError(f"The {parameter!r} parameter of {caller} must have shape {expected}. Got {found} instead.")


def _array(values: ArrayLike, parameter: str, caller: str) -> NDArray[Any]:
    try:
        return np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:
        raise wrong(parameter, caller, f"an array ({error})", type(values).__name__) from None
