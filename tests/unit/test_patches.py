"""Patches of bytes, and the model of the next byte by its definition in plain Python."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

import bukva
from bukva.embeddings import ByteNgram, EntropyPatches, FixedPatches, byte_ngram, train_byte_ngram
from bukva.embeddings.patches import RULES

TEXTS = ["абракадабра", "", "abracadabra", "рак а б"]


def by_definition(texts: list[str], context: bytes) -> np.ndarray:
    """Witten-Bell: each longer context corrects the shorter one by what was counted behind it."""
    row = np.full(256, 1 / 256)
    for length in range(len(context) + 1):
        behind = context[len(context) - length :]
        counts: Counter = Counter()
        for data in map(str.encode, texts):
            counts.update(data[at] for at in range(length, len(data)) if data[at - length : at] == behind)
        if not counts:
            break
        row = len(counts) * row
        for byte, n in counts.items():
            row[byte] += n
        row /= len(counts) + counts.total()
    return row


@pytest.mark.parametrize("order", [1, 2, 5, 8])
def test_distributions_are_those_of_the_definition(order: int) -> None:
    model = train_byte_ngram(TEXTS, order)
    for text in ("абра", "abzabra", "", "x"):
        data = text.encode()
        rows = model.distributions(data)
        assert rows.shape == (len(data), 256)
        for at in range(len(data)):
            expected = by_definition(TEXTS, data[max(0, at - order + 1) : at])
            assert rows[at] == pytest.approx(expected, rel=1e-12)
        assert rows.sum(axis=1) == pytest.approx(np.ones(len(data)))
        expected = [-sum(p * math.log(p) for p in row) for row in rows]
        assert model.entropies(data) == pytest.approx(expected)


def test_long_texts_go_in_blocks(ru: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, data = train_byte_ngram([ru]), ru.encode()[:3000]
    entropies, bits = model.entropies(data), model.bits_per_byte([data, b""])
    actual = model.distributions(data)[np.arange(len(data)), np.frombuffer(data, np.uint8)]
    assert bits == pytest.approx(-np.log2(actual).mean())
    monkeypatch.setattr(byte_ngram, "BLOCK", 100)
    monkeypatch.setattr(byte_ngram, "ROWS", 7)
    assert model.entropies(data) == pytest.approx(entropies)
    assert model.bits_per_byte([data]) == pytest.approx(bits)


def test_longer_contexts_foretell_better(ru: str) -> None:
    half = len(ru) // 2
    bits = [train_byte_ngram([ru[:half]], order).bits_per_byte([ru[half:]]) for order in (1, 2, 3)]
    assert bits == sorted(bits, reverse=True)
    assert bits[0] < 8


@pytest.fixture(scope="module")
def model(ru: str) -> ByteNgram:
    return train_byte_ngram(ru.splitlines()[::2])


@pytest.fixture(scope="module")
def unseen(ru: str) -> list[str]:
    return ru.splitlines()[1::2]


@pytest.mark.parametrize("size", [1, 3, 4, 100])
def test_fixed_patches(size: int) -> None:
    patches = FixedPatches(size)
    for text in TEXTS:
        found = patches.cut(text)
        assert b"".join(found) == text.encode()
        assert len(found) == -(-len(text.encode()) // size)
        assert all(len(patch) == size for patch in found[:-1])


def test_rules_by_their_definitions(model: ByteNgram, unseen: list[str]) -> None:
    data = unseen[0].encode()
    entropies = model.entropies(data)

    def starts(rule: object) -> list[int]:
        return [0] + [at for at in range(1, len(data)) if rule(at)]  # type: ignore[operator]

    high = lambda at: entropies[at] > 1.5  # noqa: E731
    rises = lambda at: entropies[at] - entropies[at - 1] > 0.4  # noqa: E731
    cases = {
        "global": (EntropyPatches(model, threshold=1.5), high),
        "monotonic": (EntropyPatches(model, rise=0.4), rises),
        "combined": (EntropyPatches(model, threshold=1.5, rise=0.4), lambda at: high(at) and rises(at)),
    }
    for name, (patches, rule) in cases.items():
        assert patches.rule == name
        assert patches.starts(data).tolist() == starts(rule)
        assert b"".join(patches.cut(unseen[0])) == data
        assert patches.cut("") == []


def test_long_patches_are_cut(model: ByteNgram, unseen: list[str]) -> None:
    whole = EntropyPatches(model, threshold=2).cut(unseen[0])
    expected = [patch[at : at + 3] for patch in whole for at in range(0, len(patch), 3)]
    assert EntropyPatches(model, threshold=2, max_size=3).cut(unseen[0]) == expected


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("mean_size", [3, 4.5, 8])
def test_the_threshold_of_a_mean_size(model: ByteNgram, unseen: list[str], rule: str, mean_size: float) -> None:
    patches = EntropyPatches.of_mean_size(model, unseen, mean_size, rule=rule)  # type: ignore[arg-type]
    n_bytes = sum(len(text.encode()) for text in unseen)
    assert patches.rule == rule
    assert patches.count_batch([]).tolist() == []
    assert patches.count_batch(["", unseen[0], ""]).tolist() == [0, len(patches.cut(unseen[0])), 0]
    assert n_bytes / patches.count_batch(unseen).sum() == pytest.approx(mean_size, rel=0.03)


def test_they_stand_in_the_same_tables_as_tokenizers(model: ByteNgram, unseen: list[str], tok: bukva.Tokenizer) -> None:
    patches = EntropyPatches.of_mean_size(model, unseen, 4.5)
    found, beside = bukva.measure(patches, unseen), bukva.measure(tok, unseen)
    assert found.n_tokens == sum(len(patches.cut(text)) for text in unseen)
    assert found.bytes_per_token == pytest.approx(4.5, rel=0.03)
    assert found.conventions.corpus == beside.conventions.corpus
    assert found.conventions.tokenizer == patches.fingerprint
    assert math.isnan(found.bits_per_byte)
    assert found.to_dict()["bits_per_byte_exact"] is None
    assert bukva.measure(FixedPatches(2), ["abcd ef"]).single_token_retention == 0.5
    assert "EntropyPatches(ByteNgram(order=5" in repr(patches)


def test_fingerprints() -> None:
    one, other = train_byte_ngram(TEXTS), train_byte_ngram(TEXTS[::-1])
    assert one.fingerprint == other.fingerprint != train_byte_ngram(TEXTS, 4).fingerprint
    prints = {EntropyPatches(one, threshold=t, max_size=m).fingerprint for t in (1, 2) for m in (None, 4)}
    assert len(prints | {FixedPatches(4).fingerprint, EntropyPatches(one, rise=1).fingerprint}) == 6


def test_bad_input(model: ByteNgram) -> None:
    with pytest.raises(bukva.CorpusError, match="no byte"):
        train_byte_ngram([""])
    with pytest.raises(bukva.ArgumentError, match="at most 8"):
        train_byte_ngram(["a"], order=9)
    with pytest.raises(bukva.ArgumentError, match="an iterable"):
        train_byte_ngram("abc")
    with pytest.raises(bukva.ArgumentError, match=r"texts\[1\]"):
        train_byte_ngram(["a", 5])  # type: ignore[list-item]
    for call in (FixedPatches(2).cut, lambda text: train_byte_ngram([text]), lambda text: model.bits_per_byte([text])):
        with pytest.raises(bukva.TextError, match=r"U\+D800 at character 1"):
            call("a\ud800")
    with pytest.raises(bukva.ArgumentError, match="given, or 'rise'"):
        EntropyPatches(model)
    with pytest.raises(bukva.ArgumentError, match="'threshold'"):
        EntropyPatches(model, threshold=math.nan)
    with pytest.raises(bukva.ArgumentError, match="above 1"):
        EntropyPatches.of_mean_size(model, ["a"], 1)
    with pytest.raises(bukva.CorpusError, match="no byte"):
        EntropyPatches.of_mean_size(model, [""], 4)
    with pytest.raises(bukva.ArgumentError, match="'size'"):
        FixedPatches(0)
