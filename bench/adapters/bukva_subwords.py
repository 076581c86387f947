"""bukva's training of word vectors made of n-grams."""

from __future__ import annotations

from typing import ClassVar

from bench.adapters.bukva_training import BukvaTraining


class BukvaSubwords(BukvaTraining):
    """N-grams and rate of fastText."""

    name = "bukva_subwords"
    options: ClassVar[dict[str, object]] = {"subwords": "fasttext"}
    call = 'train_vectors(path, word_pattern="whitespace", subwords="fasttext", epochs=1)'


ADAPTER = BukvaSubwords
