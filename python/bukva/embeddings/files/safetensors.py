"""The safetensors container: a header of JSON that says where each tensor lies, then the tensors.

Own code, for two reasons: tensors stay in the mapped file, bfloat16 included, which NumPy does not know; and files of
many gigabytes are copied without being held. Source: the format of safetensors 0.8, stated in its README.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import FormatError
from .opening import map_file, replaced

FLOATS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
"""NumPy's name of each type of numbers; bfloat16 is read as the 16 bits that it is."""
DTYPES = FLOATS | {
    f"{sign}{bits}": f"{'|' if bits == 8 else '<'}{sign.lower()}{bits // 8}"
    for sign in "IU"
    for bits in (64, 32, 16, 8)
}
DTYPES["BOOL"] = "|b1"
HEADER_LIMIT = 100_000_000
"""Bytes of the longest header, as the format says."""
ALIGNMENT = 8


@dataclass(frozen=True)
class Entry:
    """Where a tensor lies: type by the format's name, shape, and bytes from the start of the file."""

    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int


class TensorFile:
    """A safetensors file, mapped. Opening reads the header only.

    Raises
    ------
    FileError
        If the file cannot be read.
    FormatError
        If it is cut short, has holes, or its header is damaged. The message names the tensor.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data = map_file(path)
        header, begin = _header(self.data, path)
        metadata = header.pop("__metadata__", {})
        if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
            raise FormatError("The metadata are not texts by name.", str(path))
        self.metadata: dict[str, str] = metadata
        self.entries = {name: _entry(name, given, begin, path) for name, given in header.items()}
        self._check_places(begin)

    def array(self, name: str) -> NDArray[Any]:
        """The tensor of that name, in the mapped file; not to be written to.

        Raises
        ------
        FormatError
            If there is none, or NumPy has no such type.
        """
        entry = self.entry(name)
        if entry.dtype not in DTYPES:
            raise FormatError(f"The tensor {name!r} is {entry.dtype}, which is not read here.", str(self.path))
        count = math.prod(entry.shape)
        return np.frombuffer(self.data, DTYPES[entry.dtype], count, entry.start).reshape(entry.shape)

    def tensor(self, name: str) -> Tensor:
        """The tensor of that name as it is, of any type, to be written elsewhere."""
        entry = self.entry(name)
        return Tensor(entry.dtype, entry.shape, [self.data[entry.start : entry.end]], entry.end - entry.start)

    def entry(self, name: str) -> Entry:
        """Where the tensor of that name lies."""
        if name not in self.entries:
            raise FormatError(f"There is no tensor {name!r}; there are {_listed(self.entries)}.", str(self.path))
        return self.entries[name]

    def _check_places(self, begin: int) -> None:
        """Tensors lie one after another, without holes, up to the end of the file."""
        at = begin
        for name, entry in sorted(self.entries.items(), key=lambda item: (item[1].start, item[1].end)):
            if entry.end > len(self.data):
                here, whole = max(len(self.data) - entry.start, 0), entry.end - entry.start
                row = _row_at(entry, here)
                raise FormatError(
                    f"The file stops in the middle of {name!r}{row}: {here} bytes of {whole}.", str(self.path)
                )
            if entry.start != at:
                raise FormatError(f"The tensor {name!r} begins at byte {entry.start}, expected {at}.", str(self.path))
            at = entry.end
        if at != len(self.data):
            raise FormatError(f"The file has {len(self.data)} bytes, its header states {at}.", str(self.path))


def _row_at(entry: Entry, here: int) -> str:
    width = (entry.end - entry.start) // entry.shape[0] if entry.shape and entry.shape[0] else 0
    return f", in row {here // width}" if width else ""


def _header(data: memoryview, path: Path) -> tuple[dict[str, Any], int]:
    if len(data) < 8:
        raise FormatError(f"A safetensors file has at least 8 bytes. This one has {len(data)}.", str(path))
    (size,) = struct.unpack("<Q", data[:8])
    if size > HEADER_LIMIT or size > len(data) - 8:
        raise FormatError(f"The header should have {size} bytes; {len(data) - 8} follow.", str(path))
    try:
        header = json.loads(bytes(data[8 : 8 + size]), object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"The header is not JSON: {error}.", str(path)) from None
    if not isinstance(header, dict):
        raise FormatError("The header is not a JSON object.", str(path))
    return header, 8 + size


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _entry(name: str, given: Any, begin: int, path: Path) -> Entry:
    try:
        dtype, shape, (start, end) = given["dtype"], tuple(given["shape"]), given["data_offsets"]
        sound = isinstance(dtype, str) and all(type(n) is int and n >= 0 for n in (*shape, start, end)) and start <= end
    except (KeyError, TypeError, ValueError):
        sound = False
    if not sound:
        raise FormatError(f"The entry of {name!r} has no dtype, shape and data_offsets.", str(path))
    if dtype in DTYPES and math.prod(shape) * np.dtype(DTYPES[dtype]).itemsize != end - start:
        raise FormatError(f"{name!r}: {end - start} bytes do not fit shape {list(shape)} of {dtype}.", str(path))
    return Entry(dtype, shape, begin + start, begin + end)


def _listed(names: Iterable[str]) -> str:
    shown = sorted(names)
    return ", ".join(map(repr, shown[:8])) + (f" and {len(shown) - 8} more" if len(shown) > 8 else "") or "none"


@dataclass(frozen=True)
class Tensor:
    """A tensor to be written: type by the format's name, shape, its bytes in pieces, and how many they are together."""

    dtype: str
    shape: tuple[int, ...]
    pieces: Iterable[memoryview | bytes]
    n_bytes: int


def tensor_of(array: NDArray[Any]) -> Tensor:
    """The tensor of an array."""
    kind = array.dtype.newbyteorder("<").str if array.dtype.itemsize > 1 else array.dtype.str
    names = {name: key for key, name in DTYPES.items() if key != "BF16"}
    kept = np.ascontiguousarray(array, dtype=kind)
    return Tensor(names[kind], kept.shape, [kept.data.cast("B") if kept.size else b""], kept.nbytes)


def write_tensors(path: Path, tensors: Mapping[str, Tensor], metadata: Mapping[str, str] | None = None) -> None:
    """Writes a file, whole or not at all. Tensors lie in the order given: wide types first keeps them aligned.

    Raises
    ------
    FileError
        If the file cannot be written.
    """
    header: dict[str, Any] = {"__metadata__": dict(metadata)} if metadata else {}
    at = 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": tensor.dtype, "shape": list(tensor.shape), "data_offsets": [at, at + tensor.n_bytes]}
        at += tensor.n_bytes
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % ALIGNMENT)
    with replaced(path) as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor in tensors.values():
            for piece in tensor.pieces:
                file.write(piece)
