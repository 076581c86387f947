"""Special tokens whose text the model's own vocabulary holds: plain text never becomes one."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tokenizers

import bukva
from bukva.compat import hf

LETTERS = "abc<>"


def word(sample: random.Random, longest: int) -> str:
    return "".join(sample.choices(LETTERS, k=sample.randrange(1, longest + 1)))


def bpe(sample: random.Random) -> dict[str, Any]:
    tokens, merges = ["?", *LETTERS], []
    for _ in range(sample.randrange(25)):
        pair = [sample.choice(tokens[1:]), sample.choice(tokens[1:])]
        if pair not in merges:
            merges.append(pair)
            tokens += [] if "".join(pair) in tokens else ["".join(pair)]
    vocab = {token: number for number, token in enumerate(tokens)}
    flags = {name: sample.random() < 0.3 for name in ("fuse_unk", "ignore_merges")}
    unk = sample.choice(["?", None])
    return {"type": "BPE", "vocab": vocab, "merges": merges, "unk_token": unk, **flags}


def byte_level(sample: random.Random) -> dict[str, Any]:
    model = bpe(sample)
    alphabet = [letter for letter in hf.pre_tokenizers.ByteLevel.alphabet() if letter not in model["vocab"]]
    vocab = {token: number for number, token in enumerate([*model["vocab"], *alphabet])}
    return model | {"vocab": vocab, "unk_token": None}


def affixes(sample: random.Random) -> dict[str, Any]:
    """Tokens for the middle and the end of a word, and bytes for what has none."""
    units = [f"{mark}{letter}{end}" for letter in LETTERS[:4] for mark in ("", "#") for end in ("", ".")]
    tokens, merges = ["?", *units, *(f"<0x{byte:02X}>" for byte in range(256))], []
    for _ in range(sample.randrange(25)):
        left = sample.choice([token for token in tokens if token[-1] not in ".>?"])
        right = sample.choice([token for token in tokens if token[0] == "#"])
        product = left + right[1:]
        if [left, right] not in merges:
            merges.append([left, right])
            tokens += [] if product in tokens else [product]
    vocab = {token: number for number, token in enumerate(tokens)}
    options = {"continuing_subword_prefix": "#", "end_of_word_suffix": ".", "byte_fallback": sample.random() < 0.5}
    return {"type": "BPE", "vocab": vocab, "merges": merges, "unk_token": "?", **options}


def word_piece(sample: random.Random) -> dict[str, Any]:
    words = ["?", *LETTERS, *(sample.choice(["", "##"]) + word(sample, 4) for _ in range(20))]
    vocab = {token: number for number, token in enumerate(dict.fromkeys(words))}
    options = {"continuing_subword_prefix": "##", "max_input_chars_per_word": sample.choice([3, 100])}
    return {"type": "WordPiece", "vocab": vocab, "unk_token": "?", **options}


def word_level(sample: random.Random) -> dict[str, Any]:
    words = dict.fromkeys(["?", *(word(sample, 3) for _ in range(40))])
    return {"type": "WordLevel", "vocab": {token: number for number, token in enumerate(words)}, "unk_token": "?"}


def unigram(sample: random.Random) -> dict[str, Any]:
    words = dict.fromkeys(["?", *LETTERS, *(word(sample, 4) for _ in range(20))])
    pieces = [[token, -10 * sample.random()] for token in words]
    return {"type": "Unigram", "vocab": pieces, "unk_id": 0, "byte_fallback": False}


def file_of(model: dict[str, Any], sample: random.Random) -> str:
    table = model["vocab"]
    texts = list(table) if isinstance(table, dict) else [piece[0] for piece in table]
    plain = [text for text in texts[1:] if text.isascii() and not text.startswith("<0x")]
    chosen = sample.sample(plain, k=min(4, len(plain)))
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    added = [{"id": texts.index(text), "content": text, **flags} for text in sorted(chosen, key=texts.index)]
    keys = ("truncation", "padding", "normalizer", "pre_tokenizer", "post_processor", "decoder")
    file: dict[str, Any] = {"version": "1.0", "added_tokens": added, **dict.fromkeys(keys), "model": model}
    if "Ġ" in texts:
        stage = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
        file["pre_tokenizer"] = file["decoder"] = stage
    return json.dumps(file)


@pytest.mark.parametrize(
    "kind", [bpe, byte_level, affixes, word_piece, word_level, unigram], ids=lambda kind: kind.__name__
)
@pytest.mark.parametrize("seed", range(25))
def test_small_models(kind: Callable[[random.Random], dict[str, Any]], seed: int, tmp_path: Path) -> None:
    sample = random.Random(seed)
    file = file_of(kind(sample), sample)
    (tmp_path / "tokenizer.json").write_text(file, encoding="utf-8")
    theirs, library, tok = tokenizers.Tokenizer.from_str(file), hf.Tokenizer.from_str(file), bukva.load(tmp_path)
    tok.save(tmp_path / "x.bukva", allow_loss=True)
    image, special = bukva.load(tmp_path / "x.bukva"), set(tok.special_tokens.values())
    texts = [word(sample, 12) for _ in range(30)]
    for text in texts:
        for plain in (False, True):
            theirs.encode_special_tokens = library.encode_special_tokens = plain
            expected, found = theirs.encode(text), library.encode(text)
            assert (found.ids, found.tokens) == (expected.ids, expected.tokens), (text, plain, file)
            assert library.encode_batch_fast([text])[0].ids == expected.ids
        try:
            ids = tok.encode(text, disallowed_special=())
        except bukva.errors.UnknownCharacterError:
            assert kind in (bpe, byte_level)
            continue
        assert not special & set(ids), (text, ids, file)
        assert tok.encode_ordinary(text) == image.encode_ordinary(text) == ids
        assert tok.count(text, disallowed_special=()) == len(ids)
        assert list(tok.explain(text, disallowed_special=()).ids) == ids
        assert tok.encode_batch([text, text], disallowed_special=()).to_list() == [ids, ids]
        if not special & set(expected.ids) and kind is not word_piece:
            assert ids == expected.ids, (text, file)
        if kind in (bpe, byte_level, unigram) and 0 not in ids:
            assert tok.decode_bytes(ids) == text.encode() or tok.decode(ids).replace(" ", "") == text


@pytest.mark.parametrize(
    "name", ["xlnet/tokenizer.json", "xlnet/xlnet_base_cased.model", "bert/tokenizer.json", "clip/tokenizer.json"]
)
def test_real_files(name: str, artefact: Callable[[str], Path]) -> None:
    tok = bukva.load(artefact(name))
    for text, number in tok.special_tokens.items():
        for around in (text, f"a {text} b", f"x{text}{text}"):
            assert number not in tok.encode(around, disallowed_special=()), (name, around)
