"""Decoding as ids come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .tokenizer import Tokenizer


class DecodeStream:
    """Text as ids come: ``step`` returns the new text, or None while a character is not complete."""

    def __init__(self, ids: Sequence[int] | None = None, skip_special_tokens: bool = False) -> None:
        self._ids = list(ids or ())
        self._skip = skip_special_tokens
        self._prefix = ""
        self._prefix_end = 0

    def step(self, tokenizer: Tokenizer, id: int | Sequence[int]) -> str | None:
        """Takes one id or several.

        Raises
        ------
        ValueError
            If decoding more ids changes the text that was given out already.
        """
        if not self._prefix and self._ids:
            self._begin(tokenizer)
        self._ids.extend([id] if isinstance(id, int) else id)
        text = tokenizer.decode(self._ids, self._skip)
        if len(text.encode()) <= len(self._prefix.encode()) or text.endswith("\ufffd"):
            return None
        if not text.startswith(self._prefix):
            raise ValueError(
                f"Invalid prefix encountered while decoding stream. Token ID: {self._ids[-1]}, "
                f"Expected prefix: '{self._prefix}', Actual string: '{text}'"
            )
        new = text[len(self._prefix) :]
        end = len(self._ids) - self._prefix_end
        self._ids = self._ids[self._prefix_end :]
        self._prefix = tokenizer.decode(self._ids, self._skip)
        self._prefix_end = end
        return new

    def _begin(self, tokenizer: Tokenizer) -> None:
        text = tokenizer.decode(self._ids, self._skip)
        if not text.endswith("\ufffd"):
            self._prefix, self._prefix_end = text, len(self._ids)
