"""From word vectors to a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ...checks import check_choice, wrong
from ...errors import FileError, LossError, TextError
from . import binary, bundle, fasttext, npy, projector, text
from .parts import Losses, side_data

if TYPE_CHECKING:
    from ..vectors import WordVectors


@dataclass(frozen=True)
class Writer:
    """A format: the suffixes that name it, losses that refuse a save, how it is written, what else it leaves out."""

    suffixes: tuple[str, ...]
    losses: Callable[[WordVectors], Losses]
    write: Callable[[WordVectors, Path], None]
    left_out: Callable[[WordVectors], Losses] = side_data


def _nothing(vectors: WordVectors) -> Losses:
    return []


def _all_but_counts(vectors: WordVectors) -> Losses:
    return side_data(vectors, counts=True)


WRITERS = {
    "safetensors": Writer((".safetensors",), bundle.losses, bundle.write, _nothing),
    "word2vec": Writer((".txt", ".vec"), text.losses, lambda vectors, path: text.write(vectors, path, True)),
    "word2vec_binary": Writer((".bin",), binary.losses, binary.write),
    "fasttext": Writer((), fasttext.losses, fasttext.write, fasttext.left_out),
    "glove": Writer((), text.losses, lambda vectors, path: text.write(vectors, path, False)),
    "npy": Writer((".npy",), npy.losses, npy.write),
    "projector": Writer((".tsv",), projector.losses, projector.write, _all_but_counts),
}


def save_vectors(
    vectors: WordVectors, path: str | os.PathLike[str], format: str | None = None, allow_loss: bool = False
) -> Losses:
    """Writes vectors; see :meth:`bukva.WordVectors.save`."""
    writer, file = WRITERS[check_target(path, format)], Path(path)
    _check_text(vectors)
    losses = writer.losses(vectors)
    if losses and not allow_loss:
        listed = "; ".join(f"{what}: {detail}" for what, detail in losses)
        raise LossError(
            f"The format cannot hold everything: {listed}. Allow the loss to write it, or save .safetensors."
        )
    writer.write(vectors, file)
    return losses + writer.left_out(vectors)


def check_target(path: str | os.PathLike[str], format: str | None = None) -> str:
    """The format that a path would be written in.

    Raises
    ------
    ArgumentError
        If neither the name nor ``format`` tells. The message lists the suffixes.
    FileError
        If the folder of the path does not exist.
    """
    if not isinstance(path, (str, os.PathLike)) or not os.fspath(path):
        raise wrong("path", "save", "a path that is not empty", path)
    found = _format(Path(path), format)
    if not Path(path).parent.is_dir():
        raise FileError(f"The file {os.fspath(path)!r} cannot be written: No such file or directory.")
    return found


def _format(path: Path, given: str | None) -> str:
    if given is not None:
        check_choice("format", "save", given, WRITERS)
        return given
    suffix = path.suffix.lower()
    for name, writer in WRITERS.items():
        if suffix in writer.suffixes:
            return name
    known = ", ".join(suffix for writer in WRITERS.values() for suffix in writer.suffixes)
    raise wrong("path", "save", f"a name that ends in one of {known}", str(path), "Or name the format.")


def _check_text(vectors: WordVectors) -> None:
    for row, word in enumerate(vectors.words):
        try:
            word.encode()
        except UnicodeEncodeError:
            raise TextError(f"The word {word!r} (row {row}) holds a lone surrogate, which is no character.") from None
