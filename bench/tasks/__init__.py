"""What a child process measures. A task returns samples: what was done, how long it took and what came out."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def timed(function: Callable, *arguments: Any) -> tuple[Any, dict[str, float]]:
    """The result of a call and its CPU seconds (user and system, all threads) and wall seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = function(*arguments)
    return result, {"cpu_s": time.process_time() - cpu, "wall_s": time.perf_counter() - wall}
