"""``bukva decode``: ids become text."""

from __future__ import annotations

import json
import sys

import click

from ..errors import FormatError
from .options import json_option, open_tokenizer, read_bytes, tokenizer_options, write_json


@click.command("decode")
@tokenizer_options
@click.argument("file", default="-")
@click.option(
    "--errors",
    type=click.Choice(["strict", "replace", "bytes"]),
    default="strict",
    show_default=True,
    help="Ids that do not spell UTF-8: refuse, put U+FFFD, or write the bytes as they are.",
)
@click.option("--skip-special-tokens", is_flag=True, help="Leave special tokens out.")
@json_option
def command(
    tokenizer: str,
    encoding: str | None,
    pattern: str | None,
    file: str,
    errors: str,
    skip_special_tokens: bool,
    as_json: bool,
) -> None:
    """Decode ids from FILE (or standard input): a line of numbers a text, or JSON.

    Texts are written one after another with nothing between them; --json writes a list.
    """
    tok = open_tokenizer(tokenizer, encoding, pattern)
    rows = parse_ids(read_bytes(file), "standard input" if file == "-" else file)
    if errors == "bytes":
        pieces = [tok.decode_bytes(ids, skip_special_tokens) for ids in rows]
    else:
        texts = [tok.decode(ids, "strict" if errors == "strict" else "replace", skip_special_tokens) for ids in rows]
        pieces = [text.encode() for text in texts]
    if as_json:
        write_json([piece.decode("utf-8", "replace") for piece in pieces])
    else:
        sys.stdout.buffer.writelines(pieces)


def parse_ids(data: bytes, source: str) -> list[list[int]]:
    """Id sequences from lines of numbers, or from a JSON list of numbers or of such lists."""
    if data.lstrip()[:1] == b"[":
        return _from_json(data, source)
    rows = []
    for number, line in enumerate(data.splitlines(), start=1):
        rows.append([_number(word, source, number) for word in line.split()])
    return rows


def _from_json(data: bytes, source: str) -> list[list[int]]:
    try:
        value = json.loads(data)
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise FormatError(f"The ids are not whole JSON: {error}.", source) from None
    rows = value if all(isinstance(row, list) for row in value) else [value]
    for item in (item for row in rows for item in row):
        if not isinstance(item, int) or isinstance(item, bool) or item < 0:
            raise FormatError(f"{item!r} is not an id. Ids are whole numbers from 0.", source)
    return rows


def _number(word: bytes, source: str, line: int) -> int:
    if not word.isdigit():
        raise FormatError(
            f"{word.decode('utf-8', 'replace')!r} is not an id. Ids are whole numbers from 0.", source, line
        )
    return int(word)
