"""Neighbours, analogies and judgements against their definitions, computed word by word."""

import pickle
from pathlib import Path

import numpy as np
import pytest

import bukva
from bukva.embeddings import evaluate_analogies, evaluate_similarity
from bukva.embeddings.evaluation import spearman
from bukva.embeddings.vectors import WordVectors


def random_vectors(n: int, dim: int, seed: int = 0) -> WordVectors:
    table = np.random.default_rng(seed).normal(size=(n, dim)).astype(np.float32)
    return WordVectors([f"w{row}" for row in range(n)], table)


def by_definition(vectors: WordVectors, query: np.ndarray, excluded: set[str], k: int) -> list[tuple[str, float]]:
    pairs, query = [], query.astype(np.float64)
    for word, row in zip(vectors.words, vectors.matrix.astype(np.float64), strict=True):
        lengths = np.linalg.norm(row) * np.linalg.norm(query)
        pairs.append((word, float(row @ query / lengths) if lengths else 0.0))
    return sorted((pair for pair in pairs if pair[0] not in excluded), key=lambda pair: -pair[1])[:k]


def same(found: list, expected: list) -> None:
    assert [word for word, _ in found] == [word for word, _ in expected]
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=1e-12)


@pytest.mark.parametrize(("n", "dim", "k"), [(5, 3, 2), (5, 3, 50), (700, 8, 5), (9000, 20, 10), (9000, 20, 200)])
def test_neighbors_are_those_of_greatest_cosine(n: int, dim: int, k: int) -> None:
    vectors = random_vectors(n, dim)
    for word in ("w0", "w3"):
        expected = by_definition(vectors, vectors[word].astype(np.float64), {word}, k)
        same(vectors.neighbors(word, k), expected)
        same(vectors.neighbors([word, "w1"], k)[0], expected)
    given = np.linspace(-1, 1, dim)
    same(vectors.neighbors(given, k), by_definition(vectors, given, set(), k))
    same(vectors.neighbors(np.stack([given, given]), k)[1], by_definition(vectors, given, set(), k))
    same(vectors.neighbors("w0", k, exclude=["w1", "w2"]), by_definition(vectors, vectors["w0"], {"w0", "w1", "w2"}, k))


def test_neighbors_among_the_first_words() -> None:
    vectors = random_vectors(300, 5)
    first = WordVectors(vectors.words[:100], vectors.matrix[:100])
    same(vectors.neighbors("w5", among=100), first.neighbors("w5"))
    same(vectors.neighbors("w250", among=100), first.neighbors(vectors["w250"]))


def test_one_query_gives_the_same_as_many() -> None:
    vectors = random_vectors(5000, 100)
    words = vectors.words[:150]
    assert vectors.neighbors(words, 20) == [vectors.neighbors(word, 20) for word in words]


def test_equal_cosines_are_in_the_order_of_rows() -> None:
    table = np.tile(np.array([[1, 2], [2, 4], [0, 0], [-1, 3]], dtype=np.float32), (2000, 1))
    vectors = WordVectors([f"w{row}" for row in range(8000)], table)
    found = vectors.neighbors("w0", k=5)
    assert [word for word, _ in found] == ["w1", "w4", "w5", "w8", "w9"]
    everyone = vectors.neighbors("w0", k=8000)
    assert len(everyone) == 7999
    assert everyone[-1] == ("w7998", 0.0)
    assert everyone[3999].similarity == pytest.approx(1 / np.sqrt(2))


def test_lengths_do_not_matter() -> None:
    vectors = random_vectors(500, 6)
    scaled = WordVectors(vectors.words, vectors.matrix * np.logspace(-25, 25, 500, dtype=np.float32)[:, None])
    found, expected = scaled.neighbors("w7", 9), vectors.neighbors("w7", 9)
    assert [word for word, _ in found] == [word for word, _ in expected]
    assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=1e-6)


def test_lengths_beyond_float32() -> None:
    most = float(np.finfo(np.float32).max)
    vectors = WordVectors(["a", "b", "c"], [[most, most], [most, 0], [1, 1]])
    assert vectors.neighbors("a") == vectors.neighbors(["a"] * 9)[0]
    assert [near.word for near in vectors.neighbors("a")] == ["c", "b"]
    assert vectors.neighbors("a")[1].similarity == pytest.approx(1 / np.sqrt(2))


def test_few_and_many_queries_of_a_large_table_agree() -> None:
    vectors = random_vectors(6000, 37)
    words = vectors.words[:20]
    for options in ({}, {"among": 5000}, {"exclude": ["w3", "w5999"]}, {"k": 7000}):
        assert vectors.neighbors(words, **options) == [vectors.neighbors(word, **options) for word in words]
    again = pickle.loads(pickle.dumps(vectors))
    assert again.neighbors("w1") == vectors.neighbors("w1")


def test_bad_queries() -> None:
    vectors = WordVectors(["a", "b", "zero"], [[1, 0], [1, 1], [0, 0]])
    with pytest.raises(bukva.UnknownWordError, match="'c' is not among the 3 words"):
        vectors.neighbors("c")
    with pytest.raises(bukva.ArgumentError, match=r"'zero' is all zeros"):
        vectors.neighbors("zero")
    with pytest.raises(bukva.ArgumentError, match=r"must have 2 numbers. Got shape \(3,\)"):
        vectors.neighbors(np.ones(3))
    with pytest.raises(bukva.ArgumentError, match="not finite"):
        vectors.neighbors(np.array([1, np.nan]))
    for k in (0, -1, True, 1.5):
        with pytest.raises(bukva.ArgumentError, match="'k' parameter"):
            vectors.neighbors("a", k)  # type: ignore[arg-type]
    with pytest.raises(bukva.ArgumentError, match="'query'"):
        vectors.neighbors(5)  # type: ignore[call-overload]
    assert vectors.neighbors([]) == []


ROYAL = WordVectors(
    ["king", "man", "woman", "queen", "prince", "apple", "zero"],
    [[1, 1, 0.1], [0, 1, 0.1], [0, -1, 0.1], [1, -1, 0.1], [0.9, 0.9, -0.5], [-1, 0.3, 1], [0, 0, 0]],
)


def test_analogies_by_their_definitions() -> None:
    vectors = random_vectors(400, 12, seed=3)
    units = vectors.matrix.astype(np.float64) / np.linalg.norm(vectors.matrix.astype(np.float64), axis=1)[:, None]
    a, b, c = units[1], units[2], units[3]
    asked = {"w1", "w2", "w3"}
    same(vectors.analogy("w1", "w2", "w3", 5), by_definition(vectors, b - a + c, asked, 5))
    score = (1 + units @ b) / 2 * (1 + units @ c) / 2 / ((1 + units @ a) / 2 + 0.001)
    order = [row for row in np.argsort(-score) if row not in (1, 2, 3)][:5]
    found = vectors.analogy("w1", "w2", "w3", 5, method="mul")
    same(found, [(f"w{row}", float(score[row])) for row in order])
    near = vectors.analogy("w1", "w2", "w300", 3, method="mul", among=50)
    assert all(vectors.index(word) < 50 for word, _ in near)


@pytest.mark.parametrize("method", ["add", "mul"])
def test_man_is_to_king_as_woman_is_to_queen(method: str) -> None:
    assert ROYAL.analogy("man", "king", "woman", k=1, method=method)[0].word == "queen"


def test_bad_analogies() -> None:
    with pytest.raises(bukva.ArgumentError, match="'add', 'mul'"):
        ROYAL.analogy("man", "king", "woman", method="sum")
    with pytest.raises(bukva.UnknownWordError, match=r"'qeen'.*'queen'"):
        ROYAL.analogy("man", "king", "qeen")
    with pytest.raises(bukva.ArgumentError, match="'zero' is all zeros"):
        ROYAL.analogy("man", "zero", "man")


def test_spearman_shares_ranks() -> None:
    assert spearman([1, 2, 3], [10, 20, 30]) == pytest.approx(1)
    assert spearman([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)
    # Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: covariance 4.5, variances 4.5 and 5.
    assert spearman([1, 5, 5, 9], [1, 2, 3, 4]) == pytest.approx(4.5 / np.sqrt(4.5 * 5))
    assert np.isnan(spearman([], []))
    assert np.isnan(spearman([1, 1], [1, 2]))


@pytest.mark.parametrize(
    "text",
    [
        "# a comment\nking\tqueen\t8\nking\tApple\t1\nman\twoman\t5\nking\tунесло\t3\n",
        "Word 1,Word 2,Human (mean)\nking,queen,8\nking,Apple,1\nman,woman,5\nking,унесло,3\n",
        "king queen 8\nking Apple 1.0\nman woman 5\n\nking унесло 3",
        "word1\tword2\tPOS\tSimLex999\tconc\nking\tqueen\tN\t8\t1\nking\tApple\tN\t1\t1\nman\twoman\tN\t5\t9\nking\tунесло\tN\t3\t1",
    ],
)
def test_judgements_in_their_forms(tmp_path: Path, text: str) -> None:
    (tmp_path / "pairs").write_text(text, encoding="utf-8")
    found = evaluate_similarity(ROYAL, tmp_path / "pairs")
    assert (found.n_pairs, found.n_scored, found.unknown_words) == (4, 3, ("унесло",))
    cosines = [ROYAL.similarity(*pair) for pair in (("king", "queen"), ("king", "apple"), ("man", "woman"))]
    assert found.spearman == pytest.approx(spearman(cosines, [8, 1, 5]))


def test_damaged_judgements_name_the_line(tmp_path: Path) -> None:
    path = tmp_path / "pairs"
    path.write_text("king queen 8\nking queen\n")
    with pytest.raises(bukva.FormatError, match=r"'king queen'.*line 2"):
        evaluate_similarity(ROYAL, path)
    path.write_text("king queen")
    with pytest.raises(bukva.FormatError, match="no line of two words and a number"):
        evaluate_similarity(ROYAL, path)
    path.write_bytes(b"\xff")
    with pytest.raises(bukva.FormatError, match="0xff is not UTF-8"):
        evaluate_similarity(ROYAL, path)
    with pytest.raises(bukva.FileError, match="No such file"):
        evaluate_similarity(ROYAL, tmp_path / "missing")
    path.write_text(": one\nking queen man\n")
    with pytest.raises(bukva.FormatError, match=r"Four words.*line 2"):
        evaluate_analogies(ROYAL, path)
    path.write_text(": one\n")
    with pytest.raises(bukva.FormatError, match="no line of four words"):
        evaluate_analogies(ROYAL, path)


@pytest.mark.parametrize("method", ["add", "mul"])
def test_analogies_are_counted_by_sections(tmp_path: Path, method: str) -> None:
    path = tmp_path / "questions"
    path.write_text(
        ": people\nman king woman queen\nMan king woman queen\n: odd\nman king woman apple\nman king woman x\n"
    )
    found = evaluate_analogies(ROYAL, path, method=method)
    people, odd = found.sections
    assert (people.name, people.n_right, people.n_asked, people.n_unknown, people.accuracy) == ("people", 2, 2, 0, 1)
    assert (odd.n_right, odd.n_asked, odd.n_unknown) == (0, 1, 1)
    assert (found.total.n_right, found.total.n_asked, found.total.n_unknown) == (2, 3, 1)
    few = evaluate_analogies(ROYAL, path, method=method, among=3).total
    assert (few.n_asked, few.n_unknown) == (0, 4)
    assert np.isnan(few.accuracy)


def test_questions_are_answered_as_analogy_answers_them(tmp_path: Path) -> None:
    vectors = random_vectors(60, 6, seed=5)
    rng = np.random.default_rng(1)
    questions = [[f"w{n}" for n in rng.choice(60, 3, replace=False)] for _ in range(300)]
    for method in ("add", "mul"):
        answers = [vectors.analogy(*question, k=1, method=method)[0].word for question in questions]
        lines = [" ".join([*question, answer]) for question, answer in zip(questions, answers, strict=True)]
        (tmp_path / "q").write_text("\n".join(lines))
        assert evaluate_analogies(vectors, tmp_path / "q", method=method).total.accuracy == 1
