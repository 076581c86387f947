"""Words on a plane as a PNG, painted by matplotlib: a picture of text needs a font, which matplotlib brings along."""

from __future__ import annotations

import io

from ...errors import UnsupportedError
from .layout import BOTTOM, HEIGHT, LETTERS, MARGIN, RADIUS, TOP, WIDTH, marks, text_width
from .scatter import Scatter, colour_of

POINTS = 72 / 100
"""Points in a pixel at the resolution that the layout counts in."""


def png(scatter: Scatter, scale: float = 2.0) -> bytes:
    """The picture of :func:`svg`, at ``scale`` times its size.

    Raises
    ------
    UnsupportedError
        If matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.lines import Line2D
    except ImportError:
        raise UnsupportedError(
            "A PNG is painted by matplotlib, which is not installed: pip install 'bukva[plot]', or save an .svg."
        ) from None
    figure = Figure(figsize=(WIDTH / 100, HEIGHT / 100), dpi=100 * scale, facecolor="white")
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, WIDTH)
    axes.set_ylim(HEIGHT, 0)
    axes.axis("off")

    def write(x: float, y: float, text: str, size: float, colour: str, anchor: str = "left", turn: float = 0) -> None:
        # parse_math: a dollar sign in a word is a dollar sign.
        axes.text(
            x, y, text, fontsize=size * POINTS, color=colour, ha=anchor, va="baseline", rotation=turn, parse_math=False
        )

    low = HEIGHT - BOTTOM + 24
    write(MARGIN, 34, scatter.title, 18, "#1a1a1a")
    write(24, low + 18, scatter.note, 11, "#5a5a5a")
    write(WIDTH - 24, low + 18, f"{scatter.axes[0]} →", 11, "#5a5a5a", "right")
    axes.text(
        16, TOP - 16, f"{scatter.axes[1]} →", fontsize=11 * POINTS, color="#5a5a5a", rotation=90, ha="right", va="top"
    )
    axes.add_line(Line2D([24, 24, WIDTH - 24], [TOP - 16, low, low], color="#c8c8c8", linewidth=POINTS))
    drawn = marks(scatter)
    size = (2 * RADIUS * POINTS) ** 2
    axes.scatter(
        [mark.x for mark in drawn],
        [mark.y for mark in drawn],
        s=size,
        c=[mark.colour for mark in drawn],
        alpha=0.8,
        lw=0,
    )
    sides = {"start": "left", "middle": "center", "end": "right"}
    for mark in drawn:
        if mark.label is not None:
            x, y, anchor = mark.label
            write(x, y, mark.word, LETTERS, "#222222", sides[anchor])
    right = float(WIDTH - MARGIN)
    for number, name in reversed(list(enumerate(scatter.groups))):
        right -= 1.1 * text_width(name) + 30
        axes.scatter([right], [30], s=(10 * POINTS) ** 2, c=colour_of(number), lw=0)
        write(right + 9, 34, name, LETTERS, "#222222")
    out = io.BytesIO()
    figure.savefig(out, format="png")
    return out.getvalue()
