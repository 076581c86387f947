import dataclasses
import pickle
from typing import Any

import pytest

import bukva
from bukva import ArgumentError, BpeTrainer, CharTrainer, WordLevelTrainer

WRONG: list[tuple[type, dict[str, Any], str]] = [
    (BpeTrainer, {}, "either 'vocab_size' or 'num_merges'"),
    (BpeTrainer, {"vocab_size": 300, "num_merges": 3}, "vocab_size=300 and num_merges=3"),
    (BpeTrainer, {"vocab_size": 0}, "'vocab_size' parameter of BpeTrainer must be an integer of at least 1"),
    (BpeTrainer, {"vocab_size": -5}, "Got -5 instead"),
    (BpeTrainer, {"vocab_size": "300"}, "Got '300' instead"),
    (BpeTrainer, {"vocab_size": True}, "Got True instead"),
    (BpeTrainer, {"num_merges": -1}, "'num_merges' parameter of BpeTrainer must be an integer of at least 0"),
    (BpeTrainer, {"num_merges": 1.5}, "Got 1.5 instead"),
    (BpeTrainer, {"num_merges": 1, "min_frequency": -1}, "'min_frequency'"),
    (BpeTrainer, {"num_merges": 1, "max_token_length": 0}, "'max_token_length'"),
    (BpeTrainer, {"num_merges": 1, "alphabet": "words"}, "must be one of 'bytes', 'chars'. Got 'words' instead"),
    (BpeTrainer, {"num_merges": 1, "tie_break": "random"}, "'huggingface', 'first_seen', 'sentencepiece', 'raw_bytes'"),
    (BpeTrainer, {"num_merges": 1, "pattern": ""}, "'gpt2'"),
    (BpeTrainer, {"num_merges": 1, "pattern": 5}, "Got 5 instead"),
    (BpeTrainer, {"num_merges": 1, "normalizer": "nfx"}, "'nfc', 'nfd', 'nfkc', 'nfkd'"),
    (BpeTrainer, {"num_merges": 1, "normalizer": ["nfc", "nfx"]}, "Got 'nfx' instead"),
    (BpeTrainer, {"num_merges": 1, "special_tokens": "abc"}, "must be a list of strings"),
    (BpeTrainer, {"num_merges": 1, "special_tokens": ["a", "b", "a"]}, "'a' stands there twice"),
    (BpeTrainer, {"num_merges": 1, "special_tokens": [""]}, "not empty"),
    (BpeTrainer, {"num_merges": 1, "end_of_word": "</w>"}, "Use alphabet='chars'"),
    (BpeTrainer, {"num_merges": 1, "unk_token": "<unk>"}, "alphabet='chars' for an unknown token"),
    (BpeTrainer, {"num_merges": 1, "alphabet": "chars", "end_of_word": ""}, "'end_of_word'"),
    (CharTrainer, {"unk_token": ""}, "'unk_token' parameter of CharTrainer"),
    (CharTrainer, {"normalizer": "NFC"}, "Got 'NFC' instead"),
    (WordLevelTrainer, {"vocab_size": 0}, "'vocab_size' parameter of WordLevelTrainer"),
    (WordLevelTrainer, {"special_tokens": ["x", "x"]}, "'x' stands there twice"),
]


@pytest.mark.parametrize(("trainer", "options", "message"), WRONG)
def test_options_that_cannot_be_used(trainer: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        trainer(**options)
    assert message in str(caught.value)


def test_trainers_are_frozen_keyword_only_records() -> None:
    trainer = BpeTrainer(num_merges=3, normalizer="nfc", special_tokens=["<s>"])
    assert trainer.normalizer == ("nfc",)
    assert trainer.special_tokens == ("<s>",)
    assert pickle.loads(pickle.dumps(trainer)) == trainer == dataclasses.replace(trainer)
    with pytest.raises(dataclasses.FrozenInstanceError):
        trainer.num_merges = 4  # type: ignore[misc]
    with pytest.raises(TypeError):
        BpeTrainer(300)  # type: ignore[call-arg]


def test_an_unknown_pattern_is_an_error_that_lists_the_names() -> None:
    with pytest.raises(bukva.PatternError, match=r"\(unclosed"):
        bukva.train_from_iterator(["a"], BpeTrainer(num_merges=1, pattern="(unclosed"))


def test_train_refuses_what_is_no_trainer() -> None:
    with pytest.raises(ArgumentError, match="BpeTrainer, CharTrainer or WordLevelTrainer"):
        bukva.train_from_iterator(["a"], 300)  # type: ignore[arg-type]


def test_characters() -> None:
    tok = bukva.train_from_iterator(["кот и кошка"], CharTrainer())
    assert [token.decode() for token in tok.vocab] == sorted(set("кот и кошка"))
    assert tok.merges == []
    assert tok.special_tokens == {"[UNK]": tok.encode("ы")[0]}
    assert tok.count("кошка") == 5


def test_characters_without_an_unknown_token() -> None:
    tok = bukva.train_from_iterator(["кот"], CharTrainer(unk_token=None))
    assert tok.special_tokens == {}
    with pytest.raises(bukva.UnknownCharacterError, match="ы"):
        tok.encode("ты")


def test_words() -> None:
    tok = bukva.train_from_iterator(["да нет да"], WordLevelTrainer())
    assert [token.decode() for token in tok.vocab] == ["да", "нет"]
    ids = tok.encode("нет может да")
    assert [tok._token_bytes(number).decode() for number in ids] == ["нет", "[UNK]", "да"]
    small = bukva.train_from_iterator(["да нет да"], WordLevelTrainer(min_frequency=2))
    assert [token.decode() for token in small.vocab] == ["да"]
