"""How much memory stays after a hundred million bytes of text of all kinds."""

from __future__ import annotations

import gc

from bench.adapters import Adapter
from bench.corpora import ENCODING, text_path
from bench.process import rss_mb
from bench.tasks import timed

SIZE = 100_000_000
DOCUMENT = 65_536


def run(adapter: Adapter, corpus: str, op: str, vocabulary: str) -> list[dict]:
    """One sample of ``growth``: resident memory after the text above that before. ``corpus`` is not used."""
    adapter.load(vocabulary)
    adapter.encode("Hello, world!")
    gc.collect()
    before = rss_mb()
    (tokens, n_bytes), times = timed(_encode, adapter)
    gc.collect()
    outcome = {"tokens": tokens}
    return [{"mode": op, "bytes": n_bytes, **times, "rss_mb": rss_mb() - before, "outcome": outcome}]


def _encode(adapter: Adapter) -> tuple[int, int]:
    tokens = n_bytes = 0
    for document in _documents():
        tokens += len(adapter.encode(document))
        n_bytes += len(document.encode())
    return tokens, n_bytes


def _documents():
    """64 KB each: the corpora in turns, then the training text; read as they are needed."""
    files = [text_path(corpus).open("rb") for corpus in (*ENCODING, "train_300m")]
    left = SIZE
    try:
        while left > 0:
            for file in files:
                data = file.read(DOCUMENT)
                left -= len(data)
                yield data.decode("utf-8", "ignore")
    finally:
        for file in files:
            file.close()
