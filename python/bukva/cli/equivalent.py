"""``bukva equivalent``: whether two tokenizers give the same ids."""

from __future__ import annotations

from dataclasses import asdict

import click

from ..audit.equivalence import Equivalence, equivalent
from .app import FAILED
from .options import json_option, open_tokenizer, write_json


@click.command("equivalent")
@click.argument("first")
@click.argument("second")
@click.option("--encoding", metavar="NAME", help="For .tiktoken files: pattern and special tokens by name.")
@click.option("--pattern", metavar="PATTERN", help="For .tiktoken files: a named pattern or a regular expression.")
@click.option("--random", "n_random", type=int, default=20_000, show_default=True, help="Random texts to try.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random texts.")
@json_option
def command(
    first: str, second: str, encoding: str | None, pattern: str | None, n_random: int, seed: int, as_json: bool
) -> None:
    """Compare the ids that FIRST and SECOND give. Exit code 1 where a text differs.

    --encoding and --pattern are for those of the two that are .tiktoken files.
    """
    toks = [
        open_tokenizer(path, *((encoding, pattern) if path.endswith(".tiktoken") else (None, None)))
        for path in (first, second)
    ]
    found = equivalent(*toks, n_random=n_random, seed=seed)
    if as_json:
        write_json(asdict(found))
    else:
        click.echo("\n".join(lines(found)))
    if not found:
        raise click.exceptions.Exit(FAILED)


def lines(found: Equivalence) -> list[str]:
    """The finding for people."""
    parts = [f"{part:<14} {'equal' if equal else 'different'}" for part, equal in found.parts.items()]
    if found.basis == "structure":
        return ["same: every part that decides ids is equal", *parts]
    if found.same:
        return [f"same on {found.n_texts} texts; the search is no proof", *parts]
    manner = "special tokens recognised" if found.recognised else "special tokens as text"
    return [
        f"different, for example: {found.text!r} ({manner})",
        f"first          {found.ids_a}",
        f"second         {found.ids_b}",
        *parts,
    ]
