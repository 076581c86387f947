"""4096 merges learned on the Russian half of PUD: every figure of the course."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import pytest

import bukva
from bukva.reference import bpe

TRAINER = bukva.BpeTrainer(num_merges=4096, pattern="course", tie_break="first_seen")


@pytest.fixture(scope="module")
def facts(golden: dict) -> dict:
    return golden["pud"]


@pytest.fixture(scope="module")
def tok(shared) -> bukva.Tokenizer:
    return bukva.train(shared / "pud" / "ru_train.txt", TRAINER)


def test_merges(tok: bukva.Tokenizer, facts: dict) -> None:
    vocab = tok.vocab
    assert [[vocab[left], vocab[right]] for left, right in tok.merges] == facts["merges"]


def test_merge_counts_never_rise_and_number_4096(tok: bukva.Tokenizer) -> None:
    counts = tok.training.merge_counts
    assert len(counts) == 4096
    assert all(a >= b for a, b in pairwise(counts))


@pytest.mark.parametrize("name", ["ru_train", "ru_eval", "en_eval", "en_train"])
def test_tokens(tok: bukva.Tokenizer, facts: dict, pud: Callable[[str], str], name: str) -> None:
    assert len(tok.encode(pud(name))) == tok.count(pud(name)) == facts["tokens"][name]


@pytest.mark.parametrize("name", ["ru_train", "ru_eval", "en_eval"])
def test_bytes_per_token(tok: bukva.Tokenizer, facts: dict, pud: Callable[[str], str], name: str) -> None:
    assert round(bukva.measure(tok, [pud(name)]).bytes_per_token, 3) == facts["bytes_per_token"][name]


@pytest.mark.parametrize("name", ["ru_eval", "en_eval"])
def test_segments_encoded_separately(tok: bukva.Tokenizer, facts: dict, pud: Callable[[str], str], name: str) -> None:
    segments = pud(name).splitlines()
    expected = facts["segments_encoded_separately_tokens"][name]
    measures = bukva.measure(tok, segments)
    assert (measures.n_texts, measures.n_tokens) == (facts["eval"]["segments"], expected)
    assert int(tok.count_batch(segments).sum()) == len(tok.encode_batch(segments).ids) == expected
    assert round(measures.tokens_per_text, 2) == facts["mean_tokens_per_segment"][name]


def test_fertility(tok: bukva.Tokenizer, facts: dict) -> None:
    for text, n_tokens, n_words, ratio in facts["fertility"]:
        measures = bukva.measure(tok, text, word_pattern=facts["word_pattern"])
        assert (measures.n_tokens, measures.n_words) == (n_tokens, n_words), text
        assert round(measures.fertility, 2) == ratio, text


def test_ids_of_one_word(tok: bukva.Tokenizer, facts: dict) -> None:
    assert tok.encode("Привет") == facts["ids"]["Привет"] == [943, 370, 301]


def test_two_spaces_cost_a_token(tok: bukva.Tokenizer, facts: dict) -> None:
    for text, ratio in facts["bytes_per_token_of"].items():
        assert round(bukva.measure(tok, text).bytes_per_token, 4) == ratio


def test_curve_ends_at_the_full_vocabulary(tok: bukva.Tokenizer, facts: dict, pud: Callable[[str], str]) -> None:
    curve = bukva.compression_curve(tok, {"ru": [pud("ru_eval")], "en": [pud("en_eval")]}, steps=[0, 1024, 4096])
    assert list(curve.merges) == [0, 1024, 4096]
    for name, key in (("ru", "ru_eval"), ("en", "en_eval")):
        assert curve.n_tokens[name][0] == len(pud(key).encode())
        assert curve.n_tokens[name][-1] == facts["tokens"][key]


def test_curve_is_that_of_shorter_trainings(shared, tok: bukva.Tokenizer, pud: Callable[[str], str]) -> None:
    short = bukva.BpeTrainer(num_merges=1000, pattern="course", tie_break="first_seen")
    alone = bukva.train(shared / "pud" / "ru_train.txt", short)
    curve = bukva.compression_curve(tok, {"ru": [pud("ru_eval")]}, steps=[1000])
    assert curve.n_tokens["ru"][list(curve.merges).index(1000)] == alone.count(pud("ru_eval"))


def test_reference_agrees_on_the_first_merges(facts: dict, pud: Callable[[str], str]) -> None:
    chunks = [chunk.encode() for chunk in bukva._core.pretokenize(pud("ru_train"), "course")]
    merges = bpe.train(chunks, 100)
    ids = bpe.vocabulary(chunks, merges)
    assert [[ids[merge.left], ids[merge.right]] for merge in merges] == facts["merges"][:100]


@pytest.mark.heavy
def test_reference_agrees_on_all_merges(facts: dict, pud: Callable[[str], str]) -> None:
    chunks = [chunk.encode() for chunk in bukva._core.pretokenize(pud("ru_train"), "course")]
    merges = bpe.train(chunks, 4096)
    ids = bpe.vocabulary(chunks, merges)
    assert [[ids[merge.left], ids[merge.right]] for merge in merges] == facts["merges"]
    tokens = sum(n * len(bpe.encode(chunk, merges)) for chunk, n in Counter(chunks).items())
    assert tokens == facts["tokens"]["ru_train"]
