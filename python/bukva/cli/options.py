"""Arguments and options that several commands share."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..checks import wrong
from ..errors import FileError, TextError
from ..tokenizer import Tokenizer, load

F = TypeVar("F", bound=Callable[..., Any])


def _stack(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


def tokenizer_options(function: F) -> F:
    """The tokenizer's path, and what a file of ranks needs beside it."""
    return _stack(
        click.argument("tokenizer"),
        click.option("--encoding", metavar="NAME", help="For .tiktoken files: pattern and special tokens by name."),
        click.option(
            "--pattern", metavar="PATTERN", help="For .tiktoken files: a named pattern or a regular expression."
        ),
    )(function)


def _corpus_options(unit: str) -> Callable[[F], F]:
    return _stack(
        click.option(
            "--unit",
            type=click.Choice(["file", "line"]),
            default=unit,
            show_default=True,
            help="What a document is in a .txt file.",
        ),
        click.option(
            "--field",
            default="text",
            show_default=True,
            metavar="NAME",
            help="Field of .jsonl objects, column of .parquet files.",
        ),
        click.option(
            "--invalid",
            type=click.Choice(["error", "replace"]),
            default="error",
            show_default=True,
            help="Bytes that are not UTF-8: stop, or put U+FFFD there.",
        ),
    )


def corpus_options(function: F) -> F:
    """How files are read."""
    return _corpus_options("file")(function)


def line_corpus_options(function: F) -> F:
    """How files are read where a line is a document unless said otherwise."""
    return _corpus_options("line")(function)


def special_options(function: F) -> F:
    """What becomes of the text of a special token."""
    return _stack(
        click.option(
            "--allow-special",
            multiple=True,
            metavar="TOKEN",
            help="Recognise this special token in the text ('all' for every one). May be repeated.",
        ),
        click.option(
            "--special-as-text",
            is_flag=True,
            help="Encode special tokens in the text as plain text instead of refusing them.",
        ),
        click.option("--add-special-tokens", is_flag=True, help="Apply the template of the tokenizer's file."),
    )(function)


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
threads_option = click.option("--threads", type=int, metavar="N", help="Threads; the result does not depend on it.")
progress_option = click.option(
    "--progress/--no-progress",
    default=None,
    help="Show a progress bar on standard error. By default only on a terminal.",
)
k_option = click.option(
    "-k", "--best", "k", type=int, default=10, show_default=True, metavar="N", help="Words to find."
)
among_option = click.option("--among", type=int, metavar="N", help="Only the first N words: the most frequent.")


def open_tokenizer(path: str, encoding: str | None, pattern: str | None) -> Tokenizer:
    """The tokenizer that the shared options name."""
    return load(path, encoding=encoding, pattern=pattern)


def special_arguments(allow_special: tuple[str, ...], special_as_text: bool) -> dict[str, Any]:
    """The keyword arguments of ``encode`` and ``count``."""
    allowed = "all" if "all" in allow_special else frozenset(allow_special)
    return {"allowed_special": allowed, "disallowed_special": () if special_as_text else "all"}


def named_corpora(texts: tuple[str, ...]) -> dict[str, str]:
    """``NAME=PATH`` arguments; a bare path is named by itself."""
    named: dict[str, str] = {}
    for text in texts:
        name, mark, path = text.partition("=")
        if mark and not (name and path):
            raise wrong("texts", "bukva", "PATH or NAME=PATH", text)
        name, path = (name, path) if mark else (text, text)
        if name in named:
            raise wrong("texts", "bukva", "named apart", name, "Write NAME=PATH.")
        named[name] = path
    return named


def read_argument(text: str) -> str:
    """A text given on the command line; ``-`` reads standard input."""
    if text != "-":
        return text
    data = sys.stdin.buffer.read()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise TextError(f"byte 0x{data[error.start]:02x} is not UTF-8.", "standard input", None, error.start) from None


def listed_argument(text: str) -> list[str]:
    """The lines of a text given on the command line or, by ``-``, of standard input; empty ones are left out."""
    return [line for line in read_argument(text).splitlines() if line]


def read_bytes(path: str) -> bytes:
    """Bytes of a file; ``-`` reads standard input."""
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise FileError(f"The file {path!r} cannot be read: {error.strerror}.") from error


def write_json(value: object) -> None:
    """JSON on standard output, letters as they are."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))
