"""A lookup and its way back: rows of a table by id, and gradients of rows added up by id."""

from __future__ import annotations

import hashlib
from statistics import median

import numpy as np

from bench.adapters import Adapter
from bench.definitions import ROWS
from bench.tasks import timed

TIMES = 9


def run(adapter: Adapter, corpus: str, op: str, vocabulary: str) -> list[dict]:
    """One sample of the gather and one of the scatter-add. ``corpus`` and ``vocabulary`` are not used."""
    task = ROWS[op]
    rng = np.random.default_rng(0)
    # Whole numbers add up to the same in any order, so that one outcome is right for all.
    table, gradients = (rng.integers(-9, 9, (n, task.dim)).astype(np.float32) for n in (task.n_rows, task.n_ids))
    ids = rng.integers(0, task.n_rows, task.n_ids).astype(np.uint32)
    adapter.take(table)
    samples = []
    for mode, call in (("gather", adapter.gather), ("scatter-add", adapter.scatter_add)):
        arguments = (ids,) if mode == "gather" else (ids, gradients)
        times = [timed(call, *arguments)[1] for _ in range(TIMES)]
        found = call(*arguments)
        found = found if mode == "gather" else adapter.dense(found)
        middle = {key: median(one[key] for one in times) for key in times[0]}
        samples.append({"mode": mode, **middle, "outcome": {"sha256": hashlib.sha256(found.tobytes()).hexdigest()}})
    return samples
