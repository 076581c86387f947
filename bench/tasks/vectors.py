"""Word vectors: loading a file of them, and asking for neighbours."""

from __future__ import annotations

import hashlib
import importlib
from pathlib import Path

from bench.adapters import Adapter
from bench.corpora import CACHE
from bench.tasks import timed

ROWS, DIM, SEED = 83_578, 100, 0
QUERIES = 200


def run(adapter: Adapter, corpus: str, op: str, vocabulary: str) -> list[dict]:
    """One sample of ``load_text``, ``load_binary``, ``neighbors`` or ``neighbors_many``. ``corpus`` is not used."""
    importlib.import_module(adapter.module)
    binary = op != "load_text"
    path = vectors_path(binary)
    vectors, times = timed(adapter.read_vectors, str(path), binary)
    if op.startswith("load"):
        return [{"mode": op, **times, "outcome": table_outcome(*adapter.table(vectors))}]
    words = [f"word{(number * 397) % ROWS}" for number in range(QUERIES)]
    # The first query makes what the later ones use.
    adapter.nearest(vectors, "word0")
    ask = adapter.nearest_to_all if op == "neighbors_many" else one_by_one(adapter)
    found, times = timed(ask, vectors, words)
    return [{"mode": op, "calls": QUERIES, **times, "outcome": {"neighbors": digest(found)}}]


def one_by_one(adapter: Adapter):
    """Every query in a call of its own."""
    return lambda vectors, words: [adapter.nearest(vectors, word) for word in words]


def vectors_path(binary: bool) -> Path:
    """Vectors of the normal distribution with a fixed seed, written once: six decimals as text, or that in binary."""
    import numpy as np

    text, packed = CACHE / "vectors.txt", CACHE / "vectors.bin"
    if not text.is_file() or not packed.is_file():
        CACHE.mkdir(parents=True, exist_ok=True)
        table = np.random.default_rng(SEED).normal(0, 0.3, (ROWS, DIM))
        lines = [" ".join(f"{number:.6f}" for number in row) for row in table]
        head = f"{ROWS} {DIM}\n"
        rounded = np.array([line.split() for line in lines], dtype=np.float32)
        text.write_text(head + "".join(f"word{row} {line}\n" for row, line in enumerate(lines)), encoding="utf-8")
        packed.write_bytes(head.encode() + b"".join(b"word%d %s" % (n, row.tobytes()) for n, row in enumerate(rounded)))
    return packed if binary else text


def table_outcome(words, matrix) -> dict:
    """Exactly these words and numbers."""
    text = "\n".join(words).encode()
    return {"words": len(words), "sha256": hashlib.sha256(text + matrix.tobytes()).hexdigest()}


def digest(found: list[list[str]]) -> str:
    """The sets of neighbours: those of nearly equal cosine may stand in another order."""
    return hashlib.sha256("\n".join(" ".join(sorted(near)) for near in found).encode()).hexdigest()
