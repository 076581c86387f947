"""Hierarchical softmax by its definition: the oracle of the trainer. The rest is :mod:`bukva.reference.skipgram`.

Sources: Morin and Bengio, *Hierarchical Probabilistic Neural Network Language Model*, 2005; Huffman 1952; word2vec.
"""

from __future__ import annotations

import numpy as np

from .skipgram import Trainer, numbered


def huffman(counts):
    """For each word its nodes from the top, and the branch that it takes at each.

    The two rarest are joined again and again, the rarer one as branch 0. Of equal counts nodes come before words, older
    nodes before newer ones, later words before earlier ones. Nodes are numbered as they are made.
    """
    waiting = [(count, 1, -word, [word]) for word, count in enumerate(counts)]
    paths = [[] for _ in counts]
    for node in range(len(counts) - 1):
        joined = sorted(waiting)[:2]
        for branch, item in enumerate(joined):
            waiting.remove(item)
            for word in item[3]:
                paths[word].insert(0, (node, branch))
        waiting.append((joined[0][0] + joined[1][0], 0, node, joined[0][3] + joined[1][3]))
    return paths


def train_hierarchical(documents, **options):
    """Trains on lists of words. Returns words, vectors, vectors of nodes, the mean loss of a pair in each epoch, paths.

    Options are those of :func:`bukva.reference.skipgram.train_skipgram`, without negatives.
    """
    words, ids, counts = numbered(documents, options["min_count"])
    trainer = TreeTrainer(ids, counts, negatives=0, negative_sampling="shared", **options)
    trainer.paths = huffman(counts)
    return words, *trainer.run(), trainer.paths


class TreeTrainer(Trainer):
    """Outputs are nodes."""

    def around(self, words, centre):
        """A window around a word against the nodes of its path: branch 0 counts as right."""
        reach = 1 + self.random.below(self.window)
        context = words[max(centre - reach, 0) : centre] + words[centre + 1 : centre + 1 + reach]
        if context:
            path = self.paths[words[centre]]
            signs = np.array([1 - 2 * branch for _, branch in path])
            self.step(context, [node for node, _ in path], signs)
