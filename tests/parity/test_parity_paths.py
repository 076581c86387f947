"""Every way of encoding gives the ids of the reference libraries: small models of every kind."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import tiktoken
import tokenizers
from tokenizers import models, normalizers, pre_tokenizers, trainers

import bukva

from ..conftest import sample
from .nasty_texts import TEXTS
from .openai_encodings import PATTERNS, from_ranks
from .paths import PATHS, ways
from .suite.compare import compare_ways
from .suite.pairs import Pair
from .suite.texts import CORPORA, pages

HEAD = 30_000

DEEPSEEK = (
    r"\p{N}{1,3}",
    "[一-龥\u3040-ゟ゠-ヿ]+",
    r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|"""
    "[^\r\n"
    r"\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+"
    "[\r\n]*|"
    r"\s*"
    "[\r\n]+|"
    r"\s+(?!\S)|\s+",
)


@pytest.fixture(scope="module")
def words() -> list[str]:
    return [*sample("ru").split("\n"), *sample("en").split("\n")]


@pytest.fixture(scope="module")
def texts(corpus: Callable[..., Path]) -> list[str]:
    heads = (corpus(name, HEAD).read_bytes().decode("utf-8") for name in CORPORA)
    return [page for head in heads for page in pages(head.split("\n"))]


def of_tiktoken(tok: bukva.Tokenizer, encoding: tiktoken.Encoding) -> Pair:
    def theirs(texts: Any) -> list[dict[str, Any]]:
        return [{"ids": ids} for ids in encoding.encode_ordinary_batch(list(texts), num_threads=1)]

    return Pair(theirs, theirs, [], tok, {"disallowed_special": ()})


def of_tokenizers(theirs: tokenizers.Tokenizer, folder: Path) -> Pair:
    (folder / "tokenizer.json").write_text(theirs.to_str(), encoding="utf-8")

    def facts(texts: Any) -> list[dict[str, Any]]:
        return [{"ids": encoding.ids} for encoding in theirs.encode_batch_fast(list(texts))]

    return Pair(facts, facts, [], bukva.load(folder), {"disallowed_special": ()})


def of_sentencepiece(words: list[str], kind: str, folder: Path) -> Pair:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.Train(
        sentence_iterator=iter(words),
        model_writer=model,
        model_type=kind,
        vocab_size=900,
        byte_fallback=True,
        num_threads=1,
        minloglevel=2,
    )
    (folder / "a.model").write_bytes(model.getvalue())
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())

    def facts(texts: Any) -> list[dict[str, Any]]:
        return [{"ids": processor.encode(text)} for text in texts]

    return Pair(facts, facts, [], bukva.load(folder / "a.model"), {"disallowed_special": ()})


def trained(kind: str, words: list[str]) -> tokenizers.Tokenizer:
    """A small model of ``tokenizers``."""
    options: dict[str, Any] = {"vocab_size": 1200, "show_progress": False}
    if kind == "wordpiece":
        theirs = tokenizers.Tokenizer(models.WordPiece(unk_token="[UNK]"))
        theirs.normalizer, theirs.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
        trainer: Any = trainers.WordPieceTrainer(special_tokens=["[UNK]"], **options)
    elif kind == "unigram":
        theirs = tokenizers.Tokenizer(models.Unigram())
        theirs.pre_tokenizer = pre_tokenizers.Metaspace()
        trainer = trainers.UnigramTrainer(unk_token="<unk>", special_tokens=["<unk>"], **options)
    else:
        theirs = tokenizers.Tokenizer(models.BPE(ignore_merges=kind == "ignore merges"))
        splits = [pre_tokenizers.Split(tokenizers.Regex(pattern), "isolated") for pattern in DEEPSEEK]
        steps = splits if kind == "deepseek" else []
        last = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=kind != "deepseek")
        theirs.pre_tokenizer = pre_tokenizers.Sequence([*steps, last])
        trainer = trainers.BpeTrainer(initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), **options)
    theirs.train_from_iterator(words, trainer)
    return theirs


def check(pair: Pair, texts: list[str]) -> None:
    outcomes = compare_ways(pair, ways(pair.tokenizer), texts)
    assert len(outcomes) >= len(PATHS) - 1
    wrong = {name: outcome.examples for name, outcome in outcomes.items() if outcome.different}
    assert not wrong


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns(pattern: str, words: list[str], texts: list[str]) -> None:
    tok = bukva.train_from_iterator(words, bukva.BpeTrainer(num_merges=900, pattern=pattern))
    check(of_tiktoken(tok, from_ranks(dict(tok.vocab), PATTERNS[pattern])), [*TEXTS, *texts])


@pytest.mark.parametrize("kind", ["wordpiece", "unigram", "deepseek", "gpt2", "ignore merges"])
def test_models_of_tokenizers(kind: str, words: list[str], texts: list[str], tmp_path: Path) -> None:
    check(of_tokenizers(trained(kind, words), tmp_path), [*TEXTS, *texts])


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
def test_models_of_sentencepiece(kind: str, words: list[str], texts: list[str], tmp_path: Path) -> None:
    short = [text for text in TEXTS if len(text) < 10_000]
    check(of_sentencepiece(words, kind, tmp_path), [*short, *texts])


def test_there_is_no_other_way(tok: bukva.Tokenizer) -> None:
    for options in ({"scanner": "guess"}, {"merging": "guess"}):
        with pytest.raises(bukva.errors.ArgumentError, match="expected one of automatic"):
            tok._with_paths(**options)


def pieces() -> Iterator[str]:
    yield from ("a" * 100_000, " " * 70_000 + "x", "ab" * 40_000, "-" * 999 + "=" * 999, "\n" * 5000)


def test_long_runs(words: list[str]) -> None:
    tok = bukva.train_from_iterator([*words, "a" * 900, "- " * 99], bukva.BpeTrainer(num_merges=600, pattern="gpt2"))
    check(of_tiktoken(tok, from_ranks(dict(tok.vocab), PATTERNS["gpt2"])), list(pieces()))
