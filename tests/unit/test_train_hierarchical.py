"""Training by hierarchical softmax: the definition, the tree, going on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bukva
from bukva import _core
from bukva.embeddings.word_tree import links_of, tree_for
from bukva.reference.hierarchical import huffman, train_hierarchical

from .test_train_vectors import SMALL, corpus, sentences

OPTIONS: dict[str, Any] = {name: value for name, value in SMALL.items() if name != "negatives"}
TREE: dict[str, Any] = {**OPTIONS, "objective": "hierarchical_softmax"}


def trained(lines: list[str], **options: Any) -> bukva.WordVectors:
    given = {"deterministic": True, "word_pattern": "whitespace", **TREE, **options}
    return bukva.train_vectors_from_iterator(lines, **given)


def paths_of(vectors: bukva.WordVectors) -> list[list[tuple[int, int]]]:
    leaves, nodes = (links.tolist() for links in links_of(vectors.record["tree"]))
    paths = []
    for leaf in leaves:
        path, link = [], leaf
        while link >= 0:
            path.insert(0, (link >> 1, link & 1))
            link = nodes[link >> 1]
        paths.append(path)
    return paths


@pytest.mark.parametrize("method", ["skipgram", "cbow"])
@pytest.mark.parametrize("sample", [0.0, 0.02])
def test_vectors_are_those_of_the_definition(method: str, sample: float) -> None:
    how = {**OPTIONS, "method": method, "sample": sample}
    lines = sentences()
    words, inputs, outputs, losses, paths = train_hierarchical([line.split() for line in lines], **how)
    vectors = trained(lines, **how)
    assert vectors.words == words
    assert paths_of(vectors) == paths
    np.testing.assert_allclose(vectors.matrix, inputs, atol=2e-3)
    assert vectors.output is not None
    np.testing.assert_allclose(vectors.output, outputs, atol=2e-3)
    np.testing.assert_allclose(vectors.record["losses"], losses, rtol=1e-4)
    assert not vectors.output[-1].any()


@pytest.mark.parametrize("counts", [[5], [3, 3], [9, 5, 5, 5, 2, 1, 1, 1], list(range(40, 0, -1)), [2] * 17])
def test_the_tree_is_that_of_huffman(counts: list[int]) -> None:
    words = [str(word) for word in range(len(counts))]
    tree = tree_for(None, words, np.array(counts))
    vectors = bukva.WordVectors(words, np.ones((len(words), 2)), record={"tree": tree.record(words)})
    assert paths_of(vectors) == huffman(counts)
    assert tree.paths(words).path_nodes == sum(map(len, huffman(counts)))


def test_words_that_stand_together_are_near(tmp_path: Path) -> None:
    path = corpus(tmp_path, sentences(2000))
    vectors = bukva.train_vectors(path, threads=2, **{**TREE, "epochs": 5, "alpha": 0.1})
    animals, tools = {"кот", "пёс", "конь", "лис"}, {"нож", "пила", "молот", "клещи"}
    for group in (animals, tools):
        for word in group:
            assert {neighbor.word for neighbor in vectors.neighbors(word, k=3)} <= group | {"лес", "дом"}
    assert vectors.record["losses"] == sorted(vectors.record["losses"], reverse=True)
    assert "negatives" not in vectors.record


def test_deterministic_vectors_are_the_same_bits_for_any_number_of_threads(tmp_path: Path) -> None:
    path = corpus(tmp_path, sentences(1000))
    runs = [bukva.train_vectors(path, threads=threads, deterministic=True, **TREE) for threads in (1, 2, None)]
    assert len({run.matrix.tobytes() for run in runs}) == 1


def test_probabilities_of_all_words_add_up_to_1() -> None:
    vectors = trained(sentences())
    assert vectors.output is not None
    x = vectors["кот"].astype(np.float64)
    right = 1 / (1 + np.exp(-vectors.output.astype(np.float64) @ x))
    total = sum(
        np.prod([1 - right[node] if branch else right[node] for node, branch in path]) for path in paths_of(vectors)
    )
    assert total == pytest.approx(1)


@pytest.mark.parametrize("options", [{}, {"subwords": "fasttext", "bucket": 500}])
def test_going_on(tmp_path: Path, options: dict[str, Any]) -> None:
    first = trained(sentences(200), **options)
    path = tmp_path / "x.safetensors"
    assert first.save(path) == []
    lines = [line.replace("нож", "топор").replace("лис", "еж") for line in sentences(60, 2)]
    second = trained(lines, start=bukva.load_vectors(path), **options)
    assert second.matrix.tobytes() == trained(lines, start=first, **options).matrix.tobytes()
    assert set(second.words) == set(first.words) | {"топор", "еж"}
    assert second.record["losses"][0] < trained(lines, **options).record["losses"][0]
    before, after = (dict(zip(vectors.words, paths_of(vectors), strict=True)) for vectors in (first, second))
    for word, nodes in before.items():
        assert after[word][-len(nodes) :] == nodes, word
    if not options:
        assert second["лис"].tobytes() == first["лис"].tobytes()
    third = trained(lines, start=second, **options)
    assert third.record["tree"]["nodes"] == second.record["tree"]["nodes"]
    with pytest.raises(
        bukva.ArgumentError, match=r"'objective' parameter .* must be that of the vectors to go on from"
    ):
        trained(lines, start=first, **{**SMALL, "objective": "negative_sampling"}, **options)


def test_a_start_without_a_tree_is_refused() -> None:
    first = trained(sentences(50))
    for tree in (None, {}, {"words": [1], "nodes": []}, {"words": "x", "nodes": 1}):
        broken = bukva.WordVectors(
            first.words, first.matrix, first.counts, first.record | {"tree": tree}, output=first.output
        )
        with pytest.raises(bukva.ArgumentError, match="has no tree of their words"):
            trained(sentences(50), start=broken)
    twisted = {**first.record["tree"], "nodes": [0] * (len(first) - 1)}
    broken = bukva.WordVectors(
        first.words, first.matrix, first.counts, first.record | {"tree": twisted}, output=first.output
    )
    with pytest.raises(bukva.ArgumentError, match="are no tree"):
        trained(sentences(50), start=broken)
    with pytest.raises(bukva.ArgumentError, match="are no tree"):
        _core.WordTree(np.array([9]), np.array([-1]))


def test_one_word_alone_needs_no_decision() -> None:
    vectors = trained(["a a a"], min_count=1)
    assert vectors.words == ["a"]
    assert vectors.record["losses"] == [0.0, 0.0]
    grown = trained(["a b b b"], min_count=1, start=vectors)
    assert sorted(grown.words) == ["a", "b"]


def test_memory_is_known_before() -> None:
    vectors = trained(sentences(50))
    nodes = sum(map(len, paths_of(vectors)))
    assert vectors.record["memory"]["tree"] == 8 * len(vectors) + 5 * nodes


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"objective": "softmax"}, "objective"),
        ({"negatives": 4}, "negatives"),
        ({"negative_sampling": "independent"}, "negative_sampling"),
        ({"noise_exponent": 0.5}, "noise_exponent"),
    ],
)
def test_options_that_cannot_work_are_named(options: dict[str, Any], name: str) -> None:
    with pytest.raises(bukva.ArgumentError, match=f"'{name}' parameter of train_vectors_from_iterator"):
        trained(["a"], **options)
