"""Records as aligned tables of plain text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .spelling import quote, spell

if TYPE_CHECKING:
    from ..audit.curve import CompressionCurve
    from ..audit.metrics import Measures
    from ..tokenizer import Tokenizer

CURVE_ROWS = 13
"""Rows of a curve that are shown; the record holds all."""

MEASURES = (
    ("texts", "n_texts"),
    ("tokens", "n_tokens"),
    ("bytes", "n_bytes"),
    ("characters", "n_chars"),
    ("words", "n_words"),
    ("word types", "n_word_types"),
    ("tokens/text", "tokens_per_text"),
    ("bytes/token", "bytes_per_token"),
    ("characters/token", "chars_per_token"),
    ("fertility, tokens/word", "fertility"),
    ("words of one token", "single_token_retention"),
    ("the same after a space", "single_token_retention_spaced"),
    ("bits/byte, whole bits", "bits_per_byte"),
    ("bits/byte, log2 R", "bits_per_byte_exact"),
)


def table_lines(headers: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """A table with two spaces between columns; numbers stand to the right, text to the left."""
    from rich.cells import cell_len

    texts = [[_cell(value) for value in row] for row in rows]
    numeric = [all(isinstance(row[n], (int, float)) for row in rows) for n in range(len(headers))]
    widths = [max(map(cell_len, column)) for column in zip(headers, *texts, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = []
        for cell, width, right in zip(cells, widths, numeric, strict=True):
            space = " " * (width - cell_len(cell))
            padded.append(space + cell if right else cell + space)
        return "  ".join(padded).rstrip()

    return [line(headers), *map(line, texts)] if rows else [line(headers)]


def measures_lines(measures: Mapping[str, Measures]) -> list[str]:
    """One column a set of texts, then the conventions of the first."""
    rows = [[label, *(getattr(one, name) for one in measures.values())] for label, name in MEASURES]
    first = next(iter(measures.values())).conventions
    normalizer = ", ".join(first.normalizer) or "none"
    corpora = [
        f"texts       {name + ' ' if name else ''}{one.conventions.corpus[:16]}" for name, one in measures.items()
    ]
    return [
        *table_lines(["", *measures], rows),
        "",
        f"tokenizer   {first.tokenizer[:16]}",
        *corpora,
        f"word        {first.word_pattern}",
        f"normalizer  {normalizer}",
        f"special     {first.special_tokens}",
    ]


def curve_lines(curve: CompressionCurve) -> list[str]:
    """Tokens and bytes per token at up to :data:`CURVE_ROWS` numbers of merges."""
    last = len(curve.merges) - 1
    count = min(CURVE_ROWS, last + 1)
    picked = sorted({_spread(n, count, last) for n in range(count)})
    headers = ["merges"]
    for name in curve.names:
        headers += [f"{name} tokens", "bytes/token"]
    ratios = curve.bytes_per_token
    rows = []
    for row in picked:
        cells: list[object] = [curve.merges[row]]
        for name in curve.names:
            cells += [curve.n_tokens[name][row], ratios[name][row]]
        rows.append(cells)
    return table_lines(headers, rows)


def merges_lines(tok: Tokenizer, count: int) -> list[str]:
    """The first merges: rank, left, right, product, and the count at training where it is known."""
    counts = tok.training.merge_counts if tok.training else ()
    headers = ["rank", "left", "right", "token", "id"]
    rows: list[list[object]] = []
    for rank, (left, right, product) in enumerate(tok._merges()[:count]):
        texts = [spell(tok._token_bytes(number)) for number in (left, right, product)]
        rows.append([rank, *texts, product, *counts[rank : rank + 1]])
    return table_lines([*headers, "count"] if counts else headers, rows)


def special_lines(tok: Tokenizer) -> list[str]:
    """Special tokens and their ids."""
    return table_lines(["special token", "id"], [[quote(text), number] for text, number in tok.special_tokens.items()])


def _spread(n: int, count: int, last: int) -> int:
    return round(n * last / max(count - 1, 1))


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "–" if math.isnan(value) else f"{value:.4f}"
    return str(value)
