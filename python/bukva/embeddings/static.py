"""A text as one vector: the mean of the rows of its tokens or words, weighted where that is wanted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from .. import _core
from ..audit.metrics import WORD_PATTERN, batches
from ..checks import check_integer, wrong
from ..errors import ArgumentError, CorpusError
from .arrays import as_floats, as_ids, as_table, check_shape
from .table import Embedding
from .vectors import WordVectors

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..tokenizer import Tokenizer
    from .arrays import FloatArray


class StaticEmbedding:
    """Texts as vectors, without a network: which tokens a text has counts, their order does not.

    Parameters
    ----------
    source : Embedding, array-like or WordVectors
        A table with a row an id, or vectors of words.
    tok : Tokenizer, optional
        What makes ids of a text. Needed for a table; not given for vectors of words.
    weights : array-like, shape (n_rows,), optional
        How much a row counts, such as :func:`sif_weights`. All alike where left out.
    word_pattern : str
        For vectors of words: what a word is in a text. Words without a vector are left out.
    """

    def __init__(
        self,
        source: Embedding | ArrayLike | WordVectors,
        tok: Tokenizer | None = None,
        *,
        weights: ArrayLike | None = None,
        word_pattern: str = WORD_PATTERN,
    ) -> None:
        self._words = source if isinstance(source, WordVectors) else None
        if (tok is None) != (self._words is not None):
            expected = "a Tokenizer for a table, and left out for vectors of words"
            raise wrong("tok", "StaticEmbedding", expected, tok)
        self.tok, self.word_pattern = tok, word_pattern
        self.table = _table(source)
        self.weights = None if weights is None else _weights(weights, len(self.table))

    def encode(self, texts: Iterable[str] | str) -> FloatArray:
        """One vector a text: Σ weight · row / Σ weight over its tokens.

        Parameters
        ----------
        texts : iterable of str
            One str is one text. Special tokens in them are plain text.

        Returns
        -------
        ndarray of float32, shape (n_texts, dim)
            Zero for a text without tokens, or with none that counts.

        Raises
        ------
        UnknownIdError
            If the table is too small for the tokenizer.
        """
        pooled = []
        for batch in batches([texts] if isinstance(texts, str) else texts, "StaticEmbedding.encode"):
            ids, offsets = self._ids(batch)
            rows = self.table.take(as_ids(ids, len(self.table), "StaticEmbedding"), axis=0)
            pooled.append(pool_mean(rows, offsets, None if self.weights is None else self.weights[ids]))
        return np.concatenate(pooled) if pooled else np.empty((0, self.table.shape[1]), np.float32)

    def counts(self, texts: Iterable[str] | str) -> NDArray[np.int64]:
        """How often each row is used by texts, shape (n_rows,): what :func:`sif_weights` needs."""
        total = np.zeros(len(self.table), np.int64)
        for batch in batches([texts] if isinstance(texts, str) else texts, "StaticEmbedding.counts"):
            ids, _ = self._ids(batch)
            total += np.bincount(as_ids(ids, len(total), "StaticEmbedding"), minlength=len(total))
        return total

    def with_weights(self, weights: ArrayLike) -> StaticEmbedding:
        """The same with other weights."""
        return StaticEmbedding(self._words or self.table, self.tok, weights=weights, word_pattern=self.word_pattern)

    def _ids(self, texts: list[str]) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        if self.tok is not None:
            batch = self.tok.encode_batch(texts, disallowed_special=())
            return batch.ids, batch.offsets
        assert self._words is not None
        found = [[word for word in _core.find_all(self.word_pattern, text) if word in self._words] for text in texts]
        ids = [self._words.index(word) for words in found for word in words]
        return np.array(ids, np.uint32), np.cumsum([0, *map(len, found)], dtype=np.int64)


def pool_mean(vectors: ArrayLike, offsets: ArrayLike, weights: ArrayLike | None = None) -> FloatArray:
    """Mean of token vectors of each document.

    Parameters
    ----------
    vectors : array-like, shape (n_tokens, dim)
    offsets : array-like of int, shape (n_docs + 1,)
        Token positions, rising from 0 to n_tokens.
    weights : array-like, shape (n_tokens,), optional
        Not negative.

    Returns
    -------
    ndarray, shape (n_docs, dim)
        An empty document, or one whose weights are all zero, gives a zero row.
    """
    rows = as_floats(vectors, "vectors", "pool_mean")
    ends = np.asarray(offsets, np.int64)
    if rows.ndim != 2:
        raise wrong("vectors", "pool_mean", "a matrix", f"shape {rows.shape}")
    if ends.ndim != 1 or len(ends) == 0 or ends[0] != 0 or ends[-1] != len(rows) or (np.diff(ends) < 0).any():
        raise wrong("offsets", "pool_mean", f"rising from 0 to {len(rows)}, the number of vectors", offsets)
    shares = np.ones(len(rows), rows.dtype) if weights is None else as_floats(weights, "weights", "pool_mean")
    check_shape(shares.shape, (len(rows),), "weights", "pool_mean")
    documents = np.repeat(np.arange(len(ends) - 1, dtype=np.uint32), np.diff(ends))
    sums = np.zeros((len(ends) - 1, rows.shape[1]), rows.dtype)
    _core.scatter_add(sums, documents, np.ascontiguousarray(rows * shares[:, None].astype(rows.dtype)))
    totals = np.bincount(documents, shares, minlength=len(sums))[:, None]
    means: FloatArray = np.divide(sums, totals, out=np.zeros_like(sums), where=totals > 0, casting="unsafe")
    return means


def sif_weights(counts: ArrayLike, a: float = 1e-3) -> NDArray[np.float32]:
    """Weights a / (a + p), with p the share of a row in all uses: frequent tokens say little, so they count little.

    Source: Arora, Liang and Ma 2017, *A simple but tough-to-beat baseline for sentence embeddings*.

    Parameters
    ----------
    counts : array-like of int, shape (n_rows,)
        Such as ``StaticEmbedding.counts`` of a corpus.
    a : float
        About the share of a token that counts half.
    """
    found = np.asarray(counts, np.float64)
    if found.ndim != 1 or not np.isfinite(found).all() or (found < 0).any():
        raise wrong("counts", "sif_weights", "a row of counts", f"shape {found.shape}")
    if not 0 < a < np.inf:
        raise wrong("a", "sif_weights", "a number above 0", a)
    if not found.sum():
        raise CorpusError("No row is used, so there are no shares. Count other texts.")
    weights: NDArray[np.float32] = (a / (a + found / found.sum())).astype(np.float32)
    return weights


def remove_common(vectors: ArrayLike, n: int = 1) -> FloatArray:
    """Vectors without what they have in common: their ``n`` strongest directions, through zero.

    The second step of Arora et al. 2017. The directions are those of the given vectors, so a vector changes with its
    company.

    Parameters
    ----------
    vectors : array-like, shape (n_texts, dim)
    n : int
    """
    rows = as_table(vectors, "vectors", "remove_common")
    check_integer("n", "remove_common", n, 1)
    if n > min(rows.shape):
        raise wrong("n", "remove_common", f"at most {min(rows.shape)}, the rank of such a matrix", n)
    _, _, directions = np.linalg.svd(rows, full_matrices=False)
    cleaned: FloatArray = rows - (rows @ directions[:n].T) @ directions[:n]
    return cleaned


def _table(source: Embedding | ArrayLike | WordVectors) -> FloatArray:
    if isinstance(source, WordVectors):
        return source.matrix
    return source.weight if isinstance(source, Embedding) else as_table(source, "source", "StaticEmbedding")


def _weights(weights: ArrayLike, n_rows: int) -> FloatArray:
    given = as_floats(weights, "weights", "StaticEmbedding")
    check_shape(given.shape, (n_rows,), "weights", "StaticEmbedding")
    if not np.isfinite(given).all() or given.min() < 0:
        row = int(np.argmin(np.isfinite(given) & (given >= 0)))
        raise ArgumentError(f"The weight of row {row} is {given[row]}. Weights are finite and not negative.")
    return given
