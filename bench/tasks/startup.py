"""What a program pays before its first token: importing the package, loading the o200k vocabulary."""

from __future__ import annotations

import importlib

from bench.adapters import Adapter
from bench.process import rss_mb
from bench.tasks import timed


def run(adapter: Adapter, corpus: str, op: str, vocabulary: str) -> list[dict]:
    """One sample of ``import`` or ``load``, with the memory it added. ``corpus`` is not used."""
    before = rss_mb()
    _module, times = timed(importlib.import_module, adapter.module)
    if op == "load":
        before = rss_mb()
        _none, times = timed(adapter.load, vocabulary)
    return [{"mode": op, **times, "rss_mb": rss_mb() - before, "outcome": outcome(adapter) if op == "load" else None}]


def outcome(adapter: Adapter) -> dict:
    """One known text shows that the right vocabulary was loaded."""
    return {"ids": [int(i) for i in adapter.encode("Привет, world")]}
