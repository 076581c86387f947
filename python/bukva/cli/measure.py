"""``bukva measure``: what a vocabulary does to texts."""

from __future__ import annotations

from typing import Any

import click

from ..audit import measure
from ..audit.metrics import WORD_PATTERN
from ..corpus import iter_texts
from ..report.tables import measures_lines
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


@click.command("measure")
@tokenizer_options
@click.argument("texts", nargs=-1, required=True)
@click.option("--word-pattern", default=WORD_PATTERN, show_default=True, metavar="REGEX", help="What a word is.")
@click.option("--segments", is_flag=True, help="Each line of a .txt file is a text of its own, without its LF.")
@corpus_options
@progress_option
@json_option
def command(
    tokenizer: str,
    encoding: str | None,
    pattern: str | None,
    texts: tuple[str, ...],
    word_pattern: str,
    segments: bool,
    progress: bool | None,
    as_json: bool,
    **read: Any,
) -> None:
    """Measure TOKENIZER on TEXTS: PATH or NAME=PATH, one column each.

    --segments encodes each line separately, for aligned texts.
    """
    tok = open_tokenizer(tokenizer, encoding, pattern)
    read |= {"unit": "line"} if segments else {}
    measures, corpora = {}, named_corpora(texts)
    with watching(progress, corpora.values()) as watched:
        for name, path in corpora.items():
            documents = watched(iter_texts(path, caller="bukva measure", **read))
            given = (text.removesuffix("\n") for text in documents) if segments else documents
            measures[name] = measure(tok, given, word_pattern)
    if as_json:
        write_json({name: one.to_dict() for name, one in measures.items()})
    else:
        click.echo("\n".join(measures_lines(measures)))
