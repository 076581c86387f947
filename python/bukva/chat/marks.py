"""Special tokens inside what users say: found before a template runs, and kept from becoming control tokens after.

The text of a special token in a message is broken by a mark, a private-use character that occurs nowhere else. What the
template itself writes has no marks, so after rendering it is known which special tokens are the template's own.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import SpecialTokenError, TemplateError

if TYPE_CHECKING:
    from ..special import Specials
    from ..tokenizer import Tokenizer

PRIVATE = range(0xE000, 0xF8FF)


def fresh(texts: Collection[str]) -> str:
    """A private-use character that is in none of the texts, by itself or escaped as in JSON."""
    for code in PRIVATE:
        character, escaped = chr(code), f"\\u{code:04x}"
        if not any(character in text or escaped in text for text in texts):
            return character
    raise TemplateError("The conversation uses every private-use character, so special tokens cannot be told apart.")


def finder(tokens: Iterable[str]) -> re.Pattern[str]:
    """Finds any of the tokens, the longest first."""
    ordered = sorted(filter(None, tokens), key=lambda token: (-len(token), token))
    return re.compile("|".join(map(re.escape, ordered)) or r"(?!)")


def guarded(value: Any, guard: Callable[[str], str]) -> Any:
    """A copy of plain data with every text, keys too, passed through ``guard``."""
    if isinstance(value, str):
        return guard(value)
    if isinstance(value, list):
        return [guarded(item, guard) for item in value]
    if isinstance(value, dict):
        return {guarded(key, guard): guarded(item, guard) for key, item in value.items()}
    return value


def guard_of(control: Collection[str], allowed: Specials, disallowed: Specials, mark: str) -> Callable[[str], str]:
    """What is done to a user's text: allowed tokens stay, disallowed ones raise, the others are broken by the mark."""
    left = set() if allowed == "all" else set(control).difference(allowed)
    refused = left if disallowed == "all" else left.intersection(disallowed)
    find_refused = finder(refused)
    # A look-ahead finds tokens that overlap, too: each must be broken.
    find_left = re.compile(f"(?={finder(left).pattern})")

    def guard(text: str) -> str:
        if found := find_refused.search(text):
            raise SpecialTokenError(
                f"A message contains {found.group()!r}, a control token. disallowed_special=() makes it plain text; "
                f"allowed_special={{{found.group()!r}}} recognises it."
            )
        places = [found.start() + 1 for found in find_left.finditer(text)]
        return _broken(text, places, mark)

    return guard


def _broken(text: str, places: list[int], mark: str) -> str:
    ends = [0, *places, len(text)]
    return mark.join(text[start:end] for start, end in itertools.pairwise(ends))


def without(text: str, mark: str) -> str:
    """The text with its marks taken out."""
    return text.replace(mark, "").replace(f"\\u{ord(mark):04x}", "")


def written_tokens(tok: Tokenizer, sources: Iterable[str]) -> dict[str, int]:
    """Added tokens that are not special, but that a template writes: they steer the model as special ones do."""
    added = tok._added_tokens()
    return {text: number for text, number, special in added if not special and any(text in s for s in sources)}


def encode_marked(tok: Tokenizer, text: str, mark: str, written: Mapping[str, int]) -> list[int]:
    """Ids of a rendered conversation: control tokens without a mark are recognised, those with one are text."""
    if without(text, mark) == text:
        return tok.encode(text, allowed_special="all")
    control = {**tok.special_tokens, **written}
    find_written = finder(written)
    ids: list[int] = []
    before, at = "", 0
    for found in finder(control).finditer(text):
        ids += _stretch(tok, before, without(text[at : found.start()], mark), found.group(), find_written)
        ids.append(control[found.group()])
        before, at = found.group(), found.end()
    return ids + _stretch(tok, before, without(text[at:], mark), "", find_written)


def _stretch(tok: Tokenizer, before: str, text: str, after: str, find_written: re.Pattern[str]) -> list[int]:
    """Ids of the text between two control tokens, which stand by: a model may treat the start of a text differently."""
    if find_written.search(text):
        return tok.encode_ordinary(text)  # Only this takes an added token for text.
    if not text:
        return []
    before, after = (token if token in tok.special_tokens else "" for token in (before, after))
    before, after = (token if token and token not in text else "" for token in (before, after))
    allowed = {token for token in (before, after) if token}
    ids = tok.encode(before + text + after, allowed_special=allowed, disallowed_special=())
    return ids[bool(before) : len(ids) - bool(after)]
