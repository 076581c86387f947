"""What is drawn: words with their places, and what the axes mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

COLOURS = ("#2563a8", "#c2541b", "#2f7d4f", "#8a3f9e", "#a8892a", "#b02a4c", "#3b8ea5", "#6b6b6b")
"""Of the groups, in their order; told apart also by people who do not see red and green."""
PLAIN = COLOURS[0]


@dataclass(frozen=True, kw_only=True)
class Scatter:
    """Words on a plane.

    Attributes
    ----------
    title, note : str
        Above the picture, and below it in small letters.
    words : sequence of str
    points : sequence of (float, float)
    axes : (str, str)
        What the two axes are.
    groups : sequence of str
        Names of groups, for the legend; may be empty.
    group_of : sequence of int
        The group of each word, or -1.
    neighbors : sequence of sequences of (int, float), optional
        For each word, the words nearest to it before the projection: number and cosine.
    """

    title: str
    note: str
    words: Sequence[str]
    points: Sequence[tuple[float, float]]
    axes: tuple[str, str]
    groups: Sequence[str] = ()
    group_of: Sequence[int] = ()
    neighbors: Sequence[Sequence[tuple[int, float]]] = ()

    def group(self, number: int) -> int:
        """The group of a word, or -1."""
        return self.group_of[number] if self.group_of else -1


def colour_of(group: int) -> str:
    """Colours come round again after the last; words of no group among groups are grey."""
    return COLOURS[group % (len(COLOURS) - 1)] if group >= 0 else COLOURS[-1]
