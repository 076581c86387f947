"""Words that are spelled like another: what the error for an unknown word proposes."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

LENGTHS = 2
"""Words that differ more than this in length are not looked at."""


def closest_words(word: str, known: Mapping[str, int], n: int = 3) -> list[str]:
    """At most ``n`` known words that are spelled like ``word``, the likest first.

    Other cases of the word come first, then what :func:`difflib.get_close_matches` finds among words of nearly the
    same length.
    """
    cases = [form for form in dict.fromkeys([word.lower(), word.upper(), word.title()]) if form in known]
    near = [other for other in known if abs(len(other) - len(word)) <= LENGTHS and other not in cases]
    return [*cases, *difflib.get_close_matches(word, near, n)][:n]
