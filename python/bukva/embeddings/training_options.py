"""The options of training vectors, checked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, TypedDict

from ..checks import check_choice, check_integer, check_text, wrong
from ..tokenizer import Tokenizer
from ..trainers import NormalizerName, normalizer_names
from ..training import Progress
from .methods import EPOCHS, METHODS, options_of
from .ngrams import BUCKETS, HASHES, NgramScheme, SubwordKind
from .vectors import WordVectors

Method = Literal["skipgram", "cbow", "glove", "ppmi_svd"]
NegativeSampling = Literal["shared", "independent"]
Objective = Literal["negative_sampling", "hierarchical_softmax"]
Weighting = Literal["harmonic", "flat", "dynamic"]
Sides = Literal["both", "left", "right"]

_OF_COUNTS = ("x_max", "weight_exponent", "shift", "eigenvalue_exponent")

WORD_PATTERN = r"\p{L}+|\p{N}+"
"""What a word is where nothing else is said: a run of letters, or of numbers."""

_NGRAMS = ("minn", "maxn", "bucket", "hash_count")
"""Options that only n-grams have."""
_NEGATIVES = ("negatives", "negative_sampling", "noise_exponent")
"""Options that only negative sampling has."""


class VectorKeywords(TypedDict, total=False):
    """The options of :func:`bukva.train_vectors` that have nothing to do with files."""

    tokenizer: Tokenizer | None
    word_pattern: str
    normalizer: NormalizerName | Sequence[NormalizerName] | None
    method: Method
    dim: int
    window: int
    objective: Objective
    negatives: int
    negative_sampling: NegativeSampling
    noise_exponent: float
    subwords: SubwordKind | None
    minn: int
    maxn: int
    bucket: int | None
    hash_count: int | None
    epochs: int | None
    min_count: int
    sample: float
    alpha: float
    min_alpha: float
    weighting: Weighting
    sides: Sides
    x_max: float
    weight_exponent: float
    shift: float
    eigenvalue_exponent: float
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
    objective: Objective = "negative_sampling"
    negatives: int = 5
    negative_sampling: NegativeSampling = "shared"
    noise_exponent: float = 0.75
    subwords: SubwordKind | None = None
    minn: int = 3
    maxn: int = 6
    bucket: int | None = None
    hash_count: int | None = None
    epochs: int | None = None
    min_count: int = 5
    sample: float = 1e-3
    alpha: float = 0.05
    min_alpha: float = 1e-4
    weighting: Weighting = "harmonic"
    sides: Sides = "both"
    x_max: float = 100.0
    weight_exponent: float = 0.75
    shift: float = 1.0
    eigenvalue_exponent: float = 0.5
    seed: int = 0
    threads: int | None = None
    deterministic: bool = False
    start: WordVectors | None = None
    memory_limit: int | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        check_choice("method", self.caller, self.method, METHODS)
        for name in ("dim", "window", "negatives", "min_count", *(["epochs"] if self.epochs is not None else [])):
            _check_whole(name, self.caller, getattr(self, name))
        check_integer("threads", self.caller, self.threads, 1, optional=True)
        check_integer("memory_limit", self.caller, self.memory_limit, 1, optional=True)
        check_integer("seed", self.caller, self.seed, 0)
        if self.seed >= 2**64:
            raise wrong("seed", self.caller, "below 2**64", self.seed)
        self._check_rates()
        self._check_words()
        check_choice("weighting", self.caller, self.weighting, ("harmonic", "flat", "dynamic"))
        check_choice("sides", self.caller, self.sides, ("both", "left", "right"))
        check_choice("negative_sampling", self.caller, self.negative_sampling, ("shared", "independent"))
        check_choice("objective", self.caller, self.objective, ("negative_sampling", "hierarchical_softmax"))
        self._check_start()
        self._check_method()
        self._check_objective()
        self.scheme()
        if self.progress is not None and not callable(self.progress):
            raise wrong("progress", self.caller, "a callable or None", self.progress)

    def _check_start(self) -> None:
        if self.start is None:
            return
        if not isinstance(self.start, WordVectors):
            raise wrong("start", self.caller, "WordVectors or None", self.start)
        before = self.start.record.get("method")
        if isinstance(before, str) and METHODS.get(before, METHODS[self.method]) != METHODS[self.method]:
            expected = f"vectors that method={self.method!r} can go on from"
            raise wrong("start", self.caller, expected, self.start, f"Their method is {before!r}.")

    def _check_method(self) -> None:
        """Refuses options of other methods, where they are not as when left out."""
        kept = options_of(self.method)
        for field in fields(self):
            if field.name not in kept and getattr(self, field.name) != field.default:
                expected = f"left out with method={self.method!r}, which has no use for it"
                raise wrong(field.name, self.caller, expected, getattr(self, field.name))

    def _check_objective(self) -> None:
        """Refuses options of negative sampling where there is none."""
        for name in _NEGATIVES if self.is_hierarchical else ():
            if getattr(self, name) != getattr(type(self), name):
                expected = f"left out with objective={self.objective!r}, which has no use for it"
                raise wrong(name, self.caller, expected, getattr(self, name))

    def _check_rates(self) -> None:
        for name in ("sample", "alpha", "min_alpha", "noise_exponent", *_OF_COUNTS):
            value = getattr(self, name)
            if not _is_number(value) or (value < 0 and name != "noise_exponent"):
                expected = "a finite number" if name == "noise_exponent" else "a finite number of at least 0"
                raise wrong(name, self.caller, expected, value)
        if self.shift < 1:
            raise wrong("shift", self.caller, "at least 1", self.shift)
        if self.x_max == 0:
            raise wrong("x_max", self.caller, "above 0", self.x_max)
        if self.alpha == 0 or (self.alpha < self.min_alpha and "min_alpha" in options_of(self.method)):
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

    def scheme(self) -> NgramScheme | None:
        """Which n-grams words have; None where a word is one row.

        Raises
        ------
        ArgumentError
            If a number cannot be used, or is given without ``subwords``.
        """
        if self.subwords is None:
            for name in _NGRAMS:
                if getattr(self, name) != getattr(type(self), name):
                    raise wrong(name, self.caller, "left out where subwords is None", getattr(self, name))
            return None
        check_choice("subwords", self.caller, self.subwords, BUCKETS)
        default = HASHES if self.subwords == "floret" else 1
        bucket = BUCKETS[self.subwords] if self.bucket is None else self.bucket
        hashes = default if self.hash_count is None else self.hash_count
        return NgramScheme(self.subwords, self.minn, self.maxn, bucket, hashes, caller=self.caller)

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
        """What the native trainer of skip-gram and CBOW is told."""
        names = ("method", "dim", "window", "negatives", "negative_sampling", "seed", "progress")
        rates = ("noise_exponent", "sample", "alpha", "min_alpha")
        return self._told(names, rates) | {"epochs": self.passes, "threads": self._writers()}

    def counting(self) -> dict[str, Any]:
        """What the native counter of co-occurrences is told."""
        return self._told(("window", "weighting", "sides", "threads", "memory_limit", "progress"), ())

    def glove(self) -> dict[str, Any]:
        """What the native trainer of GloVe is told."""
        told = self._told(("dim", "seed", "progress"), ("x_max", "weight_exponent", "alpha"))
        return told | {"epochs": self.passes, "threads": self._writers()}

    def mutual_information(self) -> dict[str, Any]:
        """What the native matrix of mutual information is told."""
        return self._told((), ("shift", "noise_exponent"))

    @property
    def is_hierarchical(self) -> bool:
        """Whether words are found through a tree."""
        return self.objective == "hierarchical_softmax"

    @property
    def passes(self) -> int:
        """Passes over the corpus, or over its counts."""
        return EPOCHS[self.method] if self.epochs is None else self.epochs

    def _writers(self) -> int | None:
        """Threads that write the tables."""
        return 1 if self.deterministic else self.threads

    def _told(self, names: Sequence[str], rates: Sequence[str]) -> dict[str, Any]:
        return {name: getattr(self, name) for name in names} | {name: float(getattr(self, name)) for name in rates}

    def record(self) -> dict[str, Any]:
        """The options as plain data, for the record of the vectors."""
        left_out = ("caller", "tokenizer", "start", "memory_limit", "progress", "normalizer", "threads", *_NGRAMS)
        kept = options_of(self.method) - set(left_out) - set(_NEGATIVES if self.is_hierarchical else ())
        plain = {name: value for name, value in vars(self).items() if name in kept}
        plain |= {"epochs": self.passes} if "epochs" in kept else {}
        if self.tokenizer is not None:
            del plain["word_pattern"]
        scheme = self.scheme()
        if scheme is not None:
            plain |= {name: getattr(scheme, name) for name in _NGRAMS}
        return {**plain, "normalizer": list(normalizer_names(self.caller, self.normalizer))}


def _check_whole(name: str, caller: str, value: object) -> None:
    check_integer(name, caller, value, 1)
    if isinstance(value, int) and value >= 2**31:
        raise wrong(name, caller, "below 2**31", value)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
