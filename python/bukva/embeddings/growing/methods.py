"""How rows of new tokens are initialised. Each method fills the plan for the rows that are not kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...errors import ArgumentError
from .plan import Plan
from .spelling import Speller

if TYPE_CHECKING:
    from ...tokenizer import Tokenizer

METHODS = ("mean", "subtokens", "focus", "wechsel", "normal")
WECHSEL_NEIGHBORS = 10
WECHSEL_TEMPERATURE = 0.1
ROWS_AT_ONCE = 256

Floats = NDArray[np.floating]


def by_subtokens(plan: Plan, old: Tokenizer) -> None:
    """The mean of the rows of the old ids that spell the token; the mean of all where nothing spells it."""
    speller = Speller(old)
    for row in plan.missing():
        parts = speller.ids(plan.keys[row])
        if parts:
            plan.mix(row, "subtokens", parts, [1 / len(parts)] * len(parts))


def by_normal(plan: Plan) -> None:
    """Drawn from the normal distribution of each column of the old table."""
    for row in plan.missing():
        plan.set(row, "normal")


def by_focus(plan: Plan, vectors: Floats) -> None:
    """A mixture of kept rows: sparsemax of the cosines between auxiliary vectors of the tokens.

    Source: K. Dobler, G. de Melo, *FOCUS: Effective Embedding Initialization for Monolingual Specialization of
    Multilingual Models*, 2023 (arXiv 2305.14481). Tokens without an auxiliary vector are drawn.
    """
    by_normal(plan)
    units = unit_rows(vectors)
    overlap = np.array([row for row in plan.keys if plan.kept[row] >= 0 and units[row].any()], dtype=np.int64)
    if not len(overlap):
        raise ArgumentError("No token of both vocabularies has an auxiliary vector, so FOCUS has nothing to mix.")
    asked = np.array([row for row in plan.missing() if units[row].any()], dtype=np.int64)
    for start in range(0, len(asked), ROWS_AT_ONCE):
        block = asked[start : start + ROWS_AT_ONCE]
        for row, weights in zip(block, sparsemax(units[block] @ units[overlap].T), strict=True):
            used = np.flatnonzero(weights)
            plan.mix(int(row), "similar", plan.kept[overlap[used]], weights[used])


def by_wechsel(plan: Plan, vectors: Floats, old_vectors: Floats) -> None:
    """A mixture of the 10 nearest old rows: softmax of the cosines at temperature 0.1.

    Source: B. Minixhofer, F. Paischer, N. Rekabsaz, *WECHSEL: Effective initialization of subword embeddings for
    cross-lingual transfer of monolingual language models*, 2022 (arXiv 2112.06598). Both tables of auxiliary vectors
    lie in one space. Tokens without an auxiliary vector are drawn.
    """
    by_normal(plan)
    units, old_units = unit_rows(vectors), unit_rows(old_vectors)
    known = plan.old_ids[old_units[plan.old_ids].any(axis=1)]
    if not len(known):
        raise ArgumentError("No token of the old vocabulary has an auxiliary vector, so WECHSEL has nothing to mix.")
    asked = np.array([row for row in plan.missing() if units[row].any()], dtype=np.int64)
    count = min(WECHSEL_NEIGHBORS, len(known))
    for start in range(0, len(asked), ROWS_AT_ONCE):
        block = asked[start : start + ROWS_AT_ONCE]
        scores = units[block] @ old_units[known].T
        for row, line in zip(block, scores, strict=True):
            near = np.argsort(-line, kind="stable")[:count]
            weights = np.exp((line[near] - line[near[0]]) / WECHSEL_TEMPERATURE)
            plan.mix(int(row), "similar", known[near], weights / weights.sum())


def unit_rows(vectors: Floats) -> NDArray[np.float64]:
    """Rows at length 1; zeros stay zeros."""
    wide = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    found: NDArray[np.float64] = wide / np.where(lengths == 0, 1, lengths)
    return found


def sparsemax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The point of the simplex nearest to each row: weights of sum 1, most of them 0. O(n log n) a row.

    Source: A. Martins, R. Astudillo, *From Softmax to Sparsemax*, 2016.
    """
    falling = -np.sort(-scores, axis=1)
    sums = np.cumsum(falling, axis=1) - 1
    sizes = np.arange(1, scores.shape[1] + 1)
    support = (falling * sizes > sums).sum(axis=1)
    threshold = sums[np.arange(len(scores)), support - 1] / support
    weights: NDArray[np.float64] = np.maximum(scores - threshold[:, None], 0)
    return weights
