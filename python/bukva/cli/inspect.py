"""``bukva inspect``: what a tokenizer is."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from ..audit.model_sizes import ModelSizes, model_sizes
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
MODEL_SIZES = (
    ("rows", "rows of the embedding table, V"),
    ("rows_beyond", "rows beyond the highest defined id, V - R"),
    ("rows_unused", "rows that no id stands for, V - |I|"),
    ("width", "numbers in a row of the embeddings"),
    ("hidden", "numbers in a row of the output head"),
    ("tied", "whether the head is the embedding table"),
    ("tied_from", "how that is known"),
    ("dtype", "type of the numbers"),
    ("embedding_bytes", "memory of the embedding table"),
    ("head_bytes", "memory of the output head beside it"),
)


@click.command("inspect")
@tokenizer_options
@click.option("--merges", type=int, default=0, metavar="N", help="Show the first N merges.")
@click.option("--tokens", type=int, default=0, metavar="N", help="Show the last N ordinary tokens.")
@click.option("--config", metavar="FILE", help="Show the model's sizes, too, from its config.json.")
@json_option
def command(
    tokenizer: str,
    encoding: str | None,
    pattern: str | None,
    merges: int,
    tokens: int,
    config: str | None,
    as_json: bool,
) -> None:
    """Show the model, the pattern, the sizes and the special tokens of TOKENIZER."""
    tok = open_tokenizer(tokenizer, encoding, pattern)
    model = None if config is None else model_sizes(tok, config)
    if as_json:
        shown = {} if model is None else {"model_sizes": {name: getattr(model, name) for name, _ in MODEL_SIZES}}
        write_json({**facts(tok, merges, tokens), **shown})
    else:
        click.echo("\n".join([*lines(tok, merges, tokens), *(model_lines(model) if model else [])]))


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


def model_lines(found: ModelSizes) -> list[str]:
    """The sizes of the model for people; what the file does not say is unknown."""
    words = {None: "unknown", True: "yes", False: "no"}
    rows: list[list[object]] = []
    for name, what in MODEL_SIZES:
        value = getattr(found, name)
        rows.append([name, words[value] if value is None or isinstance(value, bool) else value, what])
    return ["", *table_lines(["model", "value", "meaning"], rows)]


def _plain(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)
