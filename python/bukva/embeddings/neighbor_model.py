"""A small trainer of word vectors that shows every step: Embedding, then Linear, on (word, neighbour) pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..checks import check_integer
from .head import OutputHead
from .pair_training import Progress, train_on_pairs
from .sentences import numbered
from .table import Embedding
from .vectors import WordVectors


def neighbor_pairs(rows: Iterable[Sequence[int]], window: int) -> tuple[list[int], list[int]]:
    """Every pair of two ids of a row that stand at most ``window`` apart, in both directions; never across rows."""
    inputs, targets = [], []
    for row in rows:
        for at, centre in enumerate(row):
            near = [*row[max(0, at - window) : at], *row[at + 1 : at + window + 1]]
            inputs += [centre] * len(near)
            targets += near
    return inputs, targets


def train_on_neighbors(
    sentences: Iterable[str | Sequence[str]],
    *,
    dim: int = 8,
    window: int = 2,
    epochs: int = 3,
    batch: int = 256,
    lr: float = 0.01,
    seed: int = 0,
    progress: Progress | None = None,
) -> WordVectors:
    """Vectors of words from nothing but their neighbours: Embedding(V, dim), Linear(dim, V), full softmax, Adam.

    It does by the definition what :func:`bukva.train_vectors` does with speed: for a few thousand sentences and a few
    thousand words. Source: Mikolov et al. 2013, *Efficient estimation of word representations in vector space*, the
    skip-gram model without its shortcuts.

    Parameters
    ----------
    sentences : iterable of str or of sequences of str
        A str is cut at white space.
    dim, window : int
        Numbers in a vector; words to each side.
    epochs, batch, lr, seed, progress
        As in :func:`train_on_pairs`.

    Returns
    -------
    WordVectors
        Words by falling count, then by first occurrence; ``output`` has the rows of Linear, ``record`` the options
        and the mean loss of each epoch.

    Raises
    ------
    CorpusError
        If there is no word.
    TrainingError
        If no sentence has two words.
    """
    for name, value in (("dim", dim), ("window", window)):
        check_integer(name, "train_on_neighbors", value, 1)
    found = numbered(sentences, "train_on_neighbors")
    words = found.words
    inputs, targets = neighbor_pairs(found.rows, window)
    table = Embedding(len(words), dim, seed)
    head = OutputHead(Embedding(len(words), dim, seed + 1).weight, np.zeros(len(words), np.float32), layout="rows")
    losses = train_on_pairs(
        table, head, inputs, targets, epochs=epochs, batch=batch, lr=lr, seed=seed, progress=progress
    )
    record = {"model": "skip-gram, full softmax", "dim": dim, "window": window, "epochs": epochs, "batch": batch}
    record |= {"lr": lr, "seed": seed, "pairs": len(inputs), "losses": losses}
    return WordVectors(words, table.weight, found.counts, record, output=head.weight)
