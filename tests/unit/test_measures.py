import json
import math

import pytest

import bukva
from bukva import Tokenizer


def test_against_a_count_by_hand() -> None:
    tok = bukva.train_from_iterator(["ab"], bukva.BpeTrainer(num_merges=1))
    m = bukva.measure(tok, ["ab ab c", "ы9"])
    # ab| |ab| |c and D1|8B|9
    assert (m.n_texts, m.n_tokens, m.n_bytes, m.n_chars) == (2, 8, 10, 9)
    assert (m.n_words, m.n_word_types) == (5, 4)
    assert m.bytes_per_token == 10 / 8
    assert m.chars_per_token == 9 / 8
    assert m.tokens_per_text == 4
    assert m.fertility == 8 / 5
    assert m.single_token_retention == 3 / 4
    assert m.single_token_retention_spaced == 0
    assert tok.sizes.id_range == 257
    assert m.bits_per_byte == 8 * 9 / 10
    assert m.bits_per_byte_exact == pytest.approx(8 * math.log2(257) / 10)


def test_texts_are_encoded_separately(tok: Tokenizer, ru: str) -> None:
    lines = ru.splitlines(keepends=True)
    assert bukva.measure(tok, lines).n_tokens == sum(tok.count(line) for line in lines)
    assert bukva.measure(tok, ru).n_tokens == tok.count(ru)


def test_conventions(tok: Tokenizer, ru: str) -> None:
    one, two = bukva.measure(tok, [ru]), bukva.measure(tok, [ru], word_pattern=r"\w+")
    assert one.conventions.tokenizer == tok.fingerprint
    assert one.conventions.corpus == two.conventions.corpus
    assert one.conventions != two.conventions
    assert bukva.measure(tok, ["a", "b"]).conventions.corpus != bukva.measure(tok, ["ab"]).conventions.corpus
    assert json.loads(json.dumps(one.to_dict()))["conventions"]["word_pattern"] == r"\p{L}+|\p{N}+"


def test_special_tokens_are_plain_text(tok: Tokenizer) -> None:
    text = "a<|endoftext|>"
    assert bukva.measure(tok, text).n_tokens == tok.count(text, disallowed_special=())


def test_nothing_to_divide_by(tok: Tokenizer) -> None:
    m = bukva.measure(tok, "")
    assert math.isnan(m.bytes_per_token)
    assert m.to_dict()["fertility"] is None
    assert "–" in repr(m)


def test_bad_input(tok: Tokenizer) -> None:
    with pytest.raises(bukva.CorpusError, match="no text"):
        bukva.measure(tok, [])
    with pytest.raises(bukva.ArgumentError, match=r"texts\[1\]"):
        bukva.measure(tok, ["a", 5])  # type: ignore[list-item]
    with pytest.raises(bukva.ArgumentError, match="texts"):
        bukva.measure(tok, 5)  # type: ignore[arg-type]
    with pytest.raises(bukva.PatternError):
        bukva.measure(tok, ["a"], word_pattern="(")
    with pytest.raises(bukva.ArgumentError, match="word_pattern"):
        bukva.measure(tok, ["a"], word_pattern="")
