"""Softmax and losses against their formulas in exact or wide arithmetic."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bukva
from bukva.embeddings import (
    check_gradient,
    cross_entropy,
    finite_differences,
    grouped_cross_entropy,
    half_squared_error,
    log_softmax,
    softmax,
)

rng = np.random.default_rng(7)


@pytest.mark.parametrize("shift", [0, 1e4, -1e4])
def test_softmax_does_not_overflow(shift: float) -> None:
    logits = np.array([1.0, 2.0, 0.0]) + shift
    powers = [math.exp(x) for x in (1, 2, 0)]
    expected = [power / sum(powers) for power in powers]
    assert softmax(logits) == pytest.approx(expected)
    assert log_softmax(logits) == pytest.approx([math.log(p) for p in expected])
    assert softmax(logits.astype(np.float32)).dtype == np.float32


def test_small_probabilities_keep_their_logarithm() -> None:
    assert log_softmax([0.0, -1000.0])[1] == pytest.approx(-1000)
    assert softmax([0.0, -1000.0])[1] == 0


def test_masked_logits() -> None:
    assert softmax([[0.0, -np.inf, 0.0]]).tolist() == [[0.5, 0, 0.5]]
    for row, what in (([-np.inf] * 2, "minus infinity"), ([0, np.nan], "NaN"), ([0, np.inf], "holds infinity")):
        with pytest.raises(bukva.ArgumentError, match=f"Row 1 of the logits given to softmax .*{what}"):
            softmax([[0.0, 1.0], row])
    with pytest.raises(bukva.ArgumentError, match="The row of logits"):
        softmax([np.nan])
    with pytest.raises(bukva.ArgumentError, match="at least one logit"):
        softmax([])


def test_cross_entropy_is_the_mean_over_the_mask() -> None:
    logits, targets = rng.normal(size=(2, 3, 5)), np.array([[4, 0, 99], [1, 99, 99]])
    mask = targets != 99
    expected = -np.mean([log_softmax(logits)[place][targets[place]] for place in zip(*np.nonzero(mask), strict=True)])
    found = cross_entropy(logits, targets, mask)
    assert found.value == pytest.approx(expected)
    assert not found.gradient[~mask].any()
    assert check_gradient(lambda x: cross_entropy(x, targets, mask).value, logits, found.gradient).passed
    assert found.gradient.sum(axis=-1) == pytest.approx(np.zeros((2, 3)), abs=1e-12)


def test_mask_of_a_batch(tok: bukva.Tokenizer) -> None:
    batch = tok.encode_batch(["привет", "мир и война"])
    ids, mask = batch.pad(pad_id=0)
    logits = rng.normal(size=(*ids.shape, tok.sizes.id_range))
    found = cross_entropy(logits, ids, mask)
    alone = [cross_entropy(logits[n, : len(batch[n])], batch[n]).value * len(batch[n]) for n in range(2)]
    assert found.value == pytest.approx(sum(alone) / len(batch.ids))


def test_bad_targets_and_masks() -> None:
    logits = np.zeros((2, 3))
    with pytest.raises(bukva.UnknownIdError, match="id 3 has no row"):
        cross_entropy(logits, [0, 3])
    with pytest.raises(bukva.ArgumentError, match=r"\(2,\). Got \(3,\)"):
        cross_entropy(logits, [0, 1, 2])
    with pytest.raises(bukva.ArgumentError, match="all False"):
        cross_entropy(logits, [0, 1], [False, False])
    with pytest.raises(bukva.ArgumentError, match="of bool"):
        cross_entropy(logits, [0, 1], [0, 1])


def test_pairs_that_share_logits() -> None:
    logits, rows, targets = rng.normal(size=(3, 5)), np.array([0, 2, 0, 0, 2]), np.array([4, 1, 4, 0, 3])
    found, alone = grouped_cross_entropy(logits, rows, targets), cross_entropy(logits[rows], targets)
    assert found.value == pytest.approx(alone.value)
    expected = np.zeros((3, 5))
    np.add.at(expected, rows, alone.gradient)
    assert found.gradient == pytest.approx(expected)
    assert check_gradient(lambda x: grouped_cross_entropy(x, rows, targets).value, logits, found.gradient).passed
    with pytest.raises(bukva.UnknownIdError, match="id 3 has no row"):
        grouped_cross_entropy(logits, [3], [0])
    with pytest.raises(bukva.ArgumentError, match=r"\(2,\). Got \(1,\)"):
        grouped_cross_entropy(logits, [0, 1], [0])
    with pytest.raises(bukva.ArgumentError, match="at least one"):
        grouped_cross_entropy(logits, [], [])


def test_half_squared_error() -> None:
    rows, targets = rng.normal(size=(3, 2)), rng.normal(size=(3, 2))
    found = half_squared_error(rows, targets)
    assert found.value == pytest.approx(sum((a - b) ** 2 for a, b in zip(rows.flat, targets.flat, strict=True)) / 2)
    assert check_gradient(lambda x: half_squared_error(x, targets).value, rows, found.gradient).passed


def test_differences_of_a_known_function() -> None:
    point = np.array([[1.0, -2.0], [0.5, 3.0]])
    assert finite_differences(lambda x: float((x**3).sum()), point) == pytest.approx(3 * point**2)


def test_a_wrong_gradient_is_found_and_named() -> None:
    point = np.arange(6.0).reshape(2, 3)
    gradient = 2 * point
    gradient[1, 2] += 0.1
    found = check_gradient(lambda x: float((x**2).sum()), point, gradient)
    assert not found.passed
    assert found.index == (1, 2)
    assert (found.formula, found.difference) == pytest.approx((10.1, 10))
    assert found.worst == pytest.approx(0.1 / 10.1)
    some = check_gradient(lambda x: float((x**2).sum()), point, 2 * point, n_entries=2)
    assert some.passed
    assert some.n_entries == 2
    with pytest.raises(bukva.ArgumentError, match="nan"):
        check_gradient(lambda x: math.nan, point, gradient)
    with pytest.raises(bukva.ArgumentError, match="at least one number"):
        check_gradient(lambda x: 0.0, [], [])
