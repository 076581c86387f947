"""Threads, fork, spawn, and Ctrl-C."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bukva import Tokenizer

from ..signals import hear_ctrl_c

TRAIN_FOR_LONG = """
import sys, bukva
print("ready", flush=True)
def texts():
    while True:
        yield "слово за словом, строка за строкой " * 200
source = texts() if sys.argv[1] == "iterator" else None
trainer = bukva.BpeTrainer(num_merges=100)
if source is None:
    bukva.train(sys.argv[2], trainer).save(sys.argv[3])
else:
    bukva.train_from_iterator(source, trainer).save(sys.argv[3])
"""


def test_threads_share_a_tokenizer(tok: Tokenizer, ru: str) -> None:
    lines = ru.splitlines() * 3
    expected = [tok.encode(line) for line in lines]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(tok.encode, lines)) == expected
        batches = list(pool.map(lambda _: tok.encode_batch(lines, threads=2).to_list(), range(4)))
    assert batches == [expected] * 4


def encode_in_child(tok: Tokenizer, lines: list[str]) -> list[list[int]]:
    return tok.encode_batch(lines, threads=2).to_list()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes(tok: Tokenizer, ru: str, method: str) -> None:
    if method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system has no {method}")
    lines = ru.splitlines()
    expected = encode_in_child(tok, lines)  # before the fork, so that a pool of threads exists in the parent
    with multiprocessing.get_context(method).Pool(2) as pool:
        results = [pool.apply_async(encode_in_child, (tok, lines)) for _ in range(3)]
        assert [result.get(timeout=60) for result in results] == [expected] * 3


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX systems")
@pytest.mark.parametrize("source", ["iterator", "file"])
def test_ctrl_c_stops_training(tmp_path: Path, source: str) -> None:
    corpus = tmp_path / "corpus.txt"
    if source == "file":
        line = "слово за словом, строка за строкой\n".encode()
        with corpus.open("wb") as file:
            for n in range(2000):
                file.write((b"%d " % n) * 500 + line * 4000)
    output = tmp_path / "out.bukva"
    process = subprocess.Popen(
        [sys.executable, "-c", TRAIN_FOR_LONG, source, str(corpus), str(output)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_ctrl_c,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert time.monotonic() - start < 3
    assert "KeyboardInterrupt" in errors
    assert not output.exists()
    assert [path.name for path in tmp_path.iterdir()] == (["corpus.txt"] if source == "file" else [])
