"""WordPiece and Unigram: the engine against the definitions in plain Python."""

from __future__ import annotations

import doctest
import json
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bukva
from bukva.compat import hf
from bukva.reference import bpe, unigram, wordpiece

ALPHABET = "abж▁🙂"
words = st.text(ALPHABET, min_size=1, max_size=4)
texts = st.text(ALPHABET + "x", max_size=12)


@pytest.mark.parametrize("module", [bpe, unigram, wordpiece])
def test_examples(module: object) -> None:
    assert doctest.testmod(module).failed == 0  # type: ignore[arg-type]


def file_of(model: Mapping[str, object]) -> str:
    return json.dumps({"version": "1.0", "added_tokens": [], "model": model})


def tokenizer(model: Mapping[str, object]) -> bukva._core.Tokenizer:
    return bukva._core.read_hf_json(file_of(model).encode())


@given(
    found=st.sets(words, max_size=25),
    inner=st.sets(words, max_size=25),
    prefix=st.sampled_from(["##", "a", ""]),
    most=st.sampled_from([100, 4]),
    some=st.lists(texts, max_size=5),
)
def test_wordpiece(found: set[str], inner: set[str], prefix: str, most: int, some: list[str]) -> None:
    vocab = ["[UNK]", *sorted(found | {prefix + word for word in inner})]
    model: dict[str, object] = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": prefix}
    model |= {"max_input_chars_per_word": most, "vocab": {token: number for number, token in enumerate(vocab)}}
    tok = tokenizer(model)
    for text in some:
        expected = wordpiece.encode(text, set(vocab), prefix=prefix, max_chars=most)
        assert [vocab[number] for number in tok.encode(text)] == expected
        found_places = hf.Tokenizer.from_str(file_of(model)).encode(text).offsets
        assert found_places == wordpiece.spans(text, expected, prefix=prefix)


scored = st.dictionaries(words, st.integers(-40, -1), max_size=25)  # whole numbers: sums are exact, ties are common


@given(pieces=scored, some=st.lists(texts, max_size=5))
def test_unigram(pieces: dict[str, int], some: list[str]) -> None:
    tokens, scores, tok = unigram_tokenizer(pieces)
    for text in some:
        assert [tokens[number] for number in tok.encode(text)] == unigram.encode(text, scores)


@given(pieces=scored, text=st.text(ALPHABET, max_size=6), n=st.integers(2, 40))
def test_lists_of_the_best(pieces: dict[str, int], text: str, n: int) -> None:
    # Every character is a piece: the library takes a run of unknown ones for the piece that it spells, if there is one.
    tokens, scores, tok = unigram_tokenizer(dict.fromkeys(ALPHABET, -50) | pieces)
    found = [([tokens[number] for number in ids], score) for ids, score in tok.nbest(text, n)]
    everything = unigram.nbest(text, scores, 2**6)
    assert [score for _, score in found] == pytest.approx([score for _, score in everything[:n]])
    assert all(first[1] >= second[1] for first, second in pairwise(found))
    known = Counter((tuple(spelled), score) for spelled, score in everything)
    assert not Counter((tuple(spelled), score) for spelled, score in found) - known


@settings(max_examples=5)
@given(pieces=scored, text=st.text("abж", min_size=1, max_size=4), alpha=st.sampled_from([0.0, 0.1, 1.0]))
def test_samples(pieces: dict[str, int], text: str, alpha: float) -> None:
    tokens, scores, tok = unigram_tokenizer(pieces)
    draws = 3000
    counted = Counter(tuple(tok.sample(text, alpha=alpha, seed=seed)) for seed in range(draws))
    expected: Counter[tuple[str, ...]] = Counter()
    for spelled, probability in unigram.distribution(text, scores, alpha):
        expected[tuple(spelled)] += probability  # type: ignore[assignment]
    for drawn, probability in expected.items():
        seen = counted[tuple(tokens.index(token) for token in drawn)] / draws
        assert seen == pytest.approx(probability, abs=0.06)


def unigram_tokenizer(pieces: dict[str, int]) -> tuple[list[str], dict[str, float], bukva._core.Tokenizer]:
    """The texts of the ids, the scores, and the tokenizer. The unknown token is a piece like others in the library."""
    scores = {"<unk>": 0.0} | {piece: float(score) for piece, score in sorted(pieces.items())}
    model = {"type": "Unigram", "unk_id": 0, "byte_fallback": False, "vocab": [list(item) for item in scores.items()]}
    return list(scores), scores, tokenizer(model)
