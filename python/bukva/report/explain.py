"""An encoding and the byte view of a text as lines for a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .spelling import hexadecimal, quote, spell
from .tables import table_lines

if TYPE_CHECKING:
    from ..encoding import Encoding, Pretoken
    from ..text import TextView

INDENT = "  "


def text_lines(view: TextView) -> list[str]:
    """Graphemes, code points and bytes: one line a code point, graphemes of several joined by a rule."""
    head = f"{view.n_graphemes} graphemes, {view.n_chars} code points, {view.n_bytes} bytes"
    rows = []
    for grapheme in view.graphemes:
        for n, point in enumerate(grapheme.code_points):
            first = quote(grapheme.text) if n == 0 else "│"
            rows.append([first, point.label, hexadecimal(point.utf8), point.name])
    return [head, *table_lines(["grapheme", "code point", "UTF-8", "name"], rows)]


def explain_lines(encoding: Encoding) -> list[str]:
    """Everything an encoding holds: bytes, changes, pre-tokens with each merge, ids, and what is promised."""
    lines = [f"text        {quote(encoding.text)}", f"bytes       {hexadecimal(encoding.text.encode())}"]
    lines += _normalizer_lines(encoding)
    for number, pretoken in enumerate(encoding.pretokens, start=1):
        lines += ["", *_pretoken_lines(number, pretoken)]
    return [*lines, "", *_token_lines(encoding), "", *_promise_lines(encoding)]


def _normalizer_lines(encoding: Encoding) -> list[str]:
    if encoding.normalized == encoding.text and not encoding.edits:
        return []
    original, normalized = encoding.text.encode(), encoding.normalized.encode()
    lines = [f"normalized  {quote(encoding.normalized)}"]
    for edit in encoding.edits:
        before = original[slice(*edit.original)].decode("utf-8", "replace")
        after = normalized[slice(*edit.normalized)].decode("utf-8", "replace")
        lines.append(f"{INDENT}bytes {_range(edit.original)}: {quote(before)} → {quote(after)}")
    return lines


def _pretoken_lines(number: int, pretoken: Pretoken) -> list[str]:
    kind = "added token" if pretoken.added else f"pre-token {number}"
    lines = [f"{kind}  {quote(pretoken.text)}  bytes {_range(pretoken.span)}"]
    if pretoken.whole:
        return [*lines, f"{INDENT}whole in the vocabulary: nothing to merge"]
    if pretoken.added:
        return lines
    states = pretoken.states()
    lines.append(f"{INDENT}symbols     {_row(states[0])}")
    for step, state in zip(pretoken.steps, states[1:], strict=True):
        lines.append(f"{INDENT}{f'merge {step.rank}':<12}{_row(state)}")
    return lines


def _row(symbols: tuple[bytes, ...]) -> str:
    return " ".join(map(spell, symbols))


def _token_lines(encoding: Encoding) -> list[str]:
    rows = [
        [number, spell(token), _range(bytes_), _range(chars)]
        for number, token, bytes_, chars in zip(
            encoding.ids, encoding.tokens, encoding.byte_spans, encoding.char_spans, strict=True
        )
    ]
    head = f"{len(encoding.ids)} tokens"
    return [head, *table_lines(["id", "token", "bytes", "characters"], rows)] if rows else [head]


def _promise_lines(encoding: Encoding) -> list[str]:
    lines = ["decode(encode(s)) == s: " + ("promised for every text" if encoding.lossless else "not promised")]
    lines += [f"{INDENT}{loss}" for loss in encoding.losses]
    if encoding.dropped:
        lines.append(f"{INDENT}dropped here: bytes " + ", ".join(map(_range, encoding.dropped)))
    if not encoding.lossless:
        lines.append(f"{INDENT}this text comes back {'unchanged' if encoding.round_trips else 'changed'}")
    return lines


def _range(span: tuple[int, int]) -> str:
    return f"{span[0]}..{span[1]}"
