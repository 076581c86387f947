"""The child process of one measurement: pinned to one CPU, one thread unless it measures two, its memory measured."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.suites import Case

THREADS = ("RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS")
ONE_THREAD = {
    "TOKENIZERS_PARALLELISM": "false",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


def peak_rss_mb() -> float:
    """Peak resident memory of this process in MB (10^6 bytes).

    On Linux ``ru_maxrss`` is at least the size of the parent when it forked, so VmHWM is read where there is one.
    """
    try:
        with open("/proc/self/status") as file:
            return next(int(line.split()[1]) * 1024 / 1e6 for line in file if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def rss_mb() -> float:
    """Resident memory of this process now in MB; the peak where the system does not tell."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6
    except OSError:
        return peak_rss_mb()


def measure(peer: str, case: Case, cpu: int, timeout_s: float) -> dict:
    """Run one task in a process of its own; ``{"samples": [...], ...}``, or ``{"error": ...}`` if it failed."""
    job = {"peer": peer, "cpus": case.cpus(cpu), "task": case.task, "corpus": case.corpus, "op": case.op}
    job["vocabulary"] = case.vocabulary
    environment = os.environ | ONE_THREAD | dict.fromkeys(THREADS, str(case.threads))
    command = [sys.executable, "-m", "bench.process", json.dumps(job)]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=timeout_s)
    except subprocess.TimeoutExpired:
        return {"error": f"not finished after {timeout_s:.0f} s"}
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        return {"error": last}
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    """Entry of the child."""
    job = json.loads(sys.argv[1])
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, job["cpus"])
    import importlib

    from bench.adapters import adapter

    peer = adapter(job["peer"])
    samples = importlib.import_module(f"bench.tasks.{job['task']}").run(
        peer, job["corpus"], job["op"], job["vocabulary"]
    )
    print(json.dumps({"version": peer.version(), "samples": samples, "peak_rss_mb": peak_rss_mb()}))


if __name__ == "__main__":
    main()
