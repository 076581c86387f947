"""Where text comes from: paths, globs and folders become a list of sources in a stated order."""

from __future__ import annotations

import glob
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

from . import _core
from .checks import check_choice, check_text, wrong
from .errors import CorpusError, FileError
from .parquet import iter_rows

Unit = Literal["file", "line"]
Invalid = Literal["error", "replace"]
CorpusPath = str | os.PathLike[str]
Corpus = CorpusPath | Iterable[CorpusPath]
Source = tuple[str, str, str] | Iterator[str]

KINDS = {".txt": "text", ".jsonl": "jsonl", ".parquet": "parquet"}
COMPRESSIONS = ("", ".gz", ".zst")
SUFFIXES = tuple(kind + compression for kind in KINDS for compression in COMPRESSIONS)


def kind_of(path: str) -> str | None:
    """``text``, ``jsonl`` or ``parquet`` by the suffix of a path, or None where the suffix is another."""
    for suffix, kind in KINDS.items():
        if path.lower().endswith(tuple(suffix + compression for compression in COMPRESSIONS)):
            return kind
    return None


def list_files(corpus: Corpus, caller: str) -> list[str]:
    """The files of a corpus: as listed; those of a folder or a glob by byte order of their relative paths.

    Raises
    ------
    FileError
        If a path does not exist.
    CorpusError
        If a folder or a glob holds no file of a known suffix, a named file has another suffix, or nothing is listed.
    """
    paths = [corpus] if isinstance(corpus, (str, os.PathLike)) else _listed(corpus, caller)
    files = [file for path in paths for file in _expand(_checked(path, caller))]
    if not files:
        raise CorpusError(f"The corpus of {caller} lists no path. Give a file, a folder, a glob or '-'.")
    return files


def sources(corpus: Corpus, *, field: str, invalid: Invalid, caller: str) -> list[Source]:
    """What the native reader is given: files as they are, Parquet as iterators of rows."""
    check_text("field", caller, field)
    check_choice("invalid", caller, invalid, ("error", "replace"))
    return [_source(path, field, invalid) for path in list_files(corpus, caller)]


def iter_texts(
    corpus: Corpus,
    *,
    unit: Unit = "file",
    field: str = "text",
    invalid: Invalid = "error",
    caller: str = "iter_texts",
) -> Iterator[str]:
    """Documents of a corpus, one after another; with ``unit="line"`` each line with its LF."""
    check_choice("unit", caller, unit, ("file", "line"))
    yield from _core.iter_documents(sources(corpus, field=field, invalid=invalid, caller=caller), unit, invalid)


def _listed(corpus: object, caller: str) -> list[object]:
    if isinstance(corpus, bytes) or not isinstance(corpus, Iterable):
        raise wrong("corpus", caller, "a path or a list of paths", corpus)
    return list(corpus)


def _checked(path: object, caller: str) -> str:
    if not isinstance(path, (str, os.PathLike)):
        raise wrong("corpus", caller, "a path or a list of paths", path)
    name = os.fspath(path)
    if not isinstance(name, str) or not name:
        raise wrong("corpus", caller, "a path that is not empty", path)
    if "\0" in name or "\n" in name:
        raise wrong("corpus", caller, "a path", path, "For texts in memory use train_from_iterator.")
    return name


def _expand(path: str) -> list[str]:
    if path == "-":
        return [path]
    if os.path.isdir(path):
        return _folder(path)
    if os.path.lexists(path):
        return [path]
    if any(mark in path for mark in "*?["):
        return _glob(path)
    raise FileError(
        f"The corpus path {path!r} does not exist. A string is always a path; for texts in memory use "
        "train_from_iterator."
    )


def _folder(path: str) -> list[str]:
    names = [os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names]
    files = [name for name in names if kind_of(name) is not None]
    if not files:
        raise CorpusError(f"The folder {path!r} holds no corpus file. Known suffixes: {', '.join(SUFFIXES)}.")
    return sorted(files, key=lambda name: os.fsencode(Path(os.path.relpath(name, path)).as_posix()))


def _glob(pattern: str) -> list[str]:
    files = [name for name in glob.glob(pattern, recursive=True, include_hidden=True) if not os.path.isdir(name)]
    if not files:
        raise CorpusError(f"The glob {pattern!r} matches no file. '**' looks into folders.")
    return sorted(files, key=lambda name: os.fsencode(Path(name).as_posix()))


def _source(path: str, field: str, invalid: Invalid) -> Source:
    kind = "text" if path == "-" or _is_stream(path) else kind_of(path)
    if kind is None:
        known = ", ".join(SUFFIXES)
        raise CorpusError(
            f"The corpus file {path!r} has no known suffix ({known}). Rename it, or give it through standard input "
            "as plain text: '-'."
        )
    if kind == "parquet":
        return iter_rows(path, field, invalid)
    return (kind, path, field if kind == "jsonl" else "")


def _is_stream(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise FileError(f"The corpus path {path!r} cannot be read: {error.strerror}.") from error
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)
