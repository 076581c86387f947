"""``bukva count``: how many tokens a text has."""

from __future__ import annotations

from typing import Any

import click

from ..audit.metrics import batches
from ..corpus import iter_texts, list_files
from ..report.tables import table_lines
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


@click.command("count")
@tokenizer_options
@click.argument("files", nargs=-1)
@click.option("--text", metavar="TEXT", help="Count this text instead of files.")
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
    """Count the tokens of FILES (or standard input): one line a file, and the total of several."""
    if text is not None and files:
        raise click.UsageError("Give either FILES or --text.", click.get_current_context())
    tok = open_tokenizer(tokenizer, encoding, pattern)
    read = {name: options.pop(name) for name in ("unit", "field", "invalid")}
    names = [] if text is not None else list_files(files or "-", "bukva count")
    with watching(options.pop("progress"), names) as watched:
        if text is not None:
            counts = {"": count_texts(tok, [text], **options)}
        else:
            counts = {name: count_texts(tok, watched(iter_texts(name, **read)), **options) for name in names}
    if as_json:
        write_json({"total": sum(counts.values()), "files": counts})
    else:
        click.echo("\n".join(count_lines(counts)))


def count_texts(tok: Any, texts: Any, *, threads: int | None, add_special_tokens: bool, **special: Any) -> int:
    """Tokens of all texts together."""
    arguments = special_arguments(special["allow_special"], special["special_as_text"])
    arguments |= {"add_special_tokens": add_special_tokens, "threads": threads}
    return sum(int(tok.count_batch(batch, **arguments).sum()) for batch in batches(texts, "bukva count"))


def count_lines(counts: dict[str, int]) -> list[str]:
    """Counts before names, as ``wc`` has them."""
    if list(counts) in ([""], ["-"]):
        return [str(count) for count in counts.values()]
    rows: list[list[object]] = [[count, name] for name, count in counts.items()]
    if len(rows) > 1:
        rows.append([sum(counts.values()), "total"])
    return table_lines(["tokens", "file"], rows)
