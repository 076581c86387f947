"""What a program pays before its first ids: importing the package, loading a vocabulary and encoding a short text."""

from __future__ import annotations

import importlib

from bench.adapters import Adapter
from bench.process import rss_mb
from bench.tasks import timed

#: Its ids also show that the right vocabulary was loaded.
TEXT = "Привет, world"


def run(adapter: Adapter, corpus: str, op: str, vocabulary: str) -> list[dict]:
    """One sample of ``import`` or ``load``, with the memory it added. ``corpus`` is not used."""
    before = rss_mb()
    _module, times = timed(importlib.import_module, adapter.module)
    if op == "load":
        before = rss_mb()
        ids, times = timed(_first_ids, adapter, vocabulary)
    outcome = {"ids": [int(i) for i in ids]} if op == "load" else None
    return [{"mode": op, **times, "rss_mb": rss_mb() - before, "outcome": outcome}]


def _first_ids(adapter: Adapter, vocabulary: str):
    """Loading may leave work to the first text, so a text belongs to it."""
    adapter.load(vocabulary)
    return adapter.encode_list(TEXT)
