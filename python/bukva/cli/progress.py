"""A progress bar on standard error: done, rate and time left."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from ..training import Progress

TITLES = {"count": "reading", "merge": "merging", "encode": "encoding"}


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


def _amount(stage: str, done: float, total: int | None = None) -> str:
    if stage == "merge":
        return f"{done:,.0f}" + (f"/{total:,}" if total else "") + " merges"
    return f"{done / 1e6:,.1f}" + (f"/{total / 1e6:,.1f}" if total else "") + " MB"
