import copy
import pickle
from pathlib import Path

import pytest

import bukva
from bukva import Tokenizer


def test_text_comes_back(tok: Tokenizer, ru: str, en: str) -> None:
    for text in (ru, en, "", "\0", "👩🏽‍🚀 \r\n\u0301"):
        assert tok.decode(tok.encode(text)) == text
        assert tok.decode_bytes(tok.encode_ordinary(text)) == text.encode()
        assert tok.count(text) == len(tok.encode(text))


def test_merges_and_vocab(tok: Tokenizer) -> None:
    assert len(tok.merges) == 500
    left, right = tok.merges[0]
    assert tok.vocab[left + right] == 256 + (tok.special_tokens["<|endoftext|>"] == 0)
    assert all(left + right in tok.vocab for left, right in tok.merges)


def test_pickle_and_copy(tok: Tokenizer) -> None:
    for again in (pickle.loads(pickle.dumps(tok)), copy.copy(tok), copy.deepcopy(tok)):
        assert type(again) is Tokenizer
        assert again == tok
        assert hash(again) == hash(tok)
        assert again.encode("Привет") == tok.encode("Привет")
        assert again.training == tok.training


def test_equality(tok: Tokenizer, ru: str) -> None:
    other = bukva.train_from_iterator([ru], bukva.BpeTrainer(num_merges=499, tie_break="first_seen"))
    assert other != tok
    assert tok != "tok"
    assert len({tok, other, pickle.loads(pickle.dumps(tok))}) == 2


def test_repr(tok: Tokenizer) -> None:
    assert repr(tok).startswith("Tokenizer(BPE, 757 ids, pattern='gpt2'")


@pytest.mark.parametrize("name", ["folder", "tokenizer.json", "x.tiktoken", "x.bukva"])
def test_save_and_load(tok: Tokenizer, tmp_path: Path, name: str, ru: str) -> None:
    losses = tok.save(tmp_path / name, allow_loss=True)
    assert all(len(loss) == 2 for loss in losses)
    options = {"pattern": "gpt2", "special_tokens": tok.special_tokens} if name.endswith(".tiktoken") else {}
    again = bukva.load(tmp_path / name, **options)  # type: ignore[arg-type]
    assert again.encode(ru) == tok.encode(ru)
    assert again.special_tokens == tok.special_tokens
    assert again.training is None


def test_a_loss_is_refused_unless_allowed(tok: Tokenizer, tmp_path: Path) -> None:
    with pytest.raises(bukva.LossError):
        tok.save(tmp_path / "x.tiktoken")
    assert not (tmp_path / "x.tiktoken").exists()


def test_special_tokens(tok: Tokenizer) -> None:
    special = tok.special_tokens["<|endoftext|>"]
    with pytest.raises(bukva.SpecialTokenError, match=r"<\|endoftext\|>"):
        tok.encode("a<|endoftext|>")
    assert tok.encode("a<|endoftext|>", allowed_special={"<|endoftext|>"})[-1] == special
    assert tok.encode("a<|endoftext|>", allowed_special="all")[-1] == special
    assert special not in tok.encode("a<|endoftext|>", disallowed_special=())
    assert special not in tok.encode_ordinary("a<|endoftext|>")
    assert tok.decode([special]) == "<|endoftext|>"
    assert tok.decode([special], skip_special_tokens=True) == ""


def test_streaming(tok: Tokenizer) -> None:
    stream = tok.stream()
    pieces = [stream.push(number) for number in tok.encode("Привет, 🦊!")]
    assert "".join(pieces) + stream.finish() == "Привет, 🦊!"
    half = tok.stream()
    assert half.push(tok.vocab[b"\xd0"]) == ""
    with pytest.raises(bukva.TextError):
        half.finish()
    lenient = tok.stream(errors="replace")
    lenient.push(tok.vocab[b"\xd0"])
    assert lenient.finish() == "\ufffd"


def test_without_cache_gives_the_same_and_stays_so(tok: bukva.Tokenizer, ru: str) -> None:
    bare = tok.without_cache()
    assert tok.has_cache
    assert not bare.has_cache
    assert bare == tok
    for again in (bare, copy.copy(bare), copy.deepcopy(bare), pickle.loads(pickle.dumps(bare)), bukva.Tokenizer(bare)):
        assert not again.has_cache
        assert again.encode(ru) == again.encode(ru) == tok.encode(ru)
        assert again.count_batch([ru, ru]).tolist() == tok.count_batch([ru, ru]).tolist()
    assert pickle.loads(pickle.dumps(tok)).has_cache
    assert bare.training == tok.training
