"""Every bad input ends in an error of a stated class that names the value and, where there is one, the remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bukva
from bukva import Tokenizer


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "буква \ud83d"])
def test_lone_surrogates(tok: Tokenizer, text: str) -> None:
    at = next(n for n, char in enumerate(text) if 0xD800 <= ord(char) < 0xE000)
    calls: list[Any] = [tok.encode, tok.encode_ordinary, tok.count, tok.explain, bukva.text_view]
    calls += [lambda text: tok.encode_batch([text]), lambda text: tok.count_batch([text])]
    calls += [lambda text: bukva.measure(tok, [text])]
    calls += [lambda text: bukva.train_from_iterator([text], bukva.BpeTrainer(num_merges=1))]
    for call in calls:
        with pytest.raises(bukva.TextError) as caught:
            call(text)
        assert str(at) in str(caught.value)


@pytest.mark.parametrize("value", [5, None, b"bytes", ["list"]])
def test_what_is_no_text(tok: Tokenizer, value: Any) -> None:
    for call in (tok.encode, tok.encode_ordinary, tok.count, tok.explain, bukva.text_view):
        with pytest.raises((TypeError, bukva.ArgumentError)):
            call(value)


def test_unknown_ids(tok: Tokenizer) -> None:
    with pytest.raises(bukva.UnknownIdError, match=r"757"):
        tok.decode([757])
    with pytest.raises(bukva.UnknownIdError, match=r"4294967295"):
        tok.decode_bytes([2**32 - 1])
    with pytest.raises((bukva.UnknownIdError, OverflowError, bukva.ArgumentError)):
        tok.decode([-1])
    with pytest.raises((bukva.UnknownIdError, OverflowError, bukva.ArgumentError)):
        tok.decode([2**40])
    with pytest.raises(bukva.UnknownIdError):
        tok.stream().push(757)


def test_ids_that_are_no_text(tok: Tokenizer) -> None:
    with pytest.raises(bukva.TextError):
        tok.decode([tok.vocab[b"\xff"]])
    assert tok.decode([tok.vocab[b"\xff"]], errors="replace") == "\ufffd"
    with pytest.raises(bukva.ArgumentError, match="ignore"):
        tok.decode([1], errors="ignore")  # type: ignore[arg-type]


def test_a_vocabulary_below_the_alphabet(ru: str) -> None:
    with pytest.raises(bukva.TrainingError, match=r"100.*257|257.*100"):
        bukva.train_from_iterator([ru], bukva.BpeTrainer(vocab_size=100, special_tokens=["<s>"]))


def test_no_pair_left() -> None:
    trainer = bukva.BpeTrainer(num_merges=100, alphabet="chars", end_of_word="</w>", pattern="whitespace",
                                tie_break="first_seen")  # fmt: skip
    with pytest.warns(bukva.BukvaWarning, match="11 of 100"):
        tok = bukva.train_from_iterator(["мама мыла раму"], trainer)
    assert len(tok.merges) == 11
    assert tok.training is not None
    assert tok.training.stopped == "no pair left"

    with pytest.warns(bukva.BukvaWarning):
        rare = bukva.train_from_iterator(["aa aa bb"], bukva.BpeTrainer(num_merges=100, min_frequency=2))
    assert rare.training is not None
    assert rare.training.stopped == "below min_frequency"


def test_a_word_list_stops_when_no_word_is_left() -> None:
    with pytest.warns(bukva.BukvaWarning, match="kept 2 words, short of a vocabulary of 10"):
        tok = bukva.train_from_iterator(["a b a"], bukva.WordLevelTrainer(vocab_size=10))
    assert tok.training is not None
    assert tok.training.stopped == "no word left"


@pytest.mark.parametrize("name", ["x.bukva", "tokenizer.json", "x.tiktoken"])
@pytest.mark.parametrize("change", ["empty", "half", "foreign"])
def test_damaged_tokenizers(tok: Tokenizer, tmp_path: Path, name: str, change: str) -> None:
    path = tmp_path / name
    tok.save(path, allow_loss=True)
    whole = path.read_bytes()
    path.write_bytes({"empty": b"", "half": whole[: len(whole) // 2], "foreign": b"\x89PNG\r\n\x1a\n"}[change])
    options = {"pattern": "gpt2", "special_tokens": {}} if name.endswith(".tiktoken") else {}
    with pytest.raises(bukva.FormatError) as caught:
        bukva.load(path, **options)  # type: ignore[arg-type]
    assert name in str(caught.value)


def test_paths_that_cannot_be_loaded(tmp_path: Path) -> None:
    with pytest.raises(bukva.FileError, match=r"missing\.json"):
        bukva.load(tmp_path / "missing.json")
    with pytest.raises(bukva.BukvaError, match=str(tmp_path)):
        bukva.load(tmp_path)
    (tmp_path / "x.xyz").write_bytes(b"x")
    with pytest.raises(bukva.BukvaError, match=r"x\.xyz"):
        bukva.load(tmp_path / "x.xyz")
    for path in ("", 5, None):
        with pytest.raises(bukva.ArgumentError, match="path"):
            bukva.load(path)  # type: ignore[arg-type]


def test_a_file_of_ranks_needs_its_pattern(tok: Tokenizer, tmp_path: Path) -> None:
    tok.save(tmp_path / "x.tiktoken", allow_loss=True)
    with pytest.raises(bukva.ArgumentError, match="o200k_base"):
        bukva.load(tmp_path / "x.tiktoken")
    with pytest.raises(bukva.ArgumentError, match="o200k_base"):
        bukva.load(tmp_path / "x.tiktoken", encoding="o201k")


def test_an_output_that_cannot_be_written(tok: Tokenizer, tmp_path: Path) -> None:
    with pytest.raises(bukva.FileError, match="nowhere"):
        tok.save(tmp_path / "nowhere" / "x.bukva")
    with pytest.raises(bukva.BukvaError, match=r"x\.xyz"):
        tok.save(tmp_path / "x.xyz")
    for path in ("", 5, None):
        with pytest.raises(bukva.ArgumentError, match="path"):
            tok.save(path)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_saving_replaces_a_file_whole(tok: Tokenizer, tmp_path: Path) -> None:
    (tmp_path / "x.bukva").write_bytes(b"old")
    tok.save(tmp_path / "x.bukva")
    assert bukva.load(tmp_path / "x.bukva") == tok
    assert [path.name for path in tmp_path.iterdir()] == ["x.bukva"]


def test_threads_must_be_a_positive_number(ru: str) -> None:
    for threads in (0, -1, 1.5):
        with pytest.raises(bukva.ArgumentError, match="'threads' parameter of train_from_iterator"):
            bukva.train_from_iterator([ru], bukva.BpeTrainer(num_merges=1), threads=threads)  # type: ignore[arg-type]
    with pytest.raises(bukva.ArgumentError, match="progress"):
        bukva.train_from_iterator([ru], bukva.BpeTrainer(num_merges=1), progress=True)  # type: ignore[arg-type]


def test_long_inputs_end_soon(tok: Tokenizer) -> None:
    for text in ("a" * 1_000_000, " " * 1_000_000, "ы" * 500_000):
        assert tok.decode(tok.encode(text)) == text
