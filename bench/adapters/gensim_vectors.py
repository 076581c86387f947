"""gensim's KeyedVectors."""

from __future__ import annotations

from bench.adapters import Adapter


class GensimVectors(Adapter):
    """It has no call for many queries, so each is a call of its own."""

    name = "gensim_vectors"
    package = "gensim"
    module = "gensim"
    call = "KeyedVectors.load_word2vec_format(path), most_similar(word, topn=10)"
    can = frozenset({"vectors"})

    def read_vectors(self, path: str, binary: bool):
        from gensim.models import KeyedVectors

        return KeyedVectors.load_word2vec_format(path, binary=binary)

    def table(self, vectors):
        return vectors.index_to_key, vectors.vectors

    def nearest(self, vectors, word: str) -> list[str]:
        return [near for near, _ in vectors.most_similar(word, topn=10)]


ADAPTER = GensimVectors
