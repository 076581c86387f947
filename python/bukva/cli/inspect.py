"""``bukva inspect``: what a tokenizer is."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from ..report.spelling import spell
from ..report.tables import merges_lines, special_lines, table_lines
from ..tokenizer import Tokenizer
from .options import json_option, open_tokenizer, tokenizer_options, write_json

SIZES = (
    ("defined", "ids that stand for something, |I|"),
    ("id_range", "highest id + 1, R"),
    ("ordinary", "ids of ordinary tokens"),
    ("special_ids", "ids of special tokens"),
    ("special_names", "names of special tokens"),
    ("aliases", "names beyond the first of an id"),
    ("holes", "ids below R that stand for nothing"),
)


@click.command("inspect")
@tokenizer_options
@click.option("--merges", type=int, default=0, metavar="N", help="Show the first N merges.")
@click.option("--tokens", type=int, default=0, metavar="N", help="Show the last N ordinary tokens.")
@json_option
def command(tokenizer: str, encoding: str | None, pattern: str | None, merges: int, tokens: int, as_json: bool) -> None:
    """Show the model, the pattern, the sizes and the special tokens of TOKENIZER."""
    tok = open_tokenizer(tokenizer, encoding, pattern)
    if as_json:
        write_json(facts(tok, merges, tokens))
    else:
        click.echo("\n".join(lines(tok, merges, tokens)))


def facts(tok: Tokenizer, merges: int, tokens: int) -> dict[str, Any]:
    """Everything as plain data; bytes are hexadecimal."""
    last = list(tok.vocab.items())[-tokens:] if tokens > 0 else []
    return {
        **tok._summary(),
        "fingerprint": tok.fingerprint,
        "sizes": asdict(tok.sizes),
        "n_merges": len(tok._merges()),
        "special_tokens": tok.special_tokens,
        "losses": tok._losses(),
        "merges": [[left.hex(), right.hex()] for left, right in tok.merges[:merges]],
        "tokens": [[token.hex(), number] for token, number in last],
    }


def lines(tok: Tokenizer, merges: int, tokens: int) -> list[str]:
    """The same for people."""
    sizes = tok.sizes
    shown = [[key, _plain(value)] for key, value in tok._summary().items()]
    shown.append(["fingerprint", tok.fingerprint])
    shown.append(["merges", str(len(tok._merges()))])
    shown.append(
        ["decode(encode(s)) == s", "not promised: " + "; ".join(tok._losses()) if tok._losses() else "promised"]
    )
    out = [f"{key:<22}  {value}" for key, value in shown]
    out += ["", *table_lines(["size", "ids", "meaning"], [[name, getattr(sizes, name), what] for name, what in SIZES])]
    if tok.special_tokens:
        out += ["", *special_lines(tok)]
    if merges > 0:
        out += ["", *merges_lines(tok, merges)]
    if tokens > 0:
        last = list(tok.vocab.items())[-tokens:]
        out += ["", *table_lines(["id", "token"], [[number, spell(token)] for token, number in last])]
    return out


def _plain(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)
