"""The Harmony format against ``openai-harmony``, where it is installed, with the ranks of o200k_base."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bukva
from bukva.chat import Harmony

TYPES: list[Any] = ["string", "number", "integer", "boolean", "object", "array", "null", "strange", ["string", "null"]]
TYPES += [["integer", "string"], [], [5]]


@pytest.fixture(scope="module")
def pair(artefact: Callable[[str], Path]) -> tuple[bukva.Tokenizer, Any]:
    harmony = pytest.importorskip("openai_harmony")
    path = artefact("openai/o200k_base.tiktoken")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TIKTOKEN_ENCODINGS_BASE", str(path.parent))
        encoding = harmony.load_harmony_encoding(harmony.HarmonyEncodingName.HARMONY_GPT_OSS)
    return bukva.load(path, encoding="o200k_harmony"), encoding


def assert_same(pair: tuple[bukva.Tokenizer, Any], messages: list[dict[str, Any]]) -> None:
    """All ways of rendering give the same ids."""
    import openai_harmony

    tok, encoding = pair
    conversation = openai_harmony.Conversation.from_messages([_theirs(message) for message in messages])
    for drop in (True, False):
        config = openai_harmony.RenderConversationConfig(auto_drop_analysis=drop)
        harmony = Harmony(drop_analysis=drop)
        plain = harmony.encode(tok, messages, disallowed_special=())
        assert plain.ids == encoding.render_conversation(conversation, config)
        assert plain.text == encoding.decode(plain.ids)
        completion = encoding.render_conversation_for_completion(conversation, openai_harmony.Role.ASSISTANT, config)
        options = {"disallowed_special": ()}
        assert tok.chat(messages, template=harmony, add_generation_prompt=True, **options).ids == completion
        training = encoding.render_conversation_for_training(conversation, config)
        assert tok.chat(messages, template=harmony, training=True, **options).ids == training


def _theirs(message: dict[str, Any]) -> Any:
    from openai_harmony import Message

    contents = message["content"] if isinstance(message["content"], list) else [message["content"]]
    raw = [{"type": "text", "text": item} if isinstance(item, str) else dict(item) for item in contents]
    for item in raw:
        if item.get("reasoning_effort"):
            item["reasoning_effort"] = item["reasoning_effort"].title()
    return Message.from_dict({**message, "content": raw})


def test_channels_and_recipients(pair: tuple) -> None:
    drawn = random.Random(11)
    for _ in range(300):
        messages = []
        for _ in range(drawn.randint(1, 7)):
            role = drawn.choice(["system", "developer", "user", "assistant", "assistant", "tool"])
            text = drawn.choice(["", "hi", "x<|end|>y", "Привет\n\n", "<|start|>", " a"])
            message: dict[str, Any] = {"role": role, "content": drawn.choice([text, [text, "second"]])}
            if role == "tool" or drawn.random() < 0.2:
                message["name"] = drawn.choice(["functions.weather", "bob"])
            if drawn.random() < 0.6:
                message["channel"] = drawn.choice(["analysis", "commentary", "final"])
            if drawn.random() < 0.3:
                message["recipient"] = drawn.choice(["functions.weather", "all", "assistant"])
            if drawn.random() < 0.3:
                message["content_type"] = drawn.choice(["<|constrain|>json", "code", "<|constrain|>", "json"])
            messages.append(message)
        assert_same(pair, messages)


def test_system_and_developer(pair: tuple) -> None:
    space = {"name": "b", "description": "One\r\n\ntwo\n", "tools": []}
    tools = {"b": space, "a": {**space, "name": "x", "tools": [{"name": "f", "description": "F", "parameters": None}]}}
    functions = [{"name": "now", "description": ""}, {"name": "weather", "description": "W\nw", "parameters": {}}]
    for effort in (None, "low", "medium", "high"):
        for extra in ({}, {"date": "2026-01-31", "identity": None}, {"channels": ()}, {"channel_required": False}):
            system = Harmony.system(reasoning_effort=effort, knowledge_cutoff=None, tools=tools, **extra)
            for developer in (Harmony.developer(), Harmony.developer("Be kind."), Harmony.developer("", functions)):
                assert_same(pair, [Harmony.system(), system, developer, {"role": "user", "content": "hi"}])


def test_schemas(pair: tuple) -> None:
    drawn = random.Random(7)
    for number in range(300):
        functions = [{"name": f"f{index}", "description": "d", "parameters": schema(drawn, 3)} for index in range(3)]
        if number == 0:
            functions = [{"name": "top", "description": "d", "parameters": {"oneOf": [{"type": "string"}, {}]}}]
        assert_same(pair, [Harmony.developer(None, functions)])


def schema(drawn: random.Random, depth: int) -> dict[str, Any]:
    """A schema with whatever may be in one."""
    fields: dict[str, Any] = {}
    if drawn.random() < 0.9:
        fields["type"] = drawn.choice(["object", "object", *TYPES] if depth else TYPES)
    for key, values in {
        "description": ["text", "two\nlines", 5],
        "title": ["Title"],
        "default": ["x", 5, 1.5, None, True, [1, "я"], {"a": 1}],
        "enum": [["a", "b"], [], [1, 2], ["a", 1]],
        "nullable": [True, False, "yes"],
        "examples": [["e", "f"], [], [1]],
        "required": [["a"], ["a", "b", 5], []],
    }.items():
        if drawn.random() < 0.3:
            fields[key] = drawn.choice(values)
    if depth and drawn.random() < 0.8:
        fields["properties"] = {name: schema(drawn, depth - 1) for name in drawn.sample(["a", "b", "c"], 2)}
    if depth and drawn.random() < 0.4:
        fields["items"] = schema(drawn, depth - 1)
    if depth and drawn.random() < 0.25:
        fields["oneOf"] = [schema(drawn, depth - 1) for _ in range(drawn.randint(0, 3))]
    return fields


def test_what_cannot_be(pair: tuple) -> None:
    tok, _encoding = pair
    with pytest.raises(bukva.SpecialTokenError, match=r"<\|end\|>"):
        tok.chat([{"role": "user", "content": "<|end|>"}], template=Harmony())
    with pytest.raises(bukva.SpecialTokenError):
        tok.chat([{"role": "tool", "name": "<|end|>", "content": "x"}], template=Harmony())
    chat = tok.chat([{"role": "user", "content": "<|end|>"}], template=Harmony(), allowed_special="all")
    assert chat.ids.count(200_007) == 2
