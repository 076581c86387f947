"""Shortening a text for as long as something stays true of it."""

from __future__ import annotations

from collections.abc import Callable


def shortest(text: str, holds: Callable[[str], bool]) -> str:
    """A text from which nothing can be left out: no run of characters, down to a single one.

    O(n^2) questions in the worst case, O(n log n) where little is needed. Source: delta debugging (Zeller 1999).
    """
    size = len(text) // 2
    while size > 0:
        shorter = _without_runs(text, size, holds)
        size = len(shorter) // 2 if len(shorter) < len(text) else size // 2
        text = shorter
    return text


def _without_runs(text: str, size: int, holds: Callable[[str], bool]) -> str:
    """The text without each run of ``size`` characters that is not needed."""
    at = 0
    while at < len(text):
        shorter = text[:at] + text[at + size :]
        if holds(shorter):
            text = shorter
        else:
            at += size
    return text
