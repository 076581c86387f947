"""Where each row of the new table comes from, before any number is computed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .spelling import Key, keys_of

if TYPE_CHECKING:
    from ...tokenizer import Tokenizer

HOW = ("kept", "mean", "subtokens", "similar", "normal", "unused")
"""Copied; mean of all rows; mean of the rows of sub-tokens; mixture of similar rows; drawn; a row that no id names."""


@dataclass
class Plan:
    """The origin of each row.

    Attributes
    ----------
    keys : dict of int to Key
        The new token of each defined id.
    old_ids : ndarray of int64
        Rows of the old table that an id names: those that means are taken over.
    how : ndarray of uint8, shape (rows,)
        Index into :data:`HOW`.
    kept : ndarray of int64, shape (rows,)
        The old row that is copied, or -1.
    mixtures : dict of int to (ndarray of int64, ndarray of float64)
        Old rows and their weights, by new row.
    """

    keys: dict[int, Key]
    old_ids: NDArray[np.int64]
    how: NDArray[np.uint8]
    kept: NDArray[np.int64]
    mixtures: dict[int, tuple[NDArray[np.int64], NDArray[np.float64]]] = field(default_factory=dict)

    def set(self, row: int, how: str) -> None:
        """Says how a row comes about."""
        self.how[row] = HOW.index(how)

    def mix(self, row: int, how: str, sources: Iterable[int], weights: Iterable[float]) -> None:
        """A row that is a weighted sum of old rows."""
        self.mixtures[row] = (np.fromiter(sources, np.int64), np.fromiter(weights, np.float64))
        self.set(row, how)

    def missing(self) -> list[int]:
        """New rows that an id names and that are not kept, in order."""
        return [row for row in self.keys if self.kept[row] < 0]


def kept_rows(old: Tokenizer, new: Tokenizer, old_rows: int, rows: int, keep: str) -> Plan:
    """A plan with the rows that are copied; all others are to be the mean.

    Parameters
    ----------
    old, new : Tokenizer
    old_rows, rows : int
        Of the tables; rows beyond the ids are padding, which keeps its numbers where it stays padding.
    keep : {"all", "special"}
        Which tokens that both have keep their rows.
    """
    old_keys, keys = keys_of(old), keys_of(new)
    by_key: dict[Key, int] = {}
    for number, key in old_keys.items():
        by_key.setdefault(key, number)
    how = np.full(rows, HOW.index("unused"), dtype=np.uint8)
    kept = np.full(rows, -1, dtype=np.int64)
    plan = Plan(keys, np.fromiter(old_keys, np.int64), how, kept)
    for number, key in keys.items():
        # Where two ids spell the same, a row that stays in its place is the one.
        source = number if old_keys.get(number) == key else by_key.get(key)
        if source is not None and (keep == "all" or key[0] == "special"):
            kept[number] = source
        plan.set(number, "mean" if kept[number] < 0 else "kept")
    for row in range(min(old_rows, rows)):
        if row not in keys and row not in old_keys:
            kept[row] = row
    return plan
