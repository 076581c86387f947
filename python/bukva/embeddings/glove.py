"""GloVe: counts of pairs first, then vectors whose products are the logarithms of the counts."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from .. import _core
from ..checks import check_integer
from .continuing import started
from .reading import check_memory

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from .checking import Rows
    from .training_options import VectorOptions


@dataclass(frozen=True, kw_only=True)
class GloveMemory:
    """Bytes that GloVe takes once pairs are counted; the interpreter and its modules come on top.

    Attributes
    ----------
    counts : int
        The counted cells, 8 bytes each, and sums.
    cells : int
        The cells in random order, 12 bytes each.
    tables : int
        Both tables: vectors, biases and AdaGrad's sums.
    result : int
        The vectors that are handed over.
    peak : int
        The most that is there at one time.
    """

    counts: int
    cells: int
    tables: int
    result: int
    peak: int


def estimate_glove_memory(*, words: int, cells: int, dim: int = 100) -> GloveMemory:
    """The memory that ``train_vectors(method="glove")`` takes once pairs are counted.

    Parameters
    ----------
    words : int
        Words with a vector: those of at least ``min_count`` occurrences.
    cells : int
        Cells that are not 0: pairs of words that stand near each other, in either order.
    dim : int
        Numbers in a vector.
    """
    for name, value in (("words", words), ("cells", cells), ("dim", dim)):
        check_integer(name, "estimate_glove_memory", value, 1)
    return GloveMemory(**_core.glove_memory(words, cells, dim))


def train_on_counts(
    corpus: _core.VectorCorpus, words: list[str], options: VectorOptions
) -> tuple[Rows, Rows, None, dict[str, Any]]:
    """The sums of both vectors of each word, the context vectors, no rows of n-grams, and the facts of the run."""
    counts = _core.count_cooccurrences(corpus, **options.counting())
    cells, pairs = counts.sizes()
    memory = estimate_glove_memory(words=len(words), cells=max(cells, 1), dim=options.dim)
    check_memory(memory.peak, len(words), options)
    (vectors, contexts), run = _core.train_glove(counts, start=_start(words, options), **options.glove())
    vectors += contexts
    return vectors, contexts, None, {"memory": asdict(memory), "cells": cells, "pairs": pairs, **run}


def _start(words: list[str], options: VectorOptions) -> tuple[NDArray[np.bool_], Rows, Rows] | None:
    if options.start is None:
        return None
    (known, sums), (_, contexts) = started(options.start, words, None)
    return known, sums - contexts, contexts
