"""A conversation as text and ids."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import ArgumentError, TemplateError
from .data import plain_data, plain_messages
from .marks import encode_marked, fresh, guard_of, guarded, without, written_tokens
from .template import ChatTemplate

if TYPE_CHECKING:
    from ..special import Specials
    from ..tokenizer import Tokenizer
    from .harmony import Harmony


@dataclass(frozen=True, kw_only=True)
class Chat:
    """A conversation in the form that a model reads. ``len(chat)`` is the number of its tokens.

    Attributes
    ----------
    text : str
        Control tokens by their names.
    ids : list of int
    """

    text: str
    ids: list[int] = field(repr=False)

    def __len__(self) -> int:
        return len(self.ids)


def converse(
    tok: Tokenizer,
    messages: Iterable[Any],
    template: ChatTemplate | Harmony | str | None,
    *,
    tools: Iterable[Any] | None,
    documents: Iterable[Any] | None,
    continue_final_message: bool | str,
    **options: Any,
) -> Chat:
    """A conversation by whatever ``template`` is. See ``Tokenizer.chat``."""
    from .harmony import Harmony

    if isinstance(template, Harmony):
        if tools is not None or documents is not None or continue_final_message:
            raise ArgumentError("Harmony has tools in its developer message, and neither documents nor open messages.")
        return template.encode(tok, messages, **options)
    name = template if isinstance(template, str) else None
    found = template if isinstance(template, ChatTemplate) else tok.chat_template
    if found is None:
        raise TemplateError("The tokenizer came without a chat template. Give one: template=ChatTemplate(...).")
    return templated(
        tok,
        found,
        messages,
        tools=tools,
        documents=documents,
        continue_final_message=continue_final_message,
        name=name,
        **options,
    )


def templated(
    tok: Tokenizer,
    template: ChatTemplate,
    messages: Iterable[Any],
    *,
    tools: Iterable[Any] | None,
    documents: Iterable[Any] | None,
    allowed_special: Specials,
    disallowed_special: Specials,
    add_generation_prompt: bool,
    continue_final_message: bool | str,
    name: str | None,
    **variables: Any,
) -> Chat:
    """A conversation by a chat template. See ``Tokenizer.chat``."""
    plain = plain_messages(messages)
    given = {
        "messages": plain,
        "tools": None if tools is None else plain_data(list(tools), "tools"),
        "documents": None if documents is None else plain_data(list(documents), "documents"),
        **plain_data(variables, "variables"),
    }
    sources = list(template.templates.values())
    mark, written = fresh([*sources, *_texts(given)]), written_tokens(tok, sources)
    # What a model said may hold the tokens that it writes, such as <think>; what others say may not.
    own = guard_of(tok.special_tokens, allowed_special, disallowed_special, mark)
    others = guard_of([*tok.special_tokens, *written], allowed_special, disallowed_special, mark)
    said = [guarded(message, own if message.get("role") == "assistant" else others) for message in plain]
    text = template.render(
        said,
        **{key: guarded(value, others) for key, value in given.items() if key != "messages"},
        add_generation_prompt=add_generation_prompt,
        continue_final_message=continue_final_message,
        name=name,
    )
    return Chat(text=without(text, mark), ids=encode_marked(tok, text, mark, written))


def _texts(value: Any) -> list[str]:
    """Every text in plain data."""
    texts: list[str] = []

    def collect(text: str) -> str:
        texts.append(text)
        return text

    guarded(value, collect)
    return texts
