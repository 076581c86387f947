"""A small model of the next byte: counts of what followed the last bytes, from short contexts to long ones."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..checks import check_integer, wrong
from ..errors import CorpusError, TextError

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_ORDER = 8
"""A context and the byte behind it fit into 64 bits."""
_ABOVE = np.uint64(8 * (MAX_ORDER - 1))
BLOCK = 1 << 16
"""Bytes whose contexts are looked up together."""
ROWS = 1 << 12
"""Distributions that are held at a time."""


@dataclass(frozen=True, kw_only=True)
class _Level:
    """What followed the contexts of one length. Contexts rise; their entries lie one after another."""

    contexts: NDArray[np.uint64]
    starts: NDArray[np.int64]  # of the entries of each context, and the end of the last
    bytes: NDArray[np.uint8]
    counts: NDArray[np.int64]
    totals: NDArray[np.int64]


class ByteNgram:
    """Interpolated n-grams of bytes with Witten-Bell smoothing.

    P(b | context) = (count + T · P(b | context without its first byte)) / (total + T), T the number of different bytes
    that followed; without any context the fallback is 1/256. A context that was never seen is shortened.
    Source: Witten and Bell 1991, *The zero-frequency problem*.

    Made by :func:`train_byte_ngram`.

    Attributes
    ----------
    order : int
        The longest context has ``order - 1`` bytes.
    """

    def __init__(self, levels: list[_Level]) -> None:
        self._levels = levels
        self.order = len(levels)

    def distributions(self, data: bytes) -> NDArray[np.float64]:
        """Probabilities of each byte before it is seen, shape (len(data), 256): 2 KB a byte of data."""
        keys, lengths = _contexts(np.frombuffer(data, np.uint8), self.order - 1)
        return self._rows(keys, lengths)

    def entropies(self, data: bytes) -> NDArray[np.float64]:
        """How open the next byte is at each place, -Σ p ln p, in nats, shape (len(data),)."""
        return self.entropies_batch([data])[0]

    def entropies_batch(self, documents: Sequence[bytes]) -> list[NDArray[np.float64]]:
        """The entropies of many texts; each different context of a block is worked out once.

        O(order · log(contexts) + 256 · different contexts / bytes) time a byte.
        """
        keys, lengths = _contexts_of(documents, self.order - 1)
        found = np.empty(len(keys))
        for at in range(0, len(keys), BLOCK):
            # A context has at most 7 bytes, so its length fits above them.
            both = keys[at : at + BLOCK] | (lengths[at : at + BLOCK].astype(np.uint64) << _ABOVE)
            unique, places = np.unique(both, return_inverse=True)
            found[at : at + BLOCK] = self._entropies(unique)[places]
        ends = np.cumsum([0, *map(len, documents)], dtype=np.int64)
        return [found[start:end] for start, end in itertools.pairwise(ends)]

    def _entropies(self, contexts: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Entropies behind contexts, each with its length above its bytes."""
        found = np.empty(len(contexts))
        for at in range(0, len(contexts), ROWS):
            part = contexts[at : at + ROWS]
            rows = self._rows(part & _mask(MAX_ORDER - 1), (part >> _ABOVE).astype(np.int64))
            found[at : at + ROWS] = -(rows * np.log(rows)).sum(axis=1)
        return found

    def bits_per_byte(self, texts: Iterable[str | bytes]) -> float:
        """Mean of -log₂ p of the bytes of texts, each from its start.

        Raises
        ------
        CorpusError
            If there is no byte.
        """
        total, n_bytes = 0.0, 0
        for data in _documents(texts, "bits_per_byte"):
            for at in range(0, len(data), ROWS):
                before = max(0, at - self.order + 1)
                rows = self.distributions(data[before : at + ROWS])[at - before :]
                actual = np.frombuffer(data[at : at + ROWS], np.uint8)
                total -= float(np.log2(rows[np.arange(len(actual)), actual]).sum())
            n_bytes += len(data)
        if n_bytes == 0:
            raise CorpusError("The texts have no byte. Give at least one character.")
        return total / n_bytes

    @property
    def fingerprint(self) -> str:
        """Hash of the counts."""
        digest = hashlib.sha256()
        for level in self._levels:
            for array in (level.contexts, level.starts, level.bytes, level.counts):
                digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    def _rows(self, keys: NDArray[np.uint64], lengths: NDArray[np.int64]) -> NDArray[np.float64]:
        """Distributions behind contexts: ``keys`` are their bytes, the last one lowest."""
        rows = np.full((len(keys), 256), 1 / 256)
        for length, level in enumerate(self._levels):
            usable = np.flatnonzero(lengths >= length)
            wanted = keys[usable] & _mask(length)
            at = np.minimum(np.searchsorted(level.contexts, wanted), len(level.contexts) - 1)
            seen = level.contexts[at] == wanted if len(level.contexts) else np.zeros(len(usable), np.bool_)
            places, at = usable[seen], at[seen]
            first, types = level.starts[at], level.starts[at + 1] - level.starts[at]
            weight = 1 / (level.totals[at] + types)
            rows[places] *= (types * weight)[:, None]
            within = np.arange(types.sum()) - np.repeat(np.cumsum(types) - types, types)
            entries = np.repeat(first, types) + within
            share = level.counts[entries] * np.repeat(weight, types)
            rows[np.repeat(places, types), level.bytes[entries]] += share
        return rows

    def __repr__(self) -> str:
        return f"ByteNgram(order={self.order}, {sum(len(level.contexts) for level in self._levels)} contexts)"


def train_byte_ngram(texts: Iterable[str | bytes], order: int = 5) -> ByteNgram:
    """Counts which byte follows which context of up to ``order - 1`` bytes. Contexts do not reach over texts.

    O(order · n log n) time and about 24 bytes of memory a byte of text: some megabytes of text are enough.

    Parameters
    ----------
    texts : iterable of str or bytes
    order : int
        From 1 to 8.

    Raises
    ------
    CorpusError
        If there is no byte.
    """
    check_integer("order", "train_byte_ngram", order, 1)
    if order > MAX_ORDER:
        raise wrong("order", "train_byte_ngram", f"at most {MAX_ORDER}", order)
    documents = [data for data in _documents(texts, "train_byte_ngram") if data]
    if not documents:
        raise CorpusError("train_byte_ngram was given no byte. Give at least one character.")
    keys, lengths = _contexts_of(documents, order - 1)
    following = np.frombuffer(b"".join(documents), np.uint8)
    return ByteNgram([_level(keys, lengths, following, length) for length in range(order)])


def _level(keys: NDArray[np.uint64], lengths: NDArray[np.int64], following: NDArray[np.uint8], length: int) -> _Level:
    usable = lengths >= length
    entries, counts = np.unique((keys[usable] & _mask(length)) << np.uint64(8) | following[usable], return_counts=True)
    contexts, starts = np.unique(entries >> np.uint64(8), return_index=True)
    ends = np.append(starts, len(entries)).astype(np.int64)
    totals = np.add.reduceat(counts, starts) if len(starts) else np.zeros(0, np.int64)
    return _Level(
        contexts=contexts,
        starts=ends,
        bytes=(entries & np.uint64(255)).astype(np.uint8),
        counts=counts.astype(np.int64),
        totals=totals.astype(np.int64),
    )


def _contexts_of(documents: Sequence[bytes], longest: int) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The contexts of all places of texts, one text after another."""
    parts = [_contexts(np.frombuffer(data, np.uint8), longest) for data in documents]
    parts.append((np.empty(0, np.uint64), np.empty(0, np.int64)))
    return np.concatenate([keys for keys, _ in parts]), np.concatenate([lengths for _, lengths in parts])


def _contexts(data: NDArray[np.uint8], longest: int) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """The bytes before each place as one number, the last byte lowest, and how many there are."""
    keys = np.zeros(len(data), np.uint64)
    for distance in range(min(longest, len(data)), 0, -1):
        keys[distance:] |= data[:-distance].astype(np.uint64) << np.uint64(8 * (distance - 1))
    return keys, np.minimum(np.arange(len(data)), longest)


def _mask(length: int) -> np.uint64:
    return np.uint64((1 << (8 * length)) - 1)


def _documents(texts: Iterable[str | bytes], caller: str) -> Iterable[bytes]:
    if isinstance(texts, (str, bytes)) or not isinstance(texts, Iterable):
        raise wrong("texts", caller, "an iterable of str or bytes", texts)
    for number, text in enumerate(texts):
        if not isinstance(text, (str, bytes)):
            raise wrong(f"texts[{number}]", caller, "a str or bytes", text)
        yield as_bytes(text)


def as_bytes(text: str | bytes) -> bytes:
    """The UTF-8 of a text; bytes as they are.

    Raises
    ------
    TextError
        If the text holds a lone surrogate, which has no UTF-8.
    """
    if isinstance(text, bytes):
        return text
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        message = f"The text has the lone surrogate U+{code:04X} at character {error.start}, which is no character."
        raise TextError(f"{message} Replace it first.") from None
