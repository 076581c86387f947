"""Chat templates against transformers, where it is installed: text and ids of conversations."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bukva
from bukva.chat import ChatTemplate

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "weather",
            "description": "The weather <today> & 'tomorrow'",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        },
    }
]
CALL = {"type": "function", "function": {"name": "weather", "arguments": {"city": "Тверь"}}}
CALL_AS_TEXT = {"type": "function", "function": {"name": "weather", "arguments": '{"city": "Тверь"}'}}
SYSTEM, USER = {"role": "system", "content": "Be brief.\n"}, {"role": "user", "content": " Привет, мир!  "}
ANSWER = {"role": "assistant", "content": "<think>\nHm\n</think>\n\nЗдравствуйте. "}
CONVERSATIONS: dict[str, list[dict[str, Any]]] = {
    "one": [USER],
    "system": [SYSTEM, USER],
    "turns": [SYSTEM, USER, ANSWER, {"role": "user", "content": "And?"}],
    "reasoning": [USER, {"role": "assistant", "content": "Yes", "reasoning": "think"}],
    "calls": [USER, {"role": "assistant", "content": "", "tool_calls": [CALL]}, {"role": "tool", "content": "+5"}],
    "text calls": [USER, {"role": "assistant", "content": None, "tool_calls": [CALL_AS_TEXT]}],
    "blocks": [{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "image"}]}],
    "strange": [{"role": "narrator", "content": "x"}, {"role": "narrator", "content": "y"}],
}
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "prompt": {"add_generation_prompt": True},
    "tools": {"tools": TOOLS, "add_generation_prompt": True},
    "quiet": {"add_generation_prompt": True, "enable_thinking": False},
    "continue": {"continue_final_message": True},
    "documents": {"documents": [{"title": "t", "text": "x"}]},
}
OWN = """
{%- for message in messages %}
  {% if loop.index > 3 %}{% break %}{% endif %}
<|{{ message.role }}|>
{% generation %}{{ message.content | trim }}{% endgeneration %}
{% endfor %}{{ tools | tojson(indent=2) }}{{ messages[::-1] | map(attribute='role') | join(', ') }}
{{ namespace(a=1).a ~ dict(b=2).b }}{% if documents %}{{ documents[0].title | upper }}{% endif %}
"""
FAMILIES = ("qwen3", "llama3_1", "deepseek_v3", "gemma3")


def rendered(call: Callable[[], str]) -> str | None:
    """The text, or None where the template refuses or fails."""
    try:
        return call()
    except Exception:
        return None


@pytest.fixture(scope="module")
def transformers() -> Any:
    pytest.importorskip("jinja2")
    return pytest.importorskip("transformers")


def theirs(transformers: Any, source: str, messages: list, variables: dict, **options: Any) -> str:
    from transformers.tokenization_utils_base import _normalize_chat_messages
    from transformers.utils.chat_template_utils import render_jinja_template

    conversation = [_normalize_chat_messages(messages)]
    return render_jinja_template(conversation, chat_template=source, **{**variables, **options})[0][0]


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", CONVERSATIONS)
def test_own_template(transformers: Any, name: str, options: str) -> None:
    ours = rendered(lambda: ChatTemplate(OWN).render(CONVERSATIONS[name], **OPTIONS[options]))
    expected = rendered(lambda: theirs(transformers, OWN, CONVERSATIONS[name], {}, **OPTIONS[options]))
    assert ours == expected


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", CONVERSATIONS)
@pytest.mark.parametrize("family", FAMILIES)
def test_templates(transformers: Any, artefact: Callable[[str], Path], family: str, name: str, options: str) -> None:
    folder = artefact(f"{family}/tokenizer_config.json").parent
    template = ChatTemplate.from_folder(folder)
    messages = CONVERSATIONS[name]
    ours = rendered(lambda: template.render(messages, **OPTIONS[options]))
    expected = rendered(
        lambda: theirs(transformers, template.source(), messages, template.variables, **OPTIONS[options])
    )
    assert ours == expected


@pytest.mark.parametrize("family", ["qwen3", "llama3_1", "deepseek_v3"])
def test_ids(transformers: Any, artefact: Callable[[str], Path], family: str) -> None:
    """The whole way, through ``AutoTokenizer`` of the folder."""
    artefact(f"{family}/tokenizer_config.json")
    folder = artefact(f"{family}/tokenizer.json").parent
    reference = transformers.AutoTokenizer.from_pretrained(folder)
    tok, template = bukva.load(folder / "tokenizer.json"), ChatTemplate.from_folder(folder)
    for messages in CONVERSATIONS.values():
        for options in OPTIONS.values():
            text = rendered(lambda m=messages, o=options: reference.apply_chat_template(m, tokenize=False, **o))
            chat = rendered(lambda m=messages, o=options: tok.chat(m, template=template, **o))
            assert (None if chat is None else chat.text) == text
            if chat is not None:
                ids = reference.apply_chat_template(messages, return_dict=False, **options)
                assert chat.ids == ids, json.dumps(messages)
                assert len(chat) == len(ids)
