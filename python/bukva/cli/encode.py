"""``bukva encode``: text becomes ids."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import click

from ..audit.metrics import batches
from ..corpus import iter_texts
from .options import (
    corpus_options,
    json_option,
    open_tokenizer,
    progress_option,
    special_arguments,
    special_options,
    threads_option,
    tokenizer_options,
    write_json,
)
from .progress import watching


@click.command("encode")
@tokenizer_options
@click.argument("files", nargs=-1)
@click.option("--text", metavar="TEXT", help="Encode this text instead of files.")
@click.option("--ordinary", is_flag=True, help="Recognise neither special nor added tokens.")
@special_options
@corpus_options
@threads_option
@progress_option
@json_option
def command(
    tokenizer: str,
    encoding: str | None,
    pattern: str | None,
    files: tuple[str, ...],
    text: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Encode FILES (or standard input): one line of ids a document.

    `bukva decode` turns the lines back into exactly the same bytes.
    """
    tok = open_tokenizer(tokenizer, encoding, pattern)
    texts = input_texts(files, text, **{name: options.pop(name) for name in ("unit", "field", "invalid")})
    with watching(bar_wanted(options.pop("progress")), files) as watched:
        rows = encoded(tok, watched(texts), **options)
        if as_json:
            write_json(list(rows))
            return
        for ids in rows:
            click.echo(" ".join(map(str, ids)))


def bar_wanted(wanted: bool | None) -> bool | None:
    """Ids that scroll over a terminal leave no place for a bar."""
    return False if wanted is None and sys.stdout.isatty() else wanted


def input_texts(files: tuple[str, ...], text: str | None, **read: Any) -> Iterable[str]:
    """The texts a command works on: ``--text``, else files, else standard input."""
    if text is None:
        return iter_texts(files or "-", caller="bukva", **read)
    if files:
        raise click.UsageError("Give either FILES or --text.", click.get_current_context())
    return [text]


def encoded(
    tok: Any, texts: Iterable[str], *, ordinary: bool, threads: int | None, **special: Any
) -> Iterable[list[int]]:
    """Ids of each text; texts are held a few at a time."""
    arguments = special_arguments(special["allow_special"], special["special_as_text"])
    for batch in batches(texts, "bukva encode"):
        if ordinary:
            yield from map(tok.encode_ordinary, batch)
        else:
            add = special["add_special_tokens"]
            yield from tok.encode_batch(batch, threads=threads, add_special_tokens=add, **arguments).to_list()
