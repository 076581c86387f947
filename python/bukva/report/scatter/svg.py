"""Words on a plane as an SVG. Every text is escaped; nothing is loaded from elsewhere."""

from __future__ import annotations

from html import escape

from .layout import BOTTOM, HEIGHT, LETTERS, MARGIN, RADIUS, TOP, WIDTH, Mark, marks, text_width
from .scatter import Scatter, colour_of

FONT = "font-family=\"'DejaVu Sans', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif\""


def svg(scatter: Scatter) -> str:
    """The picture; a word without a label shows it where the pointer rests on its point."""
    drawn = marks(scatter)
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {FONT}>',
        f"<title>{_text(scatter.title)}</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="{MARGIN}" y="34" font-size="18" fill="#1a1a1a">{_text(scatter.title)}</text>',
        *_frame(scatter),
        *(_point(mark) for mark in drawn),
        *(_label(mark) for mark in drawn),
        *_legend(scatter),
        "</svg>",
    ]
    return "\n".join(line for line in lines if line) + "\n"


def _frame(scatter: Scatter) -> list[str]:
    low, small = HEIGHT - BOTTOM + 24, 'font-size="11" fill="#5a5a5a"'
    return [
        f'<path d="M24 {TOP - 16}V{low}H{WIDTH - 24}" fill="none" stroke="#c8c8c8"/>',
        f'<text x="{WIDTH - 24}" y="{low + 18}" {small} text-anchor="end">{_text(scatter.axes[0])} →</text>',
        f'<text transform="translate(16 {TOP - 16}) rotate(-90)" {small} text-anchor="end">'
        f"{_text(scatter.axes[1])} →</text>",
        f'<text x="24" y="{low + 18}" {small}>{_text(scatter.note)}</text>',
    ]


def _point(mark: Mark) -> str:
    return (
        f'<circle cx="{mark.x:.1f}" cy="{mark.y:.1f}" r="{RADIUS}" fill="{mark.colour}" fill-opacity="0.8">'
        f"<title>{_text(mark.word)}</title></circle>"
    )


def _label(mark: Mark) -> str:
    if mark.label is None:
        return ""
    x, y, anchor = mark.label
    style = f'font-size="{LETTERS}" text-anchor="{anchor}" fill="#222222"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {style}>{_text(mark.word)}</text>'


def _legend(scatter: Scatter) -> list[str]:
    lines, right = [], float(WIDTH - MARGIN)
    for number, name in reversed(list(enumerate(scatter.groups))):
        right -= 1.1 * text_width(name) + 30
        lines.append(
            f'<circle cx="{right:.1f}" cy="30" r="5" fill="{colour_of(number)}"/>'
            f'<text x="{right + 9:.1f}" y="34" font-size="{LETTERS}" fill="#222222">{_text(name)}</text>'
        )
    return lines


def _text(text: str) -> str:
    """Characters that XML cannot hold become U+FFFD."""
    kept = "".join(letter if letter >= " " or letter in "\t\n" else "\ufffd" for letter in text)
    return escape(kept.encode("utf-8", "replace").decode())
