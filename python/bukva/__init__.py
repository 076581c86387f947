"""bukva: from text to token ids, to vectors and back.

Train a vocabulary, encode, decode, measure what it does to a text and explain each step::

    import bukva

    tok = bukva.train("corpus/", bukva.BpeTrainer(vocab_size=32_000))
    ids = tok.encode("Привет")
    tok.decode(ids)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import embeddings
from ._core import Batch, StreamDecoder
from .audit import (
    CompressionCurve,
    Equivalence,
    Measures,
    ModelSizes,
    compression_curve,
    equivalent,
    measure,
    model_sizes,
)
from .encoding import Encoding
from .errors import (
    ArgumentError,
    BukvaError,
    BukvaWarning,
    CorpusError,
    FileError,
    FormatError,
    LossError,
    PatternError,
    SpecError,
    SpecialTokenError,
    TemplateError,
    TextError,
    TrainingError,
    UnknownCharacterError,
    UnknownIdError,
    UnknownWordError,
    UnsupportedError,
)
from .formats import encoding_for_model
from .shards import Shards, load_shards
from .text import TextView, text_view
from .tokenizer import Tokenizer, load
from .trainers import BpeTrainer, CharTrainer, WordLevelTrainer
from .training import TrainingRecord, train, train_from_iterator
from .vocab import Sizes, Vocab

if TYPE_CHECKING:
    from .embeddings import (
        Embedding,
        OutputHead,
        WordVectors,
        load_vectors,
        train_vectors,
        train_vectors_from_iterator,
    )

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "Batch",
    "BpeTrainer",
    "BukvaError",
    "BukvaWarning",
    "CharTrainer",
    "CompressionCurve",
    "CorpusError",
    "Embedding",
    "Encoding",
    "Equivalence",
    "FileError",
    "FormatError",
    "LossError",
    "Measures",
    "ModelSizes",
    "OutputHead",
    "PatternError",
    "Shards",
    "Sizes",
    "SpecError",
    "SpecialTokenError",
    "StreamDecoder",
    "TemplateError",
    "TextError",
    "TextView",
    "Tokenizer",
    "TrainingError",
    "TrainingRecord",
    "UnknownCharacterError",
    "UnknownIdError",
    "UnknownWordError",
    "UnsupportedError",
    "Vocab",
    "WordLevelTrainer",
    "WordVectors",
    "compression_curve",
    "encoding_for_model",
    "equivalent",
    "load",
    "load_shards",
    "load_vectors",
    "measure",
    "model_sizes",
    "text_view",
    "train",
    "train_from_iterator",
    "train_vectors",
    "train_vectors_from_iterator",
]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Names of :mod:`bukva.embeddings`, which need NumPy, when they are first used."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(embeddings, name)
