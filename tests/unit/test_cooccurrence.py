from __future__ import annotations

import inspect
import random
from pathlib import Path

import numpy as np
import pytest

import bukva
from bukva.embeddings import Cooccurrences, count_cooccurrences, count_cooccurrences_from_iterator
from bukva.embeddings.cooccurrence import CountKeywords
from bukva.reference.glove import count_cooccurrences as reference

from .test_train_vectors import sentences


def texts(count: int = 60, seed: int = 1) -> list[str]:
    chosen = random.Random(seed)
    return [" ".join(chosen.choices("абвгдежз", range(1, 9), k=chosen.randrange(0, 30))) for _ in range(count)]


def cells(found: Cooccurrences) -> dict[tuple[int, int], float]:
    rows = np.repeat(np.arange(len(found.words)), np.diff(found.offsets))
    places = zip(rows.tolist(), found.columns.tolist(), strict=True)
    return dict(zip(places, found.values.tolist(), strict=True))


@pytest.mark.parametrize("weighting", ["harmonic", "flat", "dynamic"])
@pytest.mark.parametrize("sides", ["both", "left", "right"])
@pytest.mark.parametrize("window", [1, 4, 25])
def test_counts_are_those_of_the_definition(weighting: str, sides: str, window: int) -> None:
    options = {"window": window, "weighting": weighting, "sides": sides}
    words, expected = reference([text.split() for text in texts()], **options)
    found = count_cooccurrences_from_iterator(texts(), min_count=1, **options)
    assert found.words == words
    assert list(cells(found)) == list(expected)
    exact = np.array([float(value) for value in expected.values()])
    np.testing.assert_allclose(found.values, exact, rtol=6e-8 if window <= 22 else 1e-7)
    dense = found.to_dense().astype(np.float64)
    np.testing.assert_allclose(found.row_sums, dense.sum(axis=1), rtol=1e-6)
    np.testing.assert_allclose(found.column_sums, dense.sum(axis=0), rtol=1e-6)
    if sides == "both":
        assert (dense == dense.T).all()


def test_the_result_does_not_depend_on_threads(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text("\n".join(texts(2000)), encoding="utf-8")
    runs = [count_cooccurrences(path, window=7, threads=threads) for threads in (1, 2, 3)]
    for run in runs[1:]:
        for name in ("offsets", "columns", "values", "row_sums", "column_sums"):
            assert getattr(run, name).tobytes() == getattr(runs[0], name).tobytes(), name


def test_documents_and_rare_words() -> None:
    found = count_cooccurrences_from_iterator(["a x b", "b a"], min_count=2, window=1)
    assert found.words == ["a", "b"]
    assert found.to_dense().tolist() == [[0, 2], [2, 0]]
    assert found.of("a") == {"b": 2.0}
    assert found.record["pairs"] == 4
    assert found.record["corpus"]["rare_words"] == 1
    assert count_cooccurrences_from_iterator(["a", "a"], min_count=2).to_dense().tolist() == [[0]]


def test_a_window_as_wide_as_any_document() -> None:
    found = count_cooccurrences_from_iterator(["а б в г " * 500, "а б"], window=2**31 - 1, weighting="flat")
    assert found.record["pairs"] == 2000 * 1999 + 2
    assert found.row_sums.sum() == found.record["pairs"]


def test_counting_stops_inside_of_a_row() -> None:
    """One row has all of more than a billion pairs; it is not waited for."""
    seen: list[int] = []

    def stop(stage: str, done: int, total: int | None) -> None:
        if stage == "pair":
            seen.append(done)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count_cooccurrences_from_iterator(["а " * 40_000], window=20_000, progress=stop, threads=1)
    assert seen == [0]


def test_words_of_a_tokenizer() -> None:
    tok = bukva.train_from_iterator(texts(), bukva.BpeTrainer(num_merges=5))
    found = count_cooccurrences_from_iterator(texts(), tokenizer=tok, min_count=1)
    assert [
        tok.vocab[number].decode("utf-8", "backslashreplace") for number in found.record["token_ids"]
    ] == found.words


def test_bad_input() -> None:
    for option, value in {"window": 0, "weighting": "linear", "sides": "all", "min_count": 0, "threads": 0}.items():
        with pytest.raises(bukva.ArgumentError, match=f"'{option}' parameter of count_cooccurrences_from_iterator"):
            count_cooccurrences_from_iterator(["a b"], **{option: value})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'dim'"):
        count_cooccurrences_from_iterator(["a b"], dim=3)  # type: ignore[call-arg]
    with pytest.raises(bukva.CorpusError, match="at least 5 times"):
        count_cooccurrences_from_iterator(["a b"])
    with pytest.raises(bukva.TrainingError, match="memory_limit is 10;"):
        count_cooccurrences_from_iterator(["a b"], min_count=1, memory_limit=10)
    with pytest.raises(bukva.ArgumentError, match="one of the 2 words; the closest are 'кот'"):
        count_cooccurrences_from_iterator(["кот дом"], min_count=1).of("кит")

    def stop(stage: str, done: int, total: int | None) -> None:
        if stage == "pair":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count_cooccurrences_from_iterator(texts(), progress=stop)


def test_the_keywords_are_the_same_everywhere() -> None:
    of_files = set(inspect.signature(count_cooccurrences).parameters) - {"corpus", "unit", "field", "invalid"}
    assert of_files == set(CountKeywords.__annotations__)


@pytest.mark.parametrize("method", ["glove", "ppmi_svd"])
def test_training_by_counts_tells_its_progress_and_may_stop(method: str) -> None:
    options = {"method": method, "dim": 6, "window": 4, "min_count": 2, "epochs": 3}
    seen: list[tuple[str, int, int | None]] = []
    bukva.train_vectors_from_iterator(sentences(500), progress=lambda *state: seen.append(state), **options)
    assert list(dict.fromkeys(state[0] for state in seen)) == ["count", "pair", "train"]
    assert seen[-1][1] == seen[-1][2]

    def stop(stage: str, done: int, total: int | None) -> None:
        if stage == "train":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bukva.train_vectors_from_iterator(sentences(500), progress=stop, **options)
