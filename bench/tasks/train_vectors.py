"""Training word vectors, from the file to the vectors in memory."""

from __future__ import annotations

import importlib

from bench.adapters import Adapter
from bench.corpora import text_path
from bench.process import peak_rss_mb
from bench.scores import scores_of
from bench.tasks import timed

SEEDS = (1, 2, 3)


def run(adapter: Adapter, corpus: str, op: str, _vocabulary: str) -> list[dict]:
    """A sample a seed, one where there are no seeds. ``op`` is the method.

    Peers agree on the number of words; their vectors are scored.
    """
    importlib.import_module(adapter.module)
    path = text_path(corpus)
    samples = []
    for seed in SEEDS if adapter.seeded else SEEDS[:1]:
        (words, matrix), times = timed(adapter.train_vectors, str(path), op, seed)
        sample = {"mode": f"seed {seed}", "bytes": path.stat().st_size, **times, "peak_rss_mb": peak_rss_mb()}
        samples.append(sample | {"table": (words, matrix)})
    # The peak of the first run is the honest one: later ones find memory that was used before.
    for sample in samples:
        words, matrix = sample.pop("table")
        sample["peak_rss_mb"] = samples[0]["peak_rss_mb"]
        sample["outcome"] = {"words": len(words)}
        sample["scores"] = scores_of(words, matrix)
    return samples
