"""Documents of about 4 KB on one thread or on two, by the clock: seconds that pass, not seconds of work."""

from __future__ import annotations

from bench.adapters import Adapter
from bench.corpora import halves, text_path
from bench.tasks import timed
from bench.tasks.encode import ids_outcome

DOCUMENT = 4096


def run(adapter: Adapter, corpus: str, op: str, vocabulary: str) -> list[dict]:
    """Samples of ``threads_1`` and ``threads_2``."""
    adapter.load(vocabulary)
    encode, samples = adapter.call_many(int(op.removeprefix("threads_"))), []
    for mode, text in zip(("cold", "fresh"), halves(text_path(corpus).read_bytes().decode("utf-8")), strict=True):
        documents = list(_documents(text))
        result, times = timed(encode, documents)
        outcome = ids_outcome(adapter.flat(result))
        samples.append({"mode": mode, "bytes": len(text.encode()), **times, "outcome": outcome})
        del result
    return samples


def _documents(text: str):
    """Whole lines, 4 KB of characters or a little more."""
    start = 0
    while start < len(text):
        end = text.find("\n", start + DOCUMENT) + 1 or len(text)
        yield text[start:end]
        start = end
