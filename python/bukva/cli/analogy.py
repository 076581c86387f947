"""``bukva analogy``: the word that is to one as another is to a third."""

from __future__ import annotations

import click

from ..embeddings.analogy import METHODS
from ..embeddings.files import load_vectors
from ..report.tables import table_lines
from .options import among_option, json_option, k_option, write_json


@click.command("analogy")
@click.argument("vectors")
@click.argument("a")
@click.argument("b")
@click.argument("c")
@k_option
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="add",
    show_default=True,
    help="3CosAdd: nearest to B - A + C; 3CosMul: near to B and C, far from A.",
)
@among_option
@json_option
def command(vectors: str, a: str, b: str, c: str, k: int, method: str, among: int | None, as_json: bool) -> None:
    """Words that are to C as B is to A: man king woman."""
    found = load_vectors(vectors).analogy(a, b, c, k, method=method, among=among)
    if as_json:
        write_json({"a": a, "b": b, "c": c, "method": method, "answers": [near._asdict() for near in found]})
        return
    click.echo("\n".join(table_lines([f"{a} : {b} = {c} :", "score"], [list(near) for near in found])))
