"""Vectors of words as means of the rows of their n-grams, by the definition: the oracle of the trainer.

A word is composed when it comes into reach of the word in the middle, and its rows get what it learned when its last
occurrence in reach has left. The rest is :mod:`bukva.reference.skipgram`.

Source: Bojanowski et al., *Enriching Word Vectors with Subword Information*, 2017.
"""

from __future__ import annotations

import numpy as np

from .skipgram import Random, Trainer, numbered


def fasttext_hash(text):
    """FNV-1a of 32 bits over the bytes of UTF-8; bytes above 127 are extended as signed numbers."""
    state = 2166136261
    for byte in text.encode():
        state = (state ^ (byte | 0xFFFFFF00 if byte > 127 else byte)) * 16777619 % 2**32
    return state


def fasttext_buckets(word, minn, maxn, bucket):
    """The bucket of each n-gram of ``<word>``; a mark alone is none."""
    marked = f"<{word}>"
    found = []
    for start in range(len(marked)):
        for end in range(start + minn, min(start + maxn, len(marked)) + 1):
            if end - start > 1 or 0 < start < len(marked) - 1:
                found.append(fasttext_hash(marked[start:end]) % bucket)
    return found


def train_subwords(documents, *, buckets, has_word_rows=True, **options):
    """Trains on lists of words. Returns words, vectors, output vectors, the mean losses, and the rows.

    ``buckets(word)`` gives the buckets of a word's n-grams; the other options are those of
    :func:`bukva.reference.skipgram.train_skipgram`.
    """
    words, ids, counts = numbered(documents, options["min_count"])
    trainer = SubwordTrainer(ids, counts, **options)
    own = len(words) if has_word_rows else 0
    rows = {}
    trainer.rows = [
        ([at] if own else []) + [own + rows.setdefault(bucket, len(rows)) for bucket in buckets(word)]
        for at, word in enumerate(words)
    ]
    random, dim = Random(options["seed"]), options["dim"]
    trainer.table = np.array([[(random.unit() * 2 - 1) / dim for _ in range(dim)] for _ in range(own + len(rows))])
    _, outputs, losses = trainer.run()
    return words, np.array([trainer.composed(at) for at in range(len(words))]), outputs, losses, trainer.table


class SubwordTrainer(Trainer):
    """``inputs`` are the vectors of words in reach, ``table`` the rows that they are made of."""

    def composed(self, word):
        """The mean of the rows of a word."""
        return self.table[self.rows[word]].mean(axis=0)

    def document(self, words, centres):
        """As in :class:`Trainer`, with words composed and left."""
        started, entered, left = {}, 0, 0
        for centre in [*centres, None]:
            first, end = (len(words), entered) if centre is None else (centre - self.window, centre + self.window + 1)
            for at in range(left, min(first, entered)):
                if words[at] not in words[at + 1 : entered]:
                    moved = self.inputs[words[at]] - started.pop(words[at])
                    np.add.at(self.table, self.rows[words[at]], moved)
            left = max(first, left)
            for word in words[entered:end]:
                if word not in started:
                    started[word] = self.inputs[word] = self.composed(word)
                    started[word] = started[word].copy()
            entered = max(entered, min(end, len(words)))
            if centre is not None:
                self.around(words, centre)

    def averaged(self, inputs):
        """The mean of all rows of some words."""
        return np.average(self.inputs[inputs], axis=0, weights=[len(self.rows[word]) for word in inputs], keepdims=True)
