"""From ids and words to vectors. Every name is imported when it is first used: ``import bukva`` stays light.

Each name's module is in :data:`NAMES`; the modules need NumPy, this one does not.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .checks import GradientCheck, check_gradient, finite_differences
    from .evaluation import AnalogyScore, SimilarityScore, evaluate_analogies, evaluate_similarity
    from .files import load_vectors
    from .gensim_vectors import from_gensim, to_gensim
    from .growing import Grown, GrowthRecord, align_vectors, grow_checkpoint, grow_table, token_vectors
    from .head import HeadGradient, OutputHead, one_hot
    from .language_model import LanguageLoss, LanguageModel, train_language_model
    from .losses import Loss, cross_entropy, half_squared_error, log_softmax, softmax
    from .neighbor_model import neighbor_pairs, train_on_neighbors
    from .optimizers import OPTIMIZERS, SGD, Adam, SparseAdam, optimizer
    from .pair_training import train_on_pairs
    from .pmi import PmiCheck, check_pmi, cooccurrences, fit_expected_sgns, shifted_pmi
    from .projection import PrincipalComponents, pca, principal_components
    from .sampling import Sampling, defined_ids, next_id, next_probabilities
    from .table import Embedding, RowGradient
    from .vectors import Neighbor, WordVectors

NAMES = {
    "OPTIMIZERS": "optimizers",
    "SGD": "optimizers",
    "Adam": "optimizers",
    "token_vectors": "growing",
    "grow_table": "growing",
    "grow_checkpoint": "growing",
    "align_vectors": "growing",
    "Grown": "growing",
    "GrowthRecord": "growing",
    "AnalogyScore": "evaluation",
    "Embedding": "table",
    "GradientCheck": "checks",
    "HeadGradient": "head",
    "LanguageLoss": "language_model",
    "LanguageModel": "language_model",
    "Loss": "losses",
    "Neighbor": "vectors",
    "OutputHead": "head",
    "PmiCheck": "pmi",
    "PrincipalComponents": "projection",
    "RowGradient": "table",
    "Sampling": "sampling",
    "SimilarityScore": "evaluation",
    "SparseAdam": "optimizers",
    "WordVectors": "vectors",
    "check_gradient": "checks",
    "check_pmi": "pmi",
    "cooccurrences": "pmi",
    "cross_entropy": "losses",
    "defined_ids": "sampling",
    "evaluate_analogies": "evaluation",
    "evaluate_similarity": "evaluation",
    "finite_differences": "checks",
    "fit_expected_sgns": "pmi",
    "half_squared_error": "losses",
    "log_softmax": "losses",
    "neighbor_pairs": "neighbor_model",
    "next_id": "sampling",
    "next_probabilities": "sampling",
    "one_hot": "head",
    "optimizer": "optimizers",
    "pca": "projection",
    "principal_components": "projection",
    "shifted_pmi": "pmi",
    "softmax": "losses",
    "train_language_model": "language_model",
    "train_on_neighbors": "neighbor_model",
    "train_on_pairs": "pair_training",
    "from_gensim": "gensim_vectors",
    "load_vectors": "files",
    "to_gensim": "gensim_vectors",
}
"""The module of each public name."""

__all__ = [
    "NAMES",
    "OPTIMIZERS",
    "SGD",
    "Adam",
    "AnalogyScore",
    "Embedding",
    "GradientCheck",
    "Grown",
    "GrowthRecord",
    "HeadGradient",
    "LanguageLoss",
    "LanguageModel",
    "Loss",
    "Neighbor",
    "OutputHead",
    "PmiCheck",
    "PrincipalComponents",
    "RowGradient",
    "Sampling",
    "SimilarityScore",
    "SparseAdam",
    "WordVectors",
    "align_vectors",
    "check_gradient",
    "check_pmi",
    "cooccurrences",
    "cross_entropy",
    "defined_ids",
    "evaluate_analogies",
    "evaluate_similarity",
    "finite_differences",
    "fit_expected_sgns",
    "from_gensim",
    "grow_checkpoint",
    "grow_table",
    "half_squared_error",
    "load_vectors",
    "log_softmax",
    "neighbor_pairs",
    "next_id",
    "next_probabilities",
    "one_hot",
    "optimizer",
    "pca",
    "principal_components",
    "shifted_pmi",
    "softmax",
    "to_gensim",
    "token_vectors",
    "train_language_model",
    "train_on_neighbors",
    "train_on_pairs",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f".{NAMES[name]}", __name__), name)
