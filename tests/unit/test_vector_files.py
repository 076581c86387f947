"""Files of word vectors: what is written is read; damage names its row; what cannot be held is refused."""

import gzip
import json
import os
import struct
from pathlib import Path

import numpy as np
import pytest

import bukva
from bukva.embeddings.files.safetensors import TensorFile, tensor_of, write_tensors
from bukva.embeddings.vectors import WordVectors

WORDS = ["кошка", "dog", "猫", "naïve", "a.b"]
MATRIX = np.random.default_rng(0).normal(size=(5, 7)).astype(np.float32)
MATRIX[0, 0], MATRIX[1, 1], MATRIX[2, 2] = 1e-38, -3.4e38, 0
PLAIN = WordVectors(WORDS, MATRIX)
FULL = WordVectors(WORDS, MATRIX, [9, 7, 5, 3, 1], {"dim": 7, "corpus": "ё"}, output=-MATRIX)

FORMS = {
    "x.safetensors": None,
    "x.txt": None,
    "x.vec": None,
    "x.bin": None,
    "x.npy": None,
    "x.tsv": None,
    "glove": "glove",
    "text": "word2vec",
    "binary": "word2vec_binary",
}


def same(found: WordVectors, expected: WordVectors) -> None:
    assert found.words == expected.words
    assert found.matrix.dtype == np.float32
    assert found.matrix.tobytes() == expected.matrix.tobytes()


@pytest.mark.parametrize("name", FORMS)
def test_what_is_saved_is_loaded(tmp_path: Path, name: str) -> None:
    assert PLAIN.save(tmp_path / name, format=FORMS[name]) == []
    same(bukva.load_vectors(tmp_path / name), PLAIN)
    same(bukva.load_vectors(str(tmp_path / name), FORMS[name]), PLAIN)
    assert all(not path.name.startswith(".") for path in tmp_path.iterdir())


def test_safetensors_hold_everything(tmp_path: Path) -> None:
    assert FULL.save(tmp_path / "x.safetensors") == []
    found = bukva.load_vectors(tmp_path / "x.safetensors")
    same(found, FULL)
    assert found.counts is not None
    assert found.output is not None
    assert found.counts.tolist() == [9, 7, 5, 3, 1]
    assert found.record == {"dim": 7, "corpus": "ё"}
    assert found.output.tobytes() == (-MATRIX).tobytes()


def test_tables_stay_in_the_mapped_file(tmp_path: Path) -> None:
    for name in ("x.safetensors", "x.npy"):
        PLAIN.save(tmp_path / name)
        owner: object = bukva.load_vectors(tmp_path / name).matrix
        while getattr(owner, "base", None) is not None:
            owner = owner.base  # type: ignore[attr-defined]
        assert type(getattr(owner, "obj", owner)).__name__ == "mmap", name


def test_a_safetensors_file_is_one_for_the_library(tmp_path: Path) -> None:
    numpy_side = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed")
    FULL.save(tmp_path / "x.safetensors")
    tensors = numpy_side.load_file(tmp_path / "x.safetensors")
    assert tensors["vectors"].tobytes() == MATRIX.tobytes()
    numpy_side.save_file({"t": MATRIX, "n": np.arange(3)}, tmp_path / "y.safetensors", {"a": "b"})
    file = TensorFile(tmp_path / "y.safetensors")
    assert np.array_equal(file.array("t"), MATRIX)
    assert np.array_equal(file.array("n"), np.arange(3))
    assert file.metadata == {"a": "b"}


@pytest.mark.parametrize(
    ("name", "lost"),
    [
        ("x.txt", ["counts", "output", "record"]),
        ("x.bin", ["counts", "output", "record"]),
        ("x.npy", ["counts", "output", "record"]),
        ("x.tsv", ["output", "record"]),
    ],
)
def test_what_training_gave_beside_vectors_is_named(tmp_path: Path, name: str, lost: list[str]) -> None:
    assert [what for what, _ in FULL.save(tmp_path / name)] == lost
    same(bukva.load_vectors(tmp_path / name), PLAIN)


class Parts:
    def vector(self, word: str) -> np.ndarray | None:
        return None


@pytest.mark.parametrize("name", ["x.safetensors", "x.txt", "x.bin", "x.npy", "x.tsv"])
def test_lost_subwords_are_refused_or_returned(tmp_path: Path, name: str) -> None:
    vectors = WordVectors(WORDS, MATRIX, subwords=Parts())
    with pytest.raises(bukva.LossError, match=r"cannot hold everything: subwords: .*Allow the loss"):
        vectors.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    assert [what for what, _ in vectors.save(tmp_path / name, allow_loss=True)] == ["subwords"]


def test_counts_go_into_metadata(tmp_path: Path) -> None:
    FULL.save(tmp_path / "vectors.tsv")
    assert (tmp_path / "metadata.tsv").read_text(encoding="utf-8").splitlines()[:2] == ["word\tcount", "кошка\t9"]
    counts = bukva.load_vectors(tmp_path / "vectors.tsv").counts
    assert counts is not None
    assert counts.tolist() == [9, 7, 5, 3, 1]
    PLAIN.save(tmp_path / "vectors.tsv")
    assert (tmp_path / "metadata.tsv").read_text(encoding="utf-8").splitlines() == WORDS
    os.rename(tmp_path / "vectors.tsv", tmp_path / "big_tensor.tsv")
    os.rename(tmp_path / "metadata.tsv", tmp_path / "big_metadata.tsv")
    same(bukva.load_vectors(tmp_path / "big_tensor.tsv"), PLAIN)


SPACED = WordVectors(["new york", "1 2 3", " x", "\u00a0", "b"], MATRIX)


@pytest.mark.parametrize("form", ["word2vec", "glove"])
def test_words_with_spaces_are_read_and_not_written_unasked(tmp_path: Path, form: str) -> None:
    with pytest.raises(bukva.LossError, match="3 words are empty or hold a blank, such as 'new york'"):
        SPACED.save(tmp_path / "x", format=form)
    SPACED.save(tmp_path / "x", format=form, allow_loss=True)
    same(bukva.load_vectors(tmp_path / "x"), SPACED)
    SPACED.save(tmp_path / "x.safetensors")
    same(bukva.load_vectors(tmp_path / "x.safetensors"), SPACED)


@pytest.mark.parametrize(
    ("word", "name"),
    [("a b", "x.bin"), ("a\nb", "x.bin"), ("a\nb", "x.txt"), ("a\nb", "x.npy"), ("a\tb", "x.tsv"), ("a\rb", "x.tsv")],
)
def test_words_that_would_end_too_early_are_never_written(tmp_path: Path, word: str, name: str) -> None:
    with pytest.raises(bukva.LossError, match=r"\(row 0\) cannot be written"):
        WordVectors([word], [[1.0]]).save(tmp_path / name, allow_loss=True)
    WordVectors([word], [[1.0]]).save(tmp_path / "x.safetensors")
    assert bukva.load_vectors(tmp_path / "x.safetensors").words == [word]


def test_what_cannot_be_saved(tmp_path: Path) -> None:
    with pytest.raises(bukva.ArgumentError, match=r"ends in one of .safetensors, .txt.*'x.pdf'.*name the format"):
        PLAIN.save("x.pdf")
    with pytest.raises(bukva.ArgumentError, match=r"'format'.*'pdf'"):
        PLAIN.save("x.txt", format="pdf")
    with pytest.raises(bukva.ArgumentError, match="a path that is not empty"):
        PLAIN.save("")
    with pytest.raises(bukva.FileError, match="cannot be written: No such file"):
        PLAIN.save(tmp_path / "missing" / "x.txt")
    with pytest.raises(bukva.TextError, match=r"row 0.*lone surrogate"):
        WordVectors(["\ud800"], [[1.0]]).save(tmp_path / "x.safetensors")


@pytest.mark.parametrize("name", ["x.txt", "x.bin"])
def test_gzip_is_unpacked(tmp_path: Path, name: str) -> None:
    PLAIN.save(tmp_path / name)
    packed = tmp_path / f"{name}.gz"
    packed.write_bytes(gzip.compress((tmp_path / name).read_bytes()))
    same(bukva.load_vectors(packed), PLAIN)
    packed.write_bytes(packed.read_bytes()[:-20])
    with pytest.raises(bukva.FormatError, match="gzip file is damaged"):
        bukva.load_vectors(packed)


def test_forms_of_other_programs(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("2 2\nthe 0.5 1 \nof -1 2e-3 \n")  # word2vec.c and fastText end rows with a space
    found = bukva.load_vectors(path)
    assert (found.words, found.matrix.tolist()[0]) == (["the", "of"], [0.5, 1])
    path.write_bytes(b"2 1\nthe \0\0\0\x40\nof \0\0\x80\x3f\n")  # word2vec.c ends rows with a line feed
    found = bukva.load_vectors(path)
    assert (found.words, found.matrix.tolist()) == (["the", "of"], [[2], [1]])
    path.write_bytes("the 0.5 1\r\nна 1 2\r\n".encode())
    assert bukva.load_vectors(path).words == ["the", "на"]
    np.save(tmp_path / "d.npy", np.arange(6.0).reshape(3, 2))
    (tmp_path / "d.words.txt").write_text("a\nb\nc")
    assert bukva.load_vectors(tmp_path / "d.npy").matrix.tolist() == [[0, 1], [2, 3], [4, 5]]


DAMAGE = [
    (b"3 2\na 1 2\nb 1", r"stops in the middle of row 1 \(\"b\"\): 1 numbers of 2"),
    (b"3 2\na 1 2\nb 1 2\n", "states 3 rows, but the file ends after 2"),
    (b"1 2\na 1 2\nb 1 2\n", "states 1 rows, but more follow"),
    (b"2 2\na 1 2\nb 1 x\n", r"row 1: number 2 of 2 is \"x\".*line 3"),
    (b"2 2\na 1 2\nb 1 nan\n", r"'b' \(row 1\) is not finite"),
    (b"2 2\na 1 2\na 1 3\n", "'a' stands in rows 0 and 1"),
    (b"2 1\na \0\0\0\x40b \0\0", r"stops in the middle of row 1 \('b'\): 0 numbers of 1"),
    (b"9 1\na \0\0\0\x40b \0\0\x80\x3f", "states 9 rows of 1 numbers, but the file ends after 2"),
    (b"1 1\na \0\0\0\x40b \0\0\x80\x3f", "states 1 rows, but more bytes follow"),
    (b"1 1\n\xff \0\0\0\x40", "word of row 0.*not UTF-8"),
    (b"2 1\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "Row 0: no space ends the word"),
    (b"18446744073709551615 9\na \0\0\0\x40", r"stops in the middle of row 0 \('a'\): 1 numbers of 9"),
    (b"", "no line of a word and numbers|not one of vectors"),
    (b"hello\n", "no line of a word and numbers"),
    (b"\xff\xfe\x01", "not one of vectors that is known"),
    (b"\x80\x04\x95abc", "A pickle is not read"),
    (b"PK\x03\x04abcd", "A zip file"),
    (b"\x93NUMPYabc", "no array of numbers"),
]


@pytest.mark.parametrize(("content", "message"), DAMAGE)
def test_damaged_files_name_the_place(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "x.npy"
    path.write_bytes(content)
    (tmp_path / "x.words.txt").write_text("a\n")
    with pytest.raises((bukva.FormatError, bukva.UnsupportedError), match=message) as caught:
        bukva.load_vectors(path)
    assert caught.value.source == str(path)


def test_missing_files() -> None:
    with pytest.raises(bukva.FileError, match=r"'nothing.txt' cannot be read: No such file"):
        bukva.load_vectors("nothing.txt")
    with pytest.raises(bukva.ArgumentError, match="'format'"):
        bukva.load_vectors("nothing.txt", "pdf")
    with pytest.raises(bukva.ArgumentError, match="a path that is not empty"):
        bukva.load_vectors("")


def test_words_beside_the_vectors(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", MATRIX)
    with pytest.raises(bukva.FileError, match=r"words of .*x.npy' are missing: one a line in .*x.words.txt"):
        bukva.load_vectors(tmp_path / "x.npy")
    (tmp_path / "x.words.txt").write_text("a\nb\n")
    with pytest.raises(bukva.FormatError, match=r"2 words do not fit an array of shape \(5, 7\)"):
        bukva.load_vectors(tmp_path / "x.npy")
    PLAIN.save(tmp_path / "x.tsv")
    (tmp_path / "x.metadata.tsv").write_text("a\nb\n")
    with pytest.raises(bukva.FormatError, match="2 words do not fit the 5 rows"):
        bukva.load_vectors(tmp_path / "x.tsv")
    (tmp_path / "x.metadata.tsv").unlink()
    with pytest.raises(bukva.FileError, match=r"should be in .*x.metadata.tsv"):
        bukva.load_vectors(tmp_path / "x.tsv")


def header_of(entries: object, data: bytes = b"") -> bytes:
    text = json.dumps(entries).encode() if not isinstance(entries, bytes) else entries
    return struct.pack("<Q", len(text)) + text + data


F32 = {"dtype": "F32", "shape": [2, 1], "data_offsets": [0, 8]}
SAFETENSORS_DAMAGE = [
    (b"1234", "at least 8 bytes"),
    (struct.pack("<Q", 50) + b"{}", "should have 50 bytes; 2 follow"),
    (header_of(b"{,}"), "not JSON"),
    (header_of(b"[" * 5000), "not JSON"),
    (header_of([1]), "not a JSON object"),
    (header_of(b'{"a":1,"a":2}'), "stands twice"),
    (header_of({"a": 5}), "entry of 'a'"),
    (header_of({"a": F32 | {"shape": [-2, 1]}}, bytes(8)), "entry of 'a'"),
    (header_of({"a": F32 | {"shape": [3, 1]}}, bytes(8)), r"8 bytes do not fit shape \[3, 1\] of F32"),
    (header_of({"a": F32}, bytes(6)), "stops in the middle of 'a', in row 1: 6 bytes of 8"),
    (header_of({"a": F32}, bytes(9)), "file has .* bytes, its header states"),
    (header_of({"a": F32 | {"data_offsets": [4, 12]}}, bytes(12)), "begins at byte"),
    (header_of({"__metadata__": {"a": 1}, "a": F32}, bytes(8)), "metadata are not texts"),
]


@pytest.mark.parametrize(("content", "message"), SAFETENSORS_DAMAGE)
def test_damaged_containers(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(bukva.FormatError, match=message):
        TensorFile(tmp_path / "x")


def test_tensors_without_words_are_named(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    write_tensors(path, {"embed.weight": tensor_of(MATRIX)})
    with pytest.raises(bukva.FormatError, match=r"'embed.weight' \[5, 7\].*no words.*WordVectors\(words, table\)"):
        bukva.load_vectors(path)
    with pytest.raises(bukva.FormatError, match=r"There is no tensor 'x'; there are 'embed.weight'"):
        TensorFile(path).array("x")
    for change, message in [
        ({"version": "2"}, "Version '2' is not known"),
        ({"record": "[]"}, "record is not a JSON object"),
    ]:
        ends = tensor_of(np.array([1, 2, 3, 4, 5]))
        tensors = {
            "word_ends": ends,
            "vectors": tensor_of(MATRIX),
            "words": tensor_of(np.arange(97, 102, dtype=np.uint8)),
        }
        write_tensors(path, tensors, {"format": "bukva.vectors", "version": "1", "record": "{}"} | change)
        with pytest.raises(bukva.FormatError, match=message):
            bukva.load_vectors(path)
    write_tensors(
        path, tensors | {"word_ends": tensor_of(np.array([1, 9, 3, 4, 5]))}, {"format": "bukva.vectors", "version": "1"}
    )
    with pytest.raises(bukva.FormatError, match="not rising places"):
        bukva.load_vectors(path)


@pytest.mark.parametrize("name", ["x.safetensors", "x.txt", "x.bin", "x.npy", "x.tsv"])
def test_files_cut_anywhere_never_give_other_vectors_unnoticed(tmp_path: Path, name: str) -> None:
    """A cut is an error, or at the end of text without a size, whole rows; numbers may only be cut in a last line."""
    PLAIN.save(tmp_path / name)
    whole = (tmp_path / name).read_bytes()
    for size in range(len(whole)):
        (tmp_path / name).write_bytes(whole[:size])
        try:
            found = bukva.load_vectors(tmp_path / name)
        except (bukva.FormatError, bukva.UnsupportedError):
            continue
        assert name in ("x.txt", "x.tsv")
        assert found.words == WORDS
        assert np.array_equal(found.matrix[:-1], MATRIX[:-1])
