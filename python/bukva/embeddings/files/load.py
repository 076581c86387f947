"""From a file to word vectors."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ...checks import check_choice, wrong
from ...errors import ArgumentError, FormatError
from ..vectors import WordVectors
from . import binary, bundle, fasttext, npy, projector, text
from .detect import detect
from .parts import Parts

READERS: dict[str, Callable[[Path], Parts]] = {
    "safetensors": bundle.read,
    "word2vec": lambda path: text.read(path, True),
    "word2vec_binary": binary.read,
    "glove": lambda path: text.read(path, False),
    "fasttext": fasttext.read,
    "npy": npy.read,
    "projector": projector.read,
    "text": lambda path: text.read(path, None),
}
FORMATS = tuple(name for name in READERS if name != "text")


def load_vectors(path: str | os.PathLike[str], format: str | None = None) -> WordVectors:
    """Word vectors from a file. Its content says what it is, also where it is gzipped text; nothing is downloaded.

    Parameters
    ----------
    path : str or os.PathLike
        bukva's ``.safetensors``; word2vec's text and binary files; GloVe's text; fastText's ``.vec`` and ``.bin``;
        ``x.npy`` with ``x.words.txt``; TensorBoard's ``vectors.tsv`` with ``metadata.tsv``.
    format : str, optional
        ``safetensors``, ``word2vec`` (text with a line of sizes), ``word2vec_binary``, ``glove`` (text without),
        ``fasttext`` (``.bin``), ``npy`` or ``projector``, where the content should not decide.

    Notes
    -----
    Tables of ``.safetensors`` and ``.npy`` stay in the mapped file: do not write to it while the vectors are in use.
    Words in text may hold spaces: numbers are counted from the end of a line.

    Raises
    ------
    FileError
        If the file, or the one with its words, cannot be read.
    FormatError
        If it is damaged: the message names the row where it stops, or both sizes where they do not fit.
    UnsupportedError
        If it is a pickle, an archive, or a classifier or quantised model of fastText.
    """
    if not isinstance(path, (str, os.PathLike)) or not os.fspath(path):
        raise wrong("path", "load_vectors", "a path that is not empty", path)
    if format is not None:
        check_choice("format", "load_vectors", format, FORMATS)
    file = Path(path)
    found = READERS[format or detect(file)](file)
    try:
        return WordVectors(
            found.words, found.matrix, found.counts, found.record, output=found.output, subwords=found.subwords
        )
    except ArgumentError as error:
        raise FormatError(error.message, str(file)) from error
