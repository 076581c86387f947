"""Shards as tables: one row a document, by pyarrow."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from ..errors import FileError, FormatError, UnsupportedError
from ..parquet import INSTALL

if TYPE_CHECKING:
    from numpy.typing import NDArray

IDS, DOCUMENT = "input_ids", "document"
GROUP_TOKENS = 1 << 22
"""Ids of a row group of Parquet, about: what is held in memory."""
HEADER = 128
"""Bytes before the ids in a file of NumPy."""


def require_pyarrow() -> Any:
    """pyarrow, or the error that says how to get it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UnsupportedError(f"Shards as Parquet or Arrow need pyarrow. Install it with: {INSTALL}") from None
    return pyarrow


def write_table(path: Path, format: str, dtype: str, ids: Path, offsets: Path, first_document: int) -> None:
    """Writes arrays in files of NumPy as a table that is on the disk when this returns.

    Columns: ``document`` (int64), the document's number in the corpus, and ``input_ids`` (lists of the ids' type).
    """
    pa = require_pyarrow()
    kind, ends = np.dtype(dtype), np.load(offsets, mmap_mode="r")
    schema = pa.schema([(DOCUMENT, pa.int64()), (IDS, pa.list_(pa.from_numpy_dtype(kind)))])

    def batch(first: int, last: int) -> Any:
        own = ends[first : last + 1]
        values = _values(ids, kind, int(own[0]), int(own[-1] - own[0]), mapped=format == "arrow")
        lists = pa.ListArray.from_arrays(pa.array((own - own[0]).astype(np.int32)), pa.array(np.asarray(values)))
        documents = pa.array(np.arange(first_document + first, first_document + last, dtype=np.int64))
        return pa.record_batch([documents, lists], schema=schema)

    with path.open("wb") as file:
        with _writer(pa, file, schema, format) as writer:
            # One batch of Arrow: so a reader finds all ids in one place of the mapped file.
            for first, last in _groups(ends) if format == "parquet" else [(0, len(ends) - 1)]:
                writer.write_batch(batch(first, last))
        file.flush()
        os.fsync(file.fileno())


def _values(ids: Path, kind: np.dtype[Any], first: int, count: int, *, mapped: bool) -> NDArray[Any]:
    start = HEADER + first * kind.itemsize
    if mapped and count:  # An empty array cannot be mapped.
        return np.memmap(ids, kind, "r", start, (count,))
    return np.fromfile(ids, kind, count, offset=start)


def _writer(pa: Any, file: IO[bytes], schema: Any, format: str) -> Any:
    if format == "parquet":
        return pa.parquet.ParquetWriter(file, schema, compression="zstd")
    return pa.ipc.new_file(file, schema)


def _groups(ends: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Ranges of documents, each with about so many ids or one document."""
    groups, first, documents = [], 0, len(ends) - 1
    while first < documents:
        last = int(np.searchsorted(ends, ends[first] + GROUP_TOKENS, side="right")) - 1
        groups.append((first, last := min(max(last, first + 1), documents)))
        first = last
    return groups


def read_table(path: Path, format: str) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Ids and offsets of a table. Those of an Arrow file stay in the mapped file; Parquet is unpacked."""
    pa = require_pyarrow()
    try:
        if format == "parquet":
            column = pa.parquet.read_table(path, columns=[IDS]).column(IDS)
        else:
            with pa.memory_map(str(path)) as source:
                column = pa.ipc.open_file(source).read_all().column(IDS)
    except (pa.ArrowInvalid, KeyError) as error:
        raise FormatError(f"The file is no whole table of ids: {error}", str(path)) from error
    except OSError as error:
        raise FileError(f"The file {str(path)!r} cannot be read: {error}.") from error
    return _flat(pa, column)


def _flat(pa: Any, column: Any) -> tuple[NDArray[Any], NDArray[np.int64]]:
    chunks = [chunk for chunk in column.chunks if len(chunk)]
    lengths = [np.diff(chunk.offsets.to_numpy()) for chunk in chunks]
    offsets = np.concatenate([np.zeros(1, np.int64), *lengths]).cumsum(dtype=np.int64)
    parts = [chunk.flatten().to_numpy() for chunk in chunks]
    if len(parts) == 1:
        return parts[0], offsets
    kind = column.type.value_type.to_pandas_dtype()
    return np.concatenate(parts) if parts else np.zeros(0, kind), offsets
