"""Records of measurements: one JSON file a suite in ``bench/results``, with machine, date and command."""

from __future__ import annotations

import datetime
import json
import os
import platform
from pathlib import Path

FOLDER = Path(__file__).with_name("results")


def machine() -> dict:
    """What the figures depend on."""
    return {
        "cpu": _cpu_model(),
        "cpus": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def write(suite: str, command: str, cases: list[dict]) -> Path:
    """Write the record of one suite and return its path."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    record = {"suite": suite, "date": today, "command": command, "machine": machine(), "cases": cases}
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{suite}.json"
    path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def read(suite: str) -> dict | None:
    """The record of a suite, or None where it was never measured."""
    path = FOLDER / f"{suite}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown")
