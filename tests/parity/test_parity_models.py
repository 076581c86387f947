"""Small random models: every algorithm of `tokenizers` and SentencePiece, every option, the same tokens."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
import tokenizers
from sentencepiece import sentencepiece_model_pb2

import bukva
from bukva.compat import hf

ALPHABET = "abж▁ 🙂"
BYTES = [f"<0x{byte:02X}>" for byte in range(256)]


def word(sample: random.Random, longest: int, alphabet: str = "abж▁🙂") -> str:
    return "".join(sample.choices(alphabet, k=sample.randrange(1, longest + 1)))


def texts(sample: random.Random, number: int, alphabet: str = ALPHABET + "xё") -> Iterator[str]:
    yield from ("", "a", "x", " ", "xx", "▁")
    for _ in range(number):
        yield word(sample, sample.choice([4, 12, 60]), alphabet)


def file_of(model: dict[str, Any], pretokenizer: dict[str, Any] | None = None) -> str:
    keys = ("truncation", "padding", "normalizer", "post_processor", "decoder")
    file: dict[str, Any] = {"version": "1.0", "added_tokens": [], "pre_tokenizer": pretokenizer, "model": model}
    return json.dumps(file | dict.fromkeys(keys), ensure_ascii=False)


def compare(file: str, sample: random.Random, folder: Path, number: int = 25) -> None:
    """The same tokens in the library, in `bukva.load`, which refuses what has no token, and in `bukva.compat.hf`."""
    theirs, ours = tokenizers.Tokenizer.from_str(file), hf.Tokenizer.from_str(file)
    (folder / "tokenizer.json").write_text(file, encoding="utf-8")
    strict = bukva.load(folder / "tokenizer.json")
    for text in texts(sample, number):
        try:
            expected = theirs.encode(text)
        except Exception:  # what Unigram has no token for; bukva refuses it only where the best path needs it
            continue
        found = ours.encode(text)
        where = f"{text!r} in {file if len(file) < 3000 else file[-1500:]}"
        assert found.ids == expected.ids, where
        assert found.tokens == expected.tokens, where
        if not counts_affixes(json.loads(file)["model"]):
            assert found.offsets == expected.offsets, where
        try:
            ids = strict.encode(text)
        except bukva.errors.UnknownCharacterError:
            assert json.loads(file)["model"]["type"] == "BPE"
            assert json.loads(file)["model"]["unk_token"] is None
            continue
        assert ids == expected.ids, where
        assert list(strict.explain(text).ids) == ids, where
        assert strict.count(text) == len(ids)


def counts_affixes(model: dict[str, Any]) -> bool:
    """Whether the library counts bytes that the text does not have: those of an affix spelled in byte tokens."""
    affixes = (model.get("continuing_subword_prefix"), model.get("end_of_word_suffix"))
    return bool(model["type"] == "BPE" and model["byte_fallback"] and any(affixes))


@pytest.mark.parametrize("seed", range(12))
def test_wordpiece(seed: int, tmp_path: Path) -> None:
    sample = random.Random(seed)
    prefix = sample.choice(["##", "", "a", "▁"])
    pieces = {prefix * (sample.random() < 0.6) + word(sample, 3) for _ in range(sample.randrange(1, 40))}
    vocab = {piece: number for number, piece in enumerate(["[UNK]", *sorted(pieces - {"[UNK]"})])}
    longest = sample.choice([100, 3])
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": prefix, "vocab": vocab}
    splits = [None, {"type": "Whitespace"}, {"type": "WhitespaceSplit"}, {"type": "BertPreTokenizer"}]
    compare(file_of(model | {"max_input_chars_per_word": longest}, sample.choice(splits)), sample, tmp_path)


@pytest.mark.parametrize("seed", range(24))
def test_unigram(seed: int, tmp_path: Path) -> None:
    sample = random.Random(seed)
    pieces = ["<unk>", *sorted({word(sample, 4) for _ in range(sample.randrange(1, 30))})]
    byte_fallback = sample.random() < 0.5
    if byte_fallback:
        pieces += BYTES if sample.random() < 0.7 else sample.sample(BYTES, 200)
    # Few different scores, so that equal sums are common.
    scores = [sample.choice([-1.0, -2.0, -3.0, -2.5, -0.1]) for _ in pieces]
    unk = 0 if sample.random() < 0.8 else None
    model = {"type": "Unigram", "unk_id": unk, "vocab": list(zip(pieces, scores, strict=True))}
    split = sample.choice([None, {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}])
    compare(file_of(model | {"byte_fallback": byte_fallback}, split), sample, tmp_path)


@pytest.mark.parametrize("seed", [*range(60), 1328, 2000])
def test_bpe(seed: int, tmp_path: Path) -> None:
    sample = random.Random(seed)
    prefix = sample.choice([None, None, "##", "a"])
    suffix = sample.choice([None, None, "</w>", "b"])
    split = sample.choice([None, {"type": "Whitespace"}, {"type": "Metaspace", "replacement": "▁", "split": False}])
    byte_fallback, fuse_unk, ignore_merges = (sample.random() < 0.4 for _ in range(3))
    vocab, merges = random_merges(sample, prefix or "", suffix or "")
    if byte_fallback:
        vocab += BYTES if sample.random() < 0.6 else sample.sample(BYTES, 230)
    unk = sample.choice([None, "<unk>"])
    vocab = list(dict.fromkeys(["<unk>", *vocab]))
    model = {
        "type": "BPE",
        "dropout": None,
        "unk_token": unk,
        "continuing_subword_prefix": prefix,
        "end_of_word_suffix": suffix,
        "fuse_unk": fuse_unk,
        "byte_fallback": byte_fallback,
        "ignore_merges": ignore_merges,
        "vocab": {piece: number for number, piece in enumerate(vocab)},
        "merges": merges,
    }
    compare(file_of(model, split), sample, tmp_path)


def random_merges(sample: random.Random, prefix: str, suffix: str) -> tuple[list[str], list[list[str]]]:
    """Characters in the forms that places in a word give them, and merges of what is there already."""
    letters = sample.sample("abж▁🙂", sample.randrange(1, 6))
    vocab = [before + letter + after for letter in letters for before in {"", prefix} for after in {"", suffix}]
    sample.shuffle(vocab)
    vocab = vocab[: max(1, len(vocab) - sample.randrange(3))]
    merges: list[list[str]] = []
    for _ in range(sample.randrange(25)):
        left, right = sample.choice(vocab), sample.choice(vocab)
        product = left + (right[len(prefix) :] if right.startswith(prefix) else right)
        if right.startswith(prefix) and [left, right] not in merges:
            merges.append([left, right])
            vocab.append(product)
    return vocab, merges


def test_bpe_leaves_out_what_has_no_token() -> None:
    """As the library does, where there is no unknown token; what stands on both sides can then merge."""
    model = {"type": "BPE", "unk_token": None, "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b"]]}
    theirs = tokenizers.Tokenizer.from_str(file_of(model))
    ours = hf.Tokenizer.from_str(file_of(model))
    for text in ("ab", "axb", "xx", "xa", "bxxa" * 100):
        for _ in range(2):
            found = ours.encode(text)
            assert (found.ids, found.offsets) == (theirs.encode(text).ids, theirs.encode(text).offsets)
            assert ours.encode_batch_fast([text])[0].ids == found.ids
    with pytest.raises(bukva.errors.UnknownCharacterError):
        bukva._core.read_hf_json(file_of(model).encode()).encode("xx")


SENTENCES = [
    "the cat sat on the mat",
    "  the dog  and\tthe cat ",
    "привет мир, привет кот",
    "ﬁne ① Ångström кот",
    "日本語 テキスト mat",
    "a aa aaa aaaa abab",
]
SP_TEXTS = [
    *("", " ", "  ", "a", "the cat", " the  cat ", "zzz", "the zzz z cat", "кот<sep>кот", "<sep>", " <sep> <sep>"),
    *("a<sep>  b", "<ж>", "x<ж>aaa", "<s>", "a</s>b<unk>c", "ﬁ ① é e\u0301", "日本語", "\t\n a\u3000b", "aaaaaaa"),
    *("▁", "a▁b", "▁▁", "🙂🙂 a🙂", "\u200b a", "the\u00a0cat", "abababab", "мир мир", "<0x41>", "\0a", "ß ẞ"),
]
OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "defined": {"user_defined_symbols": ["<sep>", "<ж>", "aa", "▁кот"], "control_symbols": ["<c>"]},
    "bytes": {"byte_fallback": True},
    "bytes_defined": {"byte_fallback": True, "user_defined_symbols": ["<sep>", "🙂", " cat"]},
    "suffix": {"treat_whitespace_as_suffix": True},
    "no_prefix": {"add_dummy_prefix": False},
    "spaces": {"remove_extra_whitespaces": False},
    "bare": {"remove_extra_whitespaces": False, "add_dummy_prefix": False, "user_defined_symbols": ["<sep>", "  "]},
    "surface": {"unk_surface": " <?> ", "unk_piece": "<UNK>", "pad_id": 3},
    "nfkc": {"normalization_rule_name": "nmt_nfkc"},
    "folded": {"normalization_rule_name": "nfkc_cf"},
    "identity": {"normalization_rule_name": "identity"},
    "custom": {"normalization_rule_tsv": "rules"},
    "no_unigram_words": {"split_by_whitespace": False},
}


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rules of normalization: a letter becomes two, two become one, a character goes, a space comes."""
    path = tmp_path_factory.mktemp("rules") / "rules.tsv"
    rows = [("ß", "ss"), ("ab", "c"), ("z", ""), ("é", " e"), ("cat", "dog"), ("c", "k")]
    codes = ["\t".join(" ".join(f"{ord(c):x}" for c in side) for side in row) for row in rows]
    path.write_text("".join(f"{row}\n" for row in codes), encoding="utf-8")
    return path


def trained(kind: str, options: dict[str, Any], rules: Path) -> bytes:
    options = {"vocab_size": 60 if kind != "char" else 40, "normalization_rule_name": "nmt_nfkc", **options}
    if "normalization_rule_tsv" in options:
        options["normalization_rule_tsv"] = str(rules)
    if options.get("byte_fallback"):
        options["vocab_size"] += 256
    stream = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES * 3),
        model_writer=stream,
        model_type=kind,
        hard_vocab_limit=False,
        character_coverage=0.98,
        minloglevel=2,
        **options,
    )
    return stream.getvalue()


def sentencepiece_pair(data: bytes, folder: Path) -> tuple[Any, bukva.Tokenizer]:
    (folder / "x.model").write_bytes(data)
    theirs = sentencepiece.SentencePieceProcessor()
    theirs.LoadFromSerializedProto(data)
    return theirs, bukva.load(folder / "x.model")


# A word model without spaces has no words.
KINDS_AND_OPTIONS = [
    (kind, name)
    for kind in ("bpe", "unigram", "char", "word")
    for name in OPTIONS
    if (kind, name) != ("word", "no_unigram_words")
]


@pytest.mark.parametrize(("kind", "name"), KINDS_AND_OPTIONS)
def test_sentencepiece(kind: str, name: str, rules: Path, tmp_path: Path) -> None:
    options = OPTIONS[name]
    data = trained(kind, options, rules)
    theirs, ours = sentencepiece_pair(data, tmp_path)
    ours.save(tmp_path / "again.model")
    assert (tmp_path / "again.model").read_bytes() == data
    sample = random.Random(7)
    parts = [*SP_TEXTS, *" ab<>ж🙂кошаkcd"]
    mixed = ["".join(sample.choices(parts, k=sample.randrange(1, 8))) for _ in range(40)]
    for text in [*SP_TEXTS, *SENTENCES, *mixed]:
        assert_same(theirs, ours, text, kind)


@pytest.mark.parametrize("scale", [1, 3000, 60_000, 150_000])
@pytest.mark.parametrize("sign", [-1, 1])
def test_sums_that_grow_large(scale: int, sign: int, tmp_path: Path) -> None:
    """SentencePiece counts anew where a sum passes 100,000; small scores get there in a long text."""
    sample = random.Random(scale + sign)
    for _ in range(12):
        model = sentencepiece_model_pb2.ModelProto()
        model.pieces.add(piece="<unk>", score=0, type=2)
        pieces = {word(sample, 3, "ab▁") for _ in range(sample.randrange(4, 15))}
        for piece in sorted(pieces):
            model.pieces.add(piece=piece, score=sign * sample.random() * scale)
        model.trainer_spec.model_type = model.trainer_spec.UNIGRAM
        theirs, ours = sentencepiece_pair(model.SerializeToString(), tmp_path)
        for length in (30, 400, 200_000 // scale):
            text = "".join(sample.choices("aabbc ", k=length))
            assert ours.encode(text) == theirs.encode(text)


def covered(text: str, places: Iterable[tuple[int, int]]) -> list[str]:
    """What tokens stand for, without the white space that bukva's spans have, for they leave nothing out."""
    data = text.encode()
    return [data[start:end].decode().strip() for start, end in places]


@pytest.mark.parametrize("kind", ["bpe", "unigram", "char", "word"])
@pytest.mark.parametrize("name", ["plain", "suffix", "no_prefix", "spaces", "surface", "identity"])
def test_places_of_sentencepiece(kind: str, name: str, rules: Path, tmp_path: Path) -> None:
    """Where the normalizer makes nothing of several characters; there bukva's places are finer."""
    theirs, ours = sentencepiece_pair(trained(kind, OPTIONS[name], rules), tmp_path)
    for text in filter(str.isascii, [*SP_TEXTS, *SENTENCES]):
        places = [(piece.begin, piece.end) for piece in theirs.encode_as_proto(text).pieces]
        assert covered(text, ours.explain(text, disallowed_special=()).byte_spans) == covered(text, places), text


def assert_same(theirs: Any, ours: bukva.Tokenizer, text: str, kind: str) -> None:
    ids = theirs.encode(text)
    assert ours.encode_ordinary(text) == ids, text
    assert ours.decode(ids, errors="replace") == theirs.decode(ids), text
    if kind == "unigram":
        for n in (1, 2, 5, 20):
            found = [list(best) for best, _ in ours.nbest(text, n)]
            assert found == [list(best) for best in theirs.nbest_encode(text, nbest_size=n)], (text, n)


@pytest.mark.parametrize(
    "model",
    [
        {"type": "WordPiece", "vocab": {"a": 0, "##b": 1}, "unk_token": "[X]"},
        {"type": "WordPiece", "vocab": {"": 2, "a": 0, "##": 3, "##b": 1}, "unk_token": ""},
        {"type": "WordPiece", "vocab": {}, "unk_token": "[UNK]"},
        {"type": "WordLevel", "vocab": {"": 0, "a": 1}, "unk_token": "[U]"},
        {"type": "Unigram", "vocab": [["", -20.0], ["a", -2.0], ["ab", -1.0]], "unk_id": 0, "byte_fallback": False},
        {"type": "Unigram", "vocab": [["a", -2.0], ["", 0.0]], "unk_id": None, "byte_fallback": False},
        {"type": "BPE", "vocab": {"": 0, "a": 1, "aa": 2}, "merges": [["a", "a"]]},
    ],
    ids=str,
)
def test_empty_tokens_and_unknown_tokens_that_nobody_has(model: dict[str, Any], tmp_path: Path) -> None:
    if model["type"] == "WordPiece":
        model |= {"continuing_subword_prefix": "##", "max_input_chars_per_word": 4}
    empty = {"id": 0, "content": "", "special": True, "normalized": False}
    file = json.loads(file_of(model))
    file["added_tokens"] = [empty | dict.fromkeys(["single_word", "lstrip", "rstrip"], False)]
    text = json.dumps(file)
    (tmp_path / "tokenizer.json").write_text(text, encoding="utf-8")
    theirs, ours, tok = tokenizers.Tokenizer.from_str(text), hf.Tokenizer.from_str(text), bukva.load(tmp_path)
    tok.save(tmp_path / "again.json")
    again = bukva.load(tmp_path / "again.json")
    assert again == tok
    assert json.loads((tmp_path / "again.json").read_text())["model"].get("unk_token") == model.get("unk_token")
    assert ours.get_vocab() == theirs.get_vocab()
    for words in ("", "a", "ab", "aab", "abbbb", "c", "aa"):
        try:
            expected = theirs.encode(words).ids
        except Exception:
            for each in (ours, tok, again):
                with pytest.raises(bukva.errors.UnknownCharacterError):
                    each.encode(words)
            continue
        assert ours.encode(words).ids == expected
        if model["type"] != "BPE" or set(words) <= {"a"}:
            assert tok.encode(words) == again.encode(words) == expected
