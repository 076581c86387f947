"""The format of a file of vectors, by its content and not by its name."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path

from ...errors import FormatError, UnsupportedError
from .binary import sizes_of
from .fasttext import MAGIC
from .opening import GZIP, read_start

LOOKED_AT = 1 << 20
"""Bytes that decide between text and binary numbers."""


def detect(path: Path) -> str:
    """``safetensors``, ``npy``, ``projector``, ``fasttext``, ``word2vec_binary`` or ``text``.

    Raises
    ------
    FileError
        If the file cannot be read.
    FormatError, UnsupportedError
        If it is none of these. The message says what it looks like, where that is known, and what to do.
    """
    start = _start(path)
    if start.startswith(b"\x93NUMPY"):
        return "npy"
    if len(start) > 8 and start[8:9] == b"{" and struct.unpack("<Q", start[:8])[0] < 1 << 40:
        return "safetensors"
    if len(start) >= 4 and struct.unpack("<i", start[:4])[0] == MAGIC:
        return "fasttext"
    _refuse(start, path)
    if _is_text(start):
        return "projector" if _is_projector(start, path) else "text"
    if sizes_of(start) is not None:
        return "word2vec_binary"
    raise FormatError(
        "The file is not one of vectors that is known: safetensors, .npy, word2vec (text or binary), GloVe, fastText's "
        ".vec and .bin, or TensorBoard's .tsv.",
        str(path),
    )


def _start(path: Path) -> bytes:
    start = read_start(path, LOOKED_AT)
    if not start.startswith(GZIP):
        return start
    try:
        with gzip.open(path) as file:
            return file.read(LOOKED_AT)
    except (OSError, EOFError) as error:
        raise FormatError(f"The gzip file is damaged or cut short: {error}.", str(path)) from None


def _refuse(start: bytes, path: Path) -> None:
    """Names formats that hold vectors, but are not read."""
    if start[:1] == b"\x80" and start[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        raise UnsupportedError(
            "A pickle is not read, since reading one runs what is in it. Load it with the program that wrote it; for "
            "gensim: bukva.embeddings.from_gensim(KeyedVectors.load(path)).",
            str(path),
        )
    if start[:4] == b"PK\x03\x04":
        raise UnsupportedError("A zip file (.npz, .zip, torch's .pt) is not read. Unpack it first.", str(path))


def _is_text(start: bytes) -> bool:
    if b"\0" in start:
        return False
    try:
        start.decode()
    except UnicodeDecodeError as error:
        # What is looked at may end inside a character; a header with a word that is not UTF-8 is left to the reader.
        return len(start) - error.start < 4 and len(start) == LOOKED_AT
    return True


def _is_projector(start: bytes, path: Path) -> bool:
    """Whether the first line of a ``.tsv`` is numbers only."""
    fields = start.partition(b"\n")[0].split()
    try:
        list(map(float, fields))
    except ValueError:
        return False
    return path.suffix.lower() == ".tsv"
