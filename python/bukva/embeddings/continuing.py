"""Going on from vectors that are there."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..checks import wrong
from .checking import Rows
from .vectors import WordVectors

Start = tuple[NDArray[np.bool_], Rows, Rows]


def started(start: WordVectors, words: list[str], caller: str, dim: int) -> Start:
    """Which of ``words`` are known, and tables with the vectors of those; rows of the others are zero.

    Raises
    ------
    ArgumentError
        If the vectors are of another length, or their output vectors are missing.
    """
    if start.dim != dim:
        raise wrong("dim", caller, f"that of the vectors to go on from, {start.dim}", dim)
    if start.output is None:
        remedy = "Save them as .safetensors, which keeps output vectors."
        raise wrong("start", caller, "WordVectors with output vectors", start, remedy)
    rows = {word: row for row, word in enumerate(start.words)}
    places = np.array([rows.get(word, -1) for word in words], dtype=np.int64)
    known = places >= 0
    inputs, outputs = (np.zeros((len(words), dim), dtype=np.float32) for _ in range(2))
    inputs[known], outputs[known] = start.matrix[places[known]], start.output[places[known]]
    return known, inputs, outputs


def merged(
    start: WordVectors, words: list[str], matrix: Rows, output: Rows, counts: NDArray[np.int64], record: dict[str, Any]
) -> WordVectors:
    """The trained vectors and, unchanged, those of known words that were not trained; counts are added up."""
    trained = set(words)
    left = [row for row, word in enumerate(start.words) if word not in trained]
    old = start.counts if start.counts is not None else np.zeros(len(start.words), dtype=np.int64)
    before = {word: int(count) for word, count in zip(start.words, old, strict=True)}
    everything = words + [start.words[row] for row in left]
    sums = np.concatenate([counts + np.array([before.get(word, 0) for word in words], dtype=np.int64), old[left]])
    order = np.argsort(-sums, kind="stable")
    tables = (
        np.concatenate([new, kept[left]])[order] for new, kept in ((matrix, start.matrix), (output, _output(start)))
    )
    inputs, outputs = tables
    return WordVectors([everything[row] for row in order], inputs, sums[order], record, output=outputs)


def _output(start: WordVectors) -> Rows:
    return start.matrix if start.output is None else start.output
