"""Expressions of ``tokenizer.json``, which Oniguruma reads in ``tokenizers``: the same matches, or a refusal."""

from __future__ import annotations

import random

import pytest
import tokenizers
from tokenizers import pre_tokenizers

import bukva
from bukva.compat.hf import pre_tokenizers as ours

LETTERS = "abcdABCDKk019 \n\r\t_.-#[]{}()\\~&:,'éßΣ\u212a\u0301\u200d\u2028가ᄀ\U0001f1e6\U0001f468क्त\x85\xa0\x1e\x0b"
EXPRESSIONS = [
    r"a(?i)b|c",
    r"(?i)a|b",
    r"(?:a(?i)b|c)d",
    r"(a(?i)b|c)d|e",
    r"a|(?i)b|c",
    r"(?i)a(?-i)b",
    r"(?i-m:a)b",
    r"(?mi-x:a.)",
    r"(?m)a.(?-m).",
    r"(?im:a.)",
    "(?x) a b # comment\n c|d",
    r"(?x: a\ b [ c])d e",
    "(?x)a\t\n\x0c\r b",
    "(?x)a\x0bb",
    r"(?x)a {2} b",
    r"(?x)a + b",
    r"(?x)a(?-x) b",
    r"(?ix)A b",
    r"(?x)a{ 2}",
    "(?x)a #comment\n +",
    r"(?x)a[#]b|\#",
    r"(?x)(a)\1 0",
    r"a(?#c d)+",
    r"a\Z",
    r"\n\Z",
    r"\R",
    r"\R\n",
    r"\R+b",
    r"\X",
    r"a\X",
    r"(?:\X){2}",
    r"\O",
    r"\N+",
    r"\h+",
    r"\H+",
    r"\e|\cA|\x1e",
    r"\07|\0|\012",
    r"[\R\X\Z\z\A\B\G\K\y\N\O\k\g]",
    r"[\b]",
    r"[\h]+",
    r"[\H]+",
    r"[a~~b]",
    r"[a&&b]|[a-c&&b-d]",
    r"[^a-c&&b-d]",
    r"[a||b]",
    r"\pL|\PL",
    r"\p{L}+",
    r"\p{^L}+",
    r"[[:graph:]]+",
    r"[[:^graph:]]+",
    r"[[:print:]]+",
    r"[^[:print:]]+",
    r"\p{Graph}+",
    r"\P{Print}+",
    r"[[:graph:]&&[^a]]+",
    r"(?<n>a)\k<n>",
    r"(?'n'a|b)\k'n'",
    r"a++b|\s++$",
    r"^a|b$",
    r"\bab?\b",
    r"\w+|\W",
    r"[[:word:]]+",
    r"a{,2}b",
    r"{",
]
REFUSED = [r"[[a-z]--b]", r"\g<1>(a)", r"(?~ab)", r"(?(a)b|c)", r"a\Kb", r"\y", r"(?W)\w", r"a**", r"(a)\k<1>"]


def text(sample: random.Random) -> str:
    return "".join(sample.choices(LETTERS, k=sample.randrange(1, 14)))


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=ascii)
def test_the_same_matches(expression: str) -> None:
    sample = random.Random(expression)
    theirs = pre_tokenizers.Split(tokenizers.Regex(expression), "isolated")
    mine = ours.Split(bukva.compat.hf.Regex(expression), "isolated")
    fixed = [
        "aB aC abc ABd acD",
        "aab a{2}b",
        "e\u0301\r\n\r",
        "a\n",
        "a\n\n",
        "ab\rab",
        "RXZ",
        "pL PL",
        "\x1b\x01\x07",
    ]
    for words in [*fixed, *(text(sample) for _ in range(60))]:
        assert mine.pre_tokenize_str(words) == theirs.pre_tokenize_str(words), repr(words)


@pytest.mark.parametrize("expression", REFUSED)
def test_what_is_not_known_to_be_the_same_is_refused(expression: str) -> None:
    with pytest.raises(bukva.errors.UnsupportedError, match="cannot be read"):
        ours.Split(bukva.compat.hf.Regex(expression), "isolated").pre_tokenize_str("a")


@pytest.mark.parametrize("expression", [r"[[:graph:]]", r"[[:print:]]", r"\X", r"\R", r"\h", r"[\H]"])
def test_every_code_point(expression: str) -> None:
    theirs = pre_tokenizers.Split(tokenizers.Regex(expression), "isolated")
    mine = ours.Split(bukva.compat.hf.Regex(expression), "isolated")
    for start in range(0, 0x110000, 0x1000):
        points = [chr(code) for code in range(start, start + 0x1000) if not 0xD800 <= code < 0xE000]
        # Alone, and behind and before a letter, where clusters differ.
        for words in ("".join(points), "a".join(points)):
            assert mine.pre_tokenize_str(words) == theirs.pre_tokenize_str(words), hex(start)
