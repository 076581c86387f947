"""`bukva.compat.hf` against `tokenizers`: every attribute of encodings, and decoding."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from tokenizers import decoders, models, normalizers, pre_tokenizers, processors

import bukva
from bukva.compat.hf import AddedToken, DecodeStream, Encoding, Tokenizer

from .nasty_texts import TEXTS as NASTY

LISTS = ["ids", "tokens", "type_ids", "offsets", "word_ids", "sequence_ids", "attention_mask", "special_tokens_mask"]
TEXTS = [
    "",
    " ",
    "a b c d e",
    "the cat  sat",
    "[SEP] unknown words!",
    "Ёлка и ёж",
    "a" * 30,
    "<s>x </s>",
    "日本語 text",
]


def facts(encoding: Any) -> dict[str, Any]:
    found = {name: list(getattr(encoding, name)) for name in LISTS}
    return found | {"n": encoding.n_sequences, "overflowing": [facts(window) for window in encoding.overflowing]}


def word_level() -> tokenizers.Tokenizer:
    words = ["[UNK]", "[CLS]", "[SEP]", "[PAD]", "a", "b", "c", "d", "e", "the", "cat", "sat", "Ёлка", "и", "text"]
    made = tokenizers.Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, "[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.add_special_tokens(["[CLS]", "[SEP]", "[PAD]"])
    return made


def byte_level(trim: bool, prefix: bool) -> tokenizers.Tokenizer:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocab = {text: number for number, text in enumerate([*alphabet, "Ġa", "at", "Ġt", "Ġthe", "the", "he"])}
    merges = [("Ġ", "a"), ("a", "t"), ("h", "e"), ("Ġ", "t"), ("Ġt", "he"), ("t", "he")]
    made = tokenizers.Tokenizer(models.BPE(vocab, merges))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    made.add_special_tokens(["<s>", "</s>"])
    ids = {name: made.token_to_id(name) for name in ("<s>", "</s>")}
    made.post_processor = processors.RobertaProcessing(
        ("</s>", ids["</s>"]), ("<s>", ids["<s>"]), trim_offsets=trim, add_prefix_space=prefix
    )
    made.decoder = decoders.ByteLevel()
    return made


def chars() -> tokenizers.Tokenizer:
    vocab = {text: number for number, text in enumerate(["<unk>", *"abcdehstx▁", "▁a", "th", "the"])}
    made = tokenizers.Tokenizer(models.BPE(vocab, [("▁", "a"), ("t", "h"), ("th", "e")], unk_token="<unk>"))
    made.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    made.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    made.decoder = decoders.Metaspace(prepend_scheme="first")
    made.post_processor = processors.TemplateProcessing(
        single="<s> $A:3 </s>", pair="$B:1 </s>:2 $A </s> $B:4", special_tokens=[("<s>", 20), ("</s>", 21)]
    )
    return made


def built() -> Iterator[tuple[str, tokenizers.Tokenizer]]:
    yield "words", word_level()
    bert = word_level()
    bert.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    yield "bert", bert
    yield "roberta", byte_level(True, False)
    yield "prefix", byte_level(True, True)
    yield "raw", byte_level(False, False)
    yield "template", chars()
    several = byte_level(True, False)
    template = processors.TemplateProcessing(single="<s> $A", pair="<s> $A $B:1", special_tokens=[("<s>", 262)])
    several.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=True), template])
    yield "sequence", several


BUILT = dict(built())


@pytest.mark.parametrize("name", BUILT)
@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.heavy)])
def test_encodings_of_small_tokenizers(name: str, whole: bool) -> None:
    theirs = BUILT[name]
    ours = Tokenizer.from_str(theirs.to_str())
    cuts = [None, *itertools.product([5, 9], [0, 2], ["longest_first", "only_first"], ["left", "right"])]
    fills = [None, {"length": 12, "direction": "left"}, {"pad_to_multiple_of": 4, "pad_id": 3, "pad_type_id": 7}]
    options = list(itertools.product(cuts, fills, [True, False]))
    for cut, fill, special in options if whole else options[::11]:
        for tokenizer in (theirs, ours):
            tokenizer.no_truncation()
            tokenizer.no_padding()
            if cut:
                tokenizer.enable_truncation(cut[0], stride=cut[1], strategy=cut[2], direction=cut[3])
            if fill:
                tokenizer.enable_padding(**fill)
        assert (ours.truncation, ours.padding) == (theirs.truncation, theirs.padding)
        for text, pair in [*((text, None) for text in TEXTS), *zip(TEXTS, reversed(TEXTS), strict=True)]:
            compare(ours, theirs, text, pair, special)
        batch = [facts(found) for found in ours.encode_batch(TEXTS, add_special_tokens=special)]
        assert batch == [facts(found) for found in theirs.encode_batch(TEXTS, add_special_tokens=special)]


def compare(ours: Tokenizer, theirs: tokenizers.Tokenizer, text: str, pair: str | None, special: bool) -> None:
    where = f"{text!r} {pair!r} {theirs.truncation} {theirs.padding}"
    try:
        expected = facts(theirs.encode(text, pair, add_special_tokens=special))
    except BaseException:  # a panic of the library is no Exception
        with pytest.raises(bukva.errors.ArgumentError):
            ours.encode(text, pair, add_special_tokens=special)
        return
    assert facts(ours.encode(text, pair, add_special_tokens=special)) == expected, where


@pytest.mark.parametrize("name", BUILT)
def test_words_given_by_the_caller_and_ids_alone(name: str) -> None:
    theirs = BUILT[name]
    theirs.no_truncation()
    theirs.no_padding()
    ours = Tokenizer.from_str(theirs.to_str())
    words = ["the", "cat a", "", "sat", "Ё"]
    assert facts(ours.encode(words, is_pretokenized=True)) == facts(theirs.encode(words, is_pretokenized=True))
    both = ours.encode(words, words, is_pretokenized=True)
    assert facts(both) == facts(theirs.encode(words, words, is_pretokenized=True))
    fast = [facts(found) for found in ours.encode_batch_fast(TEXTS)]
    assert fast == [facts(found) for found in theirs.encode_batch_fast(TEXTS)]


def test_questions_about_tokens_and_characters() -> None:
    theirs = BUILT["bert"]
    theirs.no_truncation()
    theirs.no_padding()
    ours = Tokenizer.from_str(theirs.to_str())
    pair = ("a the  cat", "sat и")
    mine, other = ours.encode(*pair), theirs.encode(*pair)
    for number, sequence in itertools.product(range(12), range(2)):
        for question in ("char_to_token", "char_to_word", "word_to_chars", "word_to_tokens"):
            assert getattr(mine, question)(number, sequence) == getattr(other, question)(number, sequence), question
        for question in ("token_to_chars", "token_to_word", "token_to_sequence"):
            assert getattr(mine, question)(number) == getattr(other, question)(number), question
    assert repr(mine) == repr(other)
    for growing in (True, False):
        merged = tokenizers.Encoding.merge([other, other], growing)
        assert facts(Encoding.merge([mine, mine], growing)) == facts(merged)


def decoded() -> Iterator[tuple[str, Any]]:
    yield "none", None
    yield "wordpiece", decoders.WordPiece(cleanup=True)
    yield "bpe", decoders.BPEDecoder("e")
    yield "ctc", decoders.CTC(pad_token="a", word_delimiter_token="b")
    yield "metaspace", decoders.Metaspace()
    yield "never", decoders.Metaspace(prepend_scheme="never")
    yield "bytes", decoders.ByteLevel()
    strip = [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    yield "fallback", decoders.Sequence(strip)
    yield "regex", decoders.Replace(tokenizers.Regex("[ab]+"), "!")


DECODERS = dict(decoded())


@pytest.mark.parametrize("name", DECODERS)
def test_decoding(name: str) -> None:
    texts = ["a", "b", "##e", "▁", "▁the", "<0xD1>", "<0x91>", "<0x20>", "é", "Ġ", "n't", ".", "'s", "ab", "Ñ"]
    theirs = tokenizers.Tokenizer(models.WordLevel({text: number for number, text in enumerate(texts)}, "a"))
    theirs.pre_tokenizer = pre_tokenizers.Whitespace()
    theirs.add_special_tokens(["<s>"])
    theirs.add_tokens(["éé"])
    if DECODERS[name] is not None:
        theirs.decoder = DECODERS[name]
    ours = Tokenizer.from_str(theirs.to_str())
    sample = random.Random(5)
    for _ in range(500):
        ids = [sample.randrange(20) for _ in range(sample.randrange(8))]
        for skip in (True, False):
            assert ours.decode(ids, skip) == theirs.decode(ids, skip), (ids, skip)
        mine, other = DecodeStream(), tokenizers.decoders.DecodeStream()
        try:
            expected = [other.step(theirs, number) for number in ids]
        except Exception:
            continue
        assert [mine.step(ours, number) for number in ids] == expected, ids


def test_added_tokens() -> None:
    theirs, mine = word_level(), None
    ours = Tokenizer.from_str(theirs.to_str())
    for tokenizer, added in ((theirs, tokenizers.AddedToken), (ours, AddedToken)):
        assert tokenizer.add_tokens(["x y", added("zz", lstrip=True), "a"]) == 3
        assert tokenizer.add_special_tokens([added("<q>", rstrip=True), "[SEP]"]) == 1
        mine = tokenizer
    assert mine is ours
    assert str(ours.get_added_tokens_decoder()) == str(theirs.get_added_tokens_decoder())
    assert ours.get_vocab() == theirs.get_vocab()
    assert ours.get_vocab_size(False) == theirs.get_vocab_size(False)
    for text in ["x y zz  <q>  a", "b  zz<q>"]:
        assert facts(ours.encode(text)) == facts(theirs.encode(text))
    theirs.encode_special_tokens = ours.encode_special_tokens = True
    assert facts(ours.encode("a <q> [SEP]")) == facts(theirs.encode("a <q> [SEP]"))


FILES = ["bert", "bert_base_cased", "clip", "deepseek_v3", "gemma3", "gpt_neox", "gptoss", "llama3_1", "mistral01"]
FILES += ["mistral03", "qwen3", "xlnet"]


@pytest.mark.heavy
@pytest.mark.parametrize("name", FILES)
def test_files(name: str, artefact: Callable[[str], Path]) -> None:
    compare_file(artefact(f"{name}/tokenizer.json"))


def compare_file(path: Path) -> None:
    theirs, ours = tokenizers.Tokenizer.from_file(str(path)), Tokenizer.from_file(path)
    assert (ours.truncation, ours.padding) == (theirs.truncation, theirs.padding)
    texts = [*TEXTS, *NASTY]
    for text, pair in zip(texts, [None, *texts[:-1]], strict=True):
        assert facts(ours.encode(text, pair)) == facts(theirs.encode(text, pair)), (text, pair)
    size, sample = theirs.get_vocab_size(), random.Random(1)
    for skip in (True, False):
        sequences = [[sample.randrange(size + 5) for _ in range(20)] for _ in range(300)]
        assert ours.decode_batch(sequences, skip) == theirs.decode_batch(sequences, skip)
    assert json.loads(ours.to_str())["added_tokens"] == json.loads(theirs.to_str())["added_tokens"]


@pytest.mark.parametrize("stride", [0, 1, 3])
@pytest.mark.parametrize("length", [4, 6, 50])
def test_windows_with_control_tokens(length: int, stride: int, tmp_path: Path) -> None:
    theirs = word_level()
    theirs.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    theirs.save(str(tmp_path / "tokenizer.json"))
    tok, text = bukva.load(tmp_path / "tokenizer.json"), "a b c the cat sat d e a text"
    if stride >= length - 2:
        with pytest.raises(bukva.errors.ArgumentError, match="2 control tokens"):
            tok.encode_windows(text, length, stride, add_special_tokens=True)
        return
    theirs.enable_truncation(length, stride=stride)
    first = theirs.encode(text)
    expected = [first.ids, *(window.ids for window in first.overflowing)]
    assert tok.encode_windows(text, length, stride, add_special_tokens=True).to_list() == expected
    assert tok.encode_windows("", length, stride, add_special_tokens=True).to_list() == [[1, 2]]
    with pytest.raises(bukva.errors.ArgumentError, match="above 2"):
        tok.encode_windows(text, 2, 0, add_special_tokens=True)
