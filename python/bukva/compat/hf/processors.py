"""``tokenizers.processors``: control tokens around a text or a pair."""

from __future__ import annotations

import re
from collections.abc import Sequence as Listed
from typing import Any

from .parts import Part, State, engine, file_of, state_of, words


class PostProcessor(Part):
    """Any post-processor."""

    def num_special_tokens_to_add(self, is_pair: bool) -> int:
        """How many control tokens it adds."""
        return engine(file_of(words({}), post_processor=self._state)).added_by_template(is_pair)


class ByteLevel(PostProcessor):
    """Takes white space out of offsets."""

    def __init__(
        self, add_prefix_space: bool | None = None, trim_offsets: bool | None = None, use_regex: bool | None = None
    ) -> None:
        given = {"add_prefix_space": add_prefix_space, "trim_offsets": trim_offsets, "use_regex": use_regex}
        self._state = {"type": "ByteLevel", **{name: value is not False for name, value in given.items()}}


class BertProcessing(PostProcessor):
    """``cls A sep`` and ``cls A sep B sep``."""

    def __init__(self, sep: tuple[str, int], cls: tuple[str, int]) -> None:
        self._state = {"type": "BertProcessing", "sep": list(sep), "cls": list(cls)}


class RobertaProcessing(PostProcessor):
    """``cls A sep`` and ``cls A sep sep B sep``."""

    def __init__(
        self, sep: tuple[str, int], cls: tuple[str, int], trim_offsets: bool = True, add_prefix_space: bool = True
    ) -> None:
        self._state = {
            "type": "RobertaProcessing",
            "sep": list(sep),
            "cls": list(cls),
            "trim_offsets": trim_offsets,
            "add_prefix_space": add_prefix_space,
        }


class Sequence(PostProcessor):
    """One after the other."""

    def __init__(self, processors: Listed[object]) -> None:
        self._state = {"type": "Sequence", "processors": [state_of(PostProcessor, each) for each in processors]}


class TemplateProcessing(PostProcessor):
    """A template: ``[CLS] $A [SEP] $B:1 [SEP]:1``, as text or as a list of its pieces."""

    def __init__(
        self,
        single: str | Listed[str] | None = None,
        pair: str | Listed[str] | None = None,
        special_tokens: Listed[tuple[str, int] | tuple[int, str] | State] | None = None,
    ) -> None:
        tokens = dict(sorted(_token(token) for token in special_tokens or ()))
        pieces = {"single": _pieces(single or "$A:0"), "pair": _pieces(pair or "$A:0 $B:1")}
        if {"A", "B"} - {piece["Sequence"]["id"] for piece in pieces["pair"] if "Sequence" in piece}:
            raise ValueError("Template for `pair` must use both sequences")
        named = {
            piece["SpecialToken"]["id"] for piece in [*pieces["single"], *pieces["pair"]] if "SpecialToken" in piece
        }
        if missing := sorted(named - set(tokens)):
            raise ValueError(f"Missing SpecialToken(s) with id(s) `{', '.join(missing)}`")
        self._state = {"type": "TemplateProcessing", **pieces, "special_tokens": tokens}


def _token(token: Any) -> tuple[str, State]:
    if isinstance(token, dict):
        return token["id"], {name: token[name] for name in ("id", "ids", "tokens")}
    text, number = token if isinstance(token[0], str) else reversed(token)
    return text, {"id": text, "ids": [number], "tokens": [text]}


def _pieces(template: str | Listed[str]) -> list[State]:
    return [_piece(piece) for piece in (template.split() if isinstance(template, str) else template)]


def _piece(piece: str) -> State:
    """``$A``, ``$B:1``, ``$1`` (type 1 of the first sequence), or a token, each with its type behind a colon."""
    found = re.fullmatch(r"(?s)(.*?)(?::(\d+))?", piece)
    text, type_id = (found[1], int(found[2] or 0)) if found else (piece, 0)
    if not text.startswith("$"):
        return {"SpecialToken": {"id": text, "type_id": type_id}}
    name = text[1:]
    if name.isascii() and name.isdigit():
        name, type_id = "A", int(name)
    if name.upper() not in ("", "A", "B"):
        raise ValueError(f"Cannot build Piece from string {piece!r}")
    return {"Sequence": {"id": name.upper() or "A", "type_id": type_id}}
