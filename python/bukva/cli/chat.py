"""``bukva chat``: a conversation as the text and the ids that a model reads."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import click

from ..chat import ChatTemplate, Harmony
from ..errors import FormatError
from ..tokenizer import Tokenizer
from .options import (
    json_option,
    open_tokenizer,
    read_bytes,
    special_arguments,
    tokenizer_options,
    write_json,
)


@click.command("chat")
@tokenizer_options
@click.argument("messages")
@click.option("--count", is_flag=True, help="Print the number of tokens only.")
@click.option("--ids", is_flag=True, help="Print the ids only.")
@click.option("--harmony", is_flag=True, help="Use the Harmony format of gpt-oss instead of the folder's template.")
@click.option("--template", metavar="NAME|FILE", help="One of several templates by name, or a .jinja file.")
@click.option("--tools", metavar="FILE", help="JSON list of functions.")
@click.option("--prompt", is_flag=True, help="Begin the assistant's next message.")
@click.option("--continue", "go_on", is_flag=True, help="Leave the last message open.")
@click.option("--set", "variables", multiple=True, metavar="NAME=JSON", help="A further variable of the template.")
@click.option("--allow-special", multiple=True, metavar="TOKEN", help="Recognise this special token in messages.")
@click.option("--special-as-text", is_flag=True, help="Special tokens in messages are plain text, not an error.")
@json_option
def command(
    tokenizer: str, encoding: str | None, pattern: str | None, messages: str, as_json: bool, **options: Any
) -> None:
    """Render the conversation in the JSON file MESSAGES with the chat template of TOKENIZER."""
    tok = open_tokenizer(tokenizer, encoding, pattern)
    arguments = special_arguments(options["allow_special"], options["special_as_text"])
    arguments |= {"add_generation_prompt": options["prompt"], "continue_final_message": options["go_on"]}
    if options["tools"]:
        arguments["tools"] = _json_file(options["tools"])
    arguments |= dict(map(_variable, options["variables"]))
    template = _template(tok, tokenizer, options["harmony"], options["template"])
    chat = tok.chat(_messages(_json_file(messages)), template=template, **arguments)
    if as_json:
        write_json({"tokens": len(chat), "text": chat.text, "ids": chat.ids})
    elif options["count"]:
        click.echo(len(chat))
    elif options["ids"]:
        click.echo(" ".join(map(str, chat.ids)))
    else:
        click.echo(chat.text, nl=False)


def _template(tok: Tokenizer, path: str, harmony: bool, name: str | None) -> ChatTemplate | Harmony | str | None:
    """The template that the options name; that of the folder of a file is found, too."""
    if harmony and name:
        raise click.UsageError("Give either --harmony or --template.", click.get_current_context())
    if harmony:
        return Harmony()
    if name and name.endswith(".jinja"):
        return ChatTemplate(read_bytes(name).decode(errors="replace"))
    if tok.chat_template is not None:
        return name
    folder = path if os.path.isdir(path) else Path(path).parent
    template = ChatTemplate.from_folder(folder)
    return template if name is None else ChatTemplate(template.source(name), template.variables)


def _json_file(path: str) -> Any:
    try:
        return json.loads(read_bytes(path))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"The file is not JSON: {error}.", path) from None


def _messages(value: Any) -> Any:
    """A list of messages, or an object that holds it."""
    return value["messages"] if isinstance(value, dict) and "messages" in value else value


def _variable(text: str) -> tuple[str, Any]:
    name, mark, value = text.partition("=")
    if not (name.isidentifier() and mark):
        raise click.UsageError(f"--set takes NAME=JSON. Got {text!r} instead.", click.get_current_context())
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
