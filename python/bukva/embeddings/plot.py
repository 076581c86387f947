"""A picture of words: chosen, put on a plane, and written as a page, an SVG or a PNG."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..checks import check_choice, check_integer, wrong
from ..errors import ArgumentError
from ..report.scatter import Scatter, page, png, svg
from .files.opening import replaced
from .projection import principal_components
from .umap_projection import umap

if TYPE_CHECKING:
    from .vectors import WordVectors

METHODS = ("pca", "umap")
SHOWN = {".html": 1000, ".svg": 150, ".png": 150}
"""Words that are drawn where none are named, by the suffix of the picture: a page can be zoomed into."""
NEIGHBORS = 10
"""Neighbours that a page lists for each word."""
NEAR = 15
"""Rows that count as near in UMAP."""


def plot(
    vectors: WordVectors,
    path: str | os.PathLike[str],
    *,
    words: Iterable[str] | None,
    groups: Mapping[str, Iterable[str]] | None,
    n: int | None,
    method: str,
    seed: int,
    title: str | None,
) -> None:
    """Writes the picture; see :meth:`bukva.WordVectors.plot`."""
    if not isinstance(path, (str, os.PathLike)) or Path(path).suffix.lower() not in SHOWN:
        raise wrong("path", "plot", "a name that ends in .html, .svg or .png", path)
    suffix = Path(path).suffix.lower()
    shown = scatter(
        vectors,
        words=words,
        groups=groups,
        n=SHOWN[suffix] if n is None else n,
        method=method,
        seed=seed,
        title=title,
        neighbors=NEIGHBORS if suffix == ".html" else 0,
    )
    made = {".html": lambda: page(shown).encode(), ".svg": lambda: svg(shown).encode(), ".png": lambda: png(shown)}
    content = made[suffix]()
    with replaced(Path(path)) as file:
        file.write(content)


def scatter(
    vectors: WordVectors,
    *,
    words: Iterable[str] | None,
    groups: Mapping[str, Iterable[str]] | None,
    n: int,
    method: str,
    seed: int,
    title: str | None,
    neighbors: int,
) -> Scatter:
    """The record of a picture: which words, where, in which colours, and which of them are near before projection."""
    check_choice("method", "plot", method, METHODS)
    check_integer("n", "plot", n, 1)
    names = {} if groups is None else {str(name): _listed("groups", members) for name, members in groups.items()}
    chosen = _chosen(vectors, words, names, n)
    table = vectors[chosen]
    points, axes = projected(table, method, seed)
    group_of = {word: number for number, members in enumerate(names.values()) for word in members}
    near: list[list[tuple[int, float]]] = []
    if neighbors:
        near = _near(chosen, table, neighbors)
    whole = f"{len(chosen)} of {len(vectors)} words" if len(chosen) < len(vectors) else f"{len(chosen)} words"
    return Scatter(
        title=title or "Word vectors",
        note=f"{whole}, {vectors.dim} dimensions",
        words=chosen,
        points=[(float(x), float(y)) for x, y in points],
        axes=axes,
        groups=list(names),
        group_of=[group_of.get(word, -1) for word in chosen] if names else [],
        neighbors=near,
    )


def projected(table: NDArray[np.float32], method: str, seed: int) -> tuple[NDArray[np.float32], tuple[str, str]]:
    """Points on a plane, and what its axes are."""
    if method == "umap":
        return umap(table, 2, seed, NEAR), ("UMAP 1", "UMAP 2")
    if table.shape[1] < 2:
        raise ArgumentError("Vectors of one number lie on a line; a plane needs two.")
    found = principal_components(table, 2)
    first, second = (f"component {n}, {share:.0%} of variance" for n, share in enumerate(found.explained, 1))
    return found.points, (first, second)


def _chosen(
    vectors: WordVectors, words: Iterable[str] | None, groups: Mapping[str, Sequence[str]], n: int
) -> list[str]:
    """The words that are named, those of groups included, each once; or else the first ``n``."""
    named = [] if words is None else _listed("words", words)
    named = list(dict.fromkeys([*named, *(word for members in groups.values() for word in members)]))
    return named if named or words is not None else vectors.words[:n]


def _listed(name: str, words: Iterable[str]) -> list[str]:
    listed = [words] if isinstance(words, str) else list(words)
    if not listed or not all(isinstance(word, str) for word in listed):
        raise wrong(name, "plot", "words, at least one", words)
    return listed


def _near(words: list[str], table: NDArray[np.float32], k: int) -> list[list[tuple[int, float]]]:
    from .vectors import WordVectors

    among = WordVectors(words, table)
    apart = [word for word, length in zip(words, among.norms, strict=True) if length > 0]
    found = dict(zip(apart, among.neighbors(apart, k), strict=True))
    return [[(among.index(other), score) for other, score in found.get(word, [])] for word in words]
