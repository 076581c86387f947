"""``bukva curve``: compression after every number of merges."""

from __future__ import annotations

from typing import Any

import click

from ..audit import compression_curve
from ..corpus import iter_texts
from ..report.plot import plot_lines
from ..report.tables import curve_lines
from .options import (
    corpus_options,
    json_option,
    named_corpora,
    open_tokenizer,
    progress_option,
    tokenizer_options,
    write_json,
)
from .progress import watching


@click.command("curve")
@tokenizer_options
@click.argument("texts", nargs=-1, required=True)
@click.option(
    "--steps", type=int, metavar="N", help="Report N numbers of merges, evenly spread; every one if left out."
)
@click.option("--plot/--no-plot", default=True, show_default=True, help="Draw the curve above the table.")
@corpus_options
@progress_option
@json_option
def command(
    tokenizer: str,
    encoding: str | None,
    pattern: str | None,
    texts: tuple[str, ...],
    steps: int | None,
    plot: bool,
    progress: bool | None,
    as_json: bool,
    **read: Any,
) -> None:
    """Compression of TEXTS (PATH or NAME=PATH) by every prefix of the merges of TOKENIZER."""
    tok = open_tokenizer(tokenizer, encoding, pattern)
    corpora = named_corpora(texts)
    with watching(progress, corpora.values()) as watched:
        texts_of = {name: watched(iter_texts(path, caller="bukva curve", **read)) for name, path in corpora.items()}
        curve = compression_curve(tok, texts_of, steps)
    if as_json:
        write_json(curve.to_dict())
        return
    picture = [*plot_lines(curve), ""] if plot else []
    click.echo("\n".join([*picture, *curve_lines(curve)]))
