"""Unigram, as it is defined and not as it is made fast.

Each piece has a score, the logarithm of its probability. A segmentation of a text scores the sum of its pieces, for
pieces follow each other independently. Encoding takes the segmentation of the highest score.

>>> pieces = {"a": -1.0, "b": -1.5, "ab": -2.6, "c": -4.0}
>>> encode("abc", pieces)
['a', 'b', 'c']
>>> [(tokens, round(score, 2)) for tokens, score in nbest("abc", pieces, 2)]
[(['a', 'b', 'c'], -6.5), (['ab', 'c'], -6.6)]
>>> [(tokens, round(p, 3)) for tokens, p in distribution("abc", pieces)]
[(['a', 'b', 'c'], 0.525), (['ab', 'c'], 0.475)]

A character that is no piece of its own can be passed over at the price of the lowest score less 10; neighbours that
were passed over become one unknown token.

>>> encode("xxab", pieces, unk="<unk>")
['<unk>', 'a', 'b']

Sources: T. Kudo, *Subword Regularization*, ACL 2018 (the model, and sampling from it). A. Viterbi, *Error Bounds for
Convolutional Codes*, 1967 (the search). The price of an unknown character is that of SentencePiece and ``tokenizers``.

Cost: ``encode`` is O(n x longest piece). ``segmentations`` lists them all, which is exponential: it is the definition
that ``nbest`` and ``distribution`` rest on, for short texts. The engine finds n-best lists by an A* search and samples
by summing forward and choosing backward.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

PENALTY = 10.0


class Step(NamedTuple):
    """One way to go on: the end of the stretch, its score, and whether it is a character that was passed over."""

    end: int
    score: float
    unknown: bool


class Path(NamedTuple):
    """The best way to a place: its score, the place before it, and the last step."""

    score: float
    start: int
    step: Step


def encode(text: str, pieces: Mapping[str, float], unk: str = "<unk>") -> list[str]:
    """The segmentation of the highest score; of equal ones the one whose last piece begins first.

    Goes from left to right. The best way to a place prolongs the best way to an earlier one, whatever follows.
    """
    best: dict[int, Path] = {}
    for start in range(len(text)):
        score = best[start].score if start else 0.0
        for step in steps(text, start, pieces):
            if step.end not in best or score + step.score > best[step.end].score:
                best[step.end] = Path(score + step.score, start, step)
    found: list[tuple[int, Step]] = []
    end = len(text)
    while end:
        found.append((best[end].start, best[end].step))
        end = best[end].start
    return spelled(text, reversed(found), unk)


def steps(text: str, start: int, pieces: Mapping[str, float]) -> Iterator[Step]:
    """Every piece that begins at ``start``, the shortest first; last the character there, if it is no piece."""
    longest = max(map(len, pieces), default=0)
    for end in range(start + 1, min(len(text), start + longest) + 1):
        if text[start:end] in pieces:
            yield Step(end, pieces[text[start:end]], False)
    if text[start] not in pieces:
        yield Step(start + 1, min(pieces.values(), default=0.0) - PENALTY, True)


def spelled(text: str, path: Iterable[tuple[int, Step]], unk: str) -> list[str]:
    """The tokens of a path: a run of characters that were passed over is one unknown token."""
    tokens: list[str] = []
    open_run = False
    for start, step in path:
        if not step.unknown:
            tokens.append(text[start : step.end])
        elif not open_run:
            tokens.append(unk)
        open_run = step.unknown
    return tokens


def segmentations(text: str, pieces: Mapping[str, float], start: int = 0) -> Iterator[list[tuple[int, Step]]]:
    """All paths through a text."""
    if start == len(text):
        yield []
        return
    for step in steps(text, start, pieces):
        for rest in segmentations(text, pieces, step.end):
            yield [(start, step), *rest]


def nbest(text: str, pieces: Mapping[str, float], n: int, unk: str = "<unk>") -> list[tuple[list[str], float]]:
    """The ``n`` segmentations of the highest scores, the highest first; among equals in no promised order."""
    scored = [(path, sum(step.score for _, step in path)) for path in segmentations(text, pieces)]
    scored.sort(key=lambda item: -item[1])
    return [(spelled(text, path, unk), score) for path, score in scored[:n]]


def distribution(
    text: str, pieces: Mapping[str, float], alpha: float = 1.0, unk: str = "<unk>"
) -> list[tuple[list[str], float]]:
    """The probability of each segmentation when sampling: in proportion to exp(``alpha`` x score).

    With ``alpha`` 1 as the model has it, towards 0 all alike, for large ones the best alone.
    """
    scored = nbest(text, pieces, n=2 ** max(0, len(text)), unk=unk)
    weights = [math.exp(alpha * (score - scored[0][1])) for _, score in scored]
    total = sum(weights)
    return [(tokens, weight / total) for (tokens, _), weight in zip(scored, weights, strict=True)]


def decode(tokens: Iterable[str]) -> str:
    """The text of the tokens, U+2581 as the space it stands for."""
    return "".join(tokens).replace("\u2581", " ")
