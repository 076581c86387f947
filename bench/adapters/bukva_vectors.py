"""bukva's word vectors."""

from __future__ import annotations

from bench.adapters import Adapter


class BukvaVectors(Adapter):
    """A query goes to ``neighbors``; many go together."""

    name = "bukva_vectors"
    package = "bukva"
    module = "bukva"
    call = "load_vectors(path), neighbors(word, 10), neighbors(words, 10)"
    can = frozenset({"vectors"})

    def read_vectors(self, path: str, binary: bool):
        import bukva

        return bukva.load_vectors(path)

    def table(self, vectors):
        return vectors.words, vectors.matrix

    def nearest(self, vectors, word: str) -> list[str]:
        return [near.word for near in vectors.neighbors(word, 10)]

    def nearest_to_all(self, vectors, words: list[str]) -> list[list[str]]:
        return [[near.word for near in found] for found in vectors.neighbors(words, 10)]


ADAPTER = BukvaVectors
