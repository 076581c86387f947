"""Rows of a Parquet file, read in batches through pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .errors import CorpusError, FileError, TextError, UnsupportedError

ROWS = 1024
"""Rows a batch: enough to be fast, little enough that memory stays bounded by the longest rows."""

INSTALL = "pip install 'bukva[arrow]'"


def iter_rows(path: str, field: str, invalid: str) -> Iterator[str]:
    """Texts of the column ``field``, one a row.

    The file is looked at now, so that errors come early, and opened again for the first row: of many files only one is
    open at a time.

    Raises
    ------
    UnsupportedError
        If pyarrow is not installed.
    FileError, CorpusError
        If the file cannot be read, is not Parquet, or has no such column of text.
    """
    with _open(path) as file:
        schema = file.schema_arrow
    column = schema.field(field) if field in schema.names else None
    if column is None:
        names = ", ".join(map(repr, schema.names))
        raise CorpusError(f"The Parquet file has no column {field!r}. Its columns: {names}. Name one as field=.", path)
    if not _is_text(column.type):
        raise CorpusError(f"The column {field!r} holds {column.type}, not text. Name another as field=.", path)
    return _rows(path, field, invalid)


def _open(path: str) -> Any:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise UnsupportedError(f"Reading Parquet needs pyarrow. Install it with: {INSTALL}", path) from None
    try:
        return pyarrow.parquet.ParquetFile(_whole(pyarrow, path))
    except pyarrow.ArrowInvalid as error:
        raise CorpusError(f"The file is not a whole Parquet file: {error}", path) from error
    except OSError as error:
        raise FileError(f"The Parquet file cannot be read: {error}", path) from error


def _whole(pyarrow: Any, path: str) -> Any:
    """The path itself, or the unpacked bytes where the file is compressed as a whole: Parquet needs to seek."""
    compression = {".gz": "gzip", ".zst": "zstd"}.get(path[path.rfind(".") :].lower())
    if compression is None:
        return path
    with pyarrow.input_stream(path, compression=compression) as stream:
        return pyarrow.BufferReader(stream.read())


def _is_text(kind: Any) -> bool:
    import pyarrow.types as types

    value = kind.value_type if types.is_dictionary(kind) else kind
    named = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary, types.is_string_view)
    return any(check(value) for check in named)


def _rows(path: str, field: str, invalid: str) -> Iterator[str]:
    import pyarrow

    row = 0
    with _open(path) as file:
        for batch in file.iter_batches(batch_size=ROWS, columns=[field]):
            column = batch.column(0)
            if pyarrow.types.is_dictionary(column.type):
                column = column.dictionary_decode()
            for value in column.cast(pyarrow.large_binary()).to_pylist():
                yield _text(value, path, row, invalid)
                row += 1


def _text(value: bytes | None, path: str, row: int, invalid: str) -> str:
    if value is None:
        raise CorpusError(f"Row {row} of the column is null. Leave such rows out of the file.", path)
    try:
        return value.decode("utf-8", "strict" if invalid == "error" else "replace")
    except UnicodeDecodeError as error:
        message = f"Row {row} is not UTF-8: byte 0x{value[error.start]:02x}. invalid='replace' puts U+FFFD there."
        raise TextError(message, path, None, error.start) from None
