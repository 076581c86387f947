"""gensim's Word2Vec, by its fastest way: a file of sentences."""

from __future__ import annotations

from bench.adapters import Adapter


class GensimTraining(Adapter):
    """One worker."""

    name = "gensim_training"
    package = "gensim"
    module = "gensim"
    call = "Word2Vec(corpus_file=path, vector_size=100, window=5, negative=5, min_count=5, sample=1e-3, epochs=1)"
    can = frozenset({"train_vectors"})

    def train_vectors(self, path: str, method: str, seed: int):
        from gensim.models import Word2Vec

        model = Word2Vec(
            corpus_file=path,
            vector_size=100,
            window=5,
            negative=5,
            min_count=5,
            sample=1e-3,
            epochs=1,
            sg=int(method == "skipgram"),
            workers=1,
            seed=seed,
        )
        return model.wv.index_to_key, model.wv.vectors


ADAPTER = GensimTraining
