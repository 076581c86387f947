"""How often words of a corpus stand near each other: a sparse matrix."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from .. import _core
from ..checks import check_choice, wrong
from ..corpus import Corpus, Invalid, Source, Unit, sources
from ..tokenizer import Tokenizer
from ..trainers import NormalizerName
from ..training import Progress, documents
from .closest import closest_words
from .reading import distinct
from .training_options import WORD_PATTERN, Sides, VectorOptions, Weighting

if TYPE_CHECKING:
    from typing import Unpack

    from numpy.typing import NDArray


class CountKeywords(TypedDict, total=False):
    """The options of :func:`count_cooccurrences` that have nothing to do with files."""

    tokenizer: Tokenizer | None
    word_pattern: str
    normalizer: NormalizerName | Sequence[NormalizerName] | None
    window: int
    weighting: Weighting
    sides: Sides
    min_count: int
    threads: int | None
    memory_limit: int | None
    progress: Progress | None


@dataclass(frozen=True, kw_only=True, eq=False)
class Cooccurrences:
    """Rows are words, columns the words of their contexts, in the order of ``words``; cells above 0 only (CSR).

    ``scipy.sparse.csr_array((values, columns, offsets), shape)`` is the same matrix.

    Attributes
    ----------
    words : list of str
        By falling count.
    counts : ndarray of int64, shape (n,)
        How often each word stands in the corpus.
    offsets : ndarray of int64, shape (n + 1,)
        Where each row starts among the cells.
    columns : ndarray of uint32, shape (cells,)
        Rising in each row.
    values : ndarray of float32, shape (cells,)
        Sums without error, rounded once.
    row_sums, column_sums : ndarray of float64, shape (n,)
        Sums of the cells before they were rounded.
    record : dict
        The options, and what was read.
    """

    words: list[str]
    counts: NDArray[np.int64]
    offsets: NDArray[np.int64]
    columns: NDArray[np.uint32]
    values: NDArray[np.float32]
    row_sums: NDArray[np.float64]
    column_sums: NDArray[np.float64]
    record: dict[str, Any] = field(repr=False)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.words), len(self.words)

    def of(self, word: str) -> dict[str, float]:
        """What stands near a word, by falling number, then as in ``words``.

        Raises
        ------
        ArgumentError
            If the word is not among the words.
        """
        rows = {word: row for row, word in enumerate(self.words)}
        if word not in rows:
            near = ", ".join(map(repr, closest_words(word, rows)))
            expected = f"one of the {len(rows)} words" + (f"; the closest are {near}" if near else "")
            raise wrong("word", "Cooccurrences.of", expected, word)
        row = rows[word]
        cells = slice(self.offsets[row], self.offsets[row + 1])
        columns, values = self.columns[cells], self.values[cells]
        return {self.words[columns[at]]: float(values[at]) for at in np.argsort(-values, kind="stable")}

    def to_dense(self) -> NDArray[np.float32]:
        """The whole matrix, float32, shape (n, n): 4 · n² bytes."""
        dense = np.zeros(self.shape, np.float32)
        dense[np.repeat(np.arange(len(self.words)), np.diff(self.offsets)), self.columns] = self.values
        return dense


def count_cooccurrences(
    corpus: Corpus,
    *,
    tokenizer: Tokenizer | None = None,
    word_pattern: str = WORD_PATTERN,
    normalizer: NormalizerName | Sequence[NormalizerName] | None = None,
    window: int = 5,
    weighting: Weighting = "harmonic",
    sides: Sides = "both",
    min_count: int = 5,
    threads: int | None = None,
    memory_limit: int | None = None,
    unit: Unit = "line",
    field: str = "text",
    invalid: Invalid = "error",
    progress: Progress | None = None,
) -> Cooccurrences:
    """Counts how often each two words stand at most ``window`` words from each other, in one document.

    Rarer words are passed over, as if they were not there. The result is the same for any number of threads.
    O(words · window + cells · log) time; memory for 4 bytes a word of the corpus, 8 a cell, and buffers of a few bytes
    a word.

    Parameters
    ----------
    corpus, tokenizer, word_pattern, normalizer, min_count, unit, field, invalid
        As in :func:`bukva.train_vectors`.
    window : int
        Words before and after.
    weighting : {"harmonic", "flat", "dynamic"}
        What a pair at distance d counts: 1/d as in GloVe, 1, or (window - d + 1)/window, the mean of word2vec's
        windows.
        1/d is exact for windows up to 22; beyond, it is rounded to 2⁻²⁸.
    sides : {"both", "left", "right"}
        Whether the context of a word is before it, behind it, or both: then the matrix is symmetric.
    threads : int, optional
        As many as there are processors where None.
    memory_limit : int, optional
        Bytes. An error as soon as more would be taken.
    progress : callable, optional
        As in :func:`bukva.train`; stages are ``count`` (bytes) and ``pair`` (pairs).

    Raises
    ------
    ArgumentError
        If an option has a value that cannot be used.
    CorpusError, FileError, TextError
        As :func:`bukva.train_vectors`.
    TrainingError
        If memory is short or limited.

    Notes
    -----
    Sources: Pennington, Socher and Manning, *GloVe*, 2014; Levy, Goldberg and Dagan, *Improving Distributional
    Similarity with Lessons Learned from Word Embeddings*, 2015.
    """
    caller = "count_cooccurrences"
    options = VectorOptions(
        caller=caller,
        method="glove",
        tokenizer=tokenizer,
        word_pattern=word_pattern,
        normalizer=normalizer,
        window=window,
        weighting=weighting,
        sides=sides,
        min_count=min_count,
        threads=threads,
        memory_limit=memory_limit,
        progress=progress,
    )
    check_choice("unit", caller, unit, ("line", "file"))
    return _count(sources(corpus, field=field, invalid=invalid, caller=caller), options, unit, invalid)


def count_cooccurrences_from_iterator(texts: Iterable[str], **options: Unpack[CountKeywords]) -> Cooccurrences:
    """Counts pairs in texts in memory; each is a document of its own.

    Parameters
    ----------
    texts : iterable of str
        Read once, never held as a whole.
    **options
        As in :func:`count_cooccurrences`, but for what files need: ``unit``, ``field`` and ``invalid``.
    """
    caller = "count_cooccurrences_from_iterator"
    for name in set(options) - set(CountKeywords.__annotations__):
        raise TypeError(f"{caller}() got an unexpected keyword argument {name!r}")
    return _count([documents(texts, caller)], VectorOptions(caller=caller, method="glove", **options), "file", "error")


def _count(listed: list[Source], options: VectorOptions, unit: Unit, invalid: Invalid) -> Cooccurrences:
    corpus = _core.read_vector_corpus(listed, unit=unit, invalid=invalid, **options.reading())
    words, counts = distinct(corpus.words(), corpus.token_ids()), corpus.counts()
    kept = set(CountKeywords.__annotations__)
    record = {name: value for name, value in options.record().items() if name in kept}
    record |= {"corpus": corpus.facts(), "token_ids": corpus.token_ids()}
    found = _core.count_cooccurrences(corpus, **options.counting())
    record["pairs"] = found.sizes()[1]
    offsets, columns, values, row_sums, column_sums = found.arrays()
    return Cooccurrences(
        words=words,
        counts=counts,
        offsets=offsets,
        columns=columns,
        values=values,
        row_sums=row_sums,
        column_sums=column_sums,
        record=record,
    )
