"""Tables of floret (``.floret``): a line of sizes, then the number and the numbers of each row, as text."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from ... import _core
from ...checks import wrong
from ...errors import ArgumentError, BukvaError, FormatError, UnsupportedError
from ..checking import Rows
from ..ngrams import NgramScheme, NgramTable
from .opening import read_whole, replaced

SEED, START, END = "2166136261", "<", ">"
"""What hashes start from, and the marks of a word: floret takes others too, bukva these."""
FIELDS = 8
ROWS_AT_ONCE = 4096


def load_floret(path: str | os.PathLike[str]) -> NgramTable:
    """The rows of n-grams that floret wrote; any word has a vector by them, none is listed.

    Parameters
    ----------
    path : str or os.PathLike
        A ``.floret`` file, gzipped or not.

    Raises
    ------
    FileError
        If it cannot be read.
    FormatError
        If it is damaged.
    UnsupportedError
        If its hashes start from another number, or other marks stand around a word.
    """
    file = Path(path)
    head, _, rest = read_whole(file).partition(b"\n")
    bucket, dim, scheme = _header(head, file)
    try:
        numbers, matrix, found = _core.read_text_vectors(rest, header=False)
    except BukvaError as error:
        error.source = str(file)
        raise
    if found != dim or numbers != [str(row) for row in range(bucket)]:
        raise FormatError(
            f"The header states {bucket} rows of {dim} numbers, from 0 on; the file has {len(numbers)} of {found}.",
            str(file),
        )
    return NgramTable(scheme, matrix.reshape(bucket, dim))


def save_floret(table: NgramTable, path: str | os.PathLike[str]) -> None:
    """Writes rows of n-grams as floret does, for ``spacy init vectors --mode floret``; unused buckets get zeros.

    Parameters
    ----------
    table : NgramTable
        Of floret's scheme.
    path : str or os.PathLike

    Raises
    ------
    ArgumentError
        If the scheme is another.
    FileError
        If the file cannot be written.
    """
    scheme = table.scheme
    if scheme.kind != "floret":
        raise wrong("table", "save_floret", "of floret's scheme", table)
    head = [scheme.bucket, table.dim, scheme.minn, scheme.maxn, scheme.hash_count, SEED, START, END]
    with replaced(Path(path)) as file:
        file.write(" ".join(map(str, head)).encode() + b"\n")
        for start in range(0, scheme.bucket, ROWS_AT_ONCE):
            buckets = np.arange(start, min(start + ROWS_AT_ONCE, scheme.bucket), dtype=np.uint32)
            file.write(_core.write_text_vectors(list(map(str, buckets.tolist())), _rows(table, buckets), " "))


def _rows(table: NgramTable, buckets: np.ndarray[tuple[int], np.dtype[np.uint32]]) -> Rows:
    places = table.find(buckets)
    rows = np.zeros((len(buckets), table.dim), dtype=np.float32)
    rows[places >= 0] = table.rows[places[places >= 0]]
    return rows


def _header(head: bytes, file: Path) -> tuple[int, int, NgramScheme]:
    fields = head.decode(errors="replace").split()
    if len(fields) != FIELDS or not all(field.isascii() and field.isdigit() for field in fields[:6]):
        raise FormatError(
            "The first line is not bucket, dim, minn, maxn, hash count, seed and two marks.", str(file), 1
        )
    if fields[5:] != [SEED, START, END]:
        raise UnsupportedError(
            f"Seed and marks must be {SEED}, {START!r} and {END!r}. Got {', '.join(map(repr, fields[5:]))}.", str(file)
        )
    bucket, dim, minn, maxn, hashes = map(int, fields[:5])
    try:
        return bucket, dim, NgramScheme("floret", minn, maxn, bucket, hashes)
    except ArgumentError as error:
        raise FormatError(error.message, str(file), 1) from None
