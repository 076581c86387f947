"""From ids and words to vectors. Every name is imported when it is first used: ``import bukva`` stays light.

Each name's module is in :data:`NAMES`; the modules need NumPy, this one does not.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .evaluation import AnalogyScore, SimilarityScore, evaluate_analogies, evaluate_similarity
    from .projection import PrincipalComponents, pca, principal_components
    from .vectors import Neighbor, WordVectors

NAMES = {
    "AnalogyScore": "evaluation",
    "Neighbor": "vectors",
    "PrincipalComponents": "projection",
    "SimilarityScore": "evaluation",
    "WordVectors": "vectors",
    "evaluate_analogies": "evaluation",
    "evaluate_similarity": "evaluation",
    "pca": "projection",
    "principal_components": "projection",
}
"""The module of each public name."""

__all__ = [
    "NAMES",
    "AnalogyScore",
    "Neighbor",
    "PrincipalComponents",
    "SimilarityScore",
    "WordVectors",
    "evaluate_analogies",
    "evaluate_similarity",
    "pca",
    "principal_components",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f".{NAMES[name]}", __name__), name)
