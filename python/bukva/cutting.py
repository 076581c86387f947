"""Truncation and padding as a file states them, and texts cut into windows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _core
from ._core import Batch
from .checks import check_integer, wrong

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, kw_only=True)
class Truncation:
    """How to cut long texts: kept from the file, applied only when asked.

    ``max_length`` tokens remain, control tokens included; windows share ``stride`` tokens; ``strategy`` says which
    text of a pair is cut, ``side`` at which end.
    """

    max_length: int
    stride: int
    strategy: str
    side: str


@dataclass(frozen=True, kw_only=True)
class Padding:
    """How to fill short texts: kept from the file, applied only when asked.

    ``length`` is None for the longest of a batch; lengths are rounded up to ``multiple_of``.
    """

    length: int | None
    side: str
    multiple_of: int | None
    pad_id: int
    pad_type_id: int
    pad_token: str


def truncation_of(tokenizer: _core.Tokenizer) -> Truncation | None:
    """The truncation of the file, if it states one."""
    facts = _core.HfEncoder(tokenizer, None, None, False).truncation()
    if facts is None:
        return None
    max_length, stride, strategy, side = facts
    return Truncation(max_length=max_length, stride=stride, strategy=strategy, side=side)


def padding_of(tokenizer: _core.Tokenizer) -> Padding | None:
    """The padding of the file, if it states one."""
    facts = _core.HfEncoder(tokenizer, None, None, False).padding()
    if facts is None:
        return None
    length, side, multiple_of, pad_id, pad_type_id, pad_token = facts
    return Padding(
        length=length,
        side=side,
        multiple_of=multiple_of,
        pad_id=pad_id,
        pad_type_id=pad_type_id,
        pad_token=pad_token,
    )


def windows(
    ids: Sequence[int],
    max_length: int,
    stride: int,
    pad_id: int | None,
    framed: Callable[[Sequence[int]], list[int]] | None = None,
) -> Batch:
    """Ids cut into windows of ``max_length`` that share ``stride``; the last may be shorter.

    ``framed`` puts control tokens around the ids of a window, for which they leave room.
    """
    import numpy as np

    check_integer("max_length", "encode_windows", max_length, 1)
    check_integer("stride", "encode_windows", stride, 0)
    control = len(framed([])) if framed else 0
    room = max_length - control
    if room < 1:
        raise wrong("max_length", "encode_windows", f"above {control}, the number of control tokens", max_length)
    if stride >= room:
        limit = f"less than max_length, which is {max_length}"
        if control:
            limit += f", without the {control} control tokens"
        raise wrong("stride", "encode_windows", limit, stride)
    starts = range(0, max(len(ids) - stride, 1), room - stride)
    pieces = (ids[start : start + room] for start in starts)
    parts = [np.asarray(framed(piece) if framed else piece, dtype=np.uint32) for piece in pieces]
    offsets = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    return Batch(np.concatenate(parts), offsets, pad_id)
