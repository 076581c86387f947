"""Stages as objects: each knows how ``tokenizer.json`` writes it, and says so as the objects of ``tokenizers`` do."""

from __future__ import annotations

import json
from typing import Any, ClassVar, Self, cast

from ... import _core
from ..._core import HfEncoder
from ...errors import UnsupportedError

State = dict[str, Any]


class Part:
    """A stage by its state: what stands in ``tokenizer.json`` for it."""

    _known: ClassVar[dict[str, type[Part]]]
    _state: State

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if Part in cls.__bases__:
            cls._known = {}
        else:
            cls._known[cls.__name__] = cls

    @classmethod
    def _of_state(cls, state: State) -> Self:
        """The object of a state; one of the general class where its type has no other."""
        kind = cls._known.get(state["type"], cls)
        self = cast(Self, kind.__new__(kind))
        self._state = state
        return self

    def __getattr__(self, name: str) -> Any:
        # Fields of the file are attributes, as they are in tokenizers.
        state = self.__dict__.get("_state", {})
        for field in (name, f"strip_{name}"):
            if field in state and field != "type":
                return state[field]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "_state":
            raise UnsupportedError(f"{type(self).__name__} is immutable: make another, and set it in the tokenizer")
        super().__setattr__(name, value)

    def __getstate__(self) -> bytes:
        return json.dumps(self._state, ensure_ascii=False, separators=(",", ":")).encode()

    def __setstate__(self, state: bytes) -> None:
        self._state = json.loads(state)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).__new__, (type(self),), self.__getstate__()

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._state == other._state

    def __hash__(self) -> int:
        return hash(self.__getstate__())

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self._state.items() if name != "type")
        return f"{type(self).__name__}({fields})"


def state_of(kind: type[Part], part: object) -> State:
    """The state of a stage: of ours, or of the stage of ``tokenizers`` with a class of that name.

    Raises
    ------
    TypeError
        If it is none.
    """
    theirs = {base.__name__ for base in type(part).__mro__ if base.__module__.startswith("tokenizers")}
    if not isinstance(part, kind) and kind.__name__ not in theirs:
        shown = repr(part) if isinstance(part, (str, type(None))) else f"{type(part).__name__!r} object"
        raise TypeError(f"{shown} is not an instance of {kind.__name__!r}")
    state: State = json.loads(part.__getstate__())  # type: ignore[arg-type]
    return state


def pattern(value: object) -> State:
    """A pattern: a text, or an expression.

    Raises
    ------
    TypeError
        For anything else; the ``Regex`` of ``tokenizers`` does not say what it holds.
    """
    if isinstance(value, str):
        return {"String": value}
    if isinstance(value, Regex):
        return {"Regex": value.pattern}
    raise TypeError(f"A pattern is a str or a bukva.compat.hf.Regex. Got {value!r} instead.")


class Regex:
    """A regular expression, as ``tokenizers.Regex``."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def __repr__(self) -> str:
        return f'Regex("{self.pattern}")'


def file_of(model: State, **components: State | None) -> State:
    """A whole ``tokenizer.json`` with a model and some components."""
    names = ("truncation", "padding", "added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder")
    file: State = {"version": "1.0", **dict.fromkeys(names), "added_tokens": []}
    return {**file, **components, "model": model}


def engine(file: State) -> HfEncoder:
    """The engine of a ``tokenizer.json``."""
    return HfEncoder(_core.read_hf_json(json.dumps(file, ensure_ascii=False).encode()), None, None, False)


def words(tokens: dict[str, int]) -> State:
    """A model that looks whole words up."""
    return {"type": "WordLevel", "vocab": tokens, "unk_token": ""}
