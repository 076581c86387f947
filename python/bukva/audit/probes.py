"""Texts on which two tokenizers are likely to differ, if they do. Always the same ones, in the same order."""

from __future__ import annotations

import itertools
import random
import sys
import unicodedata
from collections.abc import Iterator

from ..tokenizer import Tokenizer

PIECES = [
    *("", " ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u3000", "\u2028", "\u200b", "\u200d", "\ufeff", "\x00", "\x85"),
    *("a", "A", "é", "e\u0301", "ß", "İ", "ı", "ς", "Д", "д", "ё", "й", "ﬁ", "ǆ", "中", "한", "ا", "ๆ", "अ", "𝒜"),
    *(
        "1",
        "123",
        "1234",
        "½",
        "²",
        "٣",
        "Ⅷ",
        "'s",
        "'S",
        "’s",
        "'",
        '"',
        "-",
        "_",
        ".",
        "...",
        "/",
        "$",
        "#",
        "▁",
        "Ġ",
    ),
    *("🦊", "👩‍👩‍👧", "🇷🇺", "\ufffd", "\u0301", "\u0307", "http://", "don't", "Hello", "HELLO", "привет"),
]
"""Pieces that normalizers, patterns and decoders treat in ways of their own."""


def probes(a: Tokenizer, b: Tokenizer, n_random: int, seed: int) -> Iterator[str]:
    """The texts, short ones first: what differs early needs little shrinking."""
    yield from PIECES
    tokens = _tokens(a, b)
    added = sorted({text for tok in (a, b) for text, _, _ in tok._added_tokens()})
    yield from tokens
    yield from (template.format(text) for text in added for template in ("{0}", "a{0}b", " {0} ", "{0}{0}", "\n{0}a"))
    yield from (text.lower() for text in added)
    yield from map("".join, itertools.product(PIECES, repeat=2))
    yield from (f" {token}" for token in tokens)
    yield from (f"a{token}a" for token in tokens)
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if unicodedata.category(character) not in ("Cn", "Cs", "Co"):
            yield character
            yield f"a{character}b "
    yield from _mixtures([*PIECES, *tokens], added, n_random, seed)


def _tokens(a: Tokenizer, b: Tokenizer) -> list[str]:
    """Every token of either that is text."""
    spelled = {token for tok in (a, b) for token, _ in tok._vocab()}
    texts = []
    for token in sorted(spelled):
        try:
            texts.append(token.decode())
        except UnicodeDecodeError:
            continue
    return texts


def _mixtures(pieces: list[str], added: list[str], count: int, seed: int) -> Iterator[str]:
    drawn = random.Random(seed)
    for _ in range(count):
        chosen = drawn.choices(pieces, k=drawn.randint(2, 9))
        if added and drawn.random() < 0.3:
            chosen.insert(drawn.randrange(len(chosen)), drawn.choice(added))
        yield "".join(chosen)
