"""``bukva explain``: one text, step by step."""

from __future__ import annotations

import click

from ..report.explain import explain_lines, text_lines
from ..text import text_view
from .options import (
    json_option,
    open_tokenizer,
    read_argument,
    special_arguments,
    tokenizer_options,
    write_json,
)


@click.command("explain")
@tokenizer_options
@click.argument("text")
@click.option("--allow-special", multiple=True, metavar="TOKEN", help="Recognise this special token in the text.")
@click.option("--special-as-text", is_flag=True, help="Encode special tokens in the text as plain text.")
@json_option
def command(
    tokenizer: str,
    encoding: str | None,
    pattern: str | None,
    text: str,
    allow_special: tuple[str, ...],
    special_as_text: bool,
    as_json: bool,
) -> None:
    """Show the code points, bytes, pre-tokens, merges and ids of TEXT (- reads standard input)."""
    tok = open_tokenizer(tokenizer, encoding, pattern)
    given = read_argument(text)
    result, view = tok.explain(given, **special_arguments(allow_special, special_as_text)), text_view(given)
    if as_json:
        write_json({"view": view.to_dict(), "encoding": result.to_dict()})
    else:
        click.echo("\n".join([*text_lines(view), "", *explain_lines(result)]))
