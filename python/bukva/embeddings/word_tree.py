"""The tree of hierarchical softmax: which nodes each word passes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..errors import ArgumentError
from .vectors import WordVectors

Links = NDArray[np.int64]
"""What hangs on which node: twice its number, plus 1 on its second branch; -1 on none."""


@dataclass(frozen=True)
class Tree:
    """A tree of words: Huffman's, or one that has grown.

    Attributes
    ----------
    words : list of str
        Words of the tree.
    leaves : ndarray of int64, shape (words,)
        What each word hangs on.
    nodes : ndarray of int64, shape (words - 1,)
        What each node hangs on: a later one, or none for the last.
    """

    words: list[str]
    leaves: Links
    nodes: Links

    def paths(self, words: list[str]) -> _core.WordTree:
        """The path of each of some words of the tree."""
        places = {word: place for place, word in enumerate(self.words)}
        return _core.WordTree(self.leaves[[places[word] for word in words]], self.nodes)

    def record(self, words: list[str]) -> dict[str, list[int]]:
        """The tree as plain data, for words in this order."""
        places = {word: place for place, word in enumerate(self.words)}
        return {"words": self.leaves[[places[word] for word in words]].tolist(), "nodes": self.nodes.tolist()}


def tree_for(start: WordVectors | None, words: list[str], counts: NDArray[np.int64]) -> Tree:
    """Huffman's tree of words; where vectors are there, their tree stays and is one leaf of a tree of the new words."""
    if start is None:
        return Tree(words, *_core.grow_tree(_links([]), _links([]), 0, counts.tolist()))
    leaves, nodes = stored(start)
    total = len(start) if start.counts is None else int(start.counts.sum())
    new = [row for row, word in enumerate(words) if word not in start]
    grown = _core.grow_tree(leaves, nodes, total, counts[new].tolist())
    return Tree([*start.words, *(words[row] for row in new)], *grown)


def stored(vectors: WordVectors) -> tuple[Links, Links]:
    """The tree that vectors were trained with.

    Raises
    ------
    ArgumentError
        If their record has none, or a damaged one.
    """
    tree: Any = vectors.record.get("tree")
    try:
        leaves, nodes = links_of(tree)
    except (TypeError, KeyError, ValueError, OverflowError):
        leaves, nodes = _links([]), _links([])
    if len(leaves) != len(vectors) or len(nodes) != len(vectors) - 1:
        raise ArgumentError("The record of the vectors to go on from has no tree of their words; train from the start.")
    return leaves, nodes


def links_of(tree: dict[str, list[int]]) -> tuple[Links, Links]:
    """The links of words and of nodes, from plain data."""
    return _links(tree["words"]), _links(tree["nodes"])


def _links(given: list[int]) -> Links:
    links: Links = np.array(given, dtype=np.int64)
    if links.ndim != 1:
        raise ValueError("not a list")
    return links
