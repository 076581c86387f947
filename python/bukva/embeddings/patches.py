"""Bytes instead of a vocabulary: a text is cut into patches of bytes, of fixed length or where it is least certain.

Sources: Yu et al. 2023, *MEGABYTE*; Pagnoni et al. 2024, *Byte Latent Transformer: patches scale better than tokens*.
"""

from __future__ import annotations

import hashlib
import itertools
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..checks import check_choice, check_integer, check_texts, wrong
from ..errors import CorpusError
from .byte_ngram import ByteNgram, as_bytes

if TYPE_CHECKING:
    from numpy.typing import NDArray

Rule = Literal["global", "monotonic", "combined"]
RULES = ("global", "monotonic", "combined")


class Patches(ABC):
    """A way to cut bytes into patches. :func:`bukva.measure` takes it in the place of a tokenizer."""

    @abstractmethod
    def starts(self, data: bytes) -> NDArray[np.int64]:
        """Where patches begin, rising from 0; empty for no bytes."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The rule with its numbers."""

    def cut(self, text: str | bytes) -> list[bytes]:
        """The patches of a text; joined they are the text."""
        data = as_bytes(text)
        ends = [*self.starts(data).tolist(), len(data)]
        return [data[start:end] for start, end in itertools.pairwise(ends)]

    def count_batch(
        self, texts: Iterable[str], *, disallowed_special: Literal["all"] | Collection[str] = ()
    ) -> NDArray[np.int64]:
        """Patches of each text. There are no special tokens, so ``disallowed_special`` changes nothing."""
        check_texts("texts", "count_batch", texts)
        return np.array([len(starts) for starts in self.starts_batch([as_bytes(text) for text in texts])], np.int64)

    def starts_batch(self, documents: Sequence[bytes]) -> list[NDArray[np.int64]]:
        """Where the patches of each text begin."""
        return [self.starts(data) for data in documents]

    @property
    def fingerprint(self) -> str:
        """Hash of everything that decides where patches begin."""
        return hashlib.sha256(self.name.encode()).hexdigest()

    def __repr__(self) -> str:
        return self.name


class FixedPatches(Patches):
    """Patches of ``size`` bytes, as MEGABYTE has them: ⌈T / size⌉ of a text of T bytes; the last may be shorter."""

    def __init__(self, size: int) -> None:
        check_integer("size", "FixedPatches", size, 1)
        self.size = size

    @property
    def name(self) -> str:
        """The rule with its number."""
        return f"FixedPatches({self.size})"

    def starts(self, data: bytes) -> NDArray[np.int64]:
        """Every ``size`` bytes."""
        return np.arange(0, len(data), self.size, dtype=np.int64)


class EntropyPatches(Patches):
    """Patches that begin where a model of the next byte is uncertain, as BLT has them.

    With H the entropy of the next byte in nats, a patch begins at t

    - ``global``: where H_t > ``threshold``;
    - ``monotonic``: where H_t - H_(t-1) > ``rise``;
    - ``combined``: where both hold.

    The first byte always begins one. (BLT's own code also begins one at place 1: its text starts with a symbol for the
    beginning, so that place is its first byte.)

    Parameters
    ----------
    model : ByteNgram
        Any object with ``entropies_batch(documents)`` and ``fingerprint`` will do.
    threshold : float, optional
        For ``global``. Nats of *this* model: thresholds of other models mean nothing here; see :meth:`of_mean_size`.
    rise : float, optional
        For ``monotonic``. Both: ``combined``.
    max_size : int, optional
        Longer patches are cut after every so many bytes.
    """

    def __init__(
        self,
        model: ByteNgram,
        *,
        threshold: float | None = None,
        rise: float | None = None,
        max_size: int | None = None,
    ) -> None:
        for name, value in (("threshold", threshold), ("rise", rise)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float)) or value != value):
                raise wrong(name, "EntropyPatches", "a number or None", value)
        if threshold is None and rise is None:
            raise wrong("threshold", "EntropyPatches", "given, or 'rise', or both", None)
        check_integer("max_size", "EntropyPatches", max_size, 1, optional=True)
        self.model, self.threshold, self.rise, self.max_size = model, threshold, rise, max_size

    @classmethod
    def of_mean_size(
        cls,
        model: ByteNgram,
        texts: Iterable[str | bytes],
        mean_size: float,
        *,
        rule: Rule = "global",
        max_size: int | None = None,
    ) -> EntropyPatches:
        """The thresholds that give patches of ``mean_size`` bytes on texts.

        A share of 1 / mean_size of all places must begin a patch, so the threshold is the (1 - 1 / mean_size) quantile
        of H, or of its rises. ``combined`` takes the same quantile for both, found by bisection. ``max_size`` is not
        counted in: it makes patches shorter.

        Parameters
        ----------
        model : ByteNgram
        texts : iterable of str or bytes
            Not those of the model's training, which it finds too certain.
        mean_size : float
            Bytes, more than 1.
        rule : {"global", "monotonic", "combined"}
        max_size : int, optional
        """
        check_choice("rule", "of_mean_size", rule, RULES)
        if isinstance(mean_size, bool) or not isinstance(mean_size, (int, float)) or not 1 < mean_size < np.inf:
            raise wrong("mean_size", "of_mean_size", "a number above 1", mean_size)
        entropies, rises = _figures(model, texts)
        quantile = 1 - 1 / mean_size
        if rule == "combined":
            quantile = _common_quantile(entropies, rises, 1 / mean_size)
        return cls(
            model,
            threshold=None if rule == "monotonic" else float(np.quantile(entropies, quantile)),
            rise=None if rule == "global" else float(np.quantile(rises, quantile)),
            max_size=max_size,
        )

    @property
    def rule(self) -> Rule:
        """Which of the three."""
        return "monotonic" if self.threshold is None else "global" if self.rise is None else "combined"

    @property
    def name(self) -> str:
        """The rule with its numbers and its model."""
        numbers = [("threshold", self.threshold), ("rise", self.rise), ("max_size", self.max_size)]
        shown = ", ".join(f"{name}={value:.6g}" for name, value in numbers if value is not None)
        return f"EntropyPatches({self.model!r}, {shown})"

    @property
    def fingerprint(self) -> str:
        """Hash of the model and the exact numbers."""
        exact = f"{self.model.fingerprint} {self.threshold!r} {self.rise!r} {self.max_size}"
        return hashlib.sha256(exact.encode()).hexdigest()

    def starts(self, data: bytes) -> NDArray[np.int64]:
        """Where the model is uncertain."""
        return self.starts_batch([data])[0]

    def starts_batch(self, documents: Sequence[bytes]) -> list[NDArray[np.int64]]:
        """The same of many texts, in less time."""
        return [self._starts(entropies) for entropies in self.model.entropies_batch(documents)]

    def _starts(self, entropies: NDArray[np.float64]) -> NDArray[np.int64]:
        begins = np.ones(len(entropies), np.bool_)
        if self.threshold is not None:
            begins &= entropies > self.threshold
        if self.rise is not None:
            begins[1:] &= np.diff(entropies) > self.rise
        begins[:1] = True
        starts = np.flatnonzero(begins)
        return starts if self.max_size is None else _shortened(starts, len(entropies), self.max_size)


def _shortened(starts: NDArray[np.int64], n_bytes: int, max_size: int) -> NDArray[np.int64]:
    """Cuts patches that are longer than ``max_size``; the last part of each may be shorter."""
    sizes = np.diff(np.append(starts, n_bytes))
    parts = -(-sizes // max_size)
    within = np.arange(parts.sum()) - np.repeat(np.cumsum(parts) - parts, parts)
    shortened: NDArray[np.int64] = np.repeat(starts, parts) + within * max_size
    return shortened


def _figures(model: ByteNgram, texts: Iterable[str | bytes]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Entropies of all places, and their rises; the first byte of a text rises without end."""
    check_texts("texts", "of_mean_size", texts)
    found = model.entropies_batch([as_bytes(text) for text in texts])
    entropies = [one for one in found if len(one)]
    if not entropies:
        raise CorpusError("The texts have no byte, so there are no entropies. Give at least one character.")
    rises = [np.append(np.finfo(np.float64).max, np.diff(one)) for one in entropies]
    return np.concatenate(entropies), np.concatenate(rises)


def _common_quantile(entropies: NDArray[np.float64], rises: NDArray[np.float64], share: float) -> float:
    """The quantile of both above which the wanted share of places lies."""
    low, high = 0.0, 1 - share
    for _ in range(40):
        middle = (low + high) / 2
        above = (entropies > np.quantile(entropies, middle)) & (rises > np.quantile(rises, middle))
        low, high = (middle, high) if above.mean() > share else (low, middle)
    return (low + high) / 2
