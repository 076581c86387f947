"""Going on from vectors that are there."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..checks import wrong
from .checking import Rows
from .ngrams import NgramScheme, NgramTable
from .vectors import WordVectors
from .word_tree import Tree, links_of, stored

Known = tuple[NDArray[np.bool_], Rows]
"""Which rows are known, and a table of them; rows of the others are zero."""


def check_start(start: WordVectors, caller: str, dim: int, scheme: NgramScheme | None, objective: str) -> None:
    """Refuses vectors that training with these options cannot go on from.

    Raises
    ------
    ArgumentError
        If the vectors are of another length, made of other n-grams, trained with another objective, or their output
        vectors or tree are missing.
    """
    if start.dim != dim:
        raise wrong("dim", caller, f"that of the vectors to go on from, {start.dim}", dim)
    if start.output is None:
        remedy = "Save them as .safetensors, which keeps output vectors."
        raise wrong("start", caller, "WordVectors with output vectors", start, remedy)
    there = start.subwords.scheme if isinstance(start.subwords, NgramTable) else None
    if there != scheme:
        raise wrong("subwords", caller, f"those of the vectors to go on from, {there}", scheme)
    before = start.record.get("objective", "negative_sampling")
    if before != objective:
        raise wrong("objective", caller, f"that of the vectors to go on from, {before!r}", objective)
    if objective == "hierarchical_softmax":
        stored(start)


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


def known_nodes(start: WordVectors, n_rows: int) -> Known:
    """Rows of the nodes that are known; nodes of new words come behind them."""
    places = np.arange(n_rows)
    return _known(_output(start), np.where(places < len(start) - 1, places, -1))


def _known(table: Rows, places: NDArray[np.int64]) -> Known:
    known = places >= 0
    rows = np.zeros((len(places), table.shape[1]), dtype=np.float32)
    rows[known] = table[places[known]]
    return known, rows


def merged(start: WordVectors, trained: WordVectors, nodes: Rows | None = None) -> WordVectors:
    """The trained vectors and those of known words that were not trained; counts are added up.

    ``nodes`` are the rows of the nodes of a tree. The record of the trained ones has its links, those of the words of
    ``start`` first.

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

    record, subwords = trained.record, None
    if nodes is None:
        nodes = both(_output(trained), _output(start))
    else:
        tree = Tree([*start.words, *(word for word in trained.words if word not in start)], *links_of(record["tree"]))
        record = record | {"tree": tree.record(words)}
    if isinstance(start.subwords, NgramTable) and isinstance(trained.subwords, NgramTable):
        own = [table.word_rows for table in (trained.subwords, start.subwords)]
        word_rows = None if own[0] is None or own[1] is None else both(own[0], own[1])
        subwords = _joined(trained.subwords, start.subwords, word_rows)
    matrix = both(trained.matrix, start.matrix) if subwords is None else subwords.compose(words, subwords.word_rows)
    return WordVectors(words, matrix, sums[order], record, output=nodes, subwords=subwords)


def _joined(trained: NgramTable, start: NgramTable, word_rows: Rows | None) -> NgramTable:
    """The rows of both; where both have one, the trained one."""
    left = trained.find(start.buckets) < 0
    buckets = np.concatenate([trained.buckets, start.buckets[left]])
    return NgramTable(trained.scheme, np.concatenate([trained.rows, start.rows[left]]), buckets, word_rows)


def _output(vectors: WordVectors) -> Rows:
    return vectors.matrix if vectors.output is None else vectors.output
