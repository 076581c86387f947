"""The index that Megatron-LM reads beside bare ids: ``.idx``, version 1 of its indexed dataset."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import numpy as np

MAGIC = b"MMIDIDX\0\0"
CODES = {"uint16": 8, "uint32": 4}
"""Numbers of its types: uint16, and int32, which has the same bytes as uint32 below 2**31."""
ENTRIES = 1 << 20
"""Entries written at a time."""


def write_index(path: Path, offsets: Path, dtype: str) -> None:
    """Writes the index of a shard: each entry a sequence and a document. It is on the disk when this returns."""
    ends = np.load(offsets, mmap_mode="r")
    entries, width = len(ends) - 1, np.dtype(dtype).itemsize
    with path.open("wb") as file:
        file.write(MAGIC + struct.pack("<QBQQ", 1, CODES[dtype], entries, entries + 1))
        for first in range(0, entries, ENTRIES):
            file.write(np.diff(ends[first : first + ENTRIES + 1]).astype("<i4").tobytes())
        for first in range(0, entries, ENTRIES):
            file.write((ends[first : min(first + ENTRIES, entries)] * width).astype("<i8").tobytes())
        for first in range(0, entries + 1, ENTRIES):
            file.write(np.arange(first, min(first + ENTRIES, entries + 1), dtype="<i8").tobytes())
        file.flush()
        os.fsync(file.fileno())
