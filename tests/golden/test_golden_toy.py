"""The worked example of the course: six merges on one sentence."""

from __future__ import annotations

import pytest

import bukva
from bukva.reference import bpe

TEXT = "низко низко летали ласточки, ласточки летали низко"
MERGES = [(208, 184), (32, 208), (208, 186), (208, 190), (257, 187), (260, 208)]


@pytest.fixture(scope="module")
def tok() -> bukva.Tokenizer:
    trainer = bukva.BpeTrainer(num_merges=6, pattern="course", tie_break="first_seen")
    return bukva.train_from_iterator([TEXT], trainer)


def test_text_is_93_bytes() -> None:
    assert len(TEXT.encode()) == 93


def test_merges(tok: bukva.Tokenizer) -> None:
    assert [(tok.vocab[left], tok.vocab[right]) for left, right in tok.merges] == MERGES


def test_ids_are_bytes_then_merges(tok: bukva.Tokenizer) -> None:
    assert all(tok.vocab[bytes([byte])] == byte for byte in range(256))
    assert [tok.vocab[left + right] for left, right in tok.merges] == list(range(256, 262))
    assert tok.sizes.defined == tok.sizes.id_range == 262


def test_tokens_after(tok: bukva.Tokenizer) -> None:
    assert tok.count(TEXT) == len(tok.encode(TEXT)) == 62
    assert tok.decode(tok.encode(TEXT)) == TEXT


def test_reference_agrees(tok: bukva.Tokenizer) -> None:
    chunks = [chunk.encode() for chunk in bukva._core.pretokenize(TEXT, "course")]
    merges = bpe.train(chunks, 6)
    ids = bpe.vocabulary(chunks, merges)
    assert [(ids[merge.left], ids[merge.right]) for merge in merges] == MERGES
    assert [ids[token] for chunk in chunks for token in bpe.encode(chunk, merges)] == tok.encode(TEXT)


def test_same_from_a_file(tmp_path, tok: bukva.Tokenizer) -> None:
    path = tmp_path / "toy.txt"
    path.write_text(TEXT, encoding="utf-8", newline="")
    trainer = bukva.BpeTrainer(num_merges=6, pattern="course", tie_break="first_seen")
    assert bukva.train(path, trainer) == tok
