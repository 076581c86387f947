"""bukva's training of word vectors, negatives shared by a window."""

from __future__ import annotations

from typing import ClassVar

from bench.adapters import Adapter


class BukvaTraining(Adapter):
    """One thread, words at white space, one pass, as the peers."""

    name = "bukva_training"
    package = "bukva"
    module = "bukva"
    call = 'train_vectors(path, word_pattern="whitespace", dim=100, window=5, negatives=5, epochs=1, alpha=0.025)'
    can = frozenset({"train_vectors"})
    # What a variant changes.
    options: ClassVar[dict[str, object]] = {"alpha": 0.025}

    def train_vectors(self, path: str, method: str, seed: int):
        import bukva

        vectors = bukva.train_vectors(
            path,
            word_pattern="whitespace",
            method=method.removesuffix("_subwords"),
            epochs=1,
            seed=seed,
            threads=1,
            **self.options,
        )
        return vectors.words, vectors.matrix


ADAPTER = BukvaTraining
