"""Words and numbers as text: word2vec's and fastText's with a line of sizes, GloVe's without."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ... import _core
from ...errors import BukvaError
from .opening import GZIP, read_start, read_whole, replaced
from .parts import Losses, Parts, blocks, losses_of_subwords, losses_of_words, refuse_words

if TYPE_CHECKING:
    from ..vectors import WordVectors


def read(path: Path, header: bool | None) -> Parts:
    """Words and vectors; ``header`` says whether the first line states the sizes, None finds out."""
    source = read_whole(path) if read_start(path, 2) == GZIP else str(path)
    try:
        words, numbers, dim = _core.read_text_vectors(source, header=header)
    except BukvaError as error:
        error.source = str(path)
        raise
    return Parts(words=words, matrix=numbers.reshape(len(words), dim))


def losses(vectors: WordVectors) -> Losses:
    """What a text leaves out."""
    refuse_words(vectors, "\n", "a line feed ends the row")
    return losses_of_subwords(vectors) + losses_of_words(vectors, " \t\r", "gensim and others")


def write(vectors: WordVectors, path: Path, header: bool) -> None:
    """Writes each number with the fewest digits that give the same float32 again."""
    with replaced(path) as file:
        if header:
            file.write(f"{len(vectors)} {vectors.dim}\n".encode())
        for words, rows in blocks(vectors):
            file.write(_core.write_text_vectors(words, rows, " "))
