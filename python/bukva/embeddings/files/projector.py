"""TensorBoard's projector: vectors in one file of tab-separated numbers, words in another.

Source: the TensorBoard documentation, *Visualizing Data using the Embedding Projector*.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core
from ...errors import BukvaError, FileError, FormatError
from .opening import read_lines, replaced
from .parts import Losses, Parts, blocks, losses_of_subwords, refuse_words

if TYPE_CHECKING:
    from ..vectors import WordVectors

HEADINGS = ("word", "count")


def metadata_paths(path: Path) -> list[Path]:
    """Where the words of a file of vectors may be; the first is where they are written.

    ``x.tsv`` goes with ``x.metadata.tsv``; ``vectors.tsv`` and ``tensor.tsv``, also with something before, as gensim's
    script writes them, go with ``metadata.tsv``.
    """
    stem = path.stem
    paths = [path.with_name(f"{stem}.metadata.tsv")]
    for name in ("vectors", "tensor", "tensors"):
        if stem.endswith(name):
            paths.insert(0, path.with_name(f"{stem.removesuffix(name)}metadata.tsv"))
    return paths


def read(path: Path) -> Parts:
    """Words and vectors. Metadata of several columns have headings; the words are the first column."""
    beside = next((other for other in metadata_paths(path) if other.is_file()), None)
    if beside is None:
        listed = " or ".join(repr(str(other)) for other in metadata_paths(path))
        raise FileError(f"The words of {str(path)!r} are missing: they should be in {listed}.")
    try:
        _, numbers, dim = _core.read_text_vectors(str(path), header=False, words=False)
    except BukvaError as error:
        error.source = str(path)
        raise
    matrix = numbers.reshape(-1, dim)
    words, counts = _metadata(beside)
    if len(words) != len(matrix):
        raise FormatError(f"{len(words)} words do not fit the {len(matrix)} rows of {str(path)!r}.", str(beside))
    return Parts(words=words, matrix=matrix, counts=counts)


def _metadata(path: Path) -> tuple[list[str], Any]:
    lines = read_lines(path)
    if not lines or "\t" not in lines[0]:
        return lines, None
    rows = [line.split("\t") for line in lines]
    words = [row[0] for row in rows[1:]]
    if tuple(rows[0][:2]) != HEADINGS:
        return words, None
    try:
        return words, np.array([int(row[1]) for row in rows[1:]], dtype=np.int64)
    except (ValueError, IndexError, OverflowError):
        raise FormatError("A count is missing or no whole number.", str(path)) from None


def losses(vectors: WordVectors) -> Losses:
    """What the two files leave out."""
    refuse_words(vectors, "\t\r\n", "a tab or line end ends the word")
    return losses_of_subwords(vectors)


def write(vectors: WordVectors, path: Path) -> None:
    """Writes both files: words alone, or with their counts under headings."""
    counts = vectors.counts
    lines = list(vectors.words)
    if counts is not None:
        lines = ["\t".join(HEADINGS), *(f"{word}\t{count}" for word, count in zip(lines, counts, strict=True))]
    with replaced(metadata_paths(path)[0]) as file:
        file.write("".join(f"{line}\n" for line in lines).encode())
    with replaced(path) as file:
        for _, rows in blocks(vectors):
            file.write(_core.write_text_vectors(None, rows, "\t"))
