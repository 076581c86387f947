"""Files that bukva saves load in tokenizers and tiktoken and give the same ids."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiktoken.load import load_tiktoken_bpe
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

import bukva

from .nasty_texts import TEXTS
from .openai_encodings import PATTERNS, from_ranks

SAMPLE = Path(bukva.__file__).with_name("data")
CORPUS = [SAMPLE / "sample_ru.txt", SAMPLE / "sample_en.txt"]
SPECIAL = ["<s>", "<|end|>"]


def trained(pattern: str | None, **options: object) -> bukva.Tokenizer:
    return bukva.train(CORPUS, bukva.BpeTrainer(num_merges=600, pattern=pattern, **options))


@pytest.mark.parametrize("name", PATTERNS)
def test_tiktoken(name: str, tmp_path: Path) -> None:
    tok = trained(name)
    tok.save(tmp_path / "x.tiktoken", allow_loss=True)  # the pattern is not in the file
    encoding = from_ranks(load_tiktoken_bpe(str(tmp_path / "x.tiktoken")), PATTERNS[name])
    again = bukva.load(tmp_path / "x.tiktoken", pattern=name)
    for text in TEXTS:
        assert tok.encode(text) == encoding.encode_ordinary(text) == again.encode(text)


def test_tiktoken_states_its_losses(tmp_path: Path) -> None:
    tok = trained("cl100k", special_tokens=SPECIAL)
    with pytest.raises(bukva.LossError):
        tok.save(tmp_path / "x.tiktoken")
    assert not (tmp_path / "x.tiktoken").exists()
    assert tok.save(tmp_path / "x.tiktoken", allow_loss=True)


@pytest.mark.parametrize("name", [*PATTERNS, "whitespace", "words", None])
def test_tokenizer_json(name: str | None, tmp_path: Path) -> None:
    tok = trained(name, special_tokens=SPECIAL)
    tok.save(tmp_path / "tokenizer.json")
    assert_same_as_tokenizers(tok, Tokenizer.from_file(str(tmp_path / "tokenizer.json")))


def test_folder(tmp_path: Path) -> None:
    tok = trained("gpt2", special_tokens=SPECIAL)
    tok.save(tmp_path / "saved")
    names = {path.name for path in (tmp_path / "saved").iterdir()}
    assert {"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"} <= names
    assert_same_as_tokenizers(tok, Tokenizer.from_file(str(tmp_path / "saved" / "tokenizer.json")))


@pytest.mark.parametrize("normalizer", ["nfc", "nfd", "nfkc", "nfkd", "lowercase", "strip", ["nfkc", "lowercase"]])
def test_normalizers_in_tokenizer_json(normalizer: str | list[str], tmp_path: Path) -> None:
    tok = trained("gpt2", normalizer=normalizer)
    tok.save(tmp_path / "tokenizer.json")
    theirs = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    for text in ["", "Ångström ﬁ ①", "ПРИВЕТ, Мир", "  e\u0301 \u212b  ", "ΣΑΣ ΣΑΣ.", "İstanbul", "가 \u1100\u1161"]:
        assert tok.encode(text) == theirs.encode(text).ids, text


def test_characters_in_tokenizer_json(tmp_path: Path) -> None:
    tok = trained("whitespace", alphabet="chars", special_tokens=[])
    tok.save(tmp_path / "tokenizer.json")
    theirs = Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    for text in ["", "привет мир", "the cat", "неизвестный 中 знак"]:
        assert tok.encode(text) == theirs.encode(text).ids, text


def test_vocab_json_and_merges_txt(tmp_path: Path) -> None:
    tok = trained("gpt2")
    tok.save(tmp_path / "vocab.json", allow_loss=True)
    theirs = Tokenizer(models.BPE.from_file(str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt")))
    theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    theirs.decoder = decoders.ByteLevel()
    assert_same_as_tokenizers(tok, theirs)


def assert_same_as_tokenizers(tok: bukva.Tokenizer, theirs: Tokenizer) -> None:
    for text in TEXTS:
        ours = tok.encode_ordinary(text)
        assert ours == theirs.encode(text, add_special_tokens=False).ids, repr(text[:60])
    for special, number in tok.special_tokens.items():
        assert theirs.token_to_id(special) == number
        assert theirs.encode(f"a{special}b", add_special_tokens=False).ids == tok.encode(
            f"a{special}b", allowed_special="all"
        )
