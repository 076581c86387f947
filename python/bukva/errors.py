"""Every error that bukva raises, and the one warning.

Each class also derives from the built-in exception a caller would expect, so ``except ValueError`` and
``except OSError`` work. The native module makes its errors through :data:`KINDS`.
"""

from __future__ import annotations

from typing import Any


class BukvaWarning(UserWarning):
    """Work ended well, but not quite as asked: training ran out of pairs, for example."""


class BukvaError(Exception):
    """Base of all errors of this package.

    Attributes
    ----------
    message : str
        What happened: names the thing, its value, what was expected and what to do.
    source : str or None
        A file name, or a description such as ``document 3``.
    line : int or None
        Line number, from 1.
    byte_offset : int or None
        Bytes from 0, in the source or in the text's UTF-8.
    """

    def __init__(
        self, message: str, source: str | None = None, line: int | None = None, byte_offset: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.line = line
        self.byte_offset = byte_offset

    def __str__(self) -> str:
        line = None if self.line is None else f"line {self.line}"
        byte = None if self.byte_offset is None else f"byte {self.byte_offset}"
        place = ", ".join(part for part in (self.source, line, byte) if part)
        return f"{self.message} ({place})" if place else self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.source, self.line, self.byte_offset)


class ArgumentError(BukvaError, ValueError):
    """An option or argument has a value that cannot be used."""


class PatternError(ArgumentError):
    """A pattern cannot be compiled, or gave up on a text."""


class SpecialTokenError(BukvaError, ValueError):
    """Text contains the text of a special token that the caller did not allow."""


class TextError(BukvaError, UnicodeError):
    """Bytes are not UTF-8, ids do not spell UTF-8, or a string holds a lone surrogate."""


class UnknownCharacterError(BukvaError, ValueError):
    """A character has no token and the model has no unknown token."""


class UnknownIdError(BukvaError, LookupError):
    """An id is not defined by the vocabulary."""


class UnknownWordError(BukvaError, KeyError):
    """A word has no vector."""


class CorpusError(BukvaError, ValueError):
    """A corpus is empty, has a wrong field, or is damaged."""


class TrainingError(BukvaError, ValueError):
    """A training run cannot reach what was asked."""


class FormatError(BukvaError, ValueError):
    """A file is truncated, foreign, or contradicts itself."""


class SpecError(FormatError):
    """A tokenizer breaks one of the named invariants of its specification."""


class UnsupportedError(BukvaError, ValueError):
    """Something valid that this version does not implement."""


class TemplateError(BukvaError, ValueError):
    """A chat template is damaged, refuses the conversation, or does more than it may."""


class LossError(BukvaError, ValueError):
    """A target format cannot hold what the tokenizer says."""


class FileError(BukvaError, OSError):
    """The operating system refused to read or write."""


KINDS: dict[str, type[BukvaError]] = {
    "Argument": ArgumentError,
    "Pattern": PatternError,
    "SpecialToken": SpecialTokenError,
    "Encoding": TextError,
    "UnknownCharacter": UnknownCharacterError,
    "UnknownId": UnknownIdError,
    "Corpus": CorpusError,
    "Training": TrainingError,
    "Format": FormatError,
    "Invariant": SpecError,
    "Unsupported": UnsupportedError,
    "Loss": LossError,
    "Io": FileError,
}
"""Class of each kind of error of the engine, by the kind's name."""
