import pytest

import bukva
from bukva.vocab import Vocab, sizes_of


def test_both_ways() -> None:
    vocab = Vocab([(b"a", 0), (b"b", 2)])
    assert vocab[b"b"] == 2
    assert vocab[2] == b"b"
    assert vocab.token(0) == b"a"
    assert vocab.id(b"c") is None
    assert vocab.ids() == [0, 2]
    assert list(vocab) == [b"a", b"b"]
    assert b"a" in vocab
    assert dict(vocab) == {b"a": 0, b"b": 2}
    assert repr(vocab) == "Vocab(2 tokens)"
    with pytest.raises(KeyError):
        vocab[b"c"]
    with pytest.raises(bukva.UnknownIdError, match=r"id 1 .* 2 ordinary ids, the highest 2"):
        vocab[1]


def test_sizes_with_holes_and_aliases() -> None:
    sizes = sizes_of(range(4), [("<end>", 6, True), ("<stop>", 6, True), ("word", 8, False)])
    assert (sizes.defined, sizes.id_range, sizes.ordinary) == (6, 9, 5)
    assert (sizes.special_ids, sizes.special_names, sizes.aliases) == (1, 2, 1)
    assert (sizes.holes, sizes.hole_ranges) == (3, ((4, 5), (7, 7)))
    assert sizes.alias_names == {6: ("<end>", "<stop>")}


def test_sizes_of_nothing() -> None:
    assert sizes_of([], []).id_range == 0


def test_sizes_of_a_trained_tokenizer(tok: bukva.Tokenizer) -> None:
    assert (tok.sizes.defined, tok.sizes.id_range, tok.sizes.ordinary) == (757, 757, 756)
    assert (tok.sizes.special_ids, tok.sizes.holes) == (1, 0)
    assert len(tok.vocab) == 756
    assert b"<|endoftext|>" not in tok.vocab
