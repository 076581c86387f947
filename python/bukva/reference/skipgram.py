"""Skip-gram and CBOW with negative sampling by their definition: the oracle of the trainer.

The same words, windows, negatives and learning rates as the engine's, from the same random numbers, so that vectors can
be compared number by number. One document after the other, one pair after the other, in float64.

Source: Mikolov et al., *Distributed Representations of Words and Phrases and their Compositionality*, 2013.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

MASK = 2**64 - 1
END = -1


class Random:
    """SplitMix64 for a seed and a place in the work."""

    def __init__(self, seed, place=()):
        self.state = seed
        for part in place:
            self.state = self.next() ^ part
        self.state = self.next()

    def next(self):
        """64 random bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        bits = self.state
        bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB & MASK
        return bits ^ (bits >> 31)

    def below(self, bound):
        """A whole number below ``bound``."""
        return (self.next() >> 32) * bound >> 32

    def unit(self):
        """A number from 0 to below 1."""
        return (self.next() >> 40) / 2**24


class Noise:
    """An alias table for counts to a power (Vose 1991)."""

    def __init__(self, counts, exponent=0.75):
        shares = np.asarray(counts, dtype=float) ** exponent
        shares = shares / (shares.sum() / len(shares))
        self.own, self.other = [2**32 - 1] * len(shares), list(range(len(shares)))
        poor = [word for word, share in enumerate(shares) if share < 1]
        rich = [word for word, share in enumerate(shares) if share >= 1]
        while poor and rich:
            taker, giver = poor.pop(), rich[-1]
            self.own[taker], self.other[taker] = int(shares[taker] * 2**32), giver
            shares[giver] -= 1 - shares[taker]
            if shares[giver] < 1:
                poor.append(rich.pop())

    def draw(self, random):
        """A word."""
        bits = random.next()
        slot = (bits >> 32) * len(self.own) >> 32
        return slot if bits % 2**32 < self.own[slot] else self.other[slot]


def train_skipgram(documents, **options):
    """Trains on lists of words. Returns words, vectors, output vectors and the mean loss of a pair in each epoch.

    Options: method (skipgram, cbow), dim, window, negatives, negative_sampling, epochs, min_count, sample, alpha,
    min_alpha, seed.
    """
    words, ids, counts = numbered(documents, options["min_count"])
    return words, *Trainer(ids, counts, **options).run()


def numbered(documents, min_count):
    """Words by falling count, the documents as their numbers, and the counts."""
    counts = Counter(word for document in documents for word in document)
    words = sorted((word for word in counts if counts[word] >= min_count), key=lambda w: (-counts[w], w))
    number = {word: at for at, word in enumerate(words)}
    ids = []
    for document in documents:
        ids += [*(number[word] for word in document if word in number), END]
    return words, ids, [counts[word] for word in words]


class Trainer:
    """The tables and one pass after the other."""

    def __init__(
        self,
        ids,
        counts,
        *,
        dim,
        window,
        negatives,
        negative_sampling,
        epochs,
        sample,
        alpha,
        min_alpha,
        seed,
        min_count,
        method="skipgram",
    ):
        self.ids, self.epochs, self.seed = ids, epochs, seed
        self.window, self.negatives = window, negatives
        self.mean, self.together = method == "cbow", method == "cbow" or negative_sampling == "shared"
        self.alpha, self.min_alpha = alpha, min_alpha
        share = [sample * sum(counts) / count for count in counts]
        keep = [min(np.sqrt(s) + s, 1) if sample else 1 for s in share]
        self.thresholds = [int(k * (2**32 - 1)) for k in keep]
        self.noise = Noise(counts)
        random = Random(seed)
        self.inputs = np.array([[(random.unit() - 0.5) / dim for _ in range(dim)] for _ in counts])
        self.outputs = np.zeros((len(counts), dim))

    def run(self):
        """All epochs."""
        losses = []
        size = min(max(len(self.ids) // 1024, 64), 2**14)
        for epoch in range(self.epochs):
            self.loss, self.pairs = 0.0, 0
            for start in range(0, len(self.ids), size):
                self.part(epoch, start, min(start + size, len(self.ids)))
            losses.append(self.loss / self.pairs)
        return self.inputs, self.outputs, losses

    def part(self, epoch, start, end):
        """A part of the corpus, which has its own random numbers and its own learning rate."""
        done = (epoch + start / len(self.ids)) / self.epochs
        self.rate = self.alpha + (self.min_alpha - self.alpha) * done
        self.random, self.drawing = Random(self.seed, (epoch + 1, start)), Random(self.seed, (epoch + 1, start, 1))
        at = start
        while at < end:
            stop = next((place for place in range(at, end) if self.ids[place] == END), end)
            before = self.kept(reversed(self.ids[:at]))[::-1] if at == start else []
            own = [word for word in self.ids[at:stop] if self.keeps(word)]
            after = self.kept(self.ids[end:]) if stop == end else []
            self.document(before + own + after, range(len(before), len(before) + len(own)))
            at = stop + 1

    def keeps(self, word):
        """Whether subsampling keeps this occurrence."""
        return self.random.next() >> 32 <= self.thresholds[word]

    def kept(self, ids):
        """Up to ``window`` words of the same document that are kept."""
        words = []
        for word in ids:
            if word == END or len(words) == self.window:
                break
            words += [word] if self.keeps(word) else []
        return words

    def document(self, words, centres):
        """Every word as the middle of a window."""
        for centre in centres:
            self.around(words, centre)

    def around(self, words, centre):
        """A window around a word, as one step or one for each pair."""
        reach = 1 + self.random.below(self.window)
        context = words[max(centre - reach, 0) : centre] + words[centre + 1 : centre + 1 + reach]
        for inputs in [context] if self.together else [[word] for word in context]:
            if inputs:
                drawn = [self.noise.draw(self.drawing) for _ in range(self.negatives)]
                wrong = [word for word in drawn if word != words[centre]]
                self.step(inputs, [words[centre], *wrong], np.array([1] + [-1] * len(wrong)))

    def averaged(self, inputs):
        """The mean of vectors."""
        return self.inputs[inputs].mean(axis=0, keepdims=True)

    def step(self, inputs, outputs, signs):
        """All inputs, or their mean, against right (1) and wrong (-1) outputs; gradients are those before the step."""
        vectors = self.averaged(inputs) if self.mean else self.inputs[inputs]
        scores = vectors @ self.outputs[outputs].T * signs
        gradients = signs / (1 + np.exp(scores)) * self.rate
        self.loss += np.log1p(np.exp(-scores)).sum()
        self.pairs += len(vectors)
        more_inputs, more_outputs = gradients @ self.outputs[outputs], gradients.T @ vectors
        # Each word of a mean moves as the mean does.
        np.add.at(self.inputs, inputs, more_inputs)
        np.add.at(self.outputs, outputs, more_outputs)
