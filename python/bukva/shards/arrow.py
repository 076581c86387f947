"""Shards as tables: one row a document, by pyarrow."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import FileError, FormatError, UnsupportedError
from ..parquet import INSTALL

if TYPE_CHECKING:
    from numpy.typing import NDArray

IDS, DOCUMENT = "input_ids", "document"
GROUP_TOKENS = 1 << 22
"""Ids of a row group of Parquet, about."""


def require_pyarrow() -> Any:
    """pyarrow, or the error that says how to get it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UnsupportedError(f"Shards as Parquet or Arrow need pyarrow. Install it with: {INSTALL}") from None
    return pyarrow


def write_table(path: Path, format: str, ids: Path, offsets: Path, first_document: int) -> None:
    """Writes arrays in files of NumPy as a table that is on the disk when this returns.

    Columns: ``document`` (int64), the document's number in the corpus, and ``input_ids`` (lists of the ids' type).
    """
    pa = require_pyarrow()
    values, ends = np.load(ids, mmap_mode="r" if _has_items(ids) else None), np.load(offsets)
    schema = pa.schema([(DOCUMENT, pa.int64()), (IDS, pa.list_(pa.from_numpy_dtype(values.dtype)))])
    with path.open("wb") as file:
        if format == "parquet":
            with pa.parquet.ParquetWriter(file, schema, compression="zstd") as writer:
                for first, last in _groups(ends):
                    writer.write_batch(_batch(pa, schema, values, ends, first, last, first_document))
        else:
            with pa.ipc.new_file(file, schema) as writer:
                writer.write_batch(_batch(pa, schema, values, ends, 0, len(ends) - 1, first_document))
        file.flush()
        os.fsync(file.fileno())


def _has_items(path: Path) -> bool:
    return path.stat().st_size > 128  # An empty array cannot be mapped.


def _batch(
    pa: Any, schema: Any, values: NDArray[Any], ends: NDArray[np.int64], first: int, last: int, number: int
) -> Any:
    own = ends[first : last + 1]
    lists = pa.ListArray.from_arrays(
        pa.array((own - own[0]).astype(np.int32)), pa.array(np.asarray(values[own[0] : own[-1]]))
    )
    documents = pa.array(np.arange(number + first, number + last, dtype=np.int64))
    return pa.record_batch([documents, lists], schema=schema)


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
