"""Long texts take another way from ids to bytes and to ``str`` than short ones; the outcome is the same."""

import random

import numpy as np
import pytest

import bukva


@pytest.fixture(scope="module")
def ids(tok: bukva.Tokenizer) -> list[int]:
    """Ids of a text of two scripts, with parts of characters and every length of token."""
    draw = random.Random(0)
    words = ["вода", " и", " мир", "\n", "a", " word", "字", "𝄞", "é"]
    return tok.encode("".join(draw.choices(words, weights=[9, 9, 9, 3, 1, 1, 1, 1, 1], k=20_000)))


def one_by_one(tok: bukva.Tokenizer, ids: list[int]) -> bytes:
    return b"".join(tok.decode_bytes([number]) for number in ids)


def test_many_ids_are_each_id(tok: bukva.Tokenizer, ids: list[int]) -> None:
    expected = one_by_one(tok, ids)
    assert tok.decode_bytes(ids) == expected
    assert tok.decode(ids) == expected.decode()
    assert tok.decode(np.array(ids, dtype=np.uint32), skip_special_tokens=True) == expected.decode()
    russian = tok.encode("вода и мир\n" * 5000)
    assert tok.decode(russian) == "вода и мир\n" * 5000


def test_bytes_that_are_no_text(tok: bukva.Tokenizer, ids: list[int]) -> None:
    broken = [*ids, tok.vocab[b"\xd1"], *ids]
    expected = one_by_one(tok, broken)
    assert tok.decode(broken, errors="replace") == expected.decode(errors="replace")
    with pytest.raises(bukva.TextError, match=f"byte 0xd1 at {len(one_by_one(tok, ids))} "):
        tok.decode(broken)
    with pytest.raises(bukva.UnknownIdError, match=f"id number {len(ids)}"):
        tok.decode([*ids, 2**32 - 1])


@pytest.mark.parametrize("threads", [1, 2])
def test_batches_of_many(tok: bukva.Tokenizer, ids: list[int], threads: int) -> None:
    sequences = [ids[start : start + 500] for start in range(0, len(ids), 500)]
    expected = [one_by_one(tok, part).decode(errors="replace") for part in sequences]
    assert tok.decode_batch(sequences, errors="replace", threads=threads) == expected
    russian = tok.encode_batch(["вода и мир\n" * 100] * 50)
    assert tok.decode_batch(russian, threads=threads) == ["вода и мир\n" * 100] * 50
