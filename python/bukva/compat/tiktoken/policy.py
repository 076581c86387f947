"""Which special tokens may stand in a text: tiktoken's two arguments, and its error."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Set
from typing import Literal, NoReturn

Allowed = Literal["all"] | Set[str]
Disallowed = Literal["all"] | Collection[str]


def check(text: str, disallowed: Collection[str]) -> None:
    """Refuses a text that holds one of ``disallowed``, be it a special token or any other string."""
    if disallowed and (found := _finder(frozenset(disallowed)).search(text)):
        _refuse(found.group())


@functools.lru_cache(maxsize=128)
def _finder(tokens: frozenset[str]) -> re.Pattern[str]:
    # Sorted, longest first: the error must not depend on the order of a set.
    return re.compile("|".join(re.escape(token) for token in sorted(tokens, key=lambda token: (-len(token), token))))


def _refuse(token: str) -> NoReturn:
    raise ValueError(
        f"Encountered text corresponding to disallowed special token {token!r}. To encode it as that token, pass "
        f"allowed_special={{{token!r}}}; to encode it as plain text, pass "
        f"disallowed_special=(enc.special_tokens_set - {{{token!r}}}), or disallowed_special=() for every token."
    )


def mend(text: str) -> str:
    """Joins surrogate pairs, and puts U+FFFD for lone surrogates, as tiktoken does."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
