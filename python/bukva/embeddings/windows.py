"""Skip-gram and CBOW: vectors from windows of the corpus."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from .. import _core
from .continuing import started
from .ngrams import trained_table
from .reading import check_memory
from .training_memory import VectorMemory, estimate_vectors_memory

if TYPE_CHECKING:
    from .checking import Rows
    from .ngrams import NgramTable
    from .training_options import VectorOptions


def train_on_windows(
    corpus: _core.VectorCorpus, words: list[str], options: VectorOptions
) -> tuple[Rows, Rows, NgramTable | None, dict[str, Any]]:
    """Both tables, the rows of n-grams, and the facts of the run."""
    scheme = options.scheme()
    ngrams = None if scheme is None else scheme.words(words)
    memory = _memory(corpus, len(words), ngrams, options)
    start = None if options.start is None else started(options.start, words, ngrams)
    (matrix, output, table), run = _core.train_vectors(corpus, ngrams=ngrams, start=start, **options.training())
    subwords = None if scheme is None or ngrams is None else trained_table(scheme, ngrams, table, len(words))
    return matrix, output, subwords, {"memory": asdict(memory), **run}


def _memory(
    corpus: _core.VectorCorpus, n_words: int, ngrams: _core.WordNgrams | None, options: VectorOptions
) -> VectorMemory:
    ids, (rows, references) = corpus.facts()["ids"], (None, 0)
    if ngrams is not None:
        rows, references = ngrams.table_rows, ngrams.references
    memory = estimate_vectors_memory(
        words=n_words, corpus_words=ids, dim=options.dim, table_rows=rows, ngrams=references
    )
    more = ("", "") if ngrams is None else (f" and {rows} rows of words and n-grams", " or bucket")
    check_memory(memory.peak, n_words, options, more)
    return memory
