"""How each row of a grown table came about."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..files.opening import replaced
from .plan import HOW, Plan

SHOWN = 10
"""Sources of a row that are listed, those of greatest weight."""


@dataclass(frozen=True, kw_only=True)
class GrowthRecord:
    """What was initialised how.

    Attributes
    ----------
    method, keep : str
    seed : int
    old_rows, rows : int
        Of the tables before and after.
    tables : dict of str to str
        The tables that were resized, and the types of their numbers.
    tied : bool
        Whether the head is the embedding table.
    old, new : str
        Fingerprints of the tokenizers.
    counts : dict of str to int
        Rows by how they came about: ``kept``, ``mean``, ``subtokens``, ``similar``, ``normal``, and ``unused``, which
        no id names.
    """

    method: str
    keep: str
    seed: int
    old_rows: int
    rows: int
    tables: Mapping[str, str]
    tied: bool
    old: str
    new: str
    counts: Mapping[str, int]
    plan: Plan = field(repr=False)

    def of(self, row: int) -> dict[str, Any]:
        """How a row came about: ``how``, and where it has them the token, the old row, or sources with weights."""
        facts: dict[str, Any] = {"row": row, "how": HOW[self.plan.how[row]]}
        if row in self.plan.keys:
            sort, token = self.plan.keys[row]
            facts |= {"sort": sort, "token": token.decode("utf-8", "backslashreplace")}
        if self.plan.kept[row] >= 0:
            facts["old_row"] = int(self.plan.kept[row])
        if row in self.plan.mixtures:
            sources, weights = self.plan.mixtures[row]
            best = (-weights).argsort(kind="stable")[:SHOWN]
            facts["n_sources"] = len(sources)
            facts["sources"] = [[int(sources[at]), float(weights[at])] for at in best]
        return facts

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: the summary, every row that is not kept, and the old rows of those that moved."""
        names = ("method", "keep", "seed", "old_rows", "rows", "tied", "old", "new")
        kept = self.plan.kept
        moved = {str(row): int(kept[row]) for row in range(self.rows) if kept[row] >= 0 and kept[row] != row}
        return {
            **{name: getattr(self, name) for name in names},
            "tables": dict(self.tables),
            "counts": dict(self.counts),
            "moved": moved,
            "initialised": [self.of(row) for row in self.plan.missing()],
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the record as JSON."""
        with replaced(Path(path)) as file:
            file.write((json.dumps(self.to_dict(), ensure_ascii=False, indent=1) + "\n").encode())
