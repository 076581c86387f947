"""From ids and words to vectors. Every name is imported when it is first used: ``import bukva`` stays light.

Each name's module is in :data:`NAMES`; the modules need NumPy, this one does not.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .arithmetic import CodecRate, ImagePatches, TableSize, codec_rate, image_patches, table_size
    from .byte_ngram import ByteNgram, train_byte_ngram
    from .checks import GradientCheck, check_gradient, finite_differences
    from .cooccurrence import Cooccurrences, count_cooccurrences, count_cooccurrences_from_iterator
    from .evaluation import AnalogyScore, SimilarityScore, evaluate_analogies, evaluate_similarity
    from .files import load_floret, load_vectors, save_floret
    from .gensim_vectors import from_gensim, to_gensim
    from .glove import GloveMemory, estimate_glove_memory
    from .growing import Grown, GrowthRecord, align_vectors, grow_checkpoint, grow_table, token_vectors
    from .head import HeadGradient, OutputHead, one_hot
    from .language_model import LanguageLoss, LanguageModel, train_language_model
    from .language_model_files import load_language_model, save_language_model
    from .losses import Loss, cross_entropy, grouped_cross_entropy, half_squared_error, log_softmax, softmax
    from .neighbor_model import neighbor_pairs, train_on_neighbors
    from .ngrams import NgramScheme, NgramTable
    from .optimizers import OPTIMIZERS, SGD, Adam, SparseAdam, optimizer
    from .pair_training import train_on_pairs
    from .patches import EntropyPatches, FixedPatches, Patches
    from .pmi import PmiCheck, check_pmi, cooccurrences, fit_expected_sgns, shifted_pmi
    from .projection import PrincipalComponents, pca, principal_components
    from .quantisation import ResidualQuantizer, train_residual_quantizer
    from .sampling import Sampling, defined_ids, next_id, next_probabilities
    from .static import StaticEmbedding, pool_mean, remove_common, sif_weights
    from .table import Embedding, RowGradient
    from .torch_tables import from_torch, to_torch
    from .training import train_vectors, train_vectors_from_iterator
    from .training_memory import VectorMemory, estimate_vectors_memory
    from .vectors import Neighbor, WordVectors

NAMES = {
    "OPTIMIZERS": "optimizers",
    "SGD": "optimizers",
    "Adam": "optimizers",
    "AnalogyScore": "evaluation",
    "ByteNgram": "byte_ngram",
    "CodecRate": "arithmetic",
    "Cooccurrences": "cooccurrence",
    "Embedding": "table",
    "EntropyPatches": "patches",
    "FixedPatches": "patches",
    "GloveMemory": "glove",
    "GradientCheck": "checks",
    "Grown": "growing",
    "GrowthRecord": "growing",
    "HeadGradient": "head",
    "ImagePatches": "arithmetic",
    "LanguageLoss": "language_model",
    "LanguageModel": "language_model",
    "Loss": "losses",
    "Neighbor": "vectors",
    "NgramScheme": "ngrams",
    "NgramTable": "ngrams",
    "OutputHead": "head",
    "Patches": "patches",
    "PmiCheck": "pmi",
    "PrincipalComponents": "projection",
    "ResidualQuantizer": "quantisation",
    "RowGradient": "table",
    "Sampling": "sampling",
    "SimilarityScore": "evaluation",
    "SparseAdam": "optimizers",
    "StaticEmbedding": "static",
    "TableSize": "arithmetic",
    "VectorMemory": "training_memory",
    "WordVectors": "vectors",
    "align_vectors": "growing",
    "check_gradient": "checks",
    "check_pmi": "pmi",
    "codec_rate": "arithmetic",
    "cooccurrences": "pmi",
    "count_cooccurrences": "cooccurrence",
    "count_cooccurrences_from_iterator": "cooccurrence",
    "cross_entropy": "losses",
    "defined_ids": "sampling",
    "estimate_glove_memory": "glove",
    "estimate_vectors_memory": "training_memory",
    "evaluate_analogies": "evaluation",
    "evaluate_similarity": "evaluation",
    "finite_differences": "checks",
    "fit_expected_sgns": "pmi",
    "from_gensim": "gensim_vectors",
    "from_torch": "torch_tables",
    "grouped_cross_entropy": "losses",
    "grow_checkpoint": "growing",
    "grow_table": "growing",
    "half_squared_error": "losses",
    "image_patches": "arithmetic",
    "load_floret": "files",
    "load_language_model": "language_model_files",
    "load_vectors": "files",
    "log_softmax": "losses",
    "neighbor_pairs": "neighbor_model",
    "next_id": "sampling",
    "next_probabilities": "sampling",
    "one_hot": "head",
    "optimizer": "optimizers",
    "pca": "projection",
    "pool_mean": "static",
    "principal_components": "projection",
    "remove_common": "static",
    "save_floret": "files",
    "save_language_model": "language_model_files",
    "shifted_pmi": "pmi",
    "sif_weights": "static",
    "softmax": "losses",
    "table_size": "arithmetic",
    "to_gensim": "gensim_vectors",
    "to_torch": "torch_tables",
    "token_vectors": "growing",
    "train_byte_ngram": "byte_ngram",
    "train_language_model": "language_model",
    "train_on_neighbors": "neighbor_model",
    "train_on_pairs": "pair_training",
    "train_residual_quantizer": "quantisation",
    "train_vectors": "training",
    "train_vectors_from_iterator": "training",
}
"""The module of each public name."""

__all__ = [
    "NAMES",
    "OPTIMIZERS",
    "SGD",
    "Adam",
    "AnalogyScore",
    "ByteNgram",
    "CodecRate",
    "Cooccurrences",
    "Embedding",
    "EntropyPatches",
    "FixedPatches",
    "GloveMemory",
    "GradientCheck",
    "Grown",
    "GrowthRecord",
    "HeadGradient",
    "ImagePatches",
    "LanguageLoss",
    "LanguageModel",
    "Loss",
    "Neighbor",
    "NgramScheme",
    "NgramTable",
    "OutputHead",
    "Patches",
    "PmiCheck",
    "PrincipalComponents",
    "ResidualQuantizer",
    "RowGradient",
    "Sampling",
    "SimilarityScore",
    "SparseAdam",
    "StaticEmbedding",
    "TableSize",
    "VectorMemory",
    "WordVectors",
    "align_vectors",
    "check_gradient",
    "check_pmi",
    "codec_rate",
    "cooccurrences",
    "count_cooccurrences",
    "count_cooccurrences_from_iterator",
    "cross_entropy",
    "defined_ids",
    "estimate_glove_memory",
    "estimate_vectors_memory",
    "evaluate_analogies",
    "evaluate_similarity",
    "finite_differences",
    "fit_expected_sgns",
    "from_gensim",
    "from_torch",
    "grouped_cross_entropy",
    "grow_checkpoint",
    "grow_table",
    "half_squared_error",
    "image_patches",
    "load_floret",
    "load_language_model",
    "load_vectors",
    "log_softmax",
    "neighbor_pairs",
    "next_id",
    "next_probabilities",
    "one_hot",
    "optimizer",
    "pca",
    "pool_mean",
    "principal_components",
    "remove_common",
    "save_floret",
    "save_language_model",
    "shifted_pmi",
    "sif_weights",
    "softmax",
    "table_size",
    "to_gensim",
    "to_torch",
    "token_vectors",
    "train_byte_ngram",
    "train_language_model",
    "train_on_neighbors",
    "train_on_pairs",
    "train_residual_quantizer",
    "train_vectors",
    "train_vectors_from_iterator",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f".{NAMES[name]}", __name__), name)
