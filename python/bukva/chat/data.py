"""Messages as a template sees them: plain data, in the form that transformers gives it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from ..checks import wrong

REASONING = ("reasoning_content", "thinking", "reasoning")
"""Names under which a message's reasoning is passed; templates read the first two."""

Message = Mapping[str, Any]


def plain_messages(messages: Iterable[Any]) -> list[dict[str, Any]]:
    """Messages without keys that are None, with the reasoning under each name that templates read."""
    if isinstance(messages, (str, bytes, Mapping)) or not isinstance(messages, Iterable):
        raise wrong("messages", "chat", "a list of messages, each with a role and content", messages)
    plain = [plain_data(message, f"messages[{index}]") for index, message in enumerate(messages)]
    if not plain:
        raise wrong("messages", "chat", "a list of at least one message", plain)
    for message in plain:
        if not isinstance(message, dict):
            raise wrong("messages", "chat", "a list of mappings", message)
    return [_with_reasoning({key: value for key, value in message.items() if value is not None}) for message in plain]


def _with_reasoning(message: dict[str, Any]) -> dict[str, Any]:
    given = [message[name] for name in REASONING if name in message]
    return {"thinking": given[0], **message, "reasoning_content": given[0]} if given else message


def plain_data(value: Any, where: str) -> Any:
    """A copy made of str, int, float, bool, None, lists and dicts only: nothing that leads anywhere.

    Raises
    ------
    ArgumentError
        For anything else, dataclasses and objects with ``model_dump`` excepted.
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return _scalar(value)
    if isinstance(value, Mapping):
        return {plain_data(key, where): plain_data(item, f"{where}[{key!r}]") for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_data(item, f"{where}[{index}]") for index, item in enumerate(value)]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain_data(getattr(value, field.name), where) for field in dataclasses.fields(value)}
    if callable(getattr(value, "model_dump", None)):
        return plain_data(value.model_dump(), where)
    raise wrong(where, "chat", "text, a number, a list or a mapping", value)


def _scalar(value: Any) -> Any:
    """The value as its base type: subclasses may carry methods."""
    if isinstance(value, str):
        return str.__str__(value)
    if value is None or isinstance(value, bool):
        return value
    return int.__int__(value) if isinstance(value, int) else float.__float__(value)
