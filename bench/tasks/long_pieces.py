"""Texts without a place to cut them: one letter, and random letters, a million characters each."""

from __future__ import annotations

import random
import string

from bench.adapters import Adapter
from bench.tasks import timed
from bench.tasks.encode import ids_outcome

LENGTH = 1_000_000


def run(adapter: Adapter, corpus: str, op: str, vocabulary: str) -> list[dict]:
    """One sample of ``one_letter`` or ``random_letters``, after a short text. ``corpus`` is not used."""
    letters = "a" if op == "one_letter" else string.ascii_lowercase
    text = "".join(random.Random(0).choices(letters, k=LENGTH))
    adapter.load(vocabulary)
    adapter.encode("Hello, world!")
    ids, times = timed(adapter.encode, text)
    return [{"mode": op, "bytes": LENGTH, **times, "outcome": ids_outcome(ids)}]
