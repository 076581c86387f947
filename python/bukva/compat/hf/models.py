"""``tokenizers.models``: pre-tokens to tokens."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from ...errors import UnsupportedError
from . import trainers
from .parts import Part, engine, file_of

Vocab = dict[str, int]
Merges = Sequence[tuple[str, str]]


class Model(Part):
    """Any model."""

    def token_to_id(self, token: str) -> int | None:
        """The id of a token of the model."""
        return engine(file_of(self._state)).vocab(False).get(token)

    def id_to_token(self, id: int) -> str | None:
        """The token of an id."""
        return engine(file_of(self._state)).id_to_token(id)

    def get_trainer(self) -> trainers.Trainer:
        """A trainer of such models, with its defaults."""
        make = getattr(trainers, f"{self._state['type']}Trainer")
        trainer: trainers.Trainer = make()
        return trainer


def _given(vocab: Any, what: str) -> Vocab:
    if isinstance(vocab, (str, os.PathLike)):
        raise UnsupportedError(f"{what} takes tokens and ids; read a file with {what}.from_file")
    return dict(vocab or {})


class BPE(Model):
    """Byte-pair encoding."""

    def __init__(
        self,
        vocab: Vocab | None = None,
        merges: Merges | None = None,
        cache_capacity: int | None = None,
        dropout: float | None = None,
        unk_token: str | None = None,
        continuing_subword_prefix: str | None = None,
        end_of_word_suffix: str | None = None,
        fuse_unk: bool | None = None,
        byte_fallback: bool = False,
        ignore_merges: bool = False,
    ) -> None:
        if (vocab is None) != (merges is None):
            raise ValueError("`vocab` and `merges` must be both specified")
        self._state = {
            "type": "BPE",
            "dropout": dropout,
            "unk_token": unk_token,
            "continuing_subword_prefix": continuing_subword_prefix,
            "end_of_word_suffix": end_of_word_suffix,
            "fuse_unk": bool(fuse_unk),
            "byte_fallback": byte_fallback,
            "ignore_merges": ignore_merges,
            "vocab": _given(vocab, "BPE"),
            "merges": [list(pair) for pair in merges or ()],
        }

    @staticmethod
    def read_file(vocab: str | os.PathLike[str], merges: str | os.PathLike[str]) -> tuple[Vocab, list[tuple[str, str]]]:
        """The tables of ``vocab.json`` and ``merges.txt``."""
        lines = Path(merges).read_text(encoding="utf-8").split("\n")
        pairs = [line.split(" ") for line in lines if line and not line.startswith("#version")]
        return json.loads(Path(vocab).read_text(encoding="utf-8")), [(left, right) for left, right in pairs]

    @classmethod
    def from_file(cls, vocab: str | os.PathLike[str], merges: str | os.PathLike[str], **options: Any) -> Self:
        """The model of ``vocab.json`` and ``merges.txt``."""
        return cls(*cls.read_file(vocab, merges), **options)


class Unigram(Model):
    """The most probable segmentation."""

    def __init__(
        self,
        vocab: Sequence[tuple[str, float]] | None = None,
        unk_id: int | None = None,
        byte_fallback: bool | None = None,
        alpha: float | None = None,
        nbest_size: int | None = None,
    ) -> None:
        if alpha is not None or nbest_size is not None:
            raise UnsupportedError("A Unigram model encodes without sampling here: use Tokenizer.sample of bukva")
        pieces = [["<unk>", 0.0]] if vocab is None else [list(piece) for piece in vocab]
        self._state = {
            "type": "Unigram",
            "unk_id": 0 if vocab is None else unk_id,
            "vocab": pieces,
            "byte_fallback": bool(byte_fallback),
        }


class WordLevel(Model):
    """Whole pre-tokens."""

    def __init__(self, vocab: Vocab | None = None, unk_token: str | None = None) -> None:
        unk = "<unk>" if unk_token is None else unk_token
        self._state = {"type": "WordLevel", "vocab": _given(vocab, "WordLevel"), "unk_token": unk}

    @staticmethod
    def read_file(vocab: str | os.PathLike[str]) -> Vocab:
        """The table of a ``vocab.json``."""
        table: Vocab = json.loads(Path(vocab).read_text(encoding="utf-8"))
        return table

    @classmethod
    def from_file(cls, vocab: str | os.PathLike[str], unk_token: str | None = None) -> Self:
        """The model of a ``vocab.json``."""
        return cls(cls.read_file(vocab), unk_token)


class WordPiece(Model):
    """The longest token first."""

    def __init__(
        self,
        vocab: Vocab | None = None,
        unk_token: str = "[UNK]",
        max_input_chars_per_word: int = 100,
        continuing_subword_prefix: str = "##",
    ) -> None:
        self._state = {
            "type": "WordPiece",
            "unk_token": unk_token,
            "continuing_subword_prefix": continuing_subword_prefix,
            "max_input_chars_per_word": max_input_chars_per_word,
            "vocab": _given(vocab, "WordPiece"),
        }

    @staticmethod
    def read_file(vocab: str | os.PathLike[str]) -> Vocab:
        """The table of a ``vocab.txt``: the id is the line."""
        lines = Path(vocab).read_text(encoding="utf-8").split("\n")
        return {line.rstrip(): number for number, line in enumerate(lines[:-1] if lines[-1] == "" else lines)}

    @classmethod
    def from_file(cls, vocab: str | os.PathLike[str], **options: Any) -> Self:
        """The model of a ``vocab.txt``."""
        return cls(cls.read_file(vocab), **options)
