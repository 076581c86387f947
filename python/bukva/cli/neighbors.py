"""``bukva neighbors``: the words nearest to a word."""

from __future__ import annotations

import click

from ..embeddings.files import load_vectors
from ..report.tables import table_lines
from .options import among_option, json_option, k_option, listed_argument, write_json


@click.command("neighbors")
@click.argument("vectors")
@click.argument("words", nargs=-1, required=True)
@k_option
@click.option("--exclude", multiple=True, metavar="WORD", help="A word that is no answer. May be repeated.")
@among_option
@json_option
def command(
    vectors: str, words: tuple[str, ...], k: int, exclude: tuple[str, ...], among: int | None, as_json: bool
) -> None:
    """Words nearest to each of WORDS by cosine; - reads words from standard input, one a line."""
    asked = [word for given in words for word in (listed_argument(given) if given == "-" else [given])]
    found = load_vectors(vectors).neighbors(asked, k, exclude=exclude, among=among)
    pairs = list(zip(asked, found, strict=True))
    if as_json:
        write_json([{"word": word, "neighbors": [near._asdict() for near in best]} for word, best in pairs])
        return
    tables = [table_lines([word, "cosine"], [list(near) for near in best]) for word, best in pairs]
    click.echo("\n\n".join("\n".join(lines) for lines in tables))
