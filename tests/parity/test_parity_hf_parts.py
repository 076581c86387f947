"""Tokenizers built from parts, and trained, with ``bukva.compat.hf`` and with ``tokenizers``."""

from __future__ import annotations

import asyncio
import json
import pickle
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import tokenizers

import bukva
from bukva.compat import hf

SAMPLE = Path(bukva.__file__).with_name("data") / "sample_ru.txt"
TEXTS = ["", "Hello, world! 12", "Буква за буквой", "a  b\n[CLS] c", "e\u0301 ﬁ 日本", "x" * 50]
PARTS = [
    *("normalizers.BertNormalizer(strip_accents=True)", "normalizers.NFC()", "normalizers.NFD()"),
    *("normalizers.NFKC()", "normalizers.NFKD()", "normalizers.Lowercase()", "normalizers.StripAccents()"),
    *("normalizers.Nmt()", "normalizers.ByteLevel()", "normalizers.Prepend('x')", "normalizers.Strip(right=False)"),
    *("normalizers.Replace('a', 'b')", "normalizers.Replace(Regex('[ab]+'), '-')"),
    "normalizers.Sequence([normalizers.NFC(), normalizers.Lowercase()])",
    *(
        "pre_tokenizers.BertPreTokenizer()",
        "pre_tokenizers.ByteLevel()",
        "pre_tokenizers.ByteLevel(False, True, False)",
    ),
    *("pre_tokenizers.CharDelimiterSplit('l')", "pre_tokenizers.Digits(True)", "pre_tokenizers.FixedLength(3)"),
    *("pre_tokenizers.Metaspace()", "pre_tokenizers.Metaspace('_', 'never', False)"),
    *("pre_tokenizers.Punctuation('removed')", "pre_tokenizers.UnicodeScripts()", "pre_tokenizers.Whitespace()"),
    *("pre_tokenizers.WhitespaceSplit()", "pre_tokenizers.Split(Regex('l+'), 'merged_with_next', True)"),
    "pre_tokenizers.Sequence([pre_tokenizers.Whitespace(), pre_tokenizers.Digits()])",
    *("processors.BertProcessing(('[SEP]', 1), ('[CLS]', 0))", "processors.ByteLevel(trim_offsets=False)"),
    "processors.RobertaProcessing(('</s>', 1), ('<s>', 0), trim_offsets=False)",
    "processors.Sequence([processors.ByteLevel()])",
    *("processors.TemplateProcessing()", "processors.TemplateProcessing('[C] $0 $', '$1 $B:2', [('[C]', 3)])"),
    "processors.TemplateProcessing(['[C]:1', '$A'], None, [{'id': '[C]', 'ids': [1, 2], 'tokens': ['a', 'b']}])",
    *("decoders.BPEDecoder()", "decoders.ByteFallback()", "decoders.ByteLevel()", "decoders.CTC()", "decoders.Fuse()"),
    *("decoders.Metaspace()", "decoders.Replace('a', 'b')", "decoders.Strip('l', 1, 0)", "decoders.WordPiece()"),
    "decoders.Sequence([decoders.ByteFallback(), decoders.Fuse()])",
    *("models.BPE()", "models.BPE({'a': 0, 'b': 1, 'ab': 2}, [('a', 'b')], unk_token='a', fuse_unk=True)"),
    *("models.Unigram()", "models.Unigram([('a', -1.0), ('b', -2.0)], 0, True)", "models.WordLevel({'a': 0}, 'a')"),
    *("models.WordPiece({'a': 0}, unk_token='x')", "models.WordPiece()", "models.WordLevel()"),
]


def made(source: str, library: ModuleType) -> Any:
    return eval(source, dict(vars(library)))


@pytest.mark.parametrize("source", PARTS)
def test_a_part_is_written_and_works_alike(source: str) -> None:
    mine, theirs = made(source, hf), made(source, tokenizers)
    state = json.loads(theirs.__getstate__())
    if source == "decoders.ByteLevel()":
        state = {"type": "ByteLevel"}  # its other fields mean nothing
    assert json.loads(mine.__getstate__()) == state
    assert pickle.loads(pickle.dumps(mine)) == mine
    for text in TEXTS:
        if source.startswith("normalizers"):
            assert mine.normalize_str(text) == theirs.normalize_str(text)
        elif source.startswith("pre_tokenizers"):
            assert mine.pre_tokenize_str(text) == theirs.pre_tokenize_str(text)
        elif source.startswith("decoders"):
            tokens = ["Hello", "##lo", "<0x41>", "▁w", "Ġl", "llx</w>", "<pad>", "|", "l"]
            assert mine.decode(tokens) == theirs.decode(tokens)
    if source.startswith("processors"):
        for pair in (False, True):
            assert mine.num_special_tokens_to_add(pair) == theirs.num_special_tokens_to_add(pair)


def test_fields_of_stages_are_read_only() -> None:
    assert hf.normalizers.BertNormalizer(lowercase=False).lowercase is False
    assert hf.normalizers.Strip(left=False).left is tokenizers.normalizers.Strip(left=False).left is False
    assert hf.models.BPE(unk_token="x").unk_token == "x"
    with pytest.raises(bukva.errors.UnsupportedError, match="immutable"):
        hf.normalizers.BertNormalizer().lowercase = True
    with pytest.raises(AttributeError):
        _ = hf.normalizers.NFC().type
    with pytest.raises(TypeError, match=r"bukva\.compat\.hf\.Regex"):
        hf.normalizers.Replace(tokenizers.Regex("a"), "b")  # type: ignore[arg-type]
    with pytest.raises(bukva.errors.UnsupportedError, match="Metaspace"):
        _ = hf.SentencePieceBPETokenizer


def facts(encoding: Any) -> tuple[Any, ...]:
    return encoding.ids, encoding.tokens, encoding.offsets, encoding.type_ids, encoding.special_tokens_mask


@pytest.mark.parametrize("own", [False, True], ids=["parts of tokenizers", "parts of bukva"])
def test_stages_are_set_on_a_loaded_tokenizer(own: bool) -> None:
    parts = hf if own else tokenizers
    vocab = {text: number for number, text in enumerate(["[U]", "[C]", "a", "b", "ab", "c"])}
    theirs = tokenizers.Tokenizer(tokenizers.models.BPE(vocab, [("a", "b")], unk_token="[U]"))
    mine = hf.Tokenizer.from_str(theirs.to_str())
    for tok, library in ((theirs, tokenizers), (mine, parts)):
        tok.normalizer = library.normalizers.Lowercase()
        tok.pre_tokenizer = library.pre_tokenizers.Whitespace()
        tok.post_processor = library.processors.TemplateProcessing("[C] $A", "$A [C] $B:1", [("[C]", 1)])
        tok.decoder = library.decoders.Fuse()
        tok.add_special_tokens(["[C]"])
        tok.enable_truncation(4)
        tok.enable_padding(length=6)
    assert json.loads(mine.to_str()) == json.loads(theirs.to_str())
    for text in ("AB c", "ab ba [C] c a", ""):
        assert facts(mine.encode(text)) == facts(theirs.encode(text))
        assert facts(mine.encode(text, "c")) == facts(theirs.encode(text, "c"))
        assert mine.decode([4, 2]) == theirs.decode([4, 2])
    for tok in (theirs, mine):
        tok.normalizer = None
        tok.no_truncation()
    assert json.loads(mine.to_str()) == json.loads(theirs.to_str())
    assert mine.normalizer is theirs.normalizer is None
    assert facts(mine.encode("AB")) == facts(theirs.encode("AB"))
    with pytest.raises(TypeError):
        mine.normalizer = hf.pre_tokenizers.Whitespace()
    with pytest.raises(TypeError):
        mine.model = None


def corpus() -> list[str]:
    return SAMPLE.read_text(encoding="utf-8").splitlines(keepends=True)


@pytest.mark.parametrize("kind", ["bytes", "words", "metaspace", "word level"])
def test_training(kind: str, tmp_path: Path) -> None:
    found = []
    for library in (tokenizers, hf):
        level = kind == "word level"
        tok = library.Tokenizer(library.models.WordLevel(unk_token="[UNK]") if level else library.models.BPE())
        stages, trainers = library.pre_tokenizers, library.trainers
        tok.normalizer = library.normalizers.NFC()
        tok.pre_tokenizer = {
            "bytes": stages.ByteLevel(add_prefix_space=False),
            "words": stages.Sequence([stages.Whitespace(), stages.Digits(True)]),
            "metaspace": stages.Metaspace(),
            "word level": stages.WhitespaceSplit(),
        }[kind]
        alphabet = stages.ByteLevel.alphabet() if kind == "bytes" else []
        specials = ["[UNK]", library.AddedToken("<end>", lstrip=True)]
        trainer = (
            trainers.WordLevelTrainer(vocab_size=300, min_frequency=2, show_progress=False, special_tokens=specials)
            if level
            else trainers.BpeTrainer(
                vocab_size=600, show_progress=False, special_tokens=specials, initial_alphabet=alphabet
            )
        )
        tok.train_from_iterator(corpus(), trainer)
        found.append(json.loads(tok.to_str()))
        (tmp_path / "corpus.txt").write_text("".join(corpus()), encoding="utf-8")
        tok.train([str(tmp_path / "corpus.txt")], trainer)
        assert json.loads(tok.to_str()) == found[-1]
    assert found[1] == found[0]


def test_trainers_of_tokenizers_are_taken() -> None:
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=40, special_tokens=["[PAD]"], show_progress=False)
    theirs, mine = tokenizers.Tokenizer(tokenizers.models.BPE()), hf.Tokenizer(tokenizers.models.BPE())
    for tok in (theirs, mine):
        tok.train_from_iterator([["low lower", "lowest"], "newest"], trainer)
    assert json.loads(mine.to_str()) == json.loads(theirs.to_str())


@pytest.mark.parametrize(
    ("model", "trainer"),
    [
        (hf.models.WordPiece(), hf.trainers.WordPieceTrainer()),
        (hf.models.Unigram(), hf.trainers.UnigramTrainer()),
        (hf.models.BPE(), hf.trainers.BpeTrainer(limit_alphabet=5)),
        (hf.models.BPE(), hf.trainers.WordLevelTrainer()),
    ],
    ids=repr,
)
def test_training_that_bukva_does_not_have(model: hf.models.Model, trainer: hf.trainers.Trainer) -> None:
    tok = hf.Tokenizer(model)
    with pytest.raises(bukva.errors.UnsupportedError):
        tok.train_from_iterator(["a b c"], trainer)


def test_every_public_method_is_there() -> None:
    names = {name for name in dir(tokenizers.Tokenizer) if not name.startswith("_")}
    assert names <= set(dir(hf.Tokenizer))


def test_async_methods() -> None:
    tok = hf.Tokenizer(hf.models.WordLevel({"a": 0, "b": 1}, "a"))
    tok.pre_tokenizer = hf.pre_tokenizers.Whitespace()

    async def run() -> Any:
        one, many = await tok.async_encode("a b"), await tok.async_encode_batch(["a", "b b"])
        fast, texts = await tok.async_encode_batch_fast(["b"]), await tok.async_decode_batch([[0, 1]])
        return one.ids, [each.ids for each in many], fast[0].ids, texts

    assert asyncio.run(run()) == ([0, 1], [[0], [1, 1]], [1], ["a b"])
