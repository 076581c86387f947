"""An encoding as HTML for a notebook. Every text is escaped; nothing is loaded from elsewhere."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from .explain import explain_lines
from .spelling import spell

if TYPE_CHECKING:
    from ..encoding import Encoding

COLOURS = ("#cfe8ff", "#ffe3b8", "#d6f2cf", "#f6d3e6")
TOKEN = '<span style="background:{colour};color:#111;padding:1px 3px;border-radius:3px" title="{title}">{text}</span>'


def explain_html(encoding: Encoding) -> str:
    """Tokens as coloured boxes with their ids on hover; the steps below, folded."""
    boxes = [
        TOKEN.format(colour=COLOURS[n % len(COLOURS)], title=f"id {number}", text=escape(_shown(token)))
        for n, (number, token) in enumerate(zip(encoding.ids, encoding.tokens, strict=True))
    ]
    steps = escape("\n".join(explain_lines(encoding)))
    return (
        f'<div style="font-family:monospace;line-height:2">{"".join(boxes)}</div>'
        f"<details><summary>{len(encoding.ids)} tokens, step by step</summary><pre>{steps}</pre></details>"
    )


def _shown(token: bytes) -> str:
    """Quotes are left out where the box itself marks the ends; a space stays visible."""
    text = spell(token)
    return text[1:-1].replace(" ", "␣") if text.startswith("'") else text
