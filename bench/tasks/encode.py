"""Encoding, counting and decoding of one corpus.

*cold* is the first half of the text in a fresh process, *fresh* the second half afterwards (text never seen, on a
tokenizer that has worked), *warm* the second half again.
"""

from __future__ import annotations

from bench.adapters import Adapter
from bench.corpora import halves, sha256, text_path
from bench.tasks import timed

SHORT_LINES = 5000
BATCH_LINES = 1000
#: Calls after the first one: only then the memory of the process has settled.
AGAIN = 9


def run(adapter: Adapter, corpus: str, op: str, vocabulary: str) -> list[dict]:
    """Samples of one operation: ``encode``, ``encode_list``, ``count``, ``decode``, ``decode_bytes``; ``encode_lines``
    is a call for all lines, ``lines_1000`` one for the first 1,000 of the second half, ``short`` a call a line.
    """
    import numpy  # noqa: F401  # not at the cost of the libraries that return its arrays

    first, second = halves(text_path(corpus).read_bytes().decode("utf-8"))
    adapter.load(vocabulary)
    match op:
        case "decode" | "decode_bytes":
            return _decode(getattr(adapter, op), adapter.encode(second))
        case "short":
            return _short(adapter, first, second)
        case "lines_1000":
            lines = [line for line in second.split("\n") if line][:BATCH_LINES]
            return _many(adapter, (("cold", lines), ("warm", lines)))
        case "encode_lines":
            texts = (("cold", first), ("fresh", second), ("warm", second))
            return _many(adapter, tuple((mode, text.split("\n")) for mode, text in texts))
    function, outcome = getattr(adapter, op), _number if op == "count" else ids_outcome
    samples = []
    for mode, text in (("cold", first), ("fresh", second), ("warm", second)):
        result, times = timed(function, text)
        samples.append({"mode": mode, "bytes": len(text.encode()), **times, "outcome": outcome(result)})
        del result
    return samples


def _many(adapter: Adapter, texts: tuple[tuple[str, list[str]], ...]) -> list[dict]:
    encode, samples = adapter.call_many(1), []
    for mode, lines in texts:
        result, times = timed(encode, lines)
        n_bytes = sum(len(line.encode()) for line in lines) + len(lines) - 1
        samples.append({"mode": mode, "bytes": n_bytes, **times, "outcome": ids_outcome(adapter.flat(result))})
        del result
    return samples


def _decode(decode, ids) -> list[dict]:
    samples = []
    for mode, calls in (("cold", 1), ("warm", AGAIN)):
        result, times = timed(_last_of, decode, ids, calls)
        data = result.encode() if isinstance(result, str) else result
        outcome = {"sha256": sha256(data)}
        samples.append({"mode": mode, "bytes": len(data) * calls, **times, "outcome": outcome})
        del result
    return samples


def _last_of(decode, ids, calls: int):
    for _ in range(calls):
        result = decode(ids)
    return result


def _short(adapter: Adapter, first: str, second: str) -> list[dict]:
    adapter.encode_list(first)
    lines = [line for line in second.split("\n") if line][:SHORT_LINES]
    ids, times = timed(lambda: [adapter.encode_list(line) for line in lines])
    n_bytes = sum(len(line.encode()) for line in lines)
    outcome = ids_outcome([number for line in ids for number in line])
    return [{"mode": "short", "bytes": n_bytes, "calls": len(lines), **times, "outcome": outcome}]


def ids_outcome(ids) -> dict:
    """Number and SHA-256 of ids (as little-endian uint32)."""
    import numpy as np

    return {"tokens": len(ids), "sha256": sha256(np.asarray(ids, dtype="<u4").tobytes())}


def _number(tokens: int) -> dict:
    return {"tokens": int(tokens)}
