"""The rectangle that ``Batch.pad`` makes of many texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .checks import check_choice, check_integer, wrong

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._core import Batch

Side = Literal["right", "left"]


def pad(
    batch: Batch,
    length: int | None = None,
    side: Side = "right",
    multiple_of: int | None = None,
    pad_id: int | None = None,
) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
    """See :meth:`bukva.Batch.pad`."""
    import numpy as np

    check_choice("side", "pad", side, ("right", "left"))
    padding, lengths = _padding(batch, pad_id), batch.lengths()
    columns = np.arange(_width(length, multiple_of, lengths))
    if side == "right":
        mask = columns < lengths[:, None]
    else:
        mask = columns >= len(columns) - lengths[:, None]
    rows = np.full(mask.shape, padding, dtype=np.uint32)
    rows[mask] = batch.ids
    return rows, mask


def _padding(batch: Batch, pad_id: int | None) -> int:
    check_integer("pad_id", "pad", pad_id, 0, optional=True)
    chosen = batch._pad_id if pad_id is None else pad_id
    if chosen is None:
        raise wrong("pad_id", "pad", "given, because the tokenizer's file names none", None)
    return chosen


def _width(length: int | None, multiple_of: int | None, lengths: NDArray[np.int64]) -> int:
    check_integer("length", "pad", length, 0, optional=True)
    check_integer("multiple_of", "pad", multiple_of, 1, optional=True)
    longest = int(lengths.max(initial=0))
    width = longest if length is None else length
    if width < longest:
        expected = f"at least {longest}, the length of the longest text"
        raise wrong("length", "pad", expected, length, "Cut the ids first: nothing is cut here.")
    return width if multiple_of is None else -(-width // multiple_of) * multiple_of
