"""Reading bytes and writing files, with errors that name the file."""

from __future__ import annotations

import gzip
import mmap
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from ...errors import FileError, FormatError

GZIP = b"\x1f\x8b"


@contextmanager
def replaced(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes the place of ``path`` when the block ends well, and leaves no trace when it does not."""
    scratch = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        handle = os.open(scratch, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666)
    except OSError as error:
        raise FileError(f"The file {str(path)!r} cannot be written: {error.strerror}.") from error
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.replace(scratch, path)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(scratch)
        if isinstance(error, OSError) and not isinstance(error, FileError):
            raise FileError(f"The file {str(path)!r} cannot be written: {error.strerror}.") from error
        raise


def read_start(path: Path, size: int) -> bytes:
    """The first bytes of a file."""
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError as error:
        raise FileError(f"The file {str(path)!r} cannot be read: {error.strerror}.") from error


def read_whole(path: Path) -> bytes:
    """All bytes of a file; those of a gzip file unpacked."""
    try:
        data = path.read_bytes()
        return gzip.decompress(data) if data.startswith(GZIP) else data
    except (EOFError, gzip.BadGzipFile) as error:
        raise FormatError(f"The gzip file is damaged or cut short: {error}.", str(path)) from None
    except OSError as error:
        raise FileError(f"The file {str(path)!r} cannot be read: {error.strerror}.") from error


def map_file(path: Path) -> memoryview:
    """The bytes of a file, mapped: its pages are read when they are used. Empty for an empty file."""
    try:
        with path.open("rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                return memoryview(b"")
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except OSError as error:
        raise FileError(f"The file {str(path)!r} cannot be read: {error.strerror}.") from error


def read_lines(path: Path) -> list[str]:
    """Lines of a UTF-8 file without their line feeds."""
    data = read_whole(path)
    try:
        lines = data.decode().split("\n")
    except UnicodeDecodeError as error:
        raise FormatError(f"Byte 0x{data[error.start]:02x} is not UTF-8.", str(path), None, error.start) from None
    return [line.removesuffix("\r") for line in (lines[:-1] if lines[-1] == "" else lines)]
