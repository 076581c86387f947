"""``bukva convert``: a tokenizer from one format into another."""

from __future__ import annotations

import click

from ..errors import LossError
from ..report.tables import table_lines
from .app import FAILED
from .options import json_option, open_tokenizer, tokenizer_options, write_json


@click.command("convert")
@tokenizer_options
@click.argument("output")
@click.option("--allow-loss", is_flag=True, help="Write even where the format cannot hold everything.")
@json_option
def command(
    tokenizer: str, encoding: str | None, pattern: str | None, output: str, allow_loss: bool, as_json: bool
) -> None:
    """Write TOKENIZER to OUTPUT, whose name says the format, and list what is lost.

    What OUTPUT cannot hold is an error, and nothing is written, unless --allow-loss is given.
    """
    tok = open_tokenizer(tokenizer, encoding, pattern)
    try:
        losses = tok.save(output, allow_loss=allow_loss)
    except LossError as error:
        if not as_json:
            raise
        write_json({"output": None, "error": str(error)})
        raise click.exceptions.Exit(FAILED) from None
    if as_json:
        write_json({"output": output, "losses": [{"what": what, "detail": detail} for what, detail in losses]})
        return
    if losses:
        click.echo("\n".join(table_lines(["lost", "detail"], [list(loss) for loss in losses])))
    click.echo(f"wrote {output}" + ("" if losses else ", nothing lost"))
