"""Words with their vectors."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _core
from ..checks import check_choice, check_integer, wrong
from ..errors import ArgumentError, UnknownWordError
from .analogy import solve
from .checking import Rows, checked_counts, checked_table, checked_words, is_mapped, lengths
from .closest import closest_words
from .neighbors import is_many, nearest, query_of
from .projection import pca
from .umap_projection import umap


class Neighbor(NamedTuple):
    """A word and how similar it is: the cosine, or the score of an analogy."""

    word: str
    similarity: float


class Subwords(Protocol):
    """What gives words outside the vocabulary a vector."""

    def vector(self, word: str) -> Rows | None:
        """The vector of any word, shape (dim,), or None where it has no known part."""


class WordVectors:
    """Words with one vector each. Immutable.

    Made by :func:`bukva.train_vectors` and :func:`bukva.load_vectors`, or from a list and a table.

    Parameters
    ----------
    words : sequence of str
        Each once, in the order of the rows; by falling count where that is known.
    matrix : array, shape (n, dim)
        Kept as it is where it is float32, also when it lies in a mapped file; otherwise converted.
    counts : array of int, shape (n,), optional
        How often each word stood in the corpus.
    record : dict, optional
        How the vectors were made: plain data.
    output : array, shape (n, dim), optional
        The other table of training (context vectors), which continued training needs.
    subwords : Subwords, optional
        Gives words outside the vocabulary a vector.

    Raises
    ------
    ArgumentError
        If shapes do not fit, a word stands twice, or a row is not finite. The message names both values, or the row.
        Rows of a mapped file are looked at when they are first compared.
    """

    def __init__(
        self,
        words: Sequence[str],
        matrix: ArrayLike,
        counts: ArrayLike | None = None,
        record: dict[str, Any] | None = None,
        *,
        output: ArrayLike | None = None,
        subwords: Subwords | None = None,
    ) -> None:
        self._words = checked_words(words)
        self._matrix = checked_table("matrix", matrix, len(self._words), None)
        self._output = None if output is None else checked_table("output", output, len(self._words), self.dim)
        self._counts = None if counts is None else checked_counts(counts, len(self._words))
        self._record = dict(record or {})
        self._subwords = subwords
        self._rows: dict[str, int] | None = None
        self._norms: NDArray[np.floating] | None = None
        self._codes: _core.NearCodes | None = None
        if not is_mapped(self._matrix):
            self._check_finite()

    @property
    def words(self) -> list[str]:
        """The words, in the order of the rows."""
        return self._words

    @property
    def matrix(self) -> Rows:
        """The vectors, float32, shape (n, dim); cannot be written to."""
        return self._matrix

    @property
    def output(self) -> Rows | None:
        """The context vectors of training, float32, shape (n, dim), or None."""
        return self._output

    @property
    def counts(self) -> NDArray[np.int64] | None:
        """How often each word stood in the corpus, int64, shape (n,), or None."""
        return self._counts

    @property
    def record(self) -> dict[str, Any]:
        """How the vectors were made."""
        return self._record

    @property
    def subwords(self) -> Subwords | None:
        """What gives words outside the vocabulary a vector, or None."""
        return self._subwords

    @property
    def dim(self) -> int:
        """Numbers in a vector."""
        return int(self._matrix.shape[1])

    @property
    def norms(self) -> NDArray[np.floating]:
        """Euclidean length of each row, shape (n,). Computed once."""
        if self._norms is None:
            self._check_finite()
            self._norms = lengths(self._matrix)
        return self._norms

    @property
    def codes(self) -> _core.NearCodes:
        """The rows in bytes, a quarter of the table's memory, by which neighbours are found. Computed once."""
        if self._codes is None:
            self._check_finite()
            self._codes = _core.NearCodes(self._matrix)
        return self._codes

    def index(self, word: str) -> int:
        """The row of a word.

        Raises
        ------
        UnknownWordError
            If it is not in the vocabulary. The message names the words that are spelled most like it.
        """
        row = self._index.get(word)
        if row is None:
            raise _unknown(word, self._index)
        return row

    def similarity(self, first: str, second: str) -> float:
        """Cosine of the vectors of two words; 0 where one of them is all zeros."""
        a, b = (np.asarray(self[word], dtype=np.float64) for word in (first, second))
        lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
        return float(a @ b) / lengths if lengths > 0 else 0.0

    @overload
    def neighbors(
        self, query: str, k: int = 10, *, exclude: Sequence[str] = (), among: int | None = None
    ) -> list[Neighbor]: ...

    @overload
    def neighbors(
        self, query: list[str] | tuple[str, ...], k: int = 10, *, exclude: Sequence[str] = (), among: int | None = None
    ) -> list[list[Neighbor]]: ...

    @overload
    def neighbors(
        self, query: NDArray[Any], k: int = 10, *, exclude: Sequence[str] = (), among: int | None = None
    ) -> list[Neighbor] | list[list[Neighbor]]: ...

    def neighbors(
        self,
        query: str | list[str] | tuple[str, ...] | NDArray[Any],
        k: int = 10,
        *,
        exclude: Sequence[str] = (),
        among: int | None = None,
    ) -> list[Neighbor] | list[list[Neighbor]]:
        """The words nearest to a word or a vector, by cosine; the nearest first.

        Parameters
        ----------
        query : str, array of shape (dim,), list of str, or array of shape (queries, dim)
            A word is no answer to itself. For a list or a table of queries the answer is a list of lists.
        k : int
            Words to find. Fewer are returned where there are not so many.
        exclude : sequence of str
            Words that are no answers.
        among : int, optional
            Only the first so many words: the most frequent, where words are in that order.

        Returns
        -------
        list of Neighbor
            Pairs of word and cosine. Equal cosines are in the order of the rows.

        Raises
        ------
        UnknownWordError
            If a word has no vector.
        ArgumentError
            If a vector has another length than ``dim``, is not finite, or is all zeros and so has no direction.
        """
        exclude = [exclude] if isinstance(exclude, str) else exclude
        many = is_many(query)
        queries = [query_of(self, one, exclude) for one in (query if many else (query,))]
        found = [self._named(pairs) for pairs in nearest(self, queries, k, among)]
        return found if many else found[0]

    def analogy(
        self, a: str, b: str, c: str, k: int = 10, *, method: str = "add", among: int | None = None
    ) -> list[Neighbor]:
        """The words that are to ``c`` as ``b`` is to ``a``; the best first.

        Parameters
        ----------
        a, b, c : str
            ``analogy("man", "king", "woman")`` asks for *queen*. None of the three is an answer.
        k : int
            Words to find.
        method : {"add", "mul"}
            3CosAdd: the cosine to b − a + c. 3CosMul: cos(x, b) · cos(x, c) / (cos(x, a) + 0.001), each cosine moved to
            0 … 1. Source: Levy and Goldberg, 2014.
        among : int, optional
            Only the first so many words.

        Returns
        -------
        list of Neighbor
            Pairs of word and score.
        """
        return self._named(solve(self, a, b, c, k, method, among))

    def save(
        self, path: str | os.PathLike[str], *, format: str | None = None, allow_loss: bool = False
    ) -> list[tuple[str, str]]:
        """Writes the vectors in the format that the path names, whole or not at all.

        Parameters
        ----------
        path : str or os.PathLike
            ``x.safetensors`` holds everything. ``.txt`` and ``.vec`` are word2vec's text, ``.bin`` its binary form,
            ``.npy`` an array with ``x.words.txt`` beside it, ``.tsv`` TensorBoard's form with its metadata.
        format : str, optional
            ``safetensors``, ``word2vec``, ``word2vec_binary``, ``fasttext`` (a model, ``.bin``), ``glove``, ``npy`` or
            ``projector``, where the name should not decide.
        allow_loss : bool
            Write even where a word will be read otherwise by some, or words outside the vocabulary lose their vectors.

        Returns
        -------
        list of (str, str)
            What the file does not hold: such losses, and what training gave beside vectors: counts, context vectors,
            record.

        Raises
        ------
        LossError
            If there is such a loss and ``allow_loss`` is False, or if a word would end too early in the format.
        FileError
            If the file cannot be written.
        """
        from .files import save_vectors

        return save_vectors(self, path, format, allow_loss)

    def project(self, n: int = 2, words: Iterable[str] | None = None, *, method: str = "pca", seed: int = 0) -> Rows:
        """The words as points of a plane, or of a space of ``n`` axes.

        Parameters
        ----------
        n : int
            Axes, at most ``dim``.
        words : iterable of str, optional
            Only these, in this order. All where left out.
        method : {"pca", "umap"}
            The axes of greatest variance; or places where those near by cosine are near (needs ``bukva[umap]``).
        seed : int
            Of UMAP.

        Returns
        -------
        ndarray of float32, shape (words, n)
        """
        check_choice("method", "project", method, ("pca", "umap"))
        table = self._matrix if words is None else self[list(words)]
        if method == "pca":
            return pca(table, n)
        check_integer("n", "project", n, 1)
        return umap(table, n, seed, 15)

    def plot(
        self,
        path: str | os.PathLike[str],
        *,
        words: Iterable[str] | None = None,
        groups: Mapping[str, Iterable[str]] | None = None,
        n: int | None = None,
        method: str = "pca",
        seed: int = 0,
        title: str | None = None,
    ) -> None:
        """Draws words on a plane.

        Parameters
        ----------
        path : str or os.PathLike
            ``x.html``: one page that loads nothing, to move, zoom, search, and see the nearest words before the
            projection. ``x.svg``, or ``x.png`` (needs ``bukva[plot]``): a picture with as many labels as fit.
        words : iterable of str, optional
            The words to draw. The first ``n`` where left out.
        groups : mapping of str to iterable of str, optional
            Words by the name of their group, drawn in its colour.
        n : int, optional
            1000 for a page and 150 for a picture where left out.
        method, seed
            As in :meth:`project`.
        title : str, optional

        Raises
        ------
        UnknownWordError
            If a word has no vector.
        UnsupportedError
            If an extra package is needed that is not installed.
        FileError
            If the file cannot be written.
        """
        from .plot import plot

        plot(self, path, words=words, groups=groups, n=n, method=method, seed=seed, title=title)

    def __getitem__(self, key: str | Sequence[str]) -> Rows:
        """The vector of a word, shape (dim,), or those of a list of words, shape (words, dim)."""
        if isinstance(key, str):
            return self._vector(key)
        if not isinstance(key, Sequence) or not all(isinstance(word, str) for word in key):
            raise wrong("key", "WordVectors", "a word or a list of words", key)
        rows = [self._vector(word) for word in key]
        return np.stack(rows) if rows else np.empty((0, self.dim), dtype=np.float32)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_norms": None, "_codes": None}

    def __contains__(self, word: object) -> bool:
        return word in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)

    def __repr__(self) -> str:
        return f"WordVectors({len(self)} words, dim={self.dim})"

    @property
    def _index(self) -> dict[str, int]:
        if self._rows is None:
            self._rows = {word: row for row, word in enumerate(self._words)}
        return self._rows

    def _vector(self, word: str) -> Rows:
        row = self._index.get(word)
        if row is not None:
            found: Rows = self._matrix[row]
            return found
        composed = None if self._subwords is None else self._subwords.vector(word)
        if composed is None:
            raise _unknown(word, self._index)
        return composed

    def _named(self, pairs: list[tuple[int, float]]) -> list[Neighbor]:
        return [Neighbor(self._words[row], score) for row, score in pairs]

    def _check_finite(self) -> None:
        bad = np.flatnonzero(~np.isfinite(self._matrix).all(axis=1))
        if len(bad):
            row = int(bad[0])
            raise ArgumentError(
                f"The vector of {self._words[row]!r} (row {row}) is not finite; {len(bad)} of {len(self)} are not. "
                "Leave these words out, or train with a smaller alpha."
            )


def _unknown(word: object, index: dict[str, int]) -> UnknownWordError:
    if not isinstance(word, str):
        return UnknownWordError(f"A word is a str. Got {word!r} instead.")
    near = closest_words(word, index)
    hint = f"the closest are {', '.join(map(repr, near))}" if near else "and none is spelled like it"
    return UnknownWordError(f"The word {word!r} is not among the {len(index)} words; {hint}.")
