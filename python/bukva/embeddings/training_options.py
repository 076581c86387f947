"""The options of training vectors, checked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from ..checks import check_choice, check_integer, check_text, wrong
from ..tokenizer import Tokenizer
from ..trainers import NormalizerName, normalizer_names
from ..training import Progress
from .vectors import WordVectors

Method = Literal["skipgram", "cbow"]
NegativeSampling = Literal["shared", "independent"]

WORD_PATTERN = r"\p{L}+|\p{N}+"
"""What a word is where nothing else is said: a run of letters, or of numbers."""


class VectorKeywords(TypedDict, total=False):
    """The options of :func:`bukva.train_vectors` that have nothing to do with files."""

    tokenizer: Tokenizer | None
    word_pattern: str
    normalizer: NormalizerName | Sequence[NormalizerName] | None
    method: Method
    dim: int
    window: int
    negatives: int
    negative_sampling: NegativeSampling
    noise_exponent: float
    epochs: int
    min_count: int
    sample: float
    alpha: float
    min_alpha: float
    seed: int
    threads: int | None
    deterministic: bool
    start: WordVectors | None
    memory_limit: int | None
    progress: Progress | None


@dataclass(frozen=True, kw_only=True)
class VectorOptions:
    """The same options with their defaults. ``caller`` is who is named in errors."""

    caller: str
    tokenizer: Tokenizer | None = None
    word_pattern: str = WORD_PATTERN
    normalizer: NormalizerName | Sequence[NormalizerName] | None = None
    method: Method = "skipgram"
    dim: int = 100
    window: int = 5
    negatives: int = 5
    negative_sampling: NegativeSampling = "shared"
    noise_exponent: float = 0.75
    epochs: int = 5
    min_count: int = 5
    sample: float = 1e-3
    alpha: float = 0.05
    min_alpha: float = 1e-4
    seed: int = 0
    threads: int | None = None
    deterministic: bool = False
    start: WordVectors | None = None
    memory_limit: int | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        for name in ("dim", "window", "negatives", "epochs", "min_count"):
            _check_whole(name, self.caller, getattr(self, name))
        check_integer("threads", self.caller, self.threads, 1, optional=True)
        check_integer("memory_limit", self.caller, self.memory_limit, 1, optional=True)
        check_integer("seed", self.caller, self.seed, 0)
        if self.seed >= 2**64:
            raise wrong("seed", self.caller, "below 2**64", self.seed)
        self._check_rates()
        self._check_words()
        check_choice("method", self.caller, self.method, ("skipgram", "cbow"))
        check_choice("negative_sampling", self.caller, self.negative_sampling, ("shared", "independent"))
        if self.start is not None and not isinstance(self.start, WordVectors):
            raise wrong("start", self.caller, "WordVectors or None", self.start)
        if self.progress is not None and not callable(self.progress):
            raise wrong("progress", self.caller, "a callable or None", self.progress)

    def _check_rates(self) -> None:
        for name in ("sample", "alpha", "min_alpha", "noise_exponent"):
            value = getattr(self, name)
            if not _is_number(value) or (value < 0 and name != "noise_exponent"):
                expected = "a finite number" if name == "noise_exponent" else "a finite number of at least 0"
                raise wrong(name, self.caller, expected, value)
        if self.alpha == 0 or self.alpha < self.min_alpha:
            expected = f"above 0 and not below min_alpha, which is {self.min_alpha}"
            raise wrong("alpha", self.caller, expected, self.alpha)

    def _check_words(self) -> None:
        check_text("word_pattern", self.caller, self.word_pattern)
        normalizer_names(self.caller, self.normalizer)
        if self.tokenizer is None:
            return
        if not isinstance(self.tokenizer, Tokenizer):
            raise wrong("tokenizer", self.caller, "a Tokenizer or None", self.tokenizer)
        if self.normalizer is not None or self.word_pattern != WORD_PATTERN:
            given = "normalizer" if self.normalizer is not None else "word_pattern"
            value = getattr(self, given)
            raise wrong(given, self.caller, "left out where a tokenizer says what the words are", value)

    def reading(self) -> dict[str, Any]:
        """What the native reader is told."""
        return {
            "tokenizer": self.tokenizer,
            "word_pattern": self.word_pattern,
            "normalizer": list(normalizer_names(self.caller, self.normalizer)),
            "min_count": self.min_count,
            "threads": self.threads,
            "progress": self.progress,
        }

    def training(self) -> dict[str, Any]:
        """What the native trainer is told."""
        names = ("method", "dim", "window", "negatives", "negative_sampling", "epochs", "seed", "progress")
        rates = ("noise_exponent", "sample", "alpha", "min_alpha")
        return {
            **{name: getattr(self, name) for name in names},
            **{name: float(getattr(self, name)) for name in rates},
            "threads": 1 if self.deterministic else self.threads,
        }

    def record(self) -> dict[str, Any]:
        """The options as plain data, for the record of the vectors."""
        left_out = ("caller", "tokenizer", "start", "memory_limit", "progress", "normalizer", "threads")
        plain = {name: value for name, value in vars(self).items() if name not in left_out}
        if self.tokenizer is not None:
            del plain["word_pattern"]
        return {**plain, "normalizer": list(normalizer_names(self.caller, self.normalizer))}


def _check_whole(name: str, caller: str, value: object) -> None:
    check_integer(name, caller, value, 1)
    if isinstance(value, int) and value >= 2**31:
        raise wrong(name, caller, "below 2**31", value)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
