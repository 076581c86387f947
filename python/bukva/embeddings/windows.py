"""Skip-gram and CBOW: vectors from windows of the corpus."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from .. import _core
from .continuing import known_nodes, started
from .ngrams import trained_table
from .reading import check_memory
from .training_memory import VectorMemory, estimate_vectors_memory
from .word_tree import Tree, tree_for

if TYPE_CHECKING:
    from .checking import Rows
    from .continuing import Known
    from .ngrams import NgramTable
    from .training_options import VectorOptions


def train_on_windows(
    corpus: _core.VectorCorpus, words: list[str], options: VectorOptions
) -> tuple[Rows, Rows, NgramTable | None, dict[str, Any]]:
    """Both tables, the rows of n-grams, and the facts of the run.

    With hierarchical softmax the second table has the rows of the nodes of the tree, of which the facts have the links,
    and a row of zeros.
    """
    scheme = options.scheme()
    ngrams = None if scheme is None else scheme.words(words)
    tree = tree_for(options.start, words, corpus.counts()) if options.is_hierarchical else None
    paths = None if tree is None else tree.paths(words)
    memory = _memory(corpus, len(words), ngrams, paths, options)
    tables, run = _core.train_vectors(
        corpus, ngrams=ngrams, tree=paths, start=_start(words, ngrams, tree, options), **options.training()
    )
    matrix, output, table = tables
    subwords = None if scheme is None or ngrams is None else trained_table(scheme, ngrams, table, len(words))
    facts: dict[str, Any] = {"memory": asdict(memory), **run}
    return matrix, output, subwords, facts if tree is None else facts | {"tree": tree.record(tree.words)}


def _start(
    words: list[str], ngrams: _core.WordNgrams | None, tree: Tree | None, options: VectorOptions
) -> tuple[Known, Known] | None:
    if options.start is None:
        return None
    inputs, outputs = started(options.start, words, ngrams)
    return inputs, outputs if tree is None else known_nodes(options.start, len(tree.words))


def _memory(
    corpus: _core.VectorCorpus,
    n_words: int,
    ngrams: _core.WordNgrams | None,
    paths: _core.WordTree | None,
    options: VectorOptions,
) -> VectorMemory:
    sizes: dict[str, int] = {}
    if ngrams is not None:
        sizes |= {"table_rows": ngrams.table_rows, "ngrams": ngrams.references}
    if paths is not None:
        sizes |= {"nodes": paths.nodes, "path_nodes": paths.path_nodes}
    ids = corpus.facts()["ids"]
    memory = estimate_vectors_memory(words=n_words, corpus_words=ids, dim=options.dim, **sizes)
    more = ("", "") if ngrams is None else (f" and {ngrams.table_rows} rows of words and n-grams", " or bucket")
    check_memory(memory.peak, n_words, options, more)
    return memory
