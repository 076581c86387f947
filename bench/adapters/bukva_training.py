"""bukva's training of word vectors, negatives shared by a window."""

from __future__ import annotations

from bench.adapters import Adapter


class BukvaTraining(Adapter):
    """One thread, words at white space, one pass, as the peers."""

    name = "bukva_training"
    package = "bukva"
    module = "bukva"
    sampling = "shared"
    call = 'train_vectors(path, word_pattern="whitespace", dim=100, window=5, negatives=5, epochs=1, alpha=0.025)'
    can = frozenset({"train_vectors"})

    def train_vectors(self, path: str, method: str, seed: int):
        import bukva

        vectors = bukva.train_vectors(
            path,
            word_pattern="whitespace",
            method=method,
            negative_sampling=self.sampling,
            epochs=1,
            alpha=0.025,
            seed=seed,
            threads=1,
        )
        return vectors.words, vectors.matrix


ADAPTER = BukvaTraining
