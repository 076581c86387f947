"""The course's BPE over characters, with an end-of-word marker."""

from __future__ import annotations

import warnings

import pytest

import bukva
from bukva.reference import bpe

CATS = "кот котёнок котик кошка кошки кошке коты котов нос носок носки носить носил сок соки сокол"
CATS_MERGES = [
    ("к", "о", 9),
    ("н", "о", 6),
    ("ко", "т", 5),
    ("но", "с", 5),
    ("к", "_", 4),
    ("ко", "ш", 3),
    ("кош", "к", 3),
    ("и", "_", 3),
    ("с", "о", 3),
    ("к", "и_", 2),
    ("нос", "и", 2),
    ("л", "_", 2),
]
CATS_ENCODED = {
    "котами": ["кот", "а", "м", "и_"],
    "носок": ["нос", "о", "к_"],
    "кошками": ["кошк", "а", "м", "и_"],
}
FRAME = "мама мыла раму"
FRAME_MERGES = [
    ("м", "а", 2),
    ("ма", "ма", 1),
    ("мама", "</w>", 1),
    ("м", "ы", 1),
    ("мы", "л", 1),
    ("мыл", "а", 1),
    ("мыла", "</w>", 1),
    ("р", "а", 1),
    ("ра", "м", 1),
    ("рам", "у", 1),
    ("раму", "</w>", 1),
]
FRAME_VOCABULARY = [
    *("</w>", "а", "л", "м", "ма", "мама", "мама</w>", "мы", "мыл", "мыла", "мыла</w>"),
    *("р", "ра", "рам", "раму", "раму</w>", "у", "ы"),
]


def train(text: str, num_merges: int, end_of_word: str) -> bukva.Tokenizer:
    trainer = bukva.BpeTrainer(
        num_merges=num_merges,
        alphabet="chars",
        pattern="whitespace",
        tie_break="first_seen",
        end_of_word=end_of_word,
    )
    return bukva.train_from_iterator([text], trainer)


def merges_with_counts(tok: bukva.Tokenizer) -> list[tuple[str, str, int]]:
    pairs = [(left.decode(), right.decode()) for left, right in tok.merges]
    return [(*pair, count) for pair, count in zip(pairs, tok.training.merge_counts, strict=True)]


def tokens(tok: bukva.Tokenizer, text: str) -> list[str]:
    """Tokens as text. The course keeps a character that it has never seen; ours is [UNK], whose span says which."""
    told, vocab = tok.explain(text), tok.vocab
    known, pairs = set(vocab.ids()), zip(told.ids, told.char_spans, strict=True)
    spelled = [vocab[i].decode() if i in known else text[a:b] for i, (a, b) in pairs]
    assert list(told.ids) == tok.encode(text)
    return spelled


@pytest.fixture(scope="module")
def cats() -> bukva.Tokenizer:
    return train(CATS, 12, "_")


def test_cats_merges(cats: bukva.Tokenizer) -> None:
    assert merges_with_counts(cats) == CATS_MERGES


@pytest.mark.parametrize("word", CATS_ENCODED)
def test_cats_encoded(cats: bukva.Tokenizer, word: str) -> None:
    assert tokens(cats, word) == CATS_ENCODED[word]


def test_cats_decoded(cats: bukva.Tokenizer) -> None:
    assert cats.decode(cats.encode("носок сокол")).split() == ["носок", "сокол"]


def test_cats_unknown_character(cats: bukva.Tokenizer) -> None:
    assert cats.encode("котами")[2] == cats.special_tokens["[UNK]"]


def test_frame_merges_and_vocabulary() -> None:
    tok = train(FRAME, 11, "</w>")
    assert merges_with_counts(tok) == FRAME_MERGES
    assert sorted(token.decode() for token in tok.vocab) == FRAME_VOCABULARY
    assert [tokens(tok, word) for word in FRAME.split()] == [["мама</w>"], ["мыла</w>"], ["раму</w>"]]


def test_frame_with_one_merge_less() -> None:
    assert tokens(train(FRAME, 10, "</w>"), "раму") == ["раму", "</w>"]


def test_frame_stops_when_no_pair_is_left() -> None:
    with pytest.warns(bukva.BukvaWarning, match="pair"):
        more = train(FRAME, 100, "</w>")
    assert merges_with_counts(more) == FRAME_MERGES
    assert more.training.stopped == "no pair left"


def test_frame_does_not_warn_when_all_is_reached() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert train(FRAME, 11, "</w>").training.stopped == "reached"


@pytest.mark.parametrize(("text", "marker", "facts"), [(CATS, "_", CATS_MERGES), (FRAME, "</w>", FRAME_MERGES)])
def test_reference_agrees(text: str, marker: str, facts: list) -> None:
    assert list(map(tuple, bpe.train(text.split(), len(facts), end_of_word=marker))) == facts


def test_reference_encodes() -> None:
    for word, expected in CATS_ENCODED.items():
        assert bpe.encode(word, CATS_MERGES, "_") == expected
        assert bpe.decode(expected, "_") == word


def test_reference_vocabulary() -> None:
    assert sorted(bpe.vocabulary(FRAME.split(), FRAME_MERGES, end_of_word="</w>")) == FRAME_VOCABULARY


def test_facts_are_those_of_the_file(golden: dict) -> None:
    cats, frame = golden["char_bpe"], golden["char_bpe_small"]
    assert (cats["corpus"], [tuple(m) for m in cats["merges"]], cats["encoded"]) == (CATS, CATS_MERGES, CATS_ENCODED)
    assert (frame["corpus"], frame["vocabulary"]) == (FRAME, FRAME_VOCABULARY)
    assert [tuple(m) for m in frame["merges"]] == FRAME_MERGES
