"""The targets of encoding and what was measured, as one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

from bench.cells import best_peer, figure_of, table, vocabulary_of

#: The suites that the table is made of.
SUITES = ("encode", "lines", "calls", "count", "threads", "others", "decode", "decode_bytes", "long_pieces", "memory")
HEAD = """## Targets of encoding

Each row is a target and what was measured, from the records below. A ratio is the CPU time of the fastest exact
library over that of bukva, for each text and vocabulary ("cell"); a target is met when every cell meets it.
"""
Records = dict[str, list[dict]]
Cells = Iterator[tuple[str, float]]


@dataclass(frozen=True, kw_only=True)
class Target:
    """``cells`` gives names and figures; each is to be at least ``least``, or at most ``most``."""

    what: str
    cells: Callable[[Records], Cells]
    least: float | None = None
    most: float | None = None
    unit: str = "×"

    def is_met(self, value: float) -> bool:
        """Whether a figure is good enough."""
        return value >= self.least if self.least is not None else value <= self.most

    def needed(self) -> str:
        """The limit as it is shown."""
        return f"≥ {self.least:g} {self.unit}" if self.least is not None else f"≤ {self.most:g} {self.unit}"


def _against_best(
    suite: str, mode: str, vocabularies: tuple[str, ...] = (), key: str = "cpu_s", op: str = ""
) -> Callable:
    """The time of the best peer over ours."""

    def cells(records: Records) -> Cells:
        for case in records[suite]:
            _task, corpus, case_op, *_name = case["case"].split("/")
            ours, theirs = figure_of(case, "bukva", mode), best_peer(case, mode, key)
            wanted = vocabulary_of(case) in (vocabularies or (vocabulary_of(case),)) and case_op.startswith(op)
            if wanted and ours and theirs:
                yield f"{vocabulary_of(case)} {corpus}", theirs[key] / ours[key]

    return cells


def _count(records: Records) -> Cells:
    """The time of encoding over that of counting the same text."""
    encoded = {case["case"]: case for case in records["encode"]}
    for case in records["count"]:
        other = encoded.get(case["case"].replace("/count", "/encode"))
        ours, full = figure_of(case, "bukva", "fresh"), other and figure_of(other, "bukva", "fresh")
        if ours and full:
            yield case["case"].split("/")[1], full["cpu_s"] / ours["cpu_s"]


def _two_over_one(records: Records) -> Cells:
    """The speed of two threads over that of one, by the clock."""
    cases = {tuple(case["case"].split("/")[1:3]): case for case in records["threads"]}
    for (corpus, op), case in cases.items():
        one = figure_of(case, "bukva", "fresh")
        two = figure_of(cases[corpus, "threads_2"], "bukva", "fresh") if (corpus, "threads_2") in cases else None
        if op == "threads_1" and one and two:
            yield corpus, one["wall_s"] / two["wall_s"]


def _own(suite: str, op: str, figure: Callable[[dict], float]) -> Callable[[Records], Cells]:
    """A figure of ours, whatever the others do."""

    def cells(records: Records) -> Cells:
        for case in records[suite]:
            _task, corpus, case_op, *_name = case["case"].split("/")
            mode = "warm" if suite.startswith("decode") else op
            if case_op == op and (ours := figure_of(case, "bukva", mode)):
                yield corpus, figure(ours)

    return cells


def _microseconds(figure: dict) -> float:
    return figure["cpu_s"] / figure["calls"] * 1e6


def _gigabytes(figure: dict) -> float:
    return figure["bytes"] / figure["cpu_s"] / 1e9


TARGETS = (
    Target(what="fresh text", cells=_against_best("encode", "fresh"), least=2),
    Target(what="cold", cells=_against_best("encode", "cold"), least=2),
    Target(what="warm", cells=_against_best("encode", "warm"), least=1.7),
    Target(what="1,000 lines, cold", cells=_against_best("lines", "cold"), least=2),
    Target(what="1,000 lines, warm", cells=_against_best("lines", "warm"), least=2),
    Target(what="a batch of one short text", cells=_own("calls", "batch", _microseconds), most=0.5, unit="µs"),
    Target(what="one short text", cells=_own("calls", "one", _microseconds), most=0.3, unit="µs"),
    Target(what="count only, own encoding ÷ count", cells=_count, least=1.3),
    Target(what="two threads ÷ one, 4 KB documents", cells=_two_over_one, least=1.8),
    Target(
        what="two threads against the best peer",
        cells=_against_best("threads", "fresh", key="wall_s", op="threads_2"),
        least=2,
    ),
    Target(what="gemma3, fresh lines", cells=_against_best("others", "fresh", ("gemma3",)), least=3),
    Target(what="BERT WordPiece, fresh lines", cells=_against_best("others", "fresh", ("bert",)), least=1),
    Target(
        what="XLNet Unigram, fresh lines", cells=_against_best("others", "fresh", ("xlnet", "xlnet.model")), least=10
    ),
    Target(what="decode to bytes", cells=_own("decode_bytes", "decode_bytes", _gigabytes), least=1, unit="GB/s"),
    Target(what="decode to bytes against the best peer", cells=_against_best("decode_bytes", "warm"), least=3),
    Target(what="decode to str", cells=_own("decode", "decode", _gigabytes), least=1, unit="GB/s"),
    Target(what="decode to str against the best peer", cells=_against_best("decode", "warm"), least=3),
    Target(
        what="a million times `a`",
        cells=_own("long_pieces", "one_letter", lambda figure: figure["cpu_s"] * 1000),
        most=10,
        unit="ms",
    ),
    Target(
        what="a million random letters",
        cells=_own("long_pieces", "random_letters", lambda figure: figure["cpu_s"] * 1000),
        most=140,
        unit="ms",
    ),
    Target(
        what="memory after loading o200k", cells=_own("memory", "load", lambda f: f["memory_mb"]), most=60, unit="MB"
    ),
    Target(
        what="growth over 100 MB of text", cells=_own("memory", "growth", lambda f: f["memory_mb"]), most=64, unit="MB"
    ),
)


def text(records: dict[str, dict | None]) -> str:
    """The table from the records of the suites; a target that was not measured is left out."""
    cases = {suite: (records.get(suite) or {"cases": []})["cases"] for suite in SUITES}
    rows = [row for target in TARGETS if (row := _row(target, list(target.cells(cases))))]
    head = ["target", "needed", "least", "median", "most", "cells that meet it", "met"]
    return f"{HEAD}\n{table(head, rows)}" if rows else ""


def _row(target: Target, cells: list[tuple[str, float]]) -> list[str]:
    if not cells:
        return []
    cells.sort(key=lambda cell: cell[1])
    met = [target.is_met(value) for _, value in cells]
    least, most = (
        f"{value:.2f} ({name})" if len(cells) > 1 else f"{value:.2f}" for name, value in (cells[0], cells[-1])
    )
    middle = f"{median(value for _, value in cells):.2f}"
    return [target.what, target.needed(), least, middle, most, f"{sum(met)} of {len(met)}", "yes" if all(met) else "no"]
