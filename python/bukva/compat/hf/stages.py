"""The stages of a tokenizer, each to be looked at alone, and decoding as ids come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..._core import HfEncoder

if TYPE_CHECKING:
    from .tokenizer import Tokenizer


class Normalizer:
    """Text to text, read-only."""

    def __init__(self, encoder: HfEncoder) -> None:
        self._encoder = encoder

    def normalize_str(self, sequence: str) -> str:
        """The normalized text."""
        return self._encoder.normalize(sequence)


class PreTokenizer:
    """Text to pre-tokens, read-only."""

    def __init__(self, encoder: HfEncoder) -> None:
        self._encoder = encoder

    def pre_tokenize_str(self, sequence: str) -> list[tuple[str, tuple[int, int]]]:
        """The pre-tokens and their characters: first, and the one behind the last."""
        return self._encoder.pre_tokenize(sequence)


class Model:
    """The vocabulary of the model, read-only."""

    def __init__(self, encoder: HfEncoder) -> None:
        self._encoder = encoder
        self._vocab: dict[str, int] | None = None

    def token_to_id(self, token: str) -> int | None:
        """The id of a token of the model."""
        if self._vocab is None:
            self._vocab = self._encoder.vocab(False)
        return self._vocab.get(token)

    def id_to_token(self, id: int) -> str | None:
        """The token of an id."""
        return self._encoder.id_to_token(id)


class Decoder:
    """Ids to text, read-only."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer

    def decode(self, tokens: Sequence[str]) -> str:
        """The text of tokens of the vocabulary; others are left out."""
        ids = (self._tokenizer.token_to_id(token) for token in tokens)
        return self._tokenizer.decode([number for number in ids if number is not None], skip_special_tokens=False)


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
