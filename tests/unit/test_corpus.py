import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest

import bukva
from bukva import ArgumentError, BpeTrainer, CorpusError, FileError, TextError
from bukva.corpus import iter_texts, kind_of, list_files

TRAINER = BpeTrainer(num_merges=0)


def write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def zstd(data: bytes) -> bytes:
    return bytes(pyarrow.compress(data, codec="zstd", asbytes=True))


def parquet(path: Path, rows: list[Any], name: str = "text", kind: Any = None) -> Path:
    pyarrow.parquet.write_table(pyarrow.table({name: pyarrow.array(rows, type=kind)}), path)
    return path


def test_kinds_by_suffix() -> None:
    assert [kind_of(name) for name in ("a.txt", "a.TXT.gz", "a.jsonl.zst", "a.parquet", "a.md", "txt")] == [
        "text", "text", "jsonl", "parquet", None, None,
    ]  # fmt: skip


def test_folders_are_read_recursively_in_byte_order(tmp_path: Path) -> None:
    for name in ("b.txt", "a/z.txt", "a.txt", "я.txt", "Z.txt", "a/notes.md", "a-b/x.jsonl"):
        write(tmp_path / name, b'{"text": "x"}')
    names = [Path(name).relative_to(tmp_path).as_posix() for name in list_files(tmp_path, "train")]
    assert names == ["Z.txt", "a-b/x.jsonl", "a.txt", "a/z.txt", "b.txt", "я.txt"]


def test_paths_keep_their_order_and_globs_are_sorted(tmp_path: Path) -> None:
    for name in ("1.txt", "2.txt", "10.txt", "deep/3.txt"):
        write(tmp_path / name, b"x")
    listed = list_files([tmp_path / "2.txt", str(tmp_path / "1.txt")], "train")
    assert [Path(name).name for name in listed] == ["2.txt", "1.txt"]
    assert [Path(name).name for name in list_files(f"{tmp_path}/*.txt", "train")] == ["1.txt", "10.txt", "2.txt"]
    assert len(list_files(f"{tmp_path}/**/*.txt", "train")) == 4


def test_a_path_with_brackets_is_that_path(tmp_path: Path) -> None:
    path = write(tmp_path / "a[1].txt", b"x")
    assert list_files(path, "train") == [str(path)]


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
@pytest.mark.parametrize("kind", [".txt", ".jsonl", ".parquet"])
def test_every_suffix(tmp_path: Path, kind: str, suffix: str) -> None:
    texts = ["одна\n", "две\n"]
    if kind == ".parquet":
        data = parquet(tmp_path / "rows", texts).read_bytes()
    elif kind == ".jsonl":
        data = "".join(json.dumps({"text": text}) + "\n" for text in texts).encode()
    else:
        data = "".join(texts).encode()
    pack = {"": bytes, ".gz": gzip.compress, ".zst": zstd}[suffix]
    path = write(tmp_path / f"corpus{kind}{suffix}", pack(data))
    assert list(iter_texts(path, unit="line")) == texts
    tok = bukva.train(path, TRAINER, unit="line")
    assert tok.training is not None
    assert (tok.training.documents, tok.training.bytes) == (2, len("".join(texts).encode()))


def test_a_text_file_is_one_document_or_many_lines(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", b"a\nb\r\nc")
    assert list(iter_texts(path)) == ["a\nb\r\nc"]
    assert list(iter_texts(path, unit="line")) == ["a\n", "b\r\n", "c"]


def test_fields(tmp_path: Path) -> None:
    lines = write(tmp_path / "a.jsonl", b'{"body": "x"}\n')
    rows = parquet(tmp_path / "a.parquet", ["y"], "body")
    assert list(iter_texts([lines, rows], field="body")) == ["x", "y"]
    with pytest.raises(CorpusError, match="text"):
        list(iter_texts(lines))
    with pytest.raises(CorpusError, match=r"no column 'text'.*'body'"):
        list(iter_texts(rows))


def test_parquet_columns(tmp_path: Path) -> None:
    assert list(iter_texts(parquet(tmp_path / "b.parquet", [b"x"], kind=pyarrow.binary()))) == ["x"]
    kind = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    assert list(iter_texts(parquet(tmp_path / "d.parquet", ["x", "x"], kind=kind))) == ["x", "x"]
    with pytest.raises(CorpusError, match="int64, not text"):
        list(iter_texts(parquet(tmp_path / "i.parquet", [1])))
    with pytest.raises(CorpusError, match="Row 1 of the column is null"):
        list(iter_texts(parquet(tmp_path / "n.parquet", ["x", None])))
    bad = parquet(tmp_path / "u.parquet", [b"a\xff"], kind=pyarrow.binary())
    with pytest.raises(TextError, match="Row 0 is not UTF-8: byte 0xff"):
        list(iter_texts(bad))
    assert list(iter_texts(bad, invalid="replace")) == ["a\ufffd"]
    with pytest.raises(CorpusError, match="not a whole Parquet file"):
        list(iter_texts(write(tmp_path / "t.parquet", b"PAR1")))


def test_missing_paths(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"missing.txt' does not exist.*train_from_iterator"):
        bukva.train("missing.txt", TRAINER)
    with pytest.raises(CorpusError, match="matches no file"):
        bukva.train(f"{tmp_path}/*.txt", TRAINER)
    with pytest.raises(CorpusError, match=r"holds no corpus file.*\.jsonl\.zst"):
        bukva.train(tmp_path, TRAINER)
    with pytest.raises(CorpusError, match="lists no path"):
        bukva.train([], TRAINER)
    (tmp_path / "dangling.txt").symlink_to(tmp_path / "nowhere.txt")
    with pytest.raises(FileError, match="dangling"):
        bukva.train(tmp_path / "dangling.txt", TRAINER)


@pytest.mark.parametrize("corpus", [5, None, [5], b"x.txt", "", "some text\nof two lines", "a\0b"])
def test_what_is_no_path(corpus: Any) -> None:
    with pytest.raises(ArgumentError, match="corpus"):
        bukva.train(corpus, TRAINER)


def test_an_unknown_suffix(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"no known suffix.*standard input"):
        bukva.train(write(tmp_path / "a.csv", b"x"), TRAINER)


def test_a_text_is_no_iterable_of_texts() -> None:
    with pytest.raises(ArgumentError, match=r"iterable of str.*\[text\]"):
        bukva.train_from_iterator("some text", TRAINER)
    with pytest.raises(ArgumentError, match=r"texts\[1\]"):
        bukva.train_from_iterator(["a", 5], TRAINER)  # type: ignore[list-item]
    with pytest.raises(ArgumentError, match="texts"):
        bukva.train_from_iterator(5, TRAINER)  # type: ignore[arg-type]


def test_invalid_utf8_is_named_by_file_line_and_byte(tmp_path: Path) -> None:
    path = write(tmp_path / "bad.txt", b"good\nba\xffd\n")
    with pytest.raises(TextError) as caught:
        bukva.train(path, TRAINER)
    assert caught.value.source is not None
    assert caught.value.source.endswith("bad.txt")
    assert (caught.value.line, caught.value.byte_offset) == (2, 7)
    tok = bukva.train(path, TRAINER, invalid="replace")
    assert tok.training is not None
    assert tok.training.replaced_bytes == 1
    assert list(iter_texts(path, invalid="replace")) == ["good\nba\ufffdd\n"]
    with pytest.raises(ArgumentError, match="'error', 'replace'"):
        bukva.train(path, TRAINER, invalid="ignore")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="'file', 'line'"):
        bukva.train(path, TRAINER, unit="word")  # type: ignore[arg-type]


def test_damaged_files(tmp_path: Path) -> None:
    with pytest.raises(bukva.BukvaError, match=r"a\.txt\.gz"):
        list(iter_texts(write(tmp_path / "a.txt.gz", gzip.compress(b"text" * 100)[:-12])))
    with pytest.raises(bukva.BukvaError, match=r"a\.txt\.zst"):
        list(iter_texts(write(tmp_path / "a.txt.zst", b"no zstd at all")))
    with pytest.raises(CorpusError, match=r"a\.jsonl, line 2"):
        list(iter_texts(write(tmp_path / "a.jsonl", b'{"text": "x"}\n{"text": \n')))


def test_an_empty_corpus(tmp_path: Path) -> None:
    with pytest.raises((CorpusError, bukva.TrainingError), match="empty"):
        bukva.train(write(tmp_path / "empty.txt", b""), BpeTrainer(num_merges=3))
    with pytest.raises((CorpusError, bukva.TrainingError), match="empty"):
        bukva.train_from_iterator([], BpeTrainer(num_merges=3))


def test_the_error_of_an_iterator_comes_through() -> None:
    def texts() -> Any:
        yield "one"
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        bukva.train_from_iterator(texts(), TRAINER)
