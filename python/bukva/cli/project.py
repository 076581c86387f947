"""``bukva project``: words on a plane, as a picture or as numbers."""

from __future__ import annotations

import click

from ..checks import wrong
from ..embeddings.files import load_vectors
from ..embeddings.plot import METHODS
from ..embeddings.vectors import WordVectors
from ..report.tables import table_lines
from .options import json_option, listed_argument, write_json

LISTED = 50
"""Words whose points are printed where none are named."""


@click.command("project")
@click.argument("vectors")
@click.argument("words", nargs=-1)
@click.option("-o", "--output", metavar="PATH", help="The picture: x.html, x.svg or x.png.  [default: print points]")
@click.option(
    "--group",
    "groups",
    multiple=True,
    metavar="NAME=WORDS",
    help="Words parted by commas, in one colour. May be repeated.",
)
@click.option("--number", type=int, metavar="N", help="The first N words, where none are named.")
@click.option(
    "--method", type=click.Choice(METHODS), default="pca", show_default=True, help="Principal components, or UMAP."
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Of UMAP.")
@click.option("--title", metavar="TEXT", help="Above the picture.")
@json_option
def command(
    vectors: str,
    words: tuple[str, ...],
    output: str | None,
    groups: tuple[str, ...],
    number: int | None,
    method: str,
    seed: int,
    title: str | None,
    as_json: bool,
) -> None:
    """Put WORDS, or the first words of VECTORS, on a plane; - reads words from standard input, one a line."""
    table = load_vectors(vectors)
    named = [word for given in words for word in (listed_argument(given) if given == "-" else [given])]
    by_group = dict(map(named_group, groups))
    if output is not None:
        table.plot(
            output, words=named or None, groups=by_group or None, n=number, method=method, seed=seed, title=title
        )
        click.echo(f"wrote {output}")
    chosen = named + [word for members in by_group.values() for word in members]
    if output is None:
        show(table, chosen or table.words[: number or LISTED], method, seed, as_json)


def show(table: WordVectors, words: list[str], method: str, seed: int, as_json: bool) -> None:
    """Prints words with their points."""
    words = list(dict.fromkeys(words))
    points = table.project(2, words, method=method, seed=seed).tolist()
    if as_json:
        write_json([{"word": word, "x": x, "y": y} for word, (x, y) in zip(words, points, strict=True)])
        return
    rows = [[word, x, y] for word, (x, y) in zip(words, points, strict=True)]
    click.echo("\n".join(table_lines(["word", "x", "y"], rows)))


def named_group(text: str) -> tuple[str, list[str]]:
    """``NAME=word,word``."""
    name, mark, words = text.partition("=")
    listed = [word for word in words.split(",") if word]
    if not (mark and name and listed):
        raise wrong("group", "bukva project", "NAME=WORD,WORD", text)
    return name, listed
