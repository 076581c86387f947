"""What holds for every text and every sequence of ids."""

from __future__ import annotations

from itertools import pairwise

import pytest
import tiktoken
from hypothesis import given
from hypothesis import strategies as st

import bukva
from bukva.reference import bpe

from ..parity.openai_encodings import CL100K, from_ranks
from .texts import texts


@given(text=texts)
def test_decode_undoes_encode(tok: bukva.Tokenizer, text: str) -> None:
    ids = tok.encode(text)
    assert tok.decode(ids) == text
    assert tok.decode_bytes(ids) == text.encode()


@given(text=texts)
def test_encode_is_the_reference(tok: bukva.Tokenizer, text: str) -> None:
    pattern = tok.training.trainer.pattern
    pretokens = bukva._core.pretokenize(text, pattern)
    assert "".join(pretokens) == text
    expected = [token for pretoken in pretokens for token in bpe.encode(pretoken.encode(), tok.merges)]
    assert [tok.vocab[number] for number in tok.encode(text)] == expected


@given(text=texts)
def test_count_is_the_number_of_ids(tok: bukva.Tokenizer, text: str) -> None:
    assert tok.count(text) == len(tok.encode(text)) == len(tok.encode_ordinary(text))


@given(batch=st.lists(texts, max_size=8))
def test_batches_are_texts_one_by_one(tok: bukva.Tokenizer, batch: list[str]) -> None:
    alone = [tok.encode(text) for text in batch]
    for threads in (1, 2, None):
        together = tok.encode_batch(batch, threads=threads)
        assert together.to_list() == alone
        assert tok.decode_batch(together) == batch
        assert tok.count_batch(batch, threads=threads).tolist() == list(map(len, alone))


@given(text=texts)
def test_explanations_tile_the_text(tok: bukva.Tokenizer, text: str) -> None:
    told = tok.explain(text)
    data = text.encode()
    assert list(told.ids) == tok.encode(text)
    assert b"".join(told.tokens) == data
    assert told.lossless
    assert told.round_trips
    assert not told.dropped
    assert not told.edits
    assert tiles(told.byte_spans, len(data))
    assert tiles([pretoken.span for pretoken in told.pretokens], len(data))
    assert [data[a:b] for a, b in told.byte_spans] == list(told.tokens)
    assert tiles(told.char_spans, len(text))
    for (a, b), (c, d) in zip(told.byte_spans, told.char_spans, strict=True):
        if whole_characters(data, a, b):
            assert text[c:d].encode() == data[a:b]


@given(text=texts)
def test_explained_steps_lead_to_the_tokens(tok: bukva.Tokenizer, text: str) -> None:
    ranks = {pair: rank for rank, pair in enumerate(tok.merges)}
    for pretoken in tok.explain(text).pretokens:
        if not pretoken.whole:
            assert pretoken.states()[-1] == pretoken.tokens
        for step in pretoken.steps:
            assert ranks[step.left, step.right] == step.rank
            assert step.left + step.right == step.product


@given(data=st.data())
def test_streams_are_decodings(tok: bukva.Tokenizer, data: st.DataObject) -> None:
    ids = data.draw(st.lists(st.integers(0, tok.sizes.id_range - 1), max_size=30))
    stream = tok.stream(errors="replace")
    pieces = [stream.push(number) for number in ids] + [stream.finish()]
    assert "".join(pieces) == tok.decode(ids, errors="replace") == tok.decode_bytes(ids).decode(errors="replace")


@given(text=texts)
def test_streams_give_complete_characters(tok: bukva.Tokenizer, text: str) -> None:
    stream, seen, given_bytes = tok.stream(), "", b""
    for number in tok.encode(text):
        given_bytes += tok.vocab[number]
        seen += stream.push(number)
        assert seen == given_bytes.decode(errors="ignore")
    assert stream.finish() == ""
    assert seen == text


@given(data=st.data())
def test_decode_is_strict_unless_asked(tok: bukva.Tokenizer, data: st.DataObject) -> None:
    ids = data.draw(st.lists(st.integers(0, tok.sizes.id_range - 1), max_size=20))
    spelled = b"".join(tok.vocab[number] for number in ids)
    assert tok.decode_bytes(ids) == spelled
    try:
        text = spelled.decode()
    except UnicodeDecodeError:
        with pytest.raises(bukva.TextError):
            tok.decode(ids)
    else:
        assert tok.decode(ids) == text


special_parts = st.sampled_from(["<s>", "<|end|>", "<|pad|>", "<", "|end|>", "x", " "])
pieces = st.lists(st.one_of(special_parts, texts), max_size=8)
names = st.sets(st.sampled_from(["<s>", "<|end|>", "<|pad|>"]))


@given(text=pieces.map("".join), allowed=st.one_of(st.just("all"), names), disallowed=st.one_of(st.just("all"), names))
def test_special_tokens_are_those_of_tiktoken(
    special_tok: bukva.Tokenizer, text: str, allowed: str | set[str], disallowed: str | set[str]
) -> None:
    ranks, special = dict(special_tok.vocab), special_tok.special_tokens
    encoding = tiktoken_of(tuple(ranks.items()), tuple(special.items()))
    try:
        expected = encoding.encode(text, allowed_special=allowed, disallowed_special=disallowed)
    except ValueError:
        with pytest.raises(bukva.SpecialTokenError):
            special_tok.encode(text, allowed_special=allowed, disallowed_special=disallowed)
    else:
        assert special_tok.encode(text, allowed_special=allowed, disallowed_special=disallowed) == expected
        assert special_tok.decode(expected) == text


@given(text=pieces.map("".join))
def test_plain_text_has_no_special_tokens(special_tok: bukva.Tokenizer, text: str) -> None:
    ids = special_tok.encode(text, disallowed_special=())
    assert ids == special_tok.encode_ordinary(text)
    assert not set(ids) & set(special_tok.special_tokens.values())
    assert special_tok.decode(ids) == text


@given(text=pieces.map("".join))
def test_special_tokens_can_be_left_out_of_the_text(special_tok: bukva.Tokenizer, text: str) -> None:
    ids = special_tok.encode(text, allowed_special="all")
    special = set(special_tok.special_tokens.values())
    kept = [number for number in ids if number not in special]
    assert special_tok.decode(ids, skip_special_tokens=True) == special_tok.decode(kept)


@given(before=texts, after=texts)
def test_lone_surrogates_are_errors_with_a_position(tok: bukva.Tokenizer, before: str, after: str) -> None:
    text = before + "\ud800" + after
    for function in (tok.encode, tok.encode_ordinary, tok.count, tok.explain):
        with pytest.raises(bukva.TextError):
            function(text)


def tiles(spans: object, length: int) -> bool:
    """Whether the spans follow one another from 0 to the length without gap or overlap."""
    ends = [0, *(end for _start, end in spans)]
    starts = [*(start for start, _end in spans), length]
    return ends == starts and all(a <= b for a, b in pairwise(ends))


def whole_characters(data: bytes, *positions: int) -> bool:
    """Whether no position lies inside a character."""
    return not any(data[at : at + 1] and data[at] & 0xC0 == 0x80 for at in positions)


_ENCODINGS: dict[tuple, tiktoken.Encoding] = {}


def tiktoken_of(ranks: tuple, special: tuple) -> tiktoken.Encoding:
    if special not in _ENCODINGS:
        _ENCODINGS[special] = from_ranks(dict(ranks), CL100K, dict(special))
    return _ENCODINGS[special]
