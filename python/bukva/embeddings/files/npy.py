"""A NumPy file with the vectors, and a text file beside it with one word a line."""

from __future__ import annotations

from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING

import numpy as np

from ...errors import FileError, FormatError
from .opening import read_lines, replaced
from .parts import Losses, Parts, losses_of_subwords, refuse_words

if TYPE_CHECKING:
    from ..vectors import WordVectors

DAMAGE = (ValueError, EOFError, SyntaxError, TokenError, TypeError, OverflowError)
"""What NumPy raises at a damaged header, which is Python source."""


def words_path(path: Path) -> Path:
    """Where the words of ``x.npy`` are: ``x.words.txt``."""
    return path.with_suffix(".words.txt")


def read(path: Path) -> Parts:
    """Words and vectors; the vectors stay in the mapped file where they are float32."""
    if not words_path(path).is_file():
        raise FileError(f"The words of {str(path)!r} are missing: one a line in {str(words_path(path))!r}.")
    try:
        matrix = np.load(path, mmap_mode="r", allow_pickle=False)
    except DAMAGE as error:
        raise FormatError(f"The file is no array of numbers: {error}", str(path)) from None
    except OSError as error:
        raise FileError(f"The file {str(path)!r} cannot be read: {error.strerror}.") from error
    words = read_lines(words_path(path))
    if matrix.ndim != 2 or len(matrix) != len(words):
        raise FormatError(f"{len(words)} words do not fit an array of shape {matrix.shape}.", str(path))
    return Parts(words=words, matrix=matrix)


def losses(vectors: WordVectors) -> Losses:
    """What the two files leave out."""
    refuse_words(vectors, "\r\n", "a line end ends the word")
    return losses_of_subwords(vectors)


def write(vectors: WordVectors, path: Path) -> None:
    """Writes both files."""
    with replaced(words_path(path)) as file:
        file.write("".join(f"{word}\n" for word in vectors.words).encode())
    with replaced(path) as file:
        np.save(file, vectors.matrix, allow_pickle=False)
