"""Words on a plane, drawn as a page, an SVG or a PNG. All three show the same record."""

from .page import page
from .png import png
from .scatter import Scatter
from .svg import svg

__all__ = ["Scatter", "page", "png", "svg"]
