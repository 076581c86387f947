import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bukva
from bukva import Encoding, Tokenizer

TEXTS = ["", "Привет", "  two  spaces\r\n", "e\u0301 👩🏽‍🚀", "Буква «ё» моложе остальных."]


def check(tok: Tokenizer, text: str) -> None:
    explained = tok.explain(text, disallowed_special=())
    assert list(explained.ids) == tok.encode(text, disallowed_special=())
    assert b"".join(explained.tokens) == text.encode()
    ends = [0, *(end for _, end in explained.byte_spans)]
    assert list(explained.byte_spans) == list(itertools.pairwise(ends))
    assert ends[-1] == len(text.encode())
    assert len(explained.char_spans) == len(explained.ids)
    assert "".join(pretoken.text for pretoken in explained.pretokens) == text
    for pretoken in explained.pretokens:
        if not pretoken.whole:
            assert pretoken.states()[-1] == pretoken.tokens


@pytest.mark.parametrize("text", TEXTS)
def test_spans_tile_the_text(tok: Tokenizer, text: str) -> None:
    check(tok, text)


@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_spans_tile_any_text(tok: Tokenizer, text: str) -> None:
    check(tok, text)


def test_character_spans_cover_their_bytes(tok: Tokenizer) -> None:
    text = "ы🦊z"
    for (byte, _), (char, stop) in zip(tok.explain(text).byte_spans, tok.explain(text).char_spans, strict=True):
        assert len(text[:char].encode()) <= byte
        assert 0 <= char < stop <= len(text)


def test_the_record_is_plain_data(tok: Tokenizer) -> None:
    explained = tok.explain("Привет, мир")
    plain = json.loads(json.dumps(explained.to_dict()))
    assert plain["ids"] == list(explained.ids)
    assert bytes.fromhex("".join(plain["tokens"])).decode() == "Привет, мир"
    assert plain["lossless"] is True
    assert plain["pretokens"][0]["steps"][0].keys() == {"rank", "left", "right", "product", "position"}
    assert len(explained) == len(explained.ids)


def test_repr_shows_every_step(tok: Tokenizer) -> None:
    shown = repr(tok.explain("Привет"))
    for part in ("D0 9F D1 80", "pre-token 1  'Привет'", "symbols", "merge ", "promised for every text"):
        assert part in shown


def test_html_is_escaped(tok: Tokenizer) -> None:
    shown = tok.explain("<script>alert('x')</script> & \"q\"")._repr_html_()
    assert "<script" not in shown
    assert "&lt;" in shown
    assert "&amp;" in shown


def test_a_normalizer_is_visible() -> None:
    trainer = bukva.BpeTrainer(num_merges=0, normalizer=["nfc", "lowercase", "collapse_whitespace"])
    tok = bukva.train_from_iterator(["текст"], trainer)
    explained = tok.explain("Е\u0308ж  и  ДОМ")
    assert explained.normalized == "ёж и дом"
    assert not explained.lossless
    assert not explained.round_trips
    assert explained.losses
    assert explained.edits
    original, normalized = explained.text.encode(), explained.normalized.encode()
    rebuilt, at = b"", 0
    for edit in explained.edits:
        rebuilt += original[at : edit.original[0]] + normalized[slice(*edit.normalized)]
        at = edit.original[1]
    assert rebuilt + original[at:] == normalized
    assert "normalized" in repr(explained)
    assert "comes back changed" in repr(explained)
    assert tok.explain("ёж").round_trips


def test_dropped_text_is_named() -> None:
    tok = bukva.train_from_iterator(["да нет"], bukva.BpeTrainer(num_merges=0, pattern="whitespace"))
    explained = tok.explain("да нет")
    assert explained.dropped == ((4, 5),)
    assert not explained.lossless
    assert "dropped here: bytes 4..5" in repr(explained)


def test_special_tokens_are_marked(tok: Tokenizer) -> None:
    explained = tok.explain("a<|endoftext|>", allowed_special="all")
    assert isinstance(explained, Encoding)
    assert [pretoken.added for pretoken in explained.pretokens] == [False, True]
    assert "added token  '<|endoftext|>'" in repr(explained)
