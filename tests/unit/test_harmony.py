"""The Harmony format without its reference: texts that were made with it, and errors."""

from __future__ import annotations

import pytest

import bukva
from bukva.chat import Harmony

WEATHER = {
    "name": "weather",
    "description": "The weather\nof a place",
    "parameters": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "City"},
            "unit": {"type": "string", "enum": ["C", "F"], "default": "C"},
            "days": {"oneOf": [{"type": "integer", "description": "how many"}, {"type": "null"}], "default": 3},
        },
        "required": ["city"],
    },
}
DEVELOPER = """<|start|>developer<|message|># Instructions

Be kind

# Tools

## functions

namespace functions {

// The weather
// of a place
type weather = (_: {
// City
city: string,
unit?: "C" | "F", // default: C
// default: 3
days?:
 | number // how many
 | any
,
}) => any;

} // namespace functions<|end|>"""
SYSTEM = """<|start|>system<|message|>You are ChatGPT, a large language model trained by OpenAI.
Knowledge cutoff: 2024-06
Current date: 2026-01-31

Reasoning: high

# Valid channels: analysis, commentary, final. Channel must be included for every message.
Calls to these tools must go to the commentary channel: 'functions'.<|end|>"""
TURNS = [
    {"role": "user", "content": "Weather?"},
    {"role": "assistant", "channel": "analysis", "content": "Ask."},
    {"role": "assistant", "channel": "commentary", "recipient": "functions.weather",
     "content_type": "<|constrain|>json", "content": '{"city": "Tver"}'},
    {"role": "tool", "name": "functions.weather", "recipient": "assistant", "channel": "commentary", "content": "+5"},
]  # fmt: skip
RENDERED = (
    "<|start|>user<|message|>Weather?<|end|><|start|>assistant<|channel|>analysis<|message|>Ask.<|end|>"
    '<|start|>assistant to=functions.weather<|channel|>commentary <|constrain|>json<|message|>{"city": "Tver"}<|call|>'
    "<|start|>functions.weather to=assistant<|channel|>commentary<|message|>+5<|end|>"
)
FINAL = {"role": "assistant", "channel": "final", "content": "Cold."}


def test_text() -> None:
    system = Harmony.system(reasoning_effort="high", date="2026-01-31")
    developer = Harmony.developer("Be kind", [WEATHER])
    assert Harmony().render([system, developer]) == SYSTEM + DEVELOPER
    assert Harmony().render(TURNS, add_generation_prompt=True) == RENDERED + "<|start|>assistant"


def test_analysis_is_dropped_once_there_is_an_answer() -> None:
    text = RENDERED.replace("<|start|>assistant<|channel|>analysis<|message|>Ask.<|end|>", "")
    final = "<|start|>assistant<|channel|>final<|message|>Cold."
    assert Harmony().render([*TURNS, FINAL]) == text + final + "<|end|>"
    assert Harmony().render([*TURNS, FINAL], training=True) == text + final + "<|return|>"
    assert Harmony(drop_analysis=False).render([*TURNS, FINAL]) == RENDERED + final + "<|end|>"


@pytest.mark.parametrize(
    "message",
    [
        {"role": "narrator", "content": "x"},
        {"role": "tool", "content": "x"},
        {"role": "user", "content": [{"type": "image"}]},
        {"role": "user", "content": Harmony.system()["content"]},
        Harmony.system(reasoning_effort="huge"),
    ],
)
def test_messages_that_are_none(message: dict) -> None:
    with pytest.raises(bukva.ArgumentError):
        Harmony().render([message])


def test_other_tokenizers_have_no_harmony(tok: bukva.Tokenizer) -> None:
    with pytest.raises(bukva.UnsupportedError, match="o200k_harmony"):
        tok.chat(TURNS, template=Harmony())
    with pytest.raises(bukva.ArgumentError, match="developer message"):
        tok.chat(TURNS, template=Harmony(), tools=[])
