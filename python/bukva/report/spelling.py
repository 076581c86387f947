"""How bytes and text are written for people."""

from __future__ import annotations


def quote(text: str) -> str:
    """Text in quotes, with control characters escaped and letters of every script as they are."""
    return "'" + "".join(_visible(char) for char in text) + "'"


def spell(token: bytes) -> str:
    """Token bytes: as quoted text where they are whole characters, else as hexadecimal bytes: ``⟨D0 9F⟩``."""
    try:
        return quote(token.decode())
    except UnicodeDecodeError:
        return f"⟨{hexadecimal(token)}⟩"


def hexadecimal(data: bytes) -> str:
    """Bytes as pairs of hexadecimal digits: ``D0 9F``."""
    return data.hex(" ").upper()


def _visible(char: str) -> str:
    if char in "'\\":
        return "\\" + char
    return char if char.isprintable() else char.encode("unicode_escape").decode()
