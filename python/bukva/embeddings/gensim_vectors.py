"""To and from gensim's KeyedVectors, where gensim is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import UnsupportedError

if TYPE_CHECKING:
    from .vectors import WordVectors


def to_gensim(vectors: WordVectors) -> Any:
    """A ``gensim.models.KeyedVectors`` with the same words, vectors and counts.

    Raises
    ------
    UnsupportedError
        If gensim is not installed.
    """
    try:
        from gensim.models import KeyedVectors
    except ImportError:
        raise UnsupportedError("gensim is not installed: pip install gensim.") from None
    keyed = KeyedVectors(vectors.dim)
    keyed.add_vectors(vectors.words, vectors.matrix)
    if vectors.counts is not None:
        keyed.expandos["count"] = vectors.counts.copy()
    return keyed


def from_gensim(keyed: Any) -> WordVectors:
    """Word vectors from a ``gensim.models.KeyedVectors``; counts are kept where it has them."""
    from .vectors import WordVectors

    counts = keyed.expandos.get("count")
    words = [str(word) for word in keyed.index_to_key]
    return WordVectors(words, np.asarray(keyed.vectors, dtype=np.float32), counts)
