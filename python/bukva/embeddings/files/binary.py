"""word2vec's binary form: a line of sizes, then for each word its bytes, a space, and float32 numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...errors import FormatError
from .opening import GZIP, map_file, read_start, read_whole, replaced
from .parts import Losses, Parts, blocks, losses_of_subwords, refuse_words

if TYPE_CHECKING:
    from ..vectors import WordVectors

LONGEST_WORD = 1 << 16
"""Bytes after which a word without a space is taken for damage."""


def sizes_of(start: bytes) -> tuple[int, int, int] | None:
    """Rows, numbers in a row, and bytes of the first line that states them; None where it does not."""
    line, feed, _ = start[:64].partition(b"\n")
    fields = line.split()
    if not feed or len(fields) != 2 or not all(field.isdigit() for field in fields) or not int(fields[1]):
        return None
    return int(fields[0]), int(fields[1]), len(line) + 1


def read(path: Path) -> Parts:
    """Words and vectors. The file is mapped; vectors are copied out of it, since words lie between them."""
    data = memoryview(read_whole(path)) if read_start(path, 2) == GZIP else map_file(path)
    sizes = sizes_of(bytes(data[:64]))
    if sizes is None:
        raise FormatError("The first line is not two whole numbers, rows and numbers in a row.", str(path), 1)
    rows, dim, at = sizes
    width = 4 * dim
    if rows * (width + 1) > len(data) - at:
        raise _short(path, data, rows, dim, at)
    matrix = np.empty((rows, dim), dtype=np.float32)
    words: list[str] = []
    for row in range(rows):
        word, at = _word(data, at, row, path)
        if at + width > len(data):
            raise _cut(path, row, word, (len(data) - at) // 4, dim)
        matrix[row] = np.frombuffer(data, "<f4", dim, at)
        words.append(word)
        at += width
    if bytes(data[at : at + 2]).strip():
        raise FormatError(
            f"The header states {rows} rows, but more bytes follow; the file is damaged.", str(path), None, at
        )
    return Parts(words=words, matrix=matrix)


def _word(data: memoryview, at: int, row: int, path: Path) -> tuple[str, int]:
    """The word at a place, and where its numbers begin. word2vec.c ends a row with a line feed, gensim does not."""
    if bytes(data[at : at + 1]) == b"\n":
        at += 1
    found = bytes(data[at : at + 256])
    end = found.find(b" ")
    if end < 0:
        found = bytes(data[at : at + LONGEST_WORD])
        end = found.find(b" ")
    if end < 0:
        raise FormatError(
            f"Row {row}: no space ends the word {found[:20]!r}; the file is damaged.", str(path), None, at
        )
    try:
        return found[:end].decode(), at + end + 1
    except UnicodeDecodeError:
        raise FormatError(f"The word of row {row}, {found[:end][:40]!r}, is not UTF-8.", str(path), None, at) from None


def _short(path: Path, data: memoryview, rows: int, dim: int, at: int) -> FormatError:
    """The error for a file that cannot hold what its header states: it names the row where it stops."""
    row = 0
    while at < len(data):
        try:
            word, at = _word(data, at, row, path)
        except FormatError:
            return FormatError(f"The file stops in the middle of row {row}: in its word.", str(path), None, len(data))
        if at + 4 * dim > len(data):
            return _cut(path, row, word, (len(data) - at) // 4, dim)
        at, row = at + 4 * dim, row + 1
    return FormatError(f"The header states {rows} rows of {dim} numbers, but the file ends after {row}.", str(path))


def _cut(path: Path, row: int, word: str, numbers: int, dim: int) -> FormatError:
    return FormatError(f"The file stops in the middle of row {row} ({word!r}): {numbers} numbers of {dim}.", str(path))


def losses(vectors: WordVectors) -> Losses:
    """What the binary form leaves out."""
    refuse_words(vectors, " \n", "a space ends a word in word2vec's binary form")
    return losses_of_subwords(vectors)


def write(vectors: WordVectors, path: Path) -> None:
    """Writes rows as gensim does: no line feed after a row."""
    with replaced(path) as file:
        file.write(f"{len(vectors)} {vectors.dim}\n".encode())
        for words, rows in blocks(vectors):
            for word, row in zip(words, rows, strict=True):
                file.write(word.encode() + b" " + row.astype("<f4", copy=False).tobytes())
