"""bukva's training of word vectors made of n-grams."""

from __future__ import annotations

from bench.adapters import Adapter


class BukvaSubwords(Adapter):
    """One thread, words at white space, one pass, n-grams and rate of fastText."""

    name = "bukva_subwords"
    package = "bukva"
    module = "bukva"
    call = 'train_vectors(path, word_pattern="whitespace", subwords="fasttext", epochs=1)'
    can = frozenset({"train_vectors"})

    def train_vectors(self, path: str, method: str, seed: int):
        import bukva

        vectors = bukva.train_vectors(
            path,
            word_pattern="whitespace",
            method=method.removesuffix("_subwords"),
            subwords="fasttext",
            epochs=1,
            seed=seed,
            threads=1,
        )
        return vectors.words, vectors.matrix


ADAPTER = BukvaSubwords
