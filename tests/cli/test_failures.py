"""Exit codes, one line on standard error, and no half-written file."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ..signals import hear_ctrl_c
from .run import bad, bukva

TRAIN = ("train", "ru.txt", "--num-merges", 5, "-o", "never.bukva")


def test_misuse(folder: Path) -> None:
    assert "See 'bukva train --help'" in bad(2, "train", "ru.txt", "--num-merges", 5, cwd=folder)
    assert "No such command" in bad(2, "trian")
    assert "No such option" in bad(2, "encode", "tok", "--nope", cwd=folder)
    assert "either 'vocab_size' or 'num_merges'" in bad(2, "train", "ru.txt", "-o", "never.bukva", cwd=folder)
    assert "Got -1 instead" in bad(2, "train", "ru.txt", "--num-merges", -1, "-o", "never.bukva", cwd=folder)
    assert "one of" in bad(2, *TRAIN, "--tie-break", "random", cwd=folder)
    assert "--tie-break has no meaning" in bad(2, "train", "ru.txt", "--model", "chars", "--tie-break", "first_seen",
                                               "-o", "never.bukva", cwd=folder)  # fmt: skip
    assert "(" in bad(2, *TRAIN, "--pattern", "(", cwd=folder)
    assert "end in .json" in bad(2, "train", "ru.txt", "--num-merges", 5, "-o", "never.xyz", cwd=folder)
    assert "--text" in bad(2, "encode", "tok", "ru.txt", "--text", "x", cwd=folder)
    assert "--dtype needs -o" in bad(2, "encode", "tok", "ru.txt", "--dtype", "uint16", cwd=folder)
    assert "not --text" in bad(2, "encode", "tok", "--text", "x", "-o", "never", cwd=folder)
    assert "Got 0 instead" in bad(2, "encode", "tok", "ru.txt", "-o", "never", "--shard-tokens", 0, cwd=folder)
    assert "<|endoftext|>" in bad(2, "encode", "tok", "ru.txt", "-o", "never", "--append", "<x>", cwd=folder)
    assert "NAME=PATH" in bad(2, "measure", "tok", "ru=", cwd=folder)
    assert "NAME=PATH" in bad(2, "measure", "tok", "a=ru.txt", "a=en.txt", cwd=folder)
    assert not (folder / "never.bukva").exists()


def test_failures(folder: Path, tmp_path: Path) -> None:
    assert "does not exist" in bad(1, "train", "missing.txt", "--num-merges", 5, "-o", "never.bukva", cwd=folder)
    assert "nowhere" in bad(1, "train", "ru.txt", "--num-merges", 5, "-o", "nowhere/x.bukva", cwd=folder)
    assert "100" in bad(1, "train", "ru.txt", "--vocab-size", 100, "-o", "never.bukva", cwd=folder)
    assert "missing" in bad(1, "encode", "missing", "--text", "x", cwd=folder)
    assert "<|endoftext|>" in bad(1, "encode", "tok", "--text", "a<|endoftext|>", cwd=folder)
    assert "999999" in bad(1, "decode", "tok", stdin=b"999999", cwd=folder)
    assert "'x' is not an id" in bad(1, "decode", "tok", stdin=b"1 x", cwd=folder)
    assert "JSON" in bad(1, "decode", "tok", stdin=b"[1, ", cwd=folder)
    assert "-5 is not an id" in bad(1, "decode", "tok", stdin=b"[-5]", cwd=folder)
    (tmp_path / "bad.txt").write_bytes(b"ok\n\xff\n")
    message = bad(1, "train", tmp_path / "bad.txt", "--num-merges", 5, "-o", "never.bukva", cwd=folder)
    assert "bad.txt" in message
    assert "line 2" in message
    assert "byte 3" in message
    assert "replace" in message
    assert "UTF-8" in bad(1, "encode", "tok", "-", stdin=b"\xff", cwd=folder)
    assert "UTF-8" in bad(1, "explain", "tok", "-", stdin=b"\xff", cwd=folder)
    assert not (folder / "never.bukva").exists()


def test_shards_made_otherwise(folder: Path, tmp_path: Path) -> None:
    encode = ("encode", "tok", "ru.txt", "-o", tmp_path / "out")
    assert bukva(*encode, cwd=folder).returncode == 0
    assert "dtype='uint16', now 'uint32'" in bad(2, *encode, "--dtype", "uint32", cwd=folder)
    assert "Create it first" in bad(1, "encode", "tok", "ru.txt", "-o", tmp_path / "no" / "out", cwd=folder)


def test_a_warning_is_one_line(tmp_path: Path) -> None:
    done = bukva("train", "-", "--num-merges", 1000, "-o", tmp_path / "x.bukva", stdin=b"ab ab")
    assert done.returncode == 0
    assert done.stderr.startswith(b"bukva: warning: ")
    assert done.stderr.count(b"\n") == 1


def test_a_reader_that_stops_is_no_error(folder: Path) -> None:
    command = f"{sys.executable} -m bukva encode tok ru.txt en.txt ru.txt --unit line | head -n 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=folder, capture_output=True)
    assert done.stderr == b""
    assert done.stdout.count(b"\n") == 1
    assert done.returncode == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", ["encode tok ru.txt", "decode tok ids.txt", "explain tok Привет", "--help"])
def test_a_full_disk_under_standard_output(folder: Path, arguments: str) -> None:
    (folder / "ids.txt").write_text("100 " * 10000)
    command = f"{sys.executable} -m bukva {arguments} > /dev/full"
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True)
    assert done.returncode == 1
    assert done.stderr.startswith(b"bukva: cannot write standard output")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files as Linux does")
def test_a_full_disk_under_the_output(folder: Path, tmp_path: Path) -> None:
    # A limit on the size of files stands for a full disk: writing fails half-way.
    command = f"ulimit -f 1; {sys.executable} -B -m bukva train ru.txt --num-merges 2000 -o {tmp_path}/x.bukva"
    done = subprocess.run(["bash", "-c", f"trap '' XFSZ; {command}"], cwd=folder, capture_output=True)
    assert done.returncode == 1, done
    assert done.stderr.count(b"\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX systems")
def test_ctrl_c(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bukva", "train", "-", "--num-merges", "5", "--progress", "-o", "x.bukva"]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, preexec_fn=hear_ctrl_c
    )
    assert process.stdin is not None
    assert process.stderr is not None
    process.stdin.write(b"word " * 100_000)
    process.stdin.flush()
    shown = b""
    while b"\x1b[?25l" not in shown:  # the bar hides the cursor when it opens
        shown += process.stderr.read(1)
    time.sleep(0.5)
    start = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert time.monotonic() - start < 3
    assert errors.endswith(b"bukva: stopped.\n")
    assert b"Traceback" not in errors
    assert process.returncode == 130
    assert list(tmp_path.iterdir()) == []


def test_unwritable_folder(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    message = bad(1, "demo", folder / "en.txt", "--num-merges", 5, "-o", tmp_path / "file" / "x")
    assert "cannot be written" in message
