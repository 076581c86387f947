"""Files of judgements: pairs of words with a number, and analogies by sections."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

from ..errors import FileError, FormatError

COLUMN = "simlex999"
"""Heading of the judgement where it is not the third column."""


def read_pairs(path: Path) -> list[tuple[str, str, float]]:
    """Two words and a number of each line.

    Raises
    ------
    FileError
        If the file cannot be read.
    FormatError
        If it has no pair, or a line has another form; the message names the line.
    """
    pairs: list[tuple[str, str, float]] = []
    column = 2
    for number, line in _lines(path):
        cells = _cells(line)
        value = _number(cells[column]) if len(cells) > column else None
        if value is not None:
            pairs.append((cells[0], cells[1], value))
        elif pairs:
            raise FormatError(f"Two words and a number were expected. Got {line[:60]!r}.", str(path), number)
        else:
            column = next((at for at, cell in enumerate(cells) if cell.lower() == COLUMN), 2)
    if not pairs:
        raise FormatError("The file has no line of two words and a number.", str(path))
    return pairs


def read_analogies(path: Path) -> list[tuple[str, list[tuple[str, ...]]]]:
    """Sections by name, each with its questions of four words.

    Raises
    ------
    FileError
        If the file cannot be read.
    FormatError
        If it has no question, or a line is neither ``: name`` nor four words; the message names the line.
    """
    sections: list[tuple[str, list[tuple[str, ...]]]] = []
    for number, line in _lines(path):
        if line.startswith(":"):
            sections.append((line[1:].strip(), []))
            continue
        words = tuple(line.split())
        if len(words) != 4:
            raise FormatError(f"Four words or ': name' were expected. Got {line[:60]!r}.", str(path), number)
        if not sections:
            sections.append(("all", []))
        sections[-1][1].append(words)
    if not any(questions for _, questions in sections):
        raise FormatError("The file has no line of four words.", str(path))
    return sections


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise FileError(f"The file {str(path)!r} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise FormatError(
            f"Byte 0x{error.object[error.start]:02x} is not UTF-8.", str(path), None, error.start
        ) from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip()


def _cells(line: str) -> list[str]:
    mark = next((mark for mark in "\t,;" if mark in line), None)
    return [cell.strip() for cell in line.split(mark)]


def _number(cell: str) -> float | None:
    try:
        value = float(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
