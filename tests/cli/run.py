"""Runs the command as a user does: in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

Done = subprocess.CompletedProcess[bytes]


def bukva(*arguments: object, stdin: bytes = b"", cwd: Path | None = None, **options: object) -> Done:
    command = [sys.executable, "-m", "bukva", *map(str, arguments)]
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"}
    return subprocess.run(command, input=stdin, capture_output=True, cwd=cwd, env=environment, timeout=120)


def good(*arguments: object, stdin: bytes = b"", cwd: Path | None = None) -> str:
    """Standard output of a run that ends well and says nothing else."""
    done = bukva(*arguments, stdin=stdin, cwd=cwd)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stderr == b""
    return done.stdout.decode()


def bad(code: int, *arguments: object, stdin: bytes = b"", cwd: Path | None = None) -> str:
    """The one line on standard error of a run that fails with this exit code."""
    done = bukva(*arguments, stdin=stdin, cwd=cwd)
    message = done.stderr.decode()
    assert done.returncode == code, message
    assert message.startswith("bukva: ")
    assert message.count("\n") == 1, message
    assert done.stdout == b""
    return message
