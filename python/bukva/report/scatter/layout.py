"""Where everything in a picture goes: the same for SVG and PNG."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from dataclasses import dataclass

from .scatter import PLAIN, Scatter, colour_of

WIDTH, HEIGHT = 960, 720
MARGIN = 48
TOP, BOTTOM = 64, 56
LETTERS = 12
"""Size of labels, pixels."""
RADIUS = 3.0
CELL = 64.0
"""Side of the cells by which boxes near a place are found, pixels."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Mark:
    """A point with its colour and, where there was room, the place of its label."""

    x: float
    y: float
    colour: str
    word: str
    label: tuple[float, float, str] | None
    """Where the text begins, is centred or ends (``start``, ``middle``, ``end``), on its base line."""


def marks(scatter: Scatter) -> list[Mark]:
    """Points in pixels. Earlier words get their labels first; a label that would lie over another thing is left out."""
    places = _scaled(scatter.points)
    taken = _Boxes()
    for x, y in places:
        taken.add((x - RADIUS, y - RADIUS, x + RADIUS, y + RADIUS))
    found = []
    for number, (word, (x, y)) in enumerate(zip(scatter.words, places, strict=True)):
        colour = colour_of(scatter.group(number)) if scatter.groups else PLAIN
        found.append(Mark(x, y, colour, word, _label(word, x, y, taken)))
    return found


def text_width(text: str, size: float = LETTERS) -> float:
    """Width of a text in a usual sans-serif font, about: wide characters of East Asia take the whole size."""
    widths = (1.0 if unicodedata.east_asian_width(letter) in "WF" else 0.6 for letter in text)
    return size * sum(widths)


def _scaled(points: object) -> list[tuple[float, float]]:
    """One scale for both axes: distances in the picture are distances in the plane."""
    pairs = [(float(x), float(y)) for x, y in points]  # type: ignore[attr-defined]
    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    inner = WIDTH - 2 * MARGIN, HEIGHT - TOP - BOTTOM
    scale = min(inner[0] / (width or 1e-12), inner[1] / (height or 1e-12)) if width or height else 0.0
    left = WIDTH / 2 - scale * (max(xs) + min(xs)) / 2
    base = TOP + inner[1] / 2 + scale * (max(ys) + min(ys)) / 2
    return [(left + scale * x, base - scale * y) for x, y in pairs]


def _label(word: str, x: float, y: float, taken: _Boxes) -> tuple[float, float, str] | None:
    width, gap = text_width(word), RADIUS + 3
    for anchor, left, base in (
        ("start", x + gap, y + LETTERS * 0.35),
        ("end", x - gap - width, y + LETTERS * 0.35),
        ("middle", x - width / 2, y - gap),
        ("middle", x - width / 2, y + gap + LETTERS * 0.8),
    ):
        box = (left, base - LETTERS * 0.85, left + width, base + LETTERS * 0.25)
        inside = box[0] >= 4 and box[2] <= WIDTH - 4 and box[1] >= TOP - 20 and box[3] <= HEIGHT - BOTTOM + 20
        if inside and taken.is_free(box):
            taken.add(box)
            return {"start": left, "middle": x, "end": left + width}[anchor], base, anchor
    return None


class _Boxes:
    """Boxes by the cells that they touch."""

    def __init__(self) -> None:
        self.cells: defaultdict[tuple[int, int], list[Box]] = defaultdict(list)

    def add(self, box: Box) -> None:
        for cell in self._cells(box):
            self.cells[cell].append(box)

    def is_free(self, box: Box) -> bool:
        near = (other for cell in self._cells(box) for other in self.cells.get(cell, ()))
        return not any(
            box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3] for other in near
        )

    @staticmethod
    def _cells(box: Box) -> list[tuple[int, int]]:
        columns = range(int(box[0] // CELL), int(box[2] // CELL) + 1)
        return [(column, row) for column in columns for row in range(int(box[1] // CELL), int(box[3] // CELL) + 1)]
