"""Words on a plane as one page that works without a network: move, zoom, search, and see true neighbours."""

from __future__ import annotations

import json
from importlib import resources

from .scatter import COLOURS, Scatter


def page(scatter: Scatter) -> str:
    """The page. Data lie in it as JSON; every text is escaped."""
    from jinja2 import Environment, StrictUndefined

    folder = resources.files(__package__)
    read = {name: (folder / f"page.{name}").read_text(encoding="utf-8") for name in ("html", "css", "js")}
    environment = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    template = environment.from_string(read["html"])
    return template.render(scatter=scatter, data=_json(scatter), style=read["css"], script=read["js"])


def _json(scatter: Scatter) -> str:
    """Data of the page. No character in it can end the element that it lies in."""
    data = {
        "words": list(scatter.words),
        "x": [float(f"{x:.5g}") for x, _ in scatter.points],
        "y": [float(f"{y:.5g}") for _, y in scatter.points],
        "groups": list(scatter.groups),
        "groupOf": list(scatter.group_of),
        "neighbors": [[[number, round(score, 3)] for number, score in near] for near in scatter.neighbors],
        "colours": list(COLOURS),
    }
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
