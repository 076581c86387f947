"""Going on from vectors that are there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..checks import wrong
from .checking import Rows
from .ngrams import NgramScheme, NgramTable
from .vectors import WordVectors

Known = tuple[NDArray[np.bool_], Rows]
"""Which rows are known, and a table of them; rows of the others are zero."""


def check_start(start: WordVectors, caller: str, dim: int, scheme: NgramScheme | None) -> None:
    """Refuses vectors that training with these options cannot go on from.

    Raises
    ------
    ArgumentError
        If the vectors are of another length, made of other n-grams, or their output vectors are missing.
    """
    if start.dim != dim:
        raise wrong("dim", caller, f"that of the vectors to go on from, {start.dim}", dim)
    if start.output is None:
        remedy = "Save them as .safetensors, which keeps output vectors."
        raise wrong("start", caller, "WordVectors with output vectors", start, remedy)
    there = start.subwords.scheme if isinstance(start.subwords, NgramTable) else None
    if there != scheme:
        raise wrong("subwords", caller, f"those of the vectors to go on from, {there}", scheme)


def started(start: WordVectors, words: list[str], ngrams: _core.WordNgrams | None) -> tuple[Known, Known]:
    """Rows of inputs and of outputs for ``words`` that are known."""
    rows = {word: row for row, word in enumerate(start.words)}
    places = np.array([rows.get(word, -1) for word in words], dtype=np.int64)
    outputs = _known(_output(start), places)
    if ngrams is None or not isinstance(start.subwords, NgramTable):
        return _known(start.matrix, places), outputs
    table = _known(start.subwords.rows, start.subwords.find(ngrams.buckets()))
    if start.subwords.word_rows is None:
        return table, outputs
    own = _known(start.subwords.word_rows, places)
    return (np.concatenate([own[0], table[0]]), np.concatenate([own[1], table[1]])), outputs


def _known(table: Rows, places: NDArray[np.int64]) -> Known:
    known = places >= 0
    rows = np.zeros((len(places), table.shape[1]), dtype=np.float32)
    rows[known] = table[places[known]]
    return known, rows


def merged(start: WordVectors, trained: WordVectors) -> WordVectors:
    """The trained vectors and those of known words that were not trained; counts are added up.

    Words that were not trained keep their vectors. Where they are made of n-grams, they are made anew of the trained
    ones.
    """
    new = set(trained.words)
    left = [row for row, word in enumerate(start.words) if word not in new]
    old, counts = (
        vectors.counts if vectors.counts is not None else np.zeros(len(vectors), np.int64)
        for vectors in (start, trained)
    )
    before = dict(zip(start.words, old.tolist(), strict=True))
    sums = np.concatenate([counts + np.array([before.get(word, 0) for word in trained.words]), old[left]])
    order = np.argsort(-sums, kind="stable")
    everything = trained.words + [start.words[row] for row in left]
    words = [everything[row] for row in order]

    def both(first: Rows, second: Rows) -> Rows:
        joined: Rows = np.concatenate([first, second[left]])[order]
        return joined

    output, subwords = both(_output(trained), _output(start)), None
    if isinstance(start.subwords, NgramTable) and isinstance(trained.subwords, NgramTable):
        own = [table.word_rows for table in (trained.subwords, start.subwords)]
        word_rows = None if own[0] is None or own[1] is None else both(own[0], own[1])
        subwords = _joined(trained.subwords, start.subwords, word_rows)
    matrix = both(trained.matrix, start.matrix) if subwords is None else subwords.compose(words, subwords.word_rows)
    return WordVectors(words, matrix, sums[order], trained.record, output=output, subwords=subwords)


def _joined(trained: NgramTable, start: NgramTable, word_rows: Rows | None) -> NgramTable:
    """The rows of both; where both have one, the trained one."""
    left = trained.find(start.buckets) < 0
    buckets = np.concatenate([trained.buckets, start.buckets[left]])
    return NgramTable(trained.scheme, np.concatenate([trained.rows, start.rows[left]]), buckets, word_rows)


def _output(vectors: WordVectors) -> Rows:
    return vectors.matrix if vectors.output is None else vectors.output
