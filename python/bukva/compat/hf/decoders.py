"""``tokenizers.decoders``: tokens to text."""

from __future__ import annotations

from collections.abc import Sequence as Listed

from .parts import Part, Regex, engine, file_of, pattern, state_of, words
from .stream import DecodeStream

__all__ = [
    "CTC",
    "BPEDecoder",
    "ByteFallback",
    "ByteLevel",
    "DecodeStream",
    "Decoder",
    "Fuse",
    "Metaspace",
    "Replace",
    "Sequence",
    "Strip",
    "WordPiece",
]


class Decoder(Part):
    """Any decoder."""

    def decode(self, tokens: Listed[str]) -> str:
        """The text of tokens."""
        numbers = {token: number for number, token in enumerate(dict.fromkeys(tokens))}
        model = words(numbers)
        return engine(file_of(model, decoder=self._state)).decode([numbers[token] for token in tokens], False)


class _Plain(Decoder):
    def __init__(self) -> None:
        self._state = {"type": type(self).__name__}


class ByteFallback(_Plain):
    """``<0xNN>`` to bytes."""


class ByteLevel(_Plain):
    """Characters of GPT-2's map to bytes."""


class Fuse(_Plain):
    """Joins all."""


class BPEDecoder(Decoder):
    """A space for the suffix."""

    def __init__(self, suffix: str = "</w>") -> None:
        self._state = {"type": "BPEDecoder", "suffix": suffix}


class CTC(Decoder):
    """Repeated tokens once, padding out."""

    def __init__(self, pad_token: str = "<pad>", word_delimiter_token: str = "|", cleanup: bool = True) -> None:
        self._state = {
            "type": "CTC",
            "pad_token": pad_token,
            "word_delimiter_token": word_delimiter_token,
            "cleanup": cleanup,
        }


class Metaspace(Decoder):
    """A space for every mark."""

    def __init__(self, replacement: str = "▁", prepend_scheme: str = "always", split: bool = True) -> None:
        self._state = {
            "type": "Metaspace",
            "replacement": replacement,
            "prepend_scheme": prepend_scheme,
            "split": split,
        }


class Replace(Decoder):
    """Puts a text for every match."""

    def __init__(self, pattern: str | Regex, content: str) -> None:
        self._state = {"type": "Replace", "pattern": _pattern(pattern), "content": content}


class Strip(Decoder):
    """Takes copies of a character from the ends of tokens."""

    def __init__(self, content: str = " ", left: int = 0, right: int = 0) -> None:
        self._state = {"type": "Strip", "content": content, "start": left, "stop": right}


class WordPiece(Decoder):
    """A space before every token without the prefix."""

    def __init__(self, prefix: str = "##", cleanup: bool = True) -> None:
        self._state = {"type": "WordPiece", "prefix": prefix, "cleanup": cleanup}


class Sequence(Decoder):
    """One after the other."""

    def __init__(self, decoders: Listed[object]) -> None:
        self._state = {"type": "Sequence", "decoders": [state_of(Decoder, each) for each in decoders]}


_pattern = pattern
