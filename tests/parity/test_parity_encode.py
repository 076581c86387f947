"""Ids identical to tiktoken's: the rank files of OpenAI on the corpora and on nasty texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest
import tiktoken

import bukva

from .nasty_texts import TEXTS
from .openai_encodings import ENCODINGS, PATTERNS, from_ranks, reference

CORPORA = ("en_prose", "ru_prose", "zh_ja", "code", "mixed")
SAMPLE = Path(bukva.__file__).with_name("data")
HEAD = 300_000


@pytest.fixture(scope="module", params=ENCODINGS)
def pair(request: pytest.FixtureRequest, artefact: Callable[[str], Path]) -> tuple[bukva.Tokenizer, tiktoken.Encoding]:
    """Ours and the reference, of one rank file."""
    path = artefact(f"openai/{request.param}.tiktoken")
    return bukva.load(path, encoding=request.param), reference(request.param, path)


def assert_same(ours: list[int], theirs: list[int], encoding: tiktoken.Encoding, what: str) -> None:
    if ours != theirs:
        same = [a == b for a, b in zip(ours, theirs, strict=False)]
        at = [*same, False].index(False)
        window = slice(max(0, at - 3), at + 4)
        shown = [[encoding.decode_single_token_bytes(i) for i in ids[window]] for ids in (ours, theirs)]
        pytest.fail(f"{what}: token {at} differs: {shown[0]} instead of {shown[1]}")


def assert_same_for_all(tok: bukva.Tokenizer, encoding: tiktoken.Encoding, texts: Iterable[tuple[str, str]]) -> None:
    for name, text in texts:
        ids = tok.encode_ordinary(text)
        assert_same(ids, encoding.encode_ordinary(text), encoding, name)
        assert tok.count(text, disallowed_special=()) == len(ids), name
        assert tok.decode(ids) == text, name


@pytest.mark.parametrize("name", CORPORA)
def test_head_of_corpora(pair: tuple, corpus: Callable[..., Path], name: str) -> None:
    tok, encoding = pair
    text = corpus(name, HEAD).read_bytes().decode("utf-8")
    assert_same_for_all(tok, encoding, [(name, text)])
    lines = text.splitlines(keepends=True)
    assert tok.encode_batch(lines, threads=2).to_list() == encoding.encode_ordinary_batch(lines, num_threads=2)


@pytest.mark.heavy
@pytest.mark.parametrize("name", CORPORA)
def test_whole_corpora(pair: tuple, corpus: Callable[..., Path], name: str) -> None:
    tok, encoding = pair
    text = corpus(name).read_bytes().decode("utf-8")
    assert_same_for_all(tok, encoding, [(name, text)])
    lines = text.split("\n")
    theirs = encoding.encode_ordinary_batch(lines, num_threads=2)
    theirs = np.concatenate([np.asarray(ids, np.uint32) for ids in theirs])
    assert np.array_equal(tok.encode_batch(lines, disallowed_special=()).ids, theirs)


def test_nasty(pair: tuple, nasty: list[tuple[str, str]]) -> None:
    tok, encoding = pair
    assert_same_for_all(tok, encoding, nasty)


def test_own_nasty_with_real_ranks(pair: tuple) -> None:
    tok, encoding = pair
    assert_same_for_all(tok, encoding, [(repr(text[:40]), text) for text in TEXTS])


def test_special_tokens(pair: tuple) -> None:
    tok, encoding = pair
    text = "a<|endoftext|> b<|endoftext|><|endofprompt|>"
    assert tok.special_tokens == encoding._special_tokens
    assert tok.encode(text, disallowed_special=()) == encoding.encode(text, disallowed_special=())
    for allowed in ("all", {"<|endoftext|>"}):
        theirs = encoding.encode(text, allowed_special=allowed, disallowed_special=())
        assert tok.encode(text, allowed_special=allowed, disallowed_special=()) == theirs
    assert tok.decode(tok.encode(text, allowed_special="all")) == text


@pytest.fixture(scope="module", params=PATTERNS)
def trained(request: pytest.FixtureRequest) -> tuple[bukva.Tokenizer, tiktoken.Encoding]:
    """Ours trained on the sample of the package, and the reference with its ranks."""
    trainer = bukva.BpeTrainer(num_merges=800, pattern=request.param)
    tok = bukva.train([SAMPLE / "sample_ru.txt", SAMPLE / "sample_en.txt"], trainer)
    return tok, from_ranks(dict(tok.vocab), PATTERNS[request.param])


def test_own_nasty_with_trained_ranks(trained: tuple) -> None:
    tok, encoding = trained
    assert_same_for_all(tok, encoding, [(repr(text[:40]), text) for text in TEXTS])


@pytest.mark.parametrize("character", ["a", " ", "\n", "中", "\u0301", "1", "."])
def test_long_runs_do_not_crash(trained: tuple, character: str) -> None:
    tok, _encoding = trained
    text = character * 1_000_000
    assert tok.decode(tok.encode_ordinary(text)) == text
