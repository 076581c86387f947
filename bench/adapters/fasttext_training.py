"""fastText's training of word vectors made of n-grams."""

from __future__ import annotations

from bench.adapters import Adapter


class FasttextTraining(Adapter):
    """One thread. It takes no seed, so one run shows all."""

    name = "fasttext_training"
    package = "fasttext-wheel"
    module = "fasttext"
    seeded = False
    call = "train_unsupervised(path, dim=100, ws=5, neg=5, minn=3, maxn=6, minCount=5, t=1e-3, epoch=1, thread=1)"
    can = frozenset({"train_vectors"})

    def train_vectors(self, path: str, method: str, seed: int):
        import fasttext
        import numpy as np

        model = fasttext.train_unsupervised(
            path,
            model=method.removesuffix("_subwords"),
            dim=100,
            ws=5,
            neg=5,
            minn=3,
            maxn=6,
            minCount=5,
            t=1e-3,
            epoch=1,
            thread=1,
            verbose=0,
        )
        # The end of a line counts as a word there.
        words = [word for word in model.words if word != "</s>"]
        return words, np.array([model.get_word_vector(word) for word in words])


ADAPTER = FasttextTraining
