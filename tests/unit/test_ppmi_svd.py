from __future__ import annotations

import numpy as np
import pytest

import bukva
from bukva.embeddings import count_cooccurrences_from_iterator

from .test_train_vectors import sentences

SMALL = {"method": "ppmi_svd", "dim": 6, "window": 4, "min_count": 2}


def zipf_lines(words: int = 300, lines: int = 300) -> list[str]:
    rng = np.random.default_rng(0)
    return [" ".join(f"w{word}" for word in rng.zipf(1.4, 40) if word < words) for _ in range(lines)]


def ppmi(lines: list[str], *, shift: float, exponent: float, **counting: object) -> np.ndarray:
    """The matrix by its definition, dense."""
    counts = count_cooccurrences_from_iterator(lines, **counting).to_dense().astype(np.float64)  # type: ignore[arg-type]
    shares = np.where(counts.sum(axis=0) > 0, counts.sum(axis=0) ** exponent, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        pmi = np.log(counts / counts.sum(axis=1, keepdims=True) / (shares / shares.sum()))
    return np.maximum(np.nan_to_num(pmi, nan=0.0, neginf=0.0) - np.log(shift), 0) * (counts > 0)


@pytest.mark.parametrize(("shift", "exponent", "power"), [(1.0, 0.75, 0.5), (3.0, 1.0, 1.0), (1.5, 0.75, 0.0)])
def test_vectors_are_those_of_the_whole_decomposition(shift: float, exponent: float, power: float) -> None:
    lines, counting = zipf_lines(), {"window": 4, "min_count": 2, "weighting": "dynamic", "word_pattern": "whitespace"}
    matrix = ppmi(lines, shift=shift, exponent=exponent, **counting)
    left, values, right = np.linalg.svd(matrix)
    options = {"dim": 20, "epochs": 40, "shift": shift, "noise_exponent": exponent, "eigenvalue_exponent": power}
    vectors = bukva.train_vectors_from_iterator(lines, method="ppmi_svd", **options, **counting)  # type: ignore[arg-type]
    np.testing.assert_allclose(vectors.record["singular_values"], values[:20], rtol=1e-5)
    assert vectors.record["explained"] == pytest.approx((values[:20] ** 2).sum() / (matrix**2).sum(), rel=1e-5)
    assert vectors.record["positive_cells"] == (matrix > 0).sum()
    assert vectors.output is not None
    best = (left[:, :20] * values[:20]) @ right[:20]
    np.testing.assert_allclose(vectors.matrix.astype(np.float64) @ vectors.output.T, best, atol=2e-3)
    lengths = np.linalg.norm(vectors.matrix, axis=0)
    np.testing.assert_allclose(lengths, values[:20] ** power, rtol=1e-4)


def test_as_many_numbers_as_words_give_the_matrix_itself() -> None:
    counting = {"window": 3, "min_count": 1, "word_pattern": "whitespace", "sides": "left"}
    matrix = ppmi(sentences(), shift=1.0, exponent=0.75, **counting)
    options = {"method": "ppmi_svd", "dim": len(matrix), **counting}
    vectors = bukva.train_vectors_from_iterator(sentences(), **options)  # type: ignore[arg-type]
    assert vectors.output is not None
    np.testing.assert_allclose(vectors.matrix @ vectors.output.T, matrix, atol=1e-5)
    assert vectors.record["explained"] == pytest.approx(1.0)


def test_the_result_does_not_depend_on_threads() -> None:
    runs = [bukva.train_vectors_from_iterator(zipf_lines(), threads=threads, **SMALL) for threads in (1, 2, 3)]
    for run in runs[1:]:
        assert run.matrix.tobytes() == runs[0].matrix.tobytes()
        assert run.record["singular_values"] == runs[0].record["singular_values"]


def test_words_that_stand_together_are_near() -> None:
    vectors = bukva.train_vectors_from_iterator(sentences(2000), **SMALL)
    animals, tools = {"кот", "пёс", "конь", "лис"}, {"нож", "пила", "молот", "клещи"}
    for group in (animals, tools):
        for word in group:
            assert {neighbor.word for neighbor in vectors.neighbors(word, k=3)} <= group | {"лес", "дом"}


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("dim", 3),
        ("epochs", 0),
        ("shift", 0.5),
        ("shift", float("inf")),
        ("eigenvalue_exponent", -1.0),
        ("noise_exponent", float("nan")),
        ("alpha", 0.1),
        ("x_max", 10.0),
        ("sample", 0.0),
    ],
)
def test_options_that_cannot_work_are_named(option: str, value: object) -> None:
    options = {"method": "ppmi_svd", "dim": 2, "min_count": 1, option: value}
    with pytest.raises(bukva.ArgumentError, match=f"'{option}' parameter of train_vectors_from_iterator"):
        bukva.train_vectors_from_iterator(["a b"], **options)  # type: ignore[arg-type]


def test_what_cannot_be_trained() -> None:
    first = bukva.train_vectors_from_iterator(sentences(), **SMALL)
    with pytest.raises(bukva.ArgumentError, match="'start'"):
        bukva.train_vectors_from_iterator(sentences(), start=first, **SMALL)
    with pytest.raises(bukva.ArgumentError, match="'start'"):
        bukva.train_vectors_from_iterator(sentences(), start=first, dim=6)
    with pytest.raises(bukva.CorpusError, match="no two words stand near each other more often than by chance"):
        bukva.train_vectors_from_iterator(["a", "a"], method="ppmi_svd", min_count=1, dim=1)
    with pytest.raises(bukva.TrainingError, match=r"memory_limit is 3000\b"):
        bukva.train_vectors_from_iterator(sentences(), memory_limit=3000, **SMALL)
