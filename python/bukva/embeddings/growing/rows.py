"""Rows of the new table, computed block by block in the type of the old one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ArgumentError
from .plan import HOW, Plan

ROWS_AT_ONCE = 1024
FLOATS = ("F64", "F32", "F16", "BF16")


@dataclass(frozen=True)
class Table:
    """A table of one row an id: its name, its type by safetensors' name, and its numbers (bfloat16 as 16 bits)."""

    name: str
    dtype: str
    array: NDArray[Any]

    @property
    def flat(self) -> NDArray[Any]:
        """As rows and columns; a vector has one column."""
        return self.array.reshape(len(self.array), -1)


def widened(array: NDArray[Any], dtype: str) -> NDArray[np.float64]:
    """Numbers of a type as float64."""
    if dtype == "BF16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64)


def narrowed(numbers: NDArray[np.float64], dtype: str) -> NDArray[Any]:
    """Numbers rounded to a type, to the nearest, ties to even."""
    kinds = {"F64": np.float64, "F32": np.float32, "F16": np.float16}
    if dtype in kinds:
        return numbers.astype(kinds[dtype])
    bits = numbers.astype(np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def blocks(table: Table, plan: Plan, seed: int) -> Iterator[NDArray[Any]]:
    """The new rows, some at a time, in the table's type. Rows that are kept are copied bit by bit.

    Raises
    ------
    ArgumentError
        If a row that an id names is not finite. The message names it.
    """
    mean, deviation = moments(table, plan.old_ids)
    old = table.flat
    for start in range(0, len(plan.how), ROWS_AT_ONCE):
        kept = plan.kept[start : start + ROWS_AT_ONCE]
        block = np.empty((len(kept), old.shape[1]), dtype=old.dtype)
        block[kept >= 0] = old[kept[kept >= 0]]
        for at in np.flatnonzero(kept < 0):
            block[at] = narrowed(_row(table, plan, start + int(at), mean, deviation, seed), table.dtype)
        yield block


def _row(
    table: Table, plan: Plan, row: int, mean: NDArray[np.float64], deviation: NDArray[np.float64], seed: int
) -> NDArray[np.float64]:
    if row in plan.mixtures:
        sources, weights = plan.mixtures[row]
        mixed: NDArray[np.float64] = np.einsum("i,ij->j", weights, widened(table.flat[sources], table.dtype))
        return mixed
    if HOW[plan.how[row]] == "normal":
        # A generator for each row: the numbers do not depend on how rows are grouped.
        return np.random.default_rng([seed, row]).normal(mean, deviation)
    return mean


def moments(table: Table, ids: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and standard deviation of each column over the rows that ids name. Two passes, in float64."""
    old = table.flat
    mean = np.zeros(old.shape[1])
    for rows in _chunks(ids):
        numbers = widened(old[rows], table.dtype)
        bad = rows[~np.isfinite(numbers).all(axis=1)]
        if len(bad):
            raise ArgumentError(f"Row {bad[0]} of {table.name!r} is not finite. Mend the table first.")
        mean += numbers.sum(axis=0)
    mean /= len(ids)
    variance = np.zeros(old.shape[1])
    for rows in _chunks(ids):
        variance += ((widened(old[rows], table.dtype) - mean) ** 2).sum(axis=0)
    return mean, np.sqrt(variance / len(ids))


def _chunks(ids: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    for start in range(0, len(ids), ROWS_AT_ONCE):
        yield ids[start : start + ROWS_AT_ONCE]
