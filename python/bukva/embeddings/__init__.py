"""From ids and words to vectors. Every name is imported when it is first used: ``import bukva`` stays light.

Each name's module is in :data:`NAMES`; the modules need NumPy, this one does not.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .checks import GradientCheck, check_gradient, finite_differences
    from .evaluation import AnalogyScore, SimilarityScore, evaluate_analogies, evaluate_similarity
    from .head import HeadGradient, OutputHead, one_hot
    from .losses import Loss, cross_entropy, half_squared_error, log_softmax, softmax
    from .optimizers import OPTIMIZERS, SGD, Adam, SparseAdam, optimizer
    from .projection import PrincipalComponents, pca, principal_components
    from .table import Embedding, RowGradient
    from .vectors import Neighbor, WordVectors

NAMES = {
    "OPTIMIZERS": "optimizers",
    "SGD": "optimizers",
    "Adam": "optimizers",
    "AnalogyScore": "evaluation",
    "Embedding": "table",
    "GradientCheck": "checks",
    "HeadGradient": "head",
    "Loss": "losses",
    "Neighbor": "vectors",
    "OutputHead": "head",
    "PrincipalComponents": "projection",
    "RowGradient": "table",
    "SimilarityScore": "evaluation",
    "SparseAdam": "optimizers",
    "WordVectors": "vectors",
    "check_gradient": "checks",
    "cross_entropy": "losses",
    "evaluate_analogies": "evaluation",
    "evaluate_similarity": "evaluation",
    "finite_differences": "checks",
    "half_squared_error": "losses",
    "log_softmax": "losses",
    "one_hot": "head",
    "optimizer": "optimizers",
    "pca": "projection",
    "principal_components": "projection",
    "softmax": "losses",
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
    "HeadGradient",
    "Loss",
    "Neighbor",
    "OutputHead",
    "PrincipalComponents",
    "RowGradient",
    "SimilarityScore",
    "SparseAdam",
    "WordVectors",
    "check_gradient",
    "cross_entropy",
    "evaluate_analogies",
    "evaluate_similarity",
    "finite_differences",
    "half_squared_error",
    "log_softmax",
    "one_hot",
    "optimizer",
    "pca",
    "principal_components",
    "softmax",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f".{NAMES[name]}", __name__), name)
