"""A progress bar on standard error: done, rate and time left."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic

from ..corpus import list_files
from ..training import Progress

TITLES = {"count": "reading", "merge": "merging", "encode": "encoding", "train": "training", "pair": "counting"}


@contextmanager
def progress_bar(wanted: bool | None) -> Iterator[Progress | None]:
    """A callback for ``train`` that draws a bar, or None where none is wanted.

    ``wanted`` None means: only where standard error is a terminal.
    """
    if not (sys.stderr.isatty() if wanted is None else wanted):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True, force_terminal=wanted or None)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[amount]}"),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=console) as bars:
        tasks: dict[str, TaskID] = {}

        def report(stage: str, done: int, total: int | None) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(TITLES.get(stage, stage), total=total, amount="", rate="")
            task = next(task for task in bars.tasks if task.id == tasks[stage])
            amount, rate = _amount(stage, done, total), _amount(stage, task.speed or 0)
            bars.update(task.id, completed=done, total=total, amount=amount, rate=f"{rate}/s")

        yield report


Watched = Callable[[Iterable[str]], Iterator[str]]
INTERVAL_S = 0.1


@contextmanager
def watching(wanted: bool | None, paths: Iterable[str]) -> Iterator[Watched]:
    """A wrapper for the texts of ``paths`` that draws a bar of the bytes gone by.

    ``wanted`` None means: only where standard error is a terminal.
    """
    with progress_bar(wanted) as report:
        done, shown, total = 0, 0.0, _total_bytes(paths) if report else None

        def watched(texts: Iterable[str]) -> Iterator[str]:
            nonlocal done, shown
            for text in texts:
                yield text
                if report is not None:
                    done += len(text.encode())
                    if monotonic() - shown > INTERVAL_S:
                        shown = monotonic()
                        report("encode", done, total)
            if report is not None:
                report("encode", done, total)

        yield watched


def _total_bytes(paths: Iterable[str]) -> int | None:
    """Bytes of plain text files; None where a file is compressed, structured, or no file."""
    sizes = 0
    for path in paths:
        for name in list_files(path, "bukva"):
            if not name.lower().endswith(".txt") or not os.path.isfile(name):
                return None
            sizes += os.path.getsize(name)
    return sizes or None


def _amount(stage: str, done: float, total: int | None = None) -> str:
    if stage == "merge":
        return f"{done:,.0f}" + (f"/{total:,}" if total else "") + " merges"
    if stage in ("train", "pair"):
        return f"{done:,.0f}" + (f"/{total:,}" if total else "") + " pairs"
    unit = "M words" if stage == "train" else "MB"
    return f"{done / 1e6:,.1f}" + (f"/{total / 1e6:,.1f}" if total else "") + f" {unit}"
