"""The optimum of skip-gram with negative sampling is PMI - ln k: counts by hand, the optimum by fitting."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import bukva
from bukva.embeddings import check_pmi, cooccurrences, fit_expected_sgns, shifted_pmi

ROWS = [[0, 1, 2, 0], [2, 5, 1], [3], []]


def test_counts_are_those_of_all_pairs_within_the_window() -> None:
    expected: Counter = Counter()
    for row in ROWS:
        for (i, one), (j, other) in itertools.permutations(enumerate(row), 2):
            if abs(i - j) <= 2 and max(one, other) < 4:
                expected[one, other] += 1
    found = cooccurrences(ROWS, 4, window=2)
    assert {index: found[index] for index in np.ndindex(4, 4) if found[index]} == dict(expected)
    assert found[2, 1] == 2  # 5 is no word, but keeps its place


def test_shifted_pmi_by_its_formula() -> None:
    counts = np.array([[0, 3, 1], [3, 2, 0], [1, 0, 4]])
    found = shifted_pmi(counts, negatives=5)
    assert found[0, 1] == pytest.approx(math.log(3 * 14 / (4 * 5)) - math.log(5))
    assert found[0, 0] == -np.inf
    smooth = shifted_pmi(counts, negatives=1, smoothing=0.75)
    noise = 5**0.75 / (4**0.75 + 2 * 5**0.75)
    assert smooth[0, 1] == pytest.approx(math.log(3 / (4 * noise)))


def test_the_optimum_is_shifted_pmi(en: str) -> None:
    found = check_pmi(en.splitlines(), n_words=60)
    assert found.n_words == found.dim == 60
    assert found.correlation >= 0.999
    assert found.offset == pytest.approx(math.log(5), abs=0.01)
    assert found.expected_offset == math.log(5)
    assert check_pmi(en.splitlines(), n_words=60, negatives=1).offset == pytest.approx(0, abs=0.01)
    assert check_pmi(en.splitlines(), n_words=60, dim=6).correlation < 0.95


def test_smoothed_noise(en: str) -> None:
    counts = cooccurrences([[len(word) for word in line.split()] for line in en.splitlines()], 9, window=2)[1:, 1:]
    words, contexts = fit_expected_sgns(counts, smoothing=0.75)
    positive = counts > 0
    target = shifted_pmi(counts, smoothing=0.75)
    assert (words @ contexts.T)[positive] == pytest.approx(target[positive], abs=0.05)


def test_bad_input() -> None:
    with pytest.raises(bukva.ArgumentError, match="a square matrix"):
        shifted_pmi([[1, 2]])
    with pytest.raises(bukva.ArgumentError, match="a square matrix"):
        shifted_pmi([[1, -2], [1, 1]])
    with pytest.raises(bukva.TrainingError, match="no neighbour"):
        check_pmi(["a a b", "c"])
    with pytest.raises(bukva.ArgumentError, match="'negatives'"):
        shifted_pmi([[1]], negatives=0)
    with pytest.raises(bukva.ArgumentError, match="an iterable"):
        check_pmi("a b")


@pytest.mark.heavy
def test_the_two_hundred_most_frequent_words(corpus: Callable[..., Path]) -> None:
    with corpus("wiki_en_105m", 10_000_000).open(encoding="utf-8") as file:
        lines = list(itertools.islice(file, 5000))
    found = check_pmi(lines, n_words=200)
    assert found.correlation >= 0.999
    assert found.offset == pytest.approx(math.log(5), abs=0.01)
    assert check_pmi(lines, n_words=200, dim=50).correlation < 0.9
