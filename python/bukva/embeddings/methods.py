"""Which options of training belong to which method."""

from __future__ import annotations

_ALL = (
    *("caller", "tokenizer", "word_pattern", "normalizer", "method", "dim", "window", "min_count"),
    *("seed", "threads", "deterministic", "memory_limit", "progress"),
)
_CONTEXT = (
    *("negatives", "negative_sampling", "noise_exponent", "epochs", "sample", "alpha", "min_alpha", "start"),
    *("objective", "subwords", "minn", "maxn", "bucket", "hash_count"),
)

METHODS = {
    "skipgram": _CONTEXT,
    "cbow": _CONTEXT,
    "glove": ("weighting", "sides", "x_max", "weight_exponent", "epochs", "alpha", "start"),
    "ppmi_svd": ("weighting", "sides", "noise_exponent", "shift", "eigenvalue_exponent", "epochs"),
}
"""Each method with the options that not all have."""

EPOCHS = {"skipgram": 5, "cbow": 5, "glove": 25, "ppmi_svd": 5}
"""Passes where none are asked for."""


def options_of(method: str) -> set[str]:
    """The options of a method."""
    return {*_ALL, *METHODS[method]}
