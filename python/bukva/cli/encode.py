"""``bukva encode``: text becomes ids."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import click

from ..audit.metrics import batches
from ..corpus import iter_texts
from ..shards.options import FORMATS
from ..shards.read import Shards
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
from .progress import progress_bar, watching

SHARDS = ("format", "dtype", "shard_tokens", "append", "overwrite")


@click.command("encode")
@tokenizer_options
@click.argument("files", nargs=-1)
@click.option("--text", metavar="TEXT", help="Encode this text instead of files.")
@click.option("--ordinary", is_flag=True, help="Recognise neither special nor added tokens.")
@click.option("-o", "--output", metavar="FOLDER", help="Write shards of ids into this folder instead.")
@click.option("--format", type=click.Choice(FORMATS), help="With -o: the kind of files.  [default: npy]")
@click.option("--dtype", type=click.Choice(["uint16", "uint32"]), help="With -o.  [default: uint16 if all ids fit]")
@click.option("--shard-tokens", type=int, metavar="N", help="With -o: ids of a shard at most.  [default: 100000000]")
@click.option("--append", metavar="TOKEN", help="With -o: an added token, or an id, behind every document.")
@click.option("--overwrite", is_flag=True, default=None, help="With -o: remove shards that are there.")
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
    output: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Encode FILES (or standard input): one line of ids a document.

    `bukva decode` turns the lines back into exactly the same bytes. With -o the ids go into files for training; the
    same command goes on where it was interrupted.
    """
    shards = {name: value for name in SHARDS if (value := options.pop(name)) is not None}
    if output is None and shards:
        raise click.UsageError(f"--{next(iter(shards)).replace('_', '-')} needs -o.", click.get_current_context())
    if output is not None and text is not None:
        raise click.UsageError("-o takes FILES, not --text.", click.get_current_context())
    tok = open_tokenizer(tokenizer, encoding, pattern)
    if output is not None:
        report(write_shards(tok, files, output, shards | options), output, as_json)
        return
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


def write_shards(tok: Any, files: tuple[str, ...], output: str, options: dict[str, Any]) -> Shards:
    """Encodes files into a folder."""
    special = special_arguments(options.pop("allow_special"), options.pop("special_as_text"))
    if options.get("append", "").isdecimal():
        options["append"] = int(options["append"])
    with progress_bar(options.pop("progress")) as progress:
        shards: Shards = tok.encode_files(files or "-", output, progress=progress, **special, **options)
    return shards


def report(shards: Shards, output: str, as_json: bool) -> None:
    """What was written: the manifest, or a few lines."""
    manifest = shards.manifest
    if as_json:
        write_json({"output": output, **manifest})
        return
    tokens, text_bytes = shards.n_tokens, manifest["text_bytes"]
    click.echo(f"read        {len(shards):,} documents, {text_bytes:,} bytes")
    if manifest["replaced_bytes"]:
        click.echo(f"replaced    {manifest['replaced_bytes']:,} bytes that were not UTF-8")
    click.echo(f"tokens      {tokens:,}" + (f", {text_bytes / tokens:.2f} bytes each" if tokens else ""))
    format = manifest["options"]["format"]
    click.echo(f"wrote       {output}: {len(manifest['shards'])} shards, {format}, {manifest['options']['dtype']}")
