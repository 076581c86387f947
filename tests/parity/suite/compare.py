"""Comparing two records of facts, and saying where they part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import bukva

from .pairs import Pair

_CHUNK = 2000


@dataclass
class Outcome:
    """What was compared, and what differed."""

    texts: int = 0
    ids: int = 0
    different: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def line(self) -> str:
        verdict = "same" if not self.different else ", ".join(f"{n} {what}" for what, n in self.different.items())
        return f"{self.texts:>7} texts {self.ids:>9} ids  {verdict}"


def compare(pair: Pair, texts: Sequence[str]) -> Outcome:
    """Compares every fact of every text."""
    outcome = Outcome()
    for chunk in _chunks(texts):
        for text, ours, theirs in zip(chunk, pair.ours(chunk), pair.theirs(chunk), strict=True):
            outcome.texts += 1
            outcome.ids += len(theirs["ids"])
            for fact, value in theirs.items():
                if ours[fact] != value:
                    outcome.different[fact] += 1
                    if len(outcome.examples) < 3:
                        outcome.examples.append(_example(text, fact, ours[fact], value))
    return outcome


def compare_ways(pair: Pair, ways: dict[str, bukva.Tokenizer], texts: Sequence[str]) -> dict[str, Outcome]:
    """Compares the ids and the counts of every text by each way."""
    outcomes = {name: Outcome() for name in ways}
    for chunk in _chunks(texts):
        expected = [facts[pair.fact] for facts in pair.theirs(chunk)]
        lengths = [len(ids) for ids in expected]
        for name, way in ways.items():
            batch, outcome = way.encode_batch(chunk, threads=1, **pair.options).to_list(), outcomes[name]
            outcome.texts += len(chunk)
            outcome.ids += sum(lengths)
            for text, ours, theirs in zip(chunk, batch, expected, strict=True):
                if ours != theirs:
                    outcome.different["ids"] += 1
                    outcome.examples.append(_example(text, "ids", ours, theirs))
            del outcome.examples[3:]
            if way.count_batch(chunk, threads=1, **pair.options).tolist() != lengths:
                outcome.different["counts of a chunk"] += 1
    return outcomes


def _chunks(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), _CHUNK):
        yield texts[start : start + _CHUNK]


def _example(text: str, fact: str, ours: Any, theirs: Any) -> str:
    at = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    window = slice(max(0, at - 2), at + 4)
    return f"{text[:60]!r}: {fact} from {at}: {ours[window]!r} instead of {theirs[window]!r}"
