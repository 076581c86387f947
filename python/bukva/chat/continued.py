"""Leaving a conversation open at the end of its last message, so that a model goes on with it."""

from __future__ import annotations

import itertools
from typing import Any

from ..errors import TemplateError
from .data import REASONING


def free_tag(texts: str) -> str:
    """A tag that is nowhere in the texts. Its blank shows whether a template trims."""
    number = next(number for number in itertools.count() if f"GO_ON_HERE_{number}" not in texts)
    return f"GO_ON_HERE_{number} "


def tag_last(messages: list[dict[str, Any]], field: str, tag: str, source: str) -> str:
    """Puts the tag at the end of the last message's field, in place, and returns the text before it.

    Raises
    ------
    TemplateError
        If the message has no such text, or the template does not read the field.
    """
    last = messages[-1]
    text = last.get(field)
    names = [name for name in REASONING if last.get(name) == text] if field in REASONING else [field]
    if text is None or not any(name in source for name in names):
        lacking = "the last message has no" if text is None else "the template does not read"
        raise TemplateError(f"continue_final_message asks to go on with {field!r}, but {lacking} {field!r}.")
    if not isinstance(text, str):
        return _tag_block(text, tag)
    for name in names:
        last[name] = text + tag
    return text


def _tag_block(blocks: Any, tag: str) -> str:
    for block in reversed(blocks if isinstance(blocks, list) else []):
        if isinstance(block, dict) and "text" in block:
            text = str(block["text"])
            block["text"] = text + tag
            return text
    raise TemplateError("continue_final_message is set, but the last message holds no text to go on with.")


def cut(rendered: str, text: str, tag: str) -> str:
    """The rendered conversation up to the tag; without trailing white space where the template trimmed the message."""
    at = rendered.rfind(tag.strip())
    if at < 0 or text.strip() not in rendered:
        raise TemplateError(
            "continue_final_message is set, but the template does not write the last message as it is given."
        )
    return rendered[:at] if rendered[at:].startswith(tag) else rendered[:at].rstrip()
