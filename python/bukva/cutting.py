"""Truncation and padding as a file states them, and texts cut into windows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _core
from .batch import Batch
from .checks import check_integer, wrong

if TYPE_CHECKING:
    from collections.abc import Sequence


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


def windows(ids: Sequence[int], max_length: int, stride: int, pad_id: int | None) -> Batch:
    """Ids cut into windows of ``max_length`` that share ``stride``; the last may be shorter."""
    import numpy as np

    check_integer("max_length", "encode_windows", max_length, 1)
    check_integer("stride", "encode_windows", stride, 0)
    if stride >= max_length:
        raise wrong("stride", "encode_windows", f"less than max_length, which is {max_length}", stride)
    flat = np.asarray(ids, dtype=np.uint32)
    starts = range(0, max(len(flat) - stride, 1), max_length - stride)
    parts = [flat[start : start + max_length] for start in starts]
    offsets = np.cumsum([0, *map(len, parts)], dtype=np.int64)
    return Batch(np.concatenate(parts), offsets, pad_id)
