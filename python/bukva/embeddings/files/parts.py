"""What files hold: words, numbers, and what some formats can say beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...errors import LossError

if TYPE_CHECKING:
    from ..checking import Rows
    from ..vectors import WordVectors

Losses = list[tuple[str, str]]
"""What a format cannot hold, and how that shows."""
ROWS_AT_ONCE = 4096
"""Rows that are written together."""


@dataclass(frozen=True, kw_only=True)
class Parts:
    """What a reader finds."""

    words: list[str]
    matrix: Rows
    counts: Any = None
    record: dict[str, Any] = field(default_factory=dict)
    output: Rows | None = None
    subwords: Any = None


def side_data(vectors: WordVectors, *, counts: bool = False) -> Losses:
    """What training gave beside words and vectors, and a format leaves out; ``counts`` says that this one holds them.

    It is named, but no reason to refuse: no vector changes.
    """
    left: Losses = []
    if vectors.counts is not None and not counts:
        left.append(("counts", "how often each word stood in the corpus is left out"))
    if vectors.output is not None:
        left.append(("output", "the context vectors, which continued training needs, are left out"))
    if vectors.record:
        left.append(("record", "how the vectors were made is left out"))
    return left


def losses_of_subwords(vectors: WordVectors) -> Losses:
    """A loss where words outside the vocabulary have vectors."""
    return [] if vectors.subwords is None else [("subwords", "words outside the vocabulary will have no vector")]


def losses_of_words(vectors: WordVectors, blanks: str, whose: str) -> Losses:
    """A loss where words hold what other programs take for the end of a word."""
    odd = [word for word in vectors.words if not word or any(blank in word for blank in blanks)]
    if not odd:
        return []
    return [("words", f"{len(odd)} words are empty or hold a blank, such as {odd[0]!r}: {whose} part them wrongly")]


def refuse_words(vectors: WordVectors, marks: str, what: str) -> None:
    """Refuses words that hold what ends a word in the format: nobody could read them again.

    Raises
    ------
    LossError
        Naming the first such word. It cannot be allowed.
    """
    for row, word in enumerate(vectors.words):
        if any(mark in word for mark in marks):
            raise LossError(f"The word {word!r} (row {row}) cannot be written: {what}. Save as .safetensors instead.")


def blocks(vectors: WordVectors) -> Iterator[tuple[list[str], Rows]]:
    """Words and rows, some thousands at once."""
    for start in range(0, len(vectors), ROWS_AT_ONCE):
        end = start + ROWS_AT_ONCE
        yield vectors.words[start:end], vectors.matrix[start:end]
