from __future__ import annotations

import numpy as np
import pytest

import bukva
from bukva.embeddings import estimate_glove_memory
from bukva.reference.glove import count_cooccurrences, train_glove

from .test_train_vectors import sentences

SMALL = {"method": "glove", "dim": 12, "window": 4, "epochs": 3, "min_count": 2, "x_max": 20.0, "seed": 7}


@pytest.mark.parametrize(
    "options", [{}, {"sides": "left", "weighting": "flat"}, {"weight_exponent": 0.5, "alpha": 0.1}]
)
def test_vectors_are_those_of_the_definition(options: dict) -> None:
    lines = sentences()
    vectors = bukva.train_vectors_from_iterator(
        lines, deterministic=True, word_pattern="whitespace", **{**SMALL, **options}
    )
    counting = {name: options[name] for name in ("sides", "weighting") if name in options}
    words, cells = count_cooccurrences([line.split() for line in lines], window=4, min_count=2, **counting)
    training = {name: options[name] for name in ("weight_exponent", "alpha") if name in options}
    inputs, contexts, losses = train_glove(cells, len(words), dim=12, epochs=3, seed=7, x_max=20.0, **training)
    assert vectors.words == words
    assert vectors.output is not None
    np.testing.assert_allclose(vectors.matrix, inputs + contexts, atol=2e-6)
    np.testing.assert_allclose(vectors.output, contexts, atol=2e-6)
    np.testing.assert_allclose(vectors.record["losses"], losses, rtol=1e-5)
    assert (vectors.record["cells"], vectors.record["epochs"]) == (len(cells), 3)


def test_more_than_one_block_of_cells() -> None:
    rng = np.random.default_rng(0)
    lines = [" ".join(f"w{word}" for word in rng.zipf(1.4, 60) if word < 300) for _ in range(150)]
    options = {**SMALL, "min_count": 1, "epochs": 1, "dim": 3}
    vectors = bukva.train_vectors_from_iterator(lines, deterministic=True, word_pattern="whitespace", **options)
    words, cells = count_cooccurrences([line.split() for line in lines], window=4)
    assert len(cells) > 4096
    inputs, contexts, losses = train_glove(cells, len(words), dim=3, epochs=1, seed=7, x_max=20.0)
    np.testing.assert_allclose(vectors.matrix, inputs + contexts, atol=2e-6)
    np.testing.assert_allclose(vectors.record["losses"], losses, rtol=1e-5)


def test_deterministic_vectors_are_the_same_bits_for_any_number_of_threads() -> None:
    lines = sentences(1500)
    runs = [
        bukva.train_vectors_from_iterator(lines, deterministic=True, threads=threads, **SMALL)
        for threads in (1, 2, None)
    ]
    for run in runs[1:]:
        assert run.matrix.tobytes() == runs[0].matrix.tobytes()
        assert run.record["losses"] == runs[0].record["losses"]


def test_words_that_stand_together_are_near() -> None:
    vectors = bukva.train_vectors_from_iterator(sentences(2000), threads=2, **{**SMALL, "epochs": None})
    assert vectors.record["epochs"] == 25
    animals, tools = {"кот", "пёс", "конь", "лис"}, {"нож", "пила", "молот", "клещи"}
    for group in (animals, tools):
        for word in group:
            assert {neighbor.word for neighbor in vectors.neighbors(word, k=3)} <= group | {"лес", "дом"}
    losses = vectors.record["losses"]
    assert losses[-1] < 0.1 * losses[0]


def test_going_on() -> None:
    lines = sentences(300)
    first = bukva.train_vectors_from_iterator(lines, deterministic=True, **{**SMALL, "epochs": 20})
    more = [line.replace("нож", "топор") for line in lines]
    second = bukva.train_vectors_from_iterator(more, start=first, deterministic=True, **SMALL)
    assert set(second.words) == set(first.words) | {"топор"}
    assert second.matrix[second.words.index("нож")].tobytes() == first.matrix[first.words.index("нож")].tobytes()
    anew = bukva.train_vectors_from_iterator(more, deterministic=True, **SMALL)
    assert second.record["losses"][0] < 0.5 * anew.record["losses"][0]
    with pytest.raises(bukva.ArgumentError, match=r"'start' parameter .* Their method is 'glove'"):
        bukva.train_vectors_from_iterator(lines, start=first, dim=12)
    of_windows = bukva.train_vectors_from_iterator(lines, dim=12, epochs=1)
    with pytest.raises(bukva.ArgumentError, match=r"'start' parameter .* Their method is 'skipgram'"):
        bukva.train_vectors_from_iterator(lines, start=of_windows, **SMALL)


def test_memory_is_known_before() -> None:
    vectors = bukva.train_vectors_from_iterator(sentences(), **SMALL)
    memory = vectors.record["memory"]
    known = estimate_glove_memory(words=len(vectors.words), cells=vectors.record["cells"], dim=12)
    assert known.peak == memory["peak"]
    assert memory["tables"] == 2 * len(vectors.words) * 2 * 16 * 4
    with pytest.raises(bukva.TrainingError, match=r"memory_limit is 100\b"):
        bukva.train_vectors_from_iterator(sentences(), memory_limit=100, **SMALL)
    lines, options = [" ".join(map(str, range(300)))], {**SMALL, "min_count": 1, "dim": 5000}
    with pytest.raises(bukva.TrainingError, match=r"Training 300 vectors of 5000 numbers takes \d+ bytes at its peak"):
        bukva.train_vectors_from_iterator(lines, memory_limit=10**7, **options)
    with pytest.raises(bukva.ArgumentError, match="beyond what can be addressed"):
        estimate_glove_memory(words=2**62, cells=1)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("x_max", 0),
        ("x_max", -1.0),
        ("x_max", float("nan")),
        ("weight_exponent", -0.5),
        ("weighting", "linear"),
        ("sides", "all"),
        ("alpha", 0),
        ("epochs", 0),
        ("window", 0),
        ("negatives", 7),
        ("negative_sampling", "independent"),
        ("sample", 0.0),
        ("min_alpha", 0.01),
        ("noise_exponent", 1.0),
    ],
)
def test_options_that_cannot_work_are_named(option: str, value: object) -> None:
    with pytest.raises(bukva.ArgumentError, match=f"'{option}' parameter of train_vectors_from_iterator"):
        bukva.train_vectors_from_iterator(["a"], method="glove", **{option: value})  # type: ignore[misc]


def test_options_of_glove_are_for_glove_only() -> None:
    for option, value in {"x_max": 10.0, "weight_exponent": 0.5, "weighting": "flat", "sides": "left"}.items():
        with pytest.raises(bukva.ArgumentError, match=f"'{option}' .* left out with method='skipgram'"):
            bukva.train_vectors_from_iterator(["a"], **{option: value})  # type: ignore[misc]
    assert "x_max" not in bukva.train_vectors_from_iterator(["a b"], min_count=1, epochs=1).record


def test_what_cannot_be_trained() -> None:
    with pytest.raises(bukva.CorpusError, match="no two words of the corpus stand near each other"):
        bukva.train_vectors_from_iterator(["a", "a"], method="glove", min_count=1)
    with pytest.raises(bukva.TrainingError, match="no longer finite after epoch"):
        bukva.train_vectors_from_iterator(sentences(), **{**SMALL, "alpha": 1e30})
