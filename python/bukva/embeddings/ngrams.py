"""Vectors of any word, from the n-grams of its characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import InitVar, dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from ..checks import check_choice, check_integer, wrong
from ..errors import ArgumentError
from .checking import Rows

SubwordKind = Literal["fasttext", "floret"]
KINDS = ("fasttext", "floret")
BUCKETS = {"fasttext": 2_000_000, "floret": 50_000}
"""Buckets where nothing is said: what fastText takes, and what the authors of floret do."""
HASHES = 2
"""Rows of each n-gram of floret where nothing is said."""
MOST_CHARS, MOST_BUCKETS, MOST_HASHES = 64, 2**31 - 1, 4


@dataclass(frozen=True)
class NgramScheme:
    """Which n-grams a word has, and what buckets they fall into.

    N-grams are of the characters of the word between ``<`` and ``>``; a mark alone is none.

    Parameters
    ----------
    kind : {"fasttext", "floret"}
        One bucket for each n-gram by fastText's hash, and a row of its own for each word; or ``hash_count`` buckets by
        MurmurHash3 for each n-gram and for the word between its marks.
    minn, maxn : int
        Characters (code points) of an n-gram.
    bucket : int
        Number of buckets.
    hash_count : int
        1 to 4 for floret; 1 for fastText.
    caller : str
        Who is named in errors.

    Raises
    ------
    ArgumentError
        If a number cannot be used.

    Notes
    -----
    Sources: Bojanowski et al., *Enriching Word Vectors with Subword Information*, 2017; fastText 0.9.2 and floret 0.10
    for the hashes.
    """

    kind: SubwordKind = "fasttext"
    minn: int = 3
    maxn: int = 6
    bucket: int = BUCKETS["fasttext"]
    hash_count: int = 1
    caller: InitVar[str] = "NgramScheme"

    def __post_init__(self, caller: str) -> None:
        check_choice("kind", caller, self.kind, KINDS)
        _check_within("minn", caller, self.minn, 1, MOST_CHARS)
        _check_within("maxn", caller, self.maxn, self.minn, MOST_CHARS)
        _check_within("bucket", caller, self.bucket, 1, MOST_BUCKETS)
        _check_within("hash_count", caller, self.hash_count, 1, MOST_HASHES if self.kind == "floret" else 1)

    def native(self) -> dict[str, int]:
        """The same as the engine takes it."""
        count = self.hash_count if self.kind == "floret" else 0
        return {"minn": self.minn, "maxn": self.maxn, "bucket": self.bucket, "hash_count": count}

    def buckets(self, word: str) -> NDArray[np.uint32]:
        """The buckets of a word's n-grams, as often as they stand in it."""
        return _core.ngram_buckets(word, **self.native())

    def words(self, words: Sequence[str]) -> _core.WordNgrams:
        """The rows of each word of a vocabulary."""
        return _core.WordNgrams(list(words), **self.native())


class NgramTable:
    """The rows that vectors of words are means of. Immutable.

    The vector of a word outside the vocabulary is the sum of the rows of its n-grams divided by their number.

    Parameters
    ----------
    scheme : NgramScheme
    rows : array, shape (n, dim)
        A row for each bucket that is used; the others count as zeros.
    buckets : array of int, shape (n,), optional
        The bucket of each row; row after row where left out.
    word_rows : array, shape (words, dim), optional
        With fastText's scheme the row of each word of the vocabulary itself, which continued training needs.

    Raises
    ------
    ArgumentError
        If shapes do not fit, or a bucket is out of range or stands twice.
    """

    def __init__(
        self, scheme: NgramScheme, rows: ArrayLike, buckets: ArrayLike | None = None, word_rows: ArrayLike | None = None
    ) -> None:
        self._scheme = scheme
        self._rows = _table("rows", rows)
        self._buckets = _checked_buckets(buckets, len(self._rows), scheme.bucket)
        self._word_rows = None if word_rows is None else _table("word_rows", word_rows, self._rows.shape[1])
        self._order = np.argsort(self._buckets, kind="stable")
        self._sorted = self._buckets[self._order]
        if len(self._sorted) and (self._sorted[1:] == self._sorted[:-1]).any():
            raise wrong("buckets", "NgramTable", "numbers that differ", buckets)

    @property
    def scheme(self) -> NgramScheme:
        """Which n-grams a word has."""
        return self._scheme

    @property
    def rows(self) -> Rows:
        """A row for each bucket that is used, shape (n, dim); cannot be written to."""
        return self._rows

    @property
    def buckets(self) -> NDArray[np.uint32]:
        """The bucket of each row, shape (n,)."""
        return self._buckets

    @property
    def word_rows(self) -> Rows | None:
        """The row of each word of the vocabulary, shape (words, dim), or None."""
        return self._word_rows

    @property
    def dim(self) -> int:
        """Numbers in a row."""
        return int(self._rows.shape[1])

    def vector(self, word: str) -> Rows | None:
        """The vector of a word by its n-grams alone, shape (dim,); None where none of them has a row."""
        try:
            buckets = self._scheme.buckets(word)
        except UnicodeEncodeError:
            return None
        places = self.find(buckets)
        places = places[places >= 0]
        if not len(places):
            return None
        found: Rows = (self._rows[places].sum(axis=0, dtype=np.float64) / len(buckets)).astype(np.float32)
        return found

    def find(self, buckets: NDArray[np.uint32]) -> NDArray[np.int64]:
        """The row of each bucket, -1 where there is none."""
        if not len(self._sorted):
            return np.full(len(buckets), -1)
        places = np.minimum(np.searchsorted(self._sorted, buckets), len(self._sorted) - 1)
        return np.where(self._sorted[places] == buckets, self._order[places], -1)

    def compose(self, words: Sequence[str], word_rows: Rows | None = None) -> Rows:
        """The vectors of words, shape (words, dim): the mean of their rows, ``word_rows`` among them."""
        ngrams = self._scheme.words(words)
        places = self.find(ngrams.buckets())
        rows = np.zeros((len(places), self.dim), dtype=np.float32)
        rows[places >= 0] = self._rows[places[places >= 0]]
        return ngrams.compose(rows if word_rows is None else np.concatenate([word_rows, rows]))

    def __repr__(self) -> str:
        kind, minn, maxn = self._scheme.kind, self._scheme.minn, self._scheme.maxn
        return f"NgramTable({kind}, {minn} to {maxn} characters, {len(self._rows)} rows, dim={self.dim})"


def trained_table(scheme: NgramScheme, ngrams: _core.WordNgrams, table: Rows, n_words: int) -> NgramTable:
    """The table of a run, whose first rows are those of words where the scheme has such."""
    own = n_words if scheme.kind == "fasttext" else 0
    return NgramTable(scheme, table[own:], ngrams.buckets(), table[:own] if own else None)


def _check_within(name: str, caller: str, value: object, least: int, most: int) -> None:
    check_integer(name, caller, value, least)
    if isinstance(value, int) and value > most:
        raise wrong(name, caller, f"at most {most}", value)


def _table(name: str, given: ArrayLike, dim: int | None = None) -> Rows:
    table = np.asanyarray(given)
    if (
        table.dtype.kind not in "fiu"
        or table.ndim != 2
        or not table.shape[1]
        or table.shape[1] != (dim or table.shape[1])
    ):
        expected = f"numbers of shape (n, {'dim' if dim is None else dim})"
        raise ArgumentError(
            f"The {name!r} parameter of NgramTable must be {expected}. Got shape {table.shape} instead."
        )
    kept: Rows = np.ascontiguousarray(table, dtype=np.float32).view()
    kept.flags.writeable = False
    return kept


def _checked_buckets(given: ArrayLike | None, n_rows: int, bucket: int) -> NDArray[np.uint32]:
    found: NDArray[Any] = np.arange(n_rows) if given is None else np.asarray(given)
    if (
        found.shape != (n_rows,)
        or found.dtype.kind not in "iu"
        or (n_rows and not 0 <= found.min() <= found.max() < bucket)
    ):
        shown = f"shape {found.shape}, {found.dtype}"
        expected = f"{n_rows} numbers from 0 to {bucket - 1}"
        raise ArgumentError(f"The 'buckets' parameter of NgramTable must be {expected}. Got {shown} instead.")
    return found.astype(np.uint32)
