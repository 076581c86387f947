"""Models of fastText and tables of floret: what is written is read; bytes as fastText writes them; damage."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bukva
from bukva.embeddings import NgramScheme, NgramTable, load_floret, save_floret

from .test_train_vectors import sentences

WORDS = ["где", "кот", "</s>"]
SCHEME = NgramScheme("fasttext", 2, 4, 7)
ROWS = np.random.default_rng(1).normal(size=(10, 3)).astype(np.float32)
OUTPUT = -ROWS[:3]


def model(words: list[str] = WORDS, *, loss: int = 2, kind: int = 2, bucket: int = 7, maxn: int = 4) -> bytes:
    """A model by the layout of fastText 0.9.2: options, dictionary, inputs, outputs."""
    options = (3, 5, 1, 1, 5, 1, loss, kind, bucket, 2, maxn, 100)
    head = struct.pack("<14id", 793712314, 12, *options, 1e-4)
    entries = b"".join(word.encode() + b"\0" + struct.pack("<qb", 9 - row, 0) for row, word in enumerate(words))
    sizes = struct.pack("<iiiqq", len(words), len(words), 0, 24, -1)
    tables = [ROWS[: len(words) + bucket], OUTPUT[: len(words)]]
    return (
        head + sizes + entries + b"".join(struct.pack("<?qq", False, *rows.shape) + rows.tobytes() for rows in tables)
    )


def loaded(path: Path, data: bytes) -> bukva.WordVectors:
    path.write_bytes(data)
    return bukva.load_vectors(path)


def test_models_are_read(tmp_path: Path) -> None:
    vectors = loaded(tmp_path / "x.bin", model())
    assert vectors.words == WORDS
    assert vectors.counts is not None
    assert vectors.counts.tolist() == [9, 8, 7]
    assert vectors.output is not None
    assert vectors.output.tobytes() == OUTPUT.tobytes()
    rows = np.concatenate([ROWS[:1], ROWS[3 + SCHEME.buckets("где").astype(int)]])
    np.testing.assert_allclose(vectors["где"], rows.mean(axis=0), atol=1e-6)
    np.testing.assert_allclose(vectors["котик"], ROWS[3 + SCHEME.buckets("котик").astype(int)].mean(axis=0), atol=1e-6)
    assert vectors["</s>"].tobytes() == ROWS[2].tobytes()
    assert (vectors.record["method"], vectors.record["bucket"]) == ("skipgram", 7)
    assert vectors.save(tmp_path / "x.safetensors") == []
    assert bukva.load_vectors(tmp_path / "x.safetensors")["котик"].tobytes() == vectors["котик"].tobytes()


def test_models_without_ngrams_are_read(tmp_path: Path) -> None:
    vectors = loaded(tmp_path / "x.bin", model(bucket=0, maxn=0, loss=1, kind=1))
    assert vectors.subwords is None
    assert vectors.output is None
    assert vectors.matrix.tobytes() == ROWS[:3].tobytes()
    vectors.save(tmp_path / "y.bin", format="fasttext")
    assert bukva.load_vectors(tmp_path / "y.bin").matrix.tobytes() == ROWS[:3].tobytes()


@pytest.mark.parametrize("method", ["skipgram", "cbow"])
def test_what_is_written_is_read(tmp_path: Path, method: Any) -> None:
    options: dict[str, Any] = {"subwords": "fasttext", "bucket": 5000, "dim": 6, "epochs": 1, "min_count": 2}
    vectors = bukva.train_vectors_from_iterator(sentences(100), method=method, deterministic=True, **options)
    lost = vectors.save(tmp_path / "x.bin", format="fasttext")
    assert [what for what, _ in lost] == ["record"]
    found = bukva.load_vectors(tmp_path / "x.bin")
    assert found.words == vectors.words
    assert found.matrix.tobytes() == vectors.matrix.tobytes()
    assert found["котик"].tobytes() == vectors["котик"].tobytes()
    assert isinstance(found.subwords, NgramTable)
    assert len(found.subwords.rows) == 5000
    more = [
        bukva.train_vectors_from_iterator(sentences(9), start=start, method=method, deterministic=True, **options)
        for start in (vectors, found)
    ]
    assert more[0].matrix.tobytes() == more[1].matrix.tobytes()
    assert found.save(tmp_path / "y.bin", format="fasttext") != []
    assert (tmp_path / "x.bin").read_bytes()[64:] == (tmp_path / "y.bin").read_bytes()[64:]


def test_what_a_model_cannot_hold_is_refused(tmp_path: Path) -> None:
    floret = bukva.train_vectors_from_iterator(sentences(50), subwords="floret", bucket=50, dim=2, epochs=1)
    with pytest.raises(bukva.LossError, match="subwords: words outside the vocabulary"):
        floret.save(tmp_path / "x.bin", format="fasttext")
    floret.save(tmp_path / "x.bin", format="fasttext", allow_loss=True)
    assert bukva.load_vectors(tmp_path / "x.bin").matrix.tobytes() == floret.matrix.tobytes()
    with pytest.raises(bukva.LossError, match="a zero ends a word"):
        bukva.WordVectors(["a\0b"], [[1.0]]).save(tmp_path / "x.bin", format="fasttext")
    tree = bukva.train_vectors_from_iterator(sentences(50), objective="hierarchical_softmax", dim=2, epochs=1)
    assert "output" in dict(tree.save(tmp_path / "x.bin", format="fasttext"))


DAMAGE = [
    (lambda data: data[:30], "stops in the middle of the options"),
    (lambda data: data[:70], "stops in the middle of the sizes"),
    (lambda data: data[:94], "No zero ends the word of row 0|stops in the middle of the entry of row 0"),
    (lambda data: data[:100], "entry of row 0"),
    (lambda data: data[:-4], "stops in row 2 of the rows of outputs"),
    (lambda data: data + b"\0", "More bytes follow"),
    (lambda data: data[:200], "stops in row 0 of the rows of inputs|stops in row [1-9] of the rows of inputs"),
    (lambda data: data[:4] + b"\x0b" + data[5:], "begins with 793712314, 12"),
    (lambda data: data.replace("где".encode(), b"\xff" * 6), "word of row 0.*not UTF-8"),
    (lambda data: data[:8] + b"\4" + data[9:], "the rows of inputs must be of 10 rows of 4 numbers, and are 10 of 3"),
    (lambda data: data[:8] + b"\0" + data[9:], "dim 0 and bucket 7"),
    (lambda data: data[:36] + b"\3" + data[37:], "classifier"),
    (lambda data: data[:48] + b"\x50" + data[49:], "n-grams cannot be used"),
    (lambda data: data[:64] + struct.pack("<iii", 3, 2, 1) + data[76:], "2 words and 1 labels"),
    (lambda data: data[:84] + struct.pack("<q", 1) + data[92:], "pruned"),
]


@pytest.mark.parametrize(("damage", "message"), DAMAGE)
def test_damaged_models_name_the_place(tmp_path: Path, damage: Any, message: str) -> None:
    path = tmp_path / "x.bin"
    with pytest.raises((bukva.FormatError, bukva.UnsupportedError), match=message) as caught:
        loaded(path, damage(model()))
    assert caught.value.source == str(path)


def test_tables_of_floret_are_written_and_read(tmp_path: Path) -> None:
    vectors = bukva.train_vectors_from_iterator(sentences(50), subwords="floret", bucket=300, dim=3, epochs=1)
    assert isinstance(vectors.subwords, NgramTable)
    path = tmp_path / "x.floret"
    save_floret(vectors.subwords, path)
    lines = path.read_text().splitlines()
    assert (lines[0], len(lines)) == ("300 3 3 6 2 2166136261 < >", 301)
    table = load_floret(path)
    assert (table.scheme, len(table.rows)) == (vectors.subwords.scheme, 300)
    for word in ("кот", "котик"):
        np.testing.assert_allclose(table.vector(word), vectors[word], atol=1e-6)
    path.write_text(path.read_text().replace("\n", " \n"))  # floret ends rows with a space
    assert load_floret(path).rows.tobytes() == table.rows.tobytes()
    other = NgramTable(SCHEME, ROWS[:7])
    with pytest.raises(bukva.ArgumentError, match="'table' parameter of save_floret"):
        save_floret(other, path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "first line is not bucket"),
        ("2 1 3 6 2 2166136261 <\n0 1\n1 2\n", "first line is not bucket"),
        ("2 1 3 6 2 5 < >\n0 1\n1 2\n", "Seed and marks must be"),
        ("2 1 3 6 9 2166136261 < >\n0 1\n1 2\n", "hash_count"),
        ("2 1 3 6 1 2166136261 < >\n0 1\n", "states 2 rows of 1 numbers, from 0 on; the file has 1 of 1"),
        ("2 2 3 6 1 2166136261 < >\n0 1\n1 2\n", "states 2 rows of 2 numbers"),
        ("2 1 3 6 1 2166136261 < >\n1 1\n0 2\n", "from 0 on"),
        ("2 1 3 6 1 2166136261 < >\n0 1\n1 x\n", "x"),
    ],
)
def test_damaged_tables_of_floret_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "x.floret"
    path.write_text(text)
    with pytest.raises((bukva.FormatError, bukva.UnsupportedError), match=message) as caught:
        load_floret(path)
    assert caught.value.source == str(path)
