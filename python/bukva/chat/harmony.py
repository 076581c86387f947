"""The Harmony format: the conversations of gpt-oss, with channels, recipients and tools.

Source: the Harmony response format of OpenAI; the result is that of ``openai-harmony`` 0.0.8, id for id.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..checks import check_choice, wrong
from ..errors import UnsupportedError
from .conversation import Chat
from .data import plain_data
from .harmony_contents import content_text, has_functions

if TYPE_CHECKING:
    from ..special import Specials
    from ..tokenizer import Tokenizer

ROLES = ("system", "developer", "user", "assistant", "tool")
CHANNELS = ("analysis", "commentary", "final")
START, MESSAGE, CHANNEL, CONSTRAIN = "<|start|>", "<|message|>", "<|channel|>", "<|constrain|>"
END, CALL, RETURN = "<|end|>", "<|call|>", "<|return|>"
IDENTITY = "You are ChatGPT, a large language model trained by OpenAI."


@dataclass(frozen=True)
class Part:
    """A piece of a conversation that is encoded by itself.

    Attributes
    ----------
    text : str
    kind : str
        ``control`` for a control token, ``frame`` for the format's own words, ``content`` for what somebody says.
    """

    text: str
    kind: str


class Harmony:
    """Messages in the Harmony format.

    A message is a mapping: ``role`` (``system``, ``developer``, ``user``, ``assistant`` or ``tool``), ``content`` (a
    text, or a list of texts and of the contents that :meth:`system` and :meth:`developer` make), and where they apply
    ``name``, ``channel``, ``recipient`` and ``content_type`` (``<|constrain|>json``).

    Parameters
    ----------
    drop_analysis : bool
        Leave out the thinking before the first final answer once the last word of the assistant is final.
    """

    def __init__(self, drop_analysis: bool = True) -> None:
        self.drop_analysis = drop_analysis

    @staticmethod
    def system(
        *,
        identity: str | None = IDENTITY,
        reasoning_effort: str | None = "medium",
        date: str | None = None,
        knowledge_cutoff: str | None = "2024-06",
        channels: Sequence[str] = CHANNELS,
        channel_required: bool = True,
        tools: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The system message.

        Parameters
        ----------
        identity, knowledge_cutoff : str, optional
        reasoning_effort : {"low", "medium", "high"}, optional
        date : str, optional
            The day of the conversation, such as ``2026-01-31``. None is made up.
        channels : sequence of str
        channel_required : bool
        tools : mapping, optional
            Namespace → ``{"name", "description", "tools"}``, as ``openai-harmony`` has them.
        """
        content = {
            "type": "system_content",
            "model_identity": identity,
            "reasoning_effort": reasoning_effort,
            "conversation_start_date": date,
            "knowledge_cutoff": knowledge_cutoff,
            "channel_config": {"valid_channels": list(channels), "channel_required": channel_required},
            "tools": tools,
        }
        return {"role": "system", "content": [content]}

    @staticmethod
    def developer(
        instructions: str | None = None,
        functions: Sequence[Mapping[str, Any]] = (),
        tools: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The developer message: instructions, and functions as ``{"name", "description", "parameters"}``."""
        spaces = dict(tools or {})
        if functions:
            spaces["functions"] = {"name": "functions", "description": None, "tools": list(functions)}
        content = {"type": "developer_content", "instructions": instructions, "tools": spaces or None}
        return {"role": "developer", "content": [content]}

    def parts(
        self, messages: Iterable[Any], *, add_generation_prompt: bool = False, training: bool = False
    ) -> Iterator[Part]:
        """The pieces of a conversation, in order.

        Parameters
        ----------
        messages : iterable of mappings
        add_generation_prompt : bool
            Begin the assistant's next message.
        training : bool
            End a last final answer with ``<|return|>`` instead of ``<|end|>``.
        """
        plain = [plain_data(message, f"messages[{index}]") for index, message in enumerate(messages)]
        functions = any(has_functions(message) for message in plain)
        kept = list(self._kept(plain))
        for index, message in enumerate(kept):
            ends = training and index == len(kept) - 1 and _is_final(message)
            yield from _message_parts(message, functions, ends)
        if add_generation_prompt:
            yield Part(START, "control")
            yield Part("assistant", "frame")

    def _kept(self, messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        said = [message for message in messages if message.get("role") == "assistant"]
        drop = self.drop_analysis and bool(said) and said[-1].get("channel") == "final"
        final = next((at for at, message in enumerate(messages) if message.get("channel") == "final"), 0)
        for at, message in enumerate(messages):
            if not (drop and at < final and message.get("channel") == "analysis"):
                yield message

    def render(self, messages: Iterable[Any], *, add_generation_prompt: bool = False, training: bool = False) -> str:
        """The text of a conversation, control tokens by their names."""
        parts = self.parts(messages, add_generation_prompt=add_generation_prompt, training=training)
        return "".join(part.text for part in parts)

    def encode(
        self,
        tok: Tokenizer,
        messages: Iterable[Any],
        *,
        add_generation_prompt: bool = False,
        training: bool = False,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> Chat:
        """A conversation as text and ids.

        Raises
        ------
        UnsupportedError
            If the tokenizer lacks the control tokens of Harmony.
        SpecialTokenError
            If somebody says the text of a special token and the two options do not let it pass.
        """
        special = tok.special_tokens
        parts = list(self.parts(messages, add_generation_prompt=add_generation_prompt, training=training))
        ids: list[int] = []
        for part in parts:
            if part.kind == "content":
                ids += tok.encode(part.text, allowed_special=allowed_special, disallowed_special=disallowed_special)
            elif part.kind == "frame":
                ids += tok.encode(part.text)
            elif part.text in special:
                ids.append(special[part.text])
            else:
                raise UnsupportedError(
                    f"The tokenizer has no special token {part.text!r}, which Harmony needs. Load the ranks of "
                    "o200k_base with encoding='o200k_harmony'."
                )
        return Chat(text="".join(part.text for part in parts), ids=ids)


def _message_parts(message: dict[str, Any], functions: bool, ends: bool) -> Iterator[Part]:
    role = message.get("role")
    check_choice("role", "Harmony", role, ROLES)
    yield Part(START, "control")
    yield from _header(message)
    yield Part(MESSAGE, "control")
    content = message.get("content", "")
    for item in content if isinstance(content, list) else [content]:
        yield Part(content_text(item, str(role), functions), "content")
    called = role == "assistant" and message.get("recipient") is not None
    yield Part(RETURN if ends else CALL if called else END, "control")


def _header(message: dict[str, Any]) -> Iterator[Part]:
    """Author, recipient, channel and type. They are data too: a special token in them is as bad as in the content."""
    role, name = message["role"], message.get("name")
    if role == "tool":
        if name is None:
            raise wrong("name", "Harmony", "the name of the tool in a message of the role 'tool'", name)
        yield Part(name, "content")
    else:
        yield Part(role, "frame")
        if name is not None:
            yield Part(f":{name}", "content")
    if (recipient := message.get("recipient")) not in (None, "all"):
        yield Part(f" to={recipient}", "content")
    if (channel := message.get("channel")) is not None:
        yield Part(CHANNEL, "control")
        yield Part(channel, "content")
    yield from _content_type(message.get("content_type"))


def _content_type(kind: str | None) -> Iterator[Part]:
    if kind is None:
        return
    if not kind.startswith(CONSTRAIN):
        yield Part(f" {kind}", "content")
        return
    yield Part(" ", "frame")
    yield Part(CONSTRAIN, "control")
    if rest := kind.removeprefix(CONSTRAIN):
        yield Part(rest, "content")


def _is_final(message: dict[str, Any]) -> bool:
    return message.get("role") == "assistant" and message.get("channel") == "final"
