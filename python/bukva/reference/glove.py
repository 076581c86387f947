"""Co-occurrences and GloVe by their definition: the oracle of the counter and the trainer.

The same cells in the same random order as the engine's, from the same random numbers, so that vectors can be compared
number by number. One cell after the other, in float64.

Source: Pennington, Socher and Manning, *GloVe: Global Vectors for Word Representation*, 2014.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np

from .skipgram import Random

BLOCK = 4096


def count_cooccurrences(documents, *, window, weighting="harmonic", sides="both", min_count=1):
    """Words by falling count, and a number for each (word, context) that stand near each other, as fractions."""
    counts = Counter(word for document in documents for word in document)
    words = sorted((word for word in counts if counts[word] >= min_count), key=lambda word: (-counts[word], word))
    number = {word: at for at, word in enumerate(words)}
    cells = Counter()
    for document in documents:
        ids = [number[word] for word in document if word in number]
        for at, word in enumerate(ids):
            for distance in range(1, window + 1):
                weight = {
                    "harmonic": Fraction(1, distance),
                    "flat": Fraction(1),
                    "dynamic": Fraction(window - distance + 1, window),
                }[weighting]
                if sides != "right" and at >= distance:
                    cells[word, ids[at - distance]] += weight
                if sides != "left" and at + distance < len(ids):
                    cells[word, ids[at + distance]] += weight
    return words, dict(sorted(cells.items()))


def shuffled(items, random):
    """The items in an order of which each is as likely as the others (Durstenfeld 1964)."""
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
        other = random.below(last + 1)
        items[last], items[other] = items[other], items[last]
    return items


def train_glove(cells, n_words, *, dim, epochs, seed, x_max=100.0, weight_exponent=0.75, alpha=0.05):
    """Trains on a dict of cells. Gives word vectors, context vectors and the mean loss of a cell in each epoch."""
    tables = []
    for side in (0, 1):
        random = Random(seed, (side, 0))
        tables.append(np.array([[(random.unit() - 0.5) / dim for _ in range(dim)] for _ in range(n_words)]))
    biases = [np.zeros(n_words), np.zeros(n_words)]
    sums = [np.ones((n_words, dim)), np.ones((n_words, dim))]
    bias_sums = [np.ones(n_words), np.ones(n_words)]
    blocks, losses = thrown(cells, seed), []
    for epoch in range(epochs):
        loss = 0.0
        for block in shuffled(range(len(blocks)), Random(seed, (epoch + 1,))):
            for places, x in shuffled(blocks[block], Random(seed, (epoch + 1, block))):
                weight = min(1.0, (x / x_max) ** weight_exponent)
                old = [table[at].copy() for table, at in zip(tables, places, strict=True)]
                error = old[0] @ old[1] + biases[0][places[0]] + biases[1][places[1]] - np.log(x)
                loss += weight * error**2 / 2
                for side, at in enumerate(places):
                    step = alpha * weight * error * old[1 - side]
                    tables[side][at] -= step / np.sqrt(sums[side][at])
                    sums[side][at] += step**2
                    biases[side][at] -= alpha * weight * error / np.sqrt(bias_sums[side][at])
                    bias_sums[side][at] += (alpha * weight * error) ** 2
        losses.append(loss / len(cells))
    return *tables, losses


def thrown(cells, seed):
    """The cells in blocks, each in one drawn at random."""
    blocks = [[] for _ in range(max(1, -(-len(cells) // BLOCK)))]
    random = Random(seed, (0,))
    for places, value in cells.items():
        blocks[random.below(len(blocks))].append((places, float(value)))
    return blocks
