"""Random pre-tokenizers and added tokens as in tokenizers: the same pieces, offsets and ids."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Encoding, Tokenizer

import bukva

from .nasty_texts import TEXTS

Stage = dict[str, Any]

BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
REGEXES = (
    *("a", "[aé]+", r"\s+", r"(?=\d{3})", r"(?=(\d{3})+(?!\d))", r"\p{L}+|\p{N}", r"\w+|[^\w\s]+", "x*", "▁", "Ġ"),
    *(r"\b", r"\B", r"[\w½]+", r"[[:punct:]]", r"\p{Punct}", r"[[:^alpha:]]+", r"(.)\1", r"[^\W\d]", r"\p{^L}$"),
    "(?i)b",
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
)
PIECES = (
    *("a", "ab", "B", "é", "e\u0301", "я", "中", "ア", "ー", "1", "12345", "½", "٣", "\u09fd", "\u2e43", "\U00016ff4"),
    *(" ", "  ", "\n", "\t", "\u00a0", "\u2003", "\u0085", "\u200d", "▁", "_", "-", "...", "'s", "$", "`", "Ġ", "😀"),
    *("<m>", "[X]", "<m", "İ", "ß", "\u0301"),
)
ADDED = ("<m>", "[X]", "a", "ab", "<m", "é", " ", "  ", "\n", "B ½", "12", "▁", "X] a", "ſ", "я中")


def metaspace(source: random.Random) -> Stage:
    scheme = source.choice(("always", "never", "first"))
    split = source.random() < 0.7
    return {"type": "Metaspace", "replacement": source.choice("▁▁▁_é"), "prepend_scheme": scheme, "split": split}


def byte_level(source: random.Random) -> Stage:
    options = ("add_prefix_space", "trim_offsets", "use_regex")
    return {"type": "ByteLevel", **{option: source.random() < 0.5 for option in options}}


def split(source: random.Random) -> Stage:
    literal = source.random() < 0.3
    pattern = {"String": source.choice(("a", " ", "▁", ".", "-"))} if literal else {"Regex": source.choice(REGEXES)}
    return {"type": "Split", "pattern": pattern, "behavior": source.choice(BEHAVIORS), "invert": source.random() < 0.4}


def one(source: random.Random) -> Stage:
    kinds: list[Stage] = [
        metaspace(source),
        metaspace(source),
        byte_level(source),
        split(source),
        split(source),
        {"type": "BertPreTokenizer"},
        {"type": "Whitespace"},
        {"type": "WhitespaceSplit"},
        {"type": "UnicodeScripts"},
        {"type": "CharDelimiterSplit", "delimiter": source.choice("a ▁é")},
        {"type": "Punctuation", "behavior": source.choice(BEHAVIORS)},
        {"type": "Digits", "individual_digits": source.random() < 0.5},
        {"type": "FixedLength", "length": source.randrange(1, 6)},
    ]
    return source.choice(kinds)


def pre_tokenizer(source: random.Random) -> Stage | None:
    number = source.choice((0, 1, 1, 1, 2, 3))
    items = [one(source) for _ in range(number)]
    return {"type": "Sequence", "pretokenizers": items} if number > 1 else next(iter(items), None)


def normalizer(source: random.Random) -> Stage | None:
    kinds: list[Stage | None] = [
        None,
        None,
        {"type": "Lowercase"},
        {"type": "NFKD"},
        {"type": "Strip", "strip_left": True, "strip_right": True},
        {"type": "Prepend", "prepend": "▁"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
    ]
    return source.choice(kinds)


def texts(source: random.Random, number: int) -> list[str]:
    return ["".join(source.choices(PIECES, k=source.randrange(0, 14))) for _ in range(number)]


def added_tokens(source: random.Random, first: int, strips: bool) -> list[Stage]:
    options = ("single_word", "lstrip", "rstrip", "normalized", "special")
    # A token whose normalized text is empty makes tokenizers cut at every byte, or panic; bukva never finds it.
    contents = [content for content in ADDED if not strips or content.strip()]
    chosen = source.sample(contents, source.randrange(1, 6))
    return [
        {"id": first + number, "content": content, **{option: source.random() < 0.4 for option in options}}
        for number, content in enumerate(chosen)
    ]


def both(folder: Path, **parts: Any) -> tuple[Tokenizer, bukva.Tokenizer]:
    """A word-level tokenizer that knows no word, in both libraries."""
    file = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": None,
        "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {"?": 0, "B": 1, "▁B": 2, "ĠB": 3}, "unk_token": "?"},
    } | parts
    text = json.dumps(file)
    path = folder / "tokenizer.json"
    path.write_text(text, encoding="utf-8")
    return Tokenizer.from_str(text), bukva.load(path)


def encoded(tokenizer: Tokenizer, text: str) -> Encoding | None:
    """None where tokenizers panics: with lstrip, where the token before took white space and more than the match."""
    try:
        return tokenizer.encode(text, add_special_tokens=False)
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        return None


@pytest.mark.parametrize("seed", range(150))
def test_pre_tokenizers(seed: int, tmp_path: Path) -> None:
    source = random.Random(seed)
    stage = pre_tokenizer(source) or {"type": "Whitespace"}
    theirs, ours = both(tmp_path, pre_tokenizer=stage)
    assert theirs.pre_tokenizer is not None
    for text in [*TEXTS, *texts(source, 30)]:
        expected = [(piece, *offsets, None) for piece, offsets in theirs.pre_tokenizer.pre_tokenize_str(text)]
        assert ours._pretokenize_hf(text) == expected, (stage, text)
        assert ours.encode(text) == theirs.encode(text, add_special_tokens=False).ids, (stage, text)


@pytest.mark.parametrize("seed", range(200))
def test_added_tokens(seed: int, tmp_path: Path) -> None:
    source = random.Random(seed)
    stage = normalizer(source)
    strips = stage is not None and stage["type"] == "Strip"
    parts = {
        "normalizer": stage,
        "pre_tokenizer": pre_tokenizer(source),
        "added_tokens": added_tokens(source, 4, strips),
    }
    theirs, ours = both(tmp_path, **parts)
    for text in [*texts(source, 60), *TEXTS[:20]]:
        expected = encoded(theirs, text)
        if expected is None:
            continue
        assert ours.encode(text, allowed_special="all") == expected.ids, (parts, text)
        assert ours.count(text, allowed_special="all") == len(expected.ids)
        pieces = ours._pretokenize_hf(text)
        assert [piece[1:3] for piece in pieces] == expected.offsets, (parts, text)
    theirs.encode_special_tokens = True
    for text in texts(source, 30):
        expected = encoded(theirs, text)
        if expected is None:
            continue
        pieces = ours._pretokenize_hf(text, with_special=False)
        assert [piece[1:3] for piece in pieces] == expected.offsets, (parts, text)
        added = {token["id"] for token in parts["added_tokens"]}
        assert [piece[3] for piece in pieces if piece[3] is not None] == [id for id in expected.ids if id in added]


def test_every_character_between_letters(tmp_path: Path) -> None:
    stages: list[Stage] = [
        {"type": "BertPreTokenizer"},
        {"type": "Punctuation", "behavior": "Contiguous"},
        {"type": "Digits", "individual_digits": False},
        {"type": "UnicodeScripts"},
        {"type": "Whitespace"},
        {"type": "WhitespaceSplit"},
    ]
    characters = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    text = "".join(f"a{character}я{character}" for character in characters if character < "\U00020000")
    for stage in stages:
        theirs, ours = both(tmp_path, pre_tokenizer=stage)
        assert theirs.pre_tokenizer is not None
        expected = [(piece, *offsets, None) for piece, offsets in theirs.pre_tokenizer.pre_tokenize_str(text)]
        assert ours._pretokenize_hf(text) == expected, stage
