"""Word vectors against judgements of people: similarity of pairs, and analogies."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import check_choice
from .analogy import METHODS, product_of
from .judgements import read_analogies, read_pairs
from .neighbors import lengths_of

if TYPE_CHECKING:
    from .checking import Rows
    from .vectors import WordVectors

QUESTIONS_AT_ONCE = 128


@dataclass(frozen=True, kw_only=True)
class SimilarityScore:
    """Agreement of cosines with judgements.

    Attributes
    ----------
    spearman : float
        Rank correlation over the scored pairs, -1 to 1; NaN for fewer than two pairs, or where all are equal.
    n_pairs, n_scored : int
        Pairs in the file, and those of which both words are known.
    unknown_words : tuple of str
        Words without a vector, in the order of the file.
    """

    spearman: float
    n_pairs: int
    n_scored: int
    unknown_words: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class AnalogySection:
    """Right answers of one section: ``n_asked`` questions had only known words, ``n_unknown`` had not."""

    name: str
    n_right: int
    n_asked: int
    n_unknown: int

    @property
    def accuracy(self) -> float:
        """Share of the asked questions, 0 to 1; NaN where none was asked."""
        return self.n_right / self.n_asked if self.n_asked else float("nan")


@dataclass(frozen=True, kw_only=True)
class AnalogyScore:
    """Right answers of every section, and ``total`` of all."""

    method: str
    sections: tuple[AnalogySection, ...]

    @property
    def total(self) -> AnalogySection:
        """All sections together."""
        sums = {name: sum(getattr(one, name) for one in self.sections) for name in ("n_right", "n_asked", "n_unknown")}
        return AnalogySection(name="total", **sums)


def evaluate_similarity(vectors: WordVectors, path: str | os.PathLike[str]) -> SimilarityScore:
    """Spearman's rank correlation of cosines with judgements.

    Parameters
    ----------
    vectors : WordVectors
    path : str or os.PathLike
        Two words and a number a line, parted by tabs, commas, semicolons or spaces: WordSim-353, SimLex-999, MEN. Lines
        that begin with ``#`` are left out. A line of headings names the column: SimLex999, or the third.

    Notes
    -----
    A word is looked up as it stands, then in lower case. Equal values share their mean rank. Pairs with an unknown word
    are not scored; the record says how many there are.

    Raises
    ------
    FormatError
        If a line has another form. The message names the line.
    """
    pairs = read_pairs(Path(path))
    unknown: dict[str, None] = {}
    scores, judged = [], []
    for first, second, judgement in pairs:
        known = [_known(vectors, word) for word in (first, second)]
        unknown |= {word: None for word, found in zip((first, second), known, strict=True) if found is None}
        if known[0] is not None and known[1] is not None:
            scores.append(vectors.similarity(known[0], known[1]))
            judged.append(judgement)
    return SimilarityScore(
        spearman=spearman(scores, judged), n_pairs=len(pairs), n_scored=len(scores), unknown_words=tuple(unknown)
    )


def evaluate_analogies(
    vectors: WordVectors, path: str | os.PathLike[str], *, method: str = "add", among: int | None = None
) -> AnalogyScore:
    """How many analogies are solved.

    Parameters
    ----------
    vectors : WordVectors
    path : str or os.PathLike
        Google's form: a line ``: name`` begins a section, every other line is four words, *a b c d*.
    method : {"add", "mul"}
        3CosAdd or 3CosMul.
    among : int, optional
        Only the first so many words are known: the most frequent, where rows are in that order. 30,000 is usual.

    Notes
    -----
    A word is looked up as it stands, then in lower case. The words of the question are no answers. A question with an
    unknown word is not asked; the record says how many there are.
    """
    check_choice("method", "evaluate_analogies", method, METHODS)
    units = vectors.matrix[:among] / lengths_of(vectors)[:among, None]
    sections = []
    for name, questions in read_analogies(Path(path)):
        known = [[_row(vectors, word, among) for word in question] for question in questions]
        asked = np.array([rows for rows in known if None not in rows], dtype=np.int64).reshape(-1, 4)
        right = sum(_n_right(units, block, method) for block in _blocks(asked))
        sections.append(
            AnalogySection(name=name, n_right=right, n_asked=len(asked), n_unknown=len(questions) - len(asked))
        )
    return AnalogyScore(method=method, sections=tuple(sections))


def spearman(first: ArrayLike, second: ArrayLike) -> float:
    """Rank correlation; equal values share their mean rank. NaN where one side has no two different values."""
    a, b = (_ranks(np.asarray(values, dtype=np.float64)) for values in (first, second))
    if len(a) < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return float("nan")
    return float(np.corrcoef(a, b)[0, 1])


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    if not len(values):
        return values
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: NDArray[np.float64] = (last - (counts - 1) / 2)[which]
    return ranks


def _known(vectors: WordVectors, word: str) -> str | None:
    return next((form for form in (word, word.lower()) if form in vectors), None)


def _row(vectors: WordVectors, word: str, among: int | None) -> int | None:
    known = _known(vectors, word)
    row = None if known is None else vectors.index(known)
    return row if row is None or among is None or row < among else None


def _blocks(asked: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    for start in range(0, len(asked), QUESTIONS_AT_ONCE):
        yield asked[start : start + QUESTIONS_AT_ONCE]


def _n_right(units: Rows, asked: NDArray[np.int64], method: str) -> int:
    a, b, c, d = asked.T
    if method == "add":
        scores = (units[b] - units[a] + units[c]) @ units.T
    else:
        scores = product_of(*(units[rows] @ units.T for rows in (a, b, c)))
    for rows in (a, b, c):
        scores[np.arange(len(asked)), rows] = -np.inf
    return int((scores.argmax(axis=1) == d).sum())
