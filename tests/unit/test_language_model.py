"""The smallest language model: what it learns is the table of what follows what."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import bukva
from bukva.embeddings import (
    LanguageModel,
    Sampling,
    check_gradient,
    load_language_model,
    save_language_model,
    softmax,
    train_language_model,
    train_on_pairs,
)
from bukva.embeddings.files.safetensors import tensor_of, write_tensors
from bukva.embeddings.pair_training import pair_gradients

TEXTS = ["abababac", "acab", "bcab"] * 40


@pytest.fixture(scope="module")
def chars() -> bukva.Tokenizer:
    return bukva.train_from_iterator(TEXTS, bukva.CharTrainer(unk_token=None))


@pytest.fixture(scope="module")
def model(chars: bukva.Tokenizer) -> LanguageModel:
    return train_language_model(TEXTS, chars, dim=8, epochs=100, batch=64, lr=0.003)


def test_it_learns_the_frequencies_of_what_follows(model: LanguageModel, chars: bukva.Tokenizer) -> None:
    follows: dict[int, Counter] = {}
    for text in TEXTS:
        for before, after in itertools.pairwise([model.start, *chars.encode(text)]):
            follows.setdefault(before, Counter())[after] += 1
    for before, counts in follows.items():
        found = softmax(model.logits([] if before == model.start else [before]))
        expected = np.array([counts[number] / counts.total() for number in range(len(found))])
        assert found == pytest.approx(expected, abs=0.03)


def test_its_loss_is_near_the_entropy_of_the_frequencies(model: LanguageModel, chars: bukva.Tokenizer) -> None:
    pairs = Counter(pair for text in TEXTS for pair in itertools.pairwise([model.start, *chars.encode(text)]))
    firsts = Counter(before for before, _ in pairs.elements())
    best = -sum(n * math.log(n / firsts[before]) for (before, _), n in pairs.items()) / pairs.total()
    found = model.evaluate(TEXTS)
    assert found.n_tokens == found.n_bytes == sum(map(len, TEXTS))
    assert best <= found.nats_per_token < best + 0.01
    assert found.bits_per_byte == pytest.approx(found.nats_per_token / math.log(2))
    assert model.losses[-1] < model.losses[0]


def test_generation(model: LanguageModel, chars: bukva.Tokenizer) -> None:
    text = "".join(model.generate("ac", max_tokens=50))
    assert len(text) == 50
    assert text == "".join(model.generate("ac", max_tokens=50))
    assert text != "".join(model.generate("ac", max_tokens=50, seed=1))
    greedy = "".join(model.generate("b", max_tokens=6, sampling=Sampling(temperature=0)))
    assert greedy == "ababab"
    ids = list(itertools.islice(model.generate_ids(chars.encode("ac")), 50))
    assert chars.decode(ids) == text
    assert list(model.generate("a", max_tokens=0)) == []


def test_only_defined_ids_and_whole_characters(tok: bukva.Tokenizer, ru: str) -> None:
    model = train_language_model([ru[:2000]], tok, dim=4, epochs=1)
    ids = list(itertools.islice(model.generate_ids(), 3000))
    assert max(ids) < tok.sizes.id_range
    assert not set(ids) & set(tok.special_tokens.values())
    pieces = list(model.generate("Да", max_tokens=300))
    expected = tok.decode(list(itertools.islice(model.generate_ids(tok.encode("Да")), 300)), errors="replace")
    assert "".join(pieces) == expected
    assert all(pieces)


def test_tied(chars: bukva.Tokenizer) -> None:
    model = train_language_model(TEXTS, chars, dim=8, epochs=20, tied=True)
    assert model.head.tied
    assert model.logits([0])[1] == pytest.approx(model.logits([1])[0])
    assert model.losses[-1] < model.losses[0]


@pytest.mark.parametrize("tied", [False, True])
def test_files(chars: bukva.Tokenizer, tok: bukva.Tokenizer, tmp_path: Path, tied: bool) -> None:
    model, path = train_language_model(TEXTS[:3], chars, dim=4, epochs=1, tied=tied), tmp_path / "m.safetensors"
    save_language_model(model, path)
    again = load_language_model(path, chars)
    assert again.head.tied == tied
    assert np.array_equal(again.logits([0]), model.logits([0]))
    train_on_pairs(again.table, again.head, [0], [1], epochs=1)  # it can be trained further
    with pytest.raises(bukva.FormatError, match=r"another tokenizer.*m.safetensors"):
        load_language_model(path, tok)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(bukva.FormatError, match="stops in the middle"):
        load_language_model(path, chars)
    write_tensors(path, {"x": tensor_of(np.ones(3))})
    with pytest.raises(bukva.FormatError, match="no bukva bigram"):
        load_language_model(path, chars)
    metadata = {"kind": "bukva bigram language model", "tokenizer": chars.fingerprint}
    write_tensors(path, {"embed_tokens.weight": tensor_of(np.ones((2, 3)))}, metadata)
    with pytest.raises(bukva.FormatError, match="2 rows, expected 4"):
        load_language_model(path, chars)
    with pytest.raises(bukva.ArgumentError, match=r"ends in .safetensors"):
        save_language_model(model, tmp_path / "m.bin")


@pytest.mark.parametrize("tied", [False, True])
def test_gradients_of_training(tied: bool) -> None:
    rng = np.random.default_rng(0)
    weight, own, bias = rng.normal(size=(5, 3)), rng.normal(size=(5, 3)), rng.normal(size=5)
    inputs, targets = np.array([0, 0, 3, 4]), np.array([1, 0, 3, 1])

    def gradients(weight: np.ndarray, own: np.ndarray, bias: np.ndarray) -> tuple:
        table = bukva.Embedding.from_weight(weight)
        head = bukva.OutputHead(table if tied else own, bias)
        return pair_gradients(table, head, inputs, targets)

    _, found = gradients(weight, own, bias)
    assert len(found) == (2 if tied else 3)
    assert check_gradient(lambda x: gradients(x, own, bias)[0].value, weight, found[0]).passed
    assert check_gradient(lambda x: gradients(weight, own, x)[0].value, bias, found[-1]).passed
    if not tied:
        assert check_gradient(lambda x: gradients(weight, x, bias)[0].value, own, found[1]).passed


def test_progress_and_bad_input(chars: bukva.Tokenizer) -> None:
    calls: list[tuple] = []
    train_language_model(TEXTS[:3], chars, epochs=2, batch=10, progress=lambda *call: calls.append(call))
    assert calls[-1] == ("train", 32, 32)
    with pytest.raises(bukva.TrainingError, match="no pair"):
        train_language_model([""], chars)
    with pytest.raises(bukva.ArgumentError, match="an iterable of str"):
        train_language_model("abc", chars)
    with pytest.raises(bukva.CorpusError, match="no token"):
        train_language_model(TEXTS, chars, epochs=1).evaluate([""])
    table = bukva.Embedding(3, 2)
    with pytest.raises(bukva.ArgumentError, match=r"of 4 rows.*Got 3"):
        LanguageModel(chars, table, bukva.OutputHead(table))
    with pytest.raises(bukva.ArgumentError, match="'epochs'"):
        train_on_pairs(table, bukva.OutputHead(table), [0], [1], epochs=0)
    with pytest.raises(bukva.UnknownIdError, match="id 3"):
        train_on_pairs(table, bukva.OutputHead(table), [0], [3])
