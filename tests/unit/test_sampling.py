"""The next id: filters by their definitions, and frequencies of draws against probabilities."""

from __future__ import annotations

import numpy as np
import pytest

import bukva
from bukva.embeddings import Sampling, defined_ids, next_id, next_probabilities, softmax

LOGITS = np.array([0.0, 2.0, 1.0, 2.0, -1.0])


def test_temperature() -> None:
    assert next_probabilities(LOGITS) == pytest.approx(softmax(LOGITS))
    assert next_probabilities(LOGITS, Sampling(temperature=0.5)) == pytest.approx(softmax(2 * LOGITS))
    assert next_probabilities(LOGITS, Sampling(temperature=0)).tolist() == [0, 1, 0, 0, 0]
    assert next_probabilities(LOGITS, Sampling(temperature=1e-320)).tolist() == [0, 0.5, 0, 0.5, 0]
    for sampling in (Sampling(), Sampling(temperature=0)):
        with pytest.raises(bukva.ArgumentError, match="holds NaN"):
            next_probabilities([0, np.nan], sampling)


def test_top_k_takes_the_smaller_id_among_equals() -> None:
    for k, kept in ((1, [1]), (2, [1, 3]), (3, [1, 2, 3]), (9, [0, 1, 2, 3, 4])):
        found = next_probabilities(LOGITS, Sampling(top_k=k))
        assert np.flatnonzero(found).tolist() == kept
        assert found[kept] == pytest.approx(softmax(LOGITS)[kept] / softmax(LOGITS)[kept].sum())


def test_top_p_takes_the_fewest_that_reach_it() -> None:
    logits = np.log([0.5, 0.25, 0.125, 0.125])
    for p, n in ((0.1, 1), (0.5, 1), (0.51, 2), (0.75, 2), (0.8, 3), (1.0, 4)):
        assert np.flatnonzero(next_probabilities(logits, Sampling(top_p=p))).tolist() == list(range(n)), p
    # Of the two that top_k leaves, the first has 2/3.
    assert next_probabilities(logits, Sampling(top_k=2, top_p=0.6)).tolist() == [1, 0, 0, 0]


def test_what_is_not_allowed_is_never_drawn() -> None:
    allowed = np.array([True, False, True, False, True])
    found = next_probabilities(LOGITS, allowed=allowed)
    assert not found[~allowed].any()
    assert found[allowed] == pytest.approx(softmax(LOGITS[allowed]))
    assert next_id(LOGITS, np.random.default_rng(0), Sampling(temperature=0), allowed) == 2
    assert next_probabilities([1.0, 1.0], allowed=[True, False]).tolist() == [1, 0]
    with pytest.raises(bukva.ArgumentError, match="of bool"):
        next_probabilities(LOGITS, allowed=[1, 0, 1, 0, 1])
    with pytest.raises(bukva.ArgumentError, match="No id is allowed"):
        next_probabilities(LOGITS, allowed=np.zeros(5, bool))


def test_draws_follow_the_probabilities() -> None:
    rng, n = np.random.default_rng(1), 20_000
    sampling = Sampling(temperature=1.5, top_k=4)
    counts = np.bincount([next_id(LOGITS, rng, sampling) for _ in range(n)], minlength=5)
    expected = next_probabilities(LOGITS, sampling)
    assert counts[4] == 0
    assert np.abs(counts / n - expected).max() < 4 * np.sqrt(0.25 / n)


def test_the_same_seed_draws_the_same() -> None:
    draws = [[next_id(LOGITS, np.random.default_rng(7)) for _ in range(5)] for _ in range(2)]
    assert draws[0] == draws[1]


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"temperature": -1}, "temperature"),
        ({"temperature": float("nan")}, "temperature"),
        ({"temperature": True}, "temperature"),
        ({"top_k": 0}, "top_k"),
        ({"top_p": 0}, "top_p"),
        ({"top_p": 1.1}, "top_p"),
    ],
)
def test_bad_options(options: dict, name: str) -> None:
    with pytest.raises(bukva.ArgumentError, match=f"'{name}' parameter"):
        Sampling(**options)


def test_rows_that_ids_stand_for(tok: bukva.Tokenizer) -> None:
    size = tok.sizes.id_range
    special = tok.special_tokens["<|endoftext|>"]
    found = defined_ids(tok, size + 3)
    assert not found[[special, size, size + 1, size + 2]].any()
    assert found.sum() == tok.sizes.ordinary
    assert defined_ids(tok, size, special=True).sum() == tok.sizes.defined
    with pytest.raises(bukva.ArgumentError, match=f"at least {size - 1}"):
        defined_ids(tok, 5)
