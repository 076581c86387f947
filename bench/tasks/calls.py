"""One short text a call: what a call costs beside the work."""

from __future__ import annotations

import itertools

from bench.adapters import Adapter
from bench.tasks import timed
from bench.tasks.encode import ids_outcome

TEXT = "Hello, world!"
#: Calls before the measured ones; from their time comes the number of the measured ones, which take about a fifth of a
#: second.
WARM = 1000
SECONDS = 0.2


def run(adapter: Adapter, corpus: str, op: str, vocabulary: str) -> list[dict]:
    """Samples of ``one`` (ids as a list), ``batch`` (a batch of one text) or ``count``. ``corpus`` is not used."""
    adapter.load(vocabulary)
    argument: str | list[str] = [TEXT] if op == "batch" else TEXT
    function = {"one": adapter.call_one, "batch": adapter.call_batch, "count": adapter.call_count}[op]()
    _repeated(function, argument, WARM)
    _, times = timed(_repeated, function, argument, WARM)
    calls = int(SECONDS / times["cpu_s"] * WARM) + 1
    _, times = timed(_repeated, function, argument, calls)
    outcome = _outcome(adapter, op, function(argument))
    return [{"mode": op, "bytes": len(TEXT) * calls, "calls": calls, **times, "outcome": outcome}]


def _repeated(function, argument, calls: int) -> None:
    for _ in itertools.repeat(None, calls):
        function(argument)


def _outcome(adapter: Adapter, op: str, result) -> dict:
    if op == "count":
        return {"tokens": int(result)}
    return ids_outcome(adapter.flat(result) if op == "batch" else result)
