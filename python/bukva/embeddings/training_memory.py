"""The memory of training vectors, known before it is taken."""

from __future__ import annotations

from dataclasses import dataclass

from .. import _core
from ..checks import check_integer


@dataclass(frozen=True, kw_only=True)
class VectorMemory:
    """Bytes that training takes, known before they are taken; the interpreter and its modules come on top.

    Attributes
    ----------
    corpus : int
        The corpus as numbers, 4 bytes a word.
    tables : int
        Both tables of vectors.
    probabilities : int
        For subsampling and negatives.
    ngrams : int
        Which rows each word is made of.
    tree : int
        The path of each word through a tree.
    result : int
        The vectors that are handed over.
    peak : int
        The most that is there at one time.
    """

    corpus: int
    tables: int
    probabilities: int
    ngrams: int
    tree: int
    result: int
    peak: int


def estimate_vectors_memory(
    *,
    words: int,
    corpus_words: int,
    dim: int = 100,
    table_rows: int | None = None,
    ngrams: int = 0,
    nodes: int | None = None,
    path_nodes: int = 0,
) -> VectorMemory:
    """The memory that :func:`bukva.train_vectors` takes for its numbers, to the byte.

    Parameters
    ----------
    words : int
        Words with a vector: those of at least ``min_count`` occurrences.
    corpus_words : int
        Occurrences of these words in the corpus, and one for each document.
    dim : int
        Numbers in a vector.
    table_rows : int, optional
        With n-grams, rows of the table that words are made of: at most ``bucket`` and, for fastText's, ``words``.
    ngrams : int
        Rows of all words together: about twenty a word for n-grams of 3 to 6 characters.
    nodes : int, optional
        With hierarchical softmax, nodes of the tree: ``words`` less one.
    path_nodes : int
        Nodes of the paths of all words together.
    """
    caller = "estimate_vectors_memory"
    check_integer("words", caller, words, 1)
    check_integer("corpus_words", caller, corpus_words, 1)
    check_integer("dim", caller, dim, 1)
    check_integer("table_rows", caller, table_rows, 1, optional=True)
    check_integer("ngrams", caller, ngrams, 0)
    check_integer("nodes", caller, nodes, 0, optional=True)
    check_integer("path_nodes", caller, path_nodes, 0)
    of_ngrams = None if table_rows is None else (table_rows, ngrams)
    tree = None if nodes is None else (nodes, path_nodes)
    return VectorMemory(**_core.vectors_memory(words, corpus_words, dim, of_ngrams, tree))
