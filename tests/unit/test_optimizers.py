"""Optimizers against their formulas, written out for one number at a time."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bukva
from bukva.embeddings import SGD, Adam, SparseAdam, optimizer

rng = np.random.default_rng(3)
GRADIENTS = rng.normal(size=(6, 3, 2))


def adam_by_hand(start: float, gradients: list[float], lr: float) -> float:
    value, mean, square = start, 0.0, 0.0
    for step, gradient in enumerate(gradients, start=1):
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        value -= lr * (mean / (1 - 0.9**step)) / (math.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return value


def test_adam() -> None:
    parameter = np.ones((3, 2))
    chosen = optimizer("adam", [parameter], 0.05)
    for gradient in GRADIENTS:
        chosen.step([gradient])
    for index in np.ndindex(3, 2):
        expected = adam_by_hand(1, [gradient[index] for gradient in GRADIENTS], 0.05)
        assert parameter[index] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("momentum", [0.0, 0.9])
def test_sgd(momentum: float) -> None:
    parameter, velocity = np.ones((3, 2)), np.zeros((3, 2))
    expected = parameter.copy()
    chosen = SGD([parameter], 0.1, momentum=momentum)
    for gradient in GRADIENTS:
        chosen.step([gradient])
        velocity = momentum * velocity + gradient
        expected -= 0.1 * velocity
    assert parameter == pytest.approx(expected)


def used(table: bukva.Embedding, ids: list[int]) -> object:
    return table.sparse_gradient(ids, np.ones((len(ids), table.dim)))


@pytest.mark.parametrize("name", ["sgd", "adam", "sparse_adam"])
def test_rows_that_were_not_used(name: str) -> None:
    """Row 1 is used in the first step only: afterwards Adam moves it still, the others leave it."""
    table = bukva.Embedding(4, 3)
    chosen, start = optimizer(name, [table.weight], 0.1), table.weight.copy()
    chosen.step([used(table, [0, 1, 1])])
    before = table.weight.copy()
    chosen.step([used(table, [0])])
    assert np.array_equal(table.weight[1], before[1]) == (name != "adam")
    assert not np.array_equal(table.weight[0], before[0])
    assert np.array_equal(table.weight[2:], start[2:])


def test_sparse_adam_is_adam_where_all_rows_are_used() -> None:
    one, other = bukva.Embedding(4, 3), bukva.Embedding(4, 3)
    adam, sparse = Adam([one.weight]), SparseAdam([other.weight])
    for step in range(5):
        d_rows = rng.normal(size=(8, 3)) + step
        adam.step([one.gradient([0, 1, 2, 3] * 2, d_rows)])
        sparse.step([other.sparse_gradient([0, 1, 2, 3] * 2, d_rows)])
    assert np.array_equal(one.weight, other.weight)


def test_float32_stays_float32() -> None:
    for name in ("sgd", "adam"):
        parameter = np.ones((2, 2), np.float32)
        optimizer(name, [parameter], 0.1).step([np.ones((2, 2))])
        assert parameter.dtype == np.float32


def test_bad_arguments() -> None:
    table = bukva.Embedding(4, 3)
    with pytest.raises(bukva.ArgumentError, match="'adam', 'sparse_adam'"):
        optimizer("adagrad", [table.weight], 0.1)
    with pytest.raises(bukva.ArgumentError, match="sparse_gradient"):
        SparseAdam([table.weight]).step([np.ones((4, 3))])
    with pytest.raises(bukva.ArgumentError, match="a list of 1"):
        Adam([table.weight]).step(np.ones((4, 3)))
    with pytest.raises(bukva.ArgumentError, match=r"\(4, 3\). Got \(3, 4\)"):
        Adam([table.weight]).step([np.ones((3, 4))])
    for lr in (0, -1, math.nan, math.inf, True):
        with pytest.raises(bukva.ArgumentError, match="'lr' parameter"):
            SGD([table.weight], lr)
    with pytest.raises(bukva.ArgumentError, match="'momentum'"):
        SGD([table.weight], 0.1, momentum=1)
    with pytest.raises(bukva.ArgumentError, match="array of floats"):
        SGD([np.ones(2, int)], 0.1)
