"""Words with their vectors: what goes in, and what is refused."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import bukva
from bukva.embeddings import pca, principal_components
from bukva.embeddings.vectors import WordVectors

WORDS = ["кошка", "собака", "хлеб", "сыр"]
MATRIX = np.array([[1, 0, 0], [0.9, 0.1, 0], [0, 1, 0], [0, 0.8, 0.2]], dtype=np.float32)


@pytest.fixture
def vectors() -> WordVectors:
    return WordVectors(WORDS, MATRIX, np.array([9, 7, 5, 3]), {"dim": 3})


def test_what_goes_in_comes_out(vectors: WordVectors) -> None:
    assert vectors.words == WORDS
    assert vectors.matrix.dtype == np.float32
    assert np.array_equal(vectors.matrix, MATRIX)
    assert vectors.counts is not None
    assert vectors.counts.dtype == np.int64
    assert vectors.record == {"dim": 3}
    assert (len(vectors), vectors.dim, list(vectors)) == (4, 3, WORDS)
    assert repr(vectors) == "WordVectors(4 words, dim=3)"
    assert vectors.index("хлеб") == 2
    assert "сыр" in vectors
    assert "рыба" not in vectors
    assert np.array_equal(vectors["хлеб"], MATRIX[2])
    assert np.array_equal(vectors[["сыр", "кошка"]], MATRIX[[3, 0]])
    assert vectors[[]].shape == (0, 3)
    assert vectors.similarity("кошка", "собака") == pytest.approx(0.9 / np.sqrt(0.82))


def test_it_is_not_written_to(vectors: WordVectors) -> None:
    with pytest.raises(ValueError, match="read-only"):
        vectors.matrix[0, 0] = 5
    MATRIX[0, 0] = 1  # the caller's own table stays his


def test_it_pickles(vectors: WordVectors) -> None:
    again = pickle.loads(pickle.dumps(vectors))
    assert again.words == WORDS
    assert np.array_equal(again.matrix, MATRIX)


@pytest.mark.parametrize(
    ("words", "matrix", "message"),
    [
        ([], np.ones((0, 2)), "a list of at least one str"),
        ("ab", np.ones((2, 2)), "a list of at least one str"),
        (["a", 5], np.ones((2, 2)), r"'words\[1\]'.*5"),
        (["a", "b", "a"], np.ones((3, 2)), "'a' stands in rows 0 and 2"),
        (["a", "b"], np.ones((3, 2)), r"2 words.*\(3, 2\)"),
        (["a", "b"], np.ones(2), r"2 words.*\(2,\)"),
        (["a"], np.array([["x"]]), "numbers of shape"),
        (["a", "b"], [[1, 2], [np.nan, 0]], r"'b' \(row 1\) is not finite; 1 of 2"),
        (["a", "b"], [[1, np.inf], [np.nan, 0]], r"'a' \(row 0\) is not finite; 2 of 2"),
    ],
)
def test_bad_tables_are_refused(words: list[str], matrix: object, message: str) -> None:
    with pytest.raises(bukva.ArgumentError, match=message):
        WordVectors(words, matrix)


def test_sizes_that_do_not_fit_are_both_named() -> None:
    with pytest.raises(bukva.ArgumentError, match=r"'output'.*\(4 words, 3\).*\(4, 2\)"):
        WordVectors(WORDS, MATRIX, output=np.ones((4, 2)))
    with pytest.raises(bukva.ArgumentError, match=r"'counts'.*4 whole numbers.*\(3,\)"):
        WordVectors(WORDS, MATRIX, [1, 2, 3])
    with pytest.raises(bukva.ArgumentError, match="'counts'"):
        WordVectors(WORDS, MATRIX, [1, 2, 3, -1])


def test_an_unknown_word_names_the_closest(vectors: WordVectors) -> None:
    for look in (vectors.index, vectors.__getitem__):
        with pytest.raises(bukva.UnknownWordError, match="'кошки' is not among the 4 words; the closest are 'кошка'"):
            look("кошки")
    with pytest.raises(KeyError, match=r"'Кошка'.*'кошка'"):
        vectors["Кошка"]
    with pytest.raises(bukva.UnknownWordError, match="none is spelled like it"):
        vectors.similarity("кошка", "0123456789")
    with pytest.raises(bukva.ArgumentError, match="a word or a list of words"):
        vectors[5]  # type: ignore[index]


def test_subwords_answer_for_unknown_words() -> None:
    class Parts:
        def vector(self, word: str) -> np.ndarray | None:
            return np.full(3, len(word), dtype=np.float32) if word.isalpha() else None

    vectors = WordVectors(WORDS, MATRIX, subwords=Parts())
    assert np.array_equal(vectors["рыба"], [4, 4, 4])
    assert "рыба" not in vectors
    with pytest.raises(bukva.UnknownWordError):
        vectors["12"]


def test_lengths_are_right_at_the_ends_of_the_range() -> None:
    vectors = WordVectors(["big", "small", "zero"], [[3e30, 4e30], [3e-30, 4e-30], [0, 0]])
    assert vectors.norms == pytest.approx([5e30, 5e-30, 0])
    assert vectors.similarity("big", "small") == pytest.approx(1)
    assert vectors.similarity("big", "zero") == 0


def test_principal_components_are_those_of_the_covariance() -> None:
    table = np.random.default_rng(0).normal(size=(200, 5)) * [5, 1, 3, 0.1, 2] + 7
    found = principal_components(table, 3)
    values, axes = np.linalg.eigh(np.cov(table.T))
    assert found.explained == pytest.approx(values[::-1][:3] / values.sum())
    assert np.abs(found.axes @ axes[:, ::-1][:, :3]) == pytest.approx(np.eye(3), abs=1e-9)
    assert found.points == pytest.approx((table - table.mean(0)) @ found.axes.T, abs=1e-4)
    assert (found.axes[np.arange(3), np.abs(found.axes).argmax(axis=1)] > 0).all()
    assert np.array_equal(pca(table, 3), found.points)
    assert pca(table).shape == (200, 2)


def test_equal_rows_have_no_variance() -> None:
    found = principal_components(np.ones((4, 3)), 2)
    assert not found.points.any()
    assert not found.explained.any()


@pytest.mark.parametrize(
    ("matrix", "n", "message"),
    [
        (np.ones(3), 2, r"shape \(3,\)"),
        (np.ones((2, 1)), 2, "at most the 1 columns.*Got 2"),
        ([[1, np.nan]], 2, "Row 0 .* not finite"),
        (np.ones((2, 2)), 0, "at least 1"),
    ],
)
def test_what_cannot_be_projected(matrix: object, n: int, message: str) -> None:
    with pytest.raises(bukva.ArgumentError, match=message):
        pca(matrix, n)


def test_words_are_projected(vectors: WordVectors) -> None:
    assert np.array_equal(vectors.project(), pca(MATRIX))
    assert np.array_equal(vectors.project(words=WORDS[:2]), pca(MATRIX[:2]))


def test_the_names_are_lazy() -> None:
    code = "import bukva, sys; bukva.embeddings; assert 'numpy' not in sys.modules; bukva.WordVectors"
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        bukva.nothing  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        bukva.embeddings.nothing  # noqa: B018
