"""Training one vocabulary on one corpus, from the file to the model in memory."""

from __future__ import annotations

import importlib

from bench.adapters import Adapter
from bench.corpora import sha256, text_path
from bench.definitions import TRAININGS
from bench.process import peak_rss_mb
from bench.tasks import timed


def run(adapter: Adapter, corpus: str, op: str, _vocabulary: str) -> list[dict]:
    """One sample; ``op`` names the training rule. The merge products in order of rank are checked."""
    path = text_path(corpus)
    importlib.import_module(adapter.module)
    trained, times = timed(adapter.train, str(path), TRAININGS[op])
    peak = peak_rss_mb()  # before the check, which needs memory of its own
    outcome = products_outcome(adapter.products(trained))
    return [{"mode": "train", "bytes": path.stat().st_size, **times, "peak_rss_mb": peak, "outcome": outcome}]


def products_outcome(products: list[bytes]) -> dict:
    """Number and SHA-256 of merge products (in hexadecimal, one a line)."""
    return {"merges": len(products), "sha256": sha256("".join(f"{token.hex()}\n" for token in products).encode())}
