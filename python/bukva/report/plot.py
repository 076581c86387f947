"""A compression curve as a small plot of characters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..audit.curve import CompressionCurve

MARKS = "●○▲△■□"


def plot_lines(curve: CompressionCurve, width: int = 60, height: int = 14) -> list[str]:
    """Bytes per token over the number of merges; the horizontal axis is logarithmic.

    Parameters
    ----------
    curve : CompressionCurve
    width, height : int
        Columns and rows of the field, without the axes.
    """
    ratios = curve.bytes_per_token
    top = max(max(column) for column in ratios.values())
    last = max(curve.merges[-1], 1)
    field = [[" "] * width for _ in range(height)]
    for mark, name in zip(_marks(len(ratios)), ratios, strict=True):
        for column in range(width):
            value = ratios[name][_nearest(curve.merges, _merges_at(column, width, last))]
            field[height - 1 - _row(value, top, height)][column] = mark
    legend = "   ".join(f"{mark} {name}" for mark, name in zip(_marks(len(ratios)), ratios, strict=True))
    rows = [f"{_label(n, top, height):>6} ┤{''.join(row).rstrip()}" for n, row in enumerate(field)]
    return [f"bytes per token   {legend}", *rows, *_axis(width, last)]


def _marks(count: int) -> str:
    return (MARKS * (count // len(MARKS) + 1))[:count]


def _merges_at(column: int, width: int, last: int) -> float:
    """The number of merges that a column stands for; 0 at the left edge."""
    return math.exp(column / (width - 1) * math.log(last + 1)) - 1


def _column_of(merges: int, width: int, last: int) -> int:
    return round(math.log(merges + 1) / math.log(last + 1) * (width - 1))


def _nearest(merges: tuple[int, ...], wanted: float) -> int:
    return min(range(len(merges)), key=lambda row: abs(merges[row] - wanted))


def _row(value: float, top: float, height: int) -> int:
    return round((value - 1) / max(top - 1, 1e-9) * (height - 1)) if value > 1 else 0


def _label(row: int, top: float, height: int) -> str:
    value = 1 + (height - 1 - row) / (height - 1) * max(top - 1, 0)
    return f"{value:.1f}" if (height - 1 - row) % 3 == 0 else ""


def _axis(width: int, last: int) -> list[str]:
    line, labels = ["─"] * width, [" "] * (width + 8)
    free = 0
    for merges in [0, *(10**n for n in range(20) if 10**n < last), last]:
        at = _column_of(merges, width, last)
        text = str(merges)
        line[at] = "┴"
        start = at - len(text) // 2 + 1
        if start >= free and (merges == last or at + len(text) < width - len(str(last))):
            labels[start : start + len(text)] = text
            free = start + len(text) + 1
    return [" " * 7 + "└" + "".join(line), " " * 7 + "".join(labels).rstrip() + " merges"]
