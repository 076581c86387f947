"""The byte view of a text: graphemes, their code points, and the UTF-8 bytes of each."""

from __future__ import annotations

import unicodedata
from dataclasses import asdict, dataclass
from typing import Any

from . import _core
from .checks import wrong


@dataclass(frozen=True, kw_only=True)
class CodePoint:
    """One code point: the character, its number, its Unicode name and its UTF-8 bytes."""

    char: str
    number: int
    name: str
    utf8: bytes

    @property
    def label(self) -> str:
        """The number as it is usually written: ``U+041F``."""
        return f"U+{self.number:04X}"


@dataclass(frozen=True, kw_only=True)
class Grapheme:
    """What a reader sees as one character: one code point or several."""

    text: str
    code_points: tuple[CodePoint, ...]


@dataclass(frozen=True, kw_only=True)
class TextView:
    """A text at three levels: graphemes, code points, bytes."""

    text: str
    graphemes: tuple[Grapheme, ...]

    @property
    def n_graphemes(self) -> int:
        """Extended grapheme clusters, Unicode 16."""
        return len(self.graphemes)

    @property
    def n_chars(self) -> int:
        """Code points."""
        return len(self.text)

    @property
    def n_bytes(self) -> int:
        """Bytes of the UTF-8."""
        return len(self.text.encode())

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; bytes become hexadecimal strings."""
        graphemes = [asdict(grapheme) for grapheme in self.graphemes]
        for point in (point for grapheme in graphemes for point in grapheme["code_points"]):
            point["utf8"] = point["utf8"].hex()
        counts = {"n_graphemes": self.n_graphemes, "n_chars": self.n_chars, "n_bytes": self.n_bytes}
        return {"text": self.text, **counts, "graphemes": graphemes}

    def __repr__(self) -> str:
        from .report.explain import text_lines

        return "\n".join(text_lines(self))


def text_view(text: str) -> TextView:
    """Takes a text apart into graphemes, code points and bytes.

    Raises
    ------
    TextError
        If the text holds a lone surrogate, which has no UTF-8.
    """
    if not isinstance(text, str):
        raise wrong("text", "text_view", "a str", text)
    return TextView(text=text, graphemes=tuple(_grapheme(cluster) for cluster in _core.graphemes(text)))


def _grapheme(cluster: str) -> Grapheme:
    return Grapheme(text=cluster, code_points=tuple(map(_code_point, cluster)))


def _code_point(char: str) -> CodePoint:
    # Control characters have no name in the Unicode data; their number says enough.
    name = unicodedata.name(char, "")
    return CodePoint(char=char, number=ord(char), name=name or f"<{unicodedata.category(char)}>", utf8=char.encode())
