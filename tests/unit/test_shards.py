"""Corpora as shards of ids: content, resuming, refusals, and what a killed or a full disk leaves."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import bukva
from bukva import ArgumentError, CorpusError, FileError, FormatError, SpecialTokenError, TextError, Tokenizer

from ..signals import hear_ctrl_c

END = "<|endoftext|>"
posix = pytest.mark.skipif(os.name != "posix", reason="signals and limits are those of POSIX systems")


@pytest.fixture
def corpus(tmp_path: Path, ru: str, en: str) -> Path:
    """A folder with text, JSON Lines and Parquet, plain and compressed."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    (folder / "a.txt").write_bytes(ru.encode())
    (folder / "b.txt.gz").write_bytes(gzip.compress(en.encode()))
    rows = [json.dumps({"text": line}) for line in ["один", "", "два\nтри", en[:500]]]
    (folder / "c.jsonl").write_bytes("\n".join(rows).encode())
    (folder / "d.txt").write_bytes(b"")
    pq.write_table(pa.table({"text": ["row one", ru[:300]]}), folder / "e.parquet")
    return folder


def documents(ru: str, en: str) -> list[str]:
    return [ru, en, "один", "", "два\nтри", en[:500], "", "row one", ru[:300]]


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("format", ["npy", "bin", "megatron", "parquet", "arrow"])
@pytest.mark.parametrize("shard_tokens", [4000, None])
def test_shards_are_the_documents(
    tok: Tokenizer, corpus: Path, tmp_path: Path, ru: str, en: str, format: str, shard_tokens: int | None
) -> None:
    expected = tok.encode_batch(documents(ru, en)).to_list()
    shards = tok.encode_files(corpus, tmp_path / "out", format=format, shard_tokens=shard_tokens)
    assert [ids.tolist() for ids in shards] == expected
    assert len(shards) == len(expected)
    assert shards[-1].tolist() == expected[-1]
    assert [ids.tolist() for ids in shards[2:5]] == expected[2:5]
    assert shards.n_tokens == sum(map(len, expected)) == sum(map(len, shards.ids))
    assert shards.dtype == np.uint16
    assert all(ids.dtype == np.uint16 for ids in shards.ids)
    assert (len(shards.ids) == 1) == (shard_tokens is None)
    assert shard_tokens is None or max(map(len, shards.ids)) <= shard_tokens
    shards.verify()
    assert shards.manifest["text_bytes"] == sum(len(text.encode()) for text in documents(ru, en))
    again = bukva.load_shards(tmp_path / "out")
    assert [ids.tolist() for ids in pickle.loads(pickle.dumps(again))] == expected
    with pytest.raises(IndexError):
        again[len(expected)]


def test_files_are_as_other_tools_read_them(tok: Tokenizer, corpus: Path, tmp_path: Path, ru: str, en: str) -> None:
    end = tok.special_tokens[END]
    expected = [[*ids, end] for ids in tok.encode_batch(documents(ru, en)).to_list()]
    flat = [number for ids in expected for number in ids]
    folder = tmp_path / "out"
    tok.encode_files(corpus, folder, format="bin", append=END, dtype="uint32")
    assert np.fromfile(folder / "shard-00000.bin", np.uint32).tolist() == flat
    assert np.load(folder / "offsets-00000.npy").tolist() == np.cumsum([0, *map(len, expected)]).tolist()
    tok.encode_files(corpus, folder, append=end, overwrite=True)
    assert np.load(folder / "shard-00000.npy").tolist() == flat
    assert sorted(os.listdir(folder)) == ["manifest.json", "offsets-00000.npy", "shard-00000.npy"]
    tok.encode_files(corpus, folder, append=END, format="parquet", overwrite=True)
    rows = pq.read_table(folder / "shard-00000.parquet").to_pylist()
    assert [row["input_ids"] for row in rows] == expected
    assert [row["document"] for row in rows] == list(range(len(expected)))
    tok.encode_files(corpus, folder, append=END, format="arrow", overwrite=True)
    with pa.memory_map(str(folder / "shard-00000.arrow")) as source:
        assert pa.ipc.open_file(source).read_all().to_pylist() == rows
    assert sorted(os.listdir(folder)) == ["manifest.json", "shard-00000.arrow"]


@pytest.mark.parametrize(("dtype", "code"), [("uint16", 8), ("uint32", 4)])
def test_the_index_of_megatron(tok: Tokenizer, corpus: Path, tmp_path: Path, dtype: str, code: int) -> None:
    shards = tok.encode_files(corpus, tmp_path / "out", format="megatron", dtype=dtype)
    assert sorted(os.listdir(tmp_path / "out")) == [
        "manifest.json", "offsets-00000.npy", "shard-00000.bin", "shard-00000.idx"
    ]  # fmt: skip
    data, n = (tmp_path / "out" / "shard-00000.idx").read_bytes(), len(shards)
    assert data[:9] == b"MMIDIDX\0\0"
    assert struct.unpack("<QBQQ", data[9:34]) == (1, code, n, n + 1)
    lengths = np.frombuffer(data, np.int32, n, 34)
    places = np.frombuffer(data, np.int64, n, 34 + 4 * n)
    assert np.frombuffer(data, np.int64, n + 1, 34 + 12 * n).tolist() == list(range(n + 1))
    assert len(data) == 34 + 12 * n + 8 * (n + 1)
    ids = (tmp_path / "out" / "shard-00000.bin").read_bytes()
    for document, length, place in zip(shards, lengths, places, strict=True):
        assert np.frombuffer(ids, dtype, length, place).tolist() == document.tolist()


def test_units_and_special_tokens(tok: Tokenizer, tmp_path: Path) -> None:
    path, out = tmp_path / "x.txt", tmp_path / "out"
    path.write_bytes(f"one\ntwo {END} three\n\nlast".encode())
    lines = ["one\n", f"two {END} three\n", "\n", "last"]
    shards = tok.encode_file(path, out, unit="line", allowed_special="all")
    assert [ids.tolist() for ids in shards] == [tok.encode(line, allowed_special="all") for line in lines]
    shards = tok.encode_file(path, out, unit="line", disallowed_special=(), overwrite=True)
    assert [ids.tolist() for ids in shards] == [tok.encode(line, disallowed_special=()) for line in lines]
    shards = tok.encode_file(path, out, ordinary=True, overwrite=True)
    assert shards[0].tolist() == tok.encode_ordinary("".join(lines))
    with pytest.raises(SpecialTokenError, match=r"x\.txt, document 1, byte 4"):
        tok.encode_file(path, out, unit="line", overwrite=True)
    assert sorted(os.listdir(out)) == ["progress.jsonl"]


def test_the_template_stands_around_each_document(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    tok = bukva.train_from_iterator(["ab ab"], bukva.BpeTrainer(num_merges=1, special_tokens=["<s>", "</s>"]))
    tok.save(path)
    data = json.loads(path.read_text())
    ids = tok.special_tokens
    data["post_processor"] = {
        "type": "BertProcessing", "sep": ["</s>", ids["</s>"]], "cls": ["<s>", ids["<s>"]]
    }  # fmt: skip
    path.write_text(json.dumps(data))
    tok = bukva.load(path)
    text = tmp_path / "x.txt"
    text.write_bytes(b"ab\nba\n")
    shards = tok.encode_file(text, tmp_path / "out", unit="line", add_special_tokens=True, append="</s>")
    expected = [[*tok.encode(line, add_special_tokens=True), ids["</s>"]] for line in ("ab\n", "ba\n")]
    assert [found.tolist() for found in shards] == expected


def test_bytes_do_not_depend_on_threads(tok: Tokenizer, corpus: Path, tmp_path: Path) -> None:
    seen = []
    for threads in (1, 2, 5):
        tok.encode_files(corpus, tmp_path / str(threads), threads=threads, shard_tokens=3000)
        seen.append(content(tmp_path / str(threads)))
    assert seen[0] == seen[1] == seen[2]


def test_a_long_document_is_cut_and_read_back_whole(tok: Tokenizer, tmp_path: Path, ru: str) -> None:
    path = tmp_path / "x.txt"
    text = f"{ru}\n{END}\n" * 80
    path.write_bytes(text.encode())
    assert len(text.encode()) > 3 << 20
    shards = tok.encode_file(path, tmp_path / "out", shard_tokens=100_000, allowed_special="all", threads=2)
    assert len(shards) == 1
    assert len(shards.ids) > 5
    assert shards[0].tolist() == tok.encode(text, allowed_special="all")
    flags = [(shard["starts_document"], shard["ends_document"]) for shard in shards.manifest["shards"]]
    assert flags == [(True, False), *[(False, False)] * (len(flags) - 2), (False, True)]


PEAK = """
import resource, sys, bukva
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
tok = bukva.load(sys.argv[1])
tok.encode_file(sys.argv[2], sys.argv[3], threads=2)
before = peak()
tok.encode_file(sys.argv[4], sys.argv[3], threads=2, overwrite=True)
print(peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the peak is counted in KB on Linux")
def test_memory_does_not_grow_with_a_document(tok: Tokenizer, tmp_path: Path, ru: str) -> None:
    tok.save(tmp_path / "tok.bukva")
    for name, times in (("small.txt", 100), ("large.txt", 600)):
        (tmp_path / name).write_bytes(ru.encode() * times)
    paths = [tmp_path / name for name in ("tok.bukva", "small.txt", "out", "large.txt")]
    done = subprocess.run([sys.executable, "-c", PEAK, *map(str, paths)], capture_output=True, text=True, check=True)
    assert paths[3].stat().st_size > 24 << 20
    assert int(done.stdout) < 8 << 10


def test_nothing_to_encode(tok: Tokenizer, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(b"\n")
    shards = tok.encode_file(tmp_path / "x.jsonl", tmp_path / "none")
    assert (len(shards), shards.n_tokens, shards.ids, list(shards)) == (0, 0, [], [])
    (tmp_path / "x.txt").write_bytes(b"")
    for format in ("npy", "bin", "megatron", "parquet", "arrow"):
        shards = tok.encode_file(tmp_path / "x.txt", tmp_path / format, format=format)
        assert [ids.tolist() for ids in shards] == [[]]
        shards.verify()


def test_replaced_bytes_are_counted(tok: Tokenizer, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_bytes(b"ok\n\xff\xfe\n")
    with pytest.raises(TextError, match=r"a\.txt, line 2, byte 3"):
        tok.encode_files(tmp_path / "?.txt", tmp_path / "out", unit="line")
    shards = tok.encode_files(tmp_path / "?.txt", tmp_path / "out", unit="line", invalid="replace")
    assert shards.manifest["replaced_bytes"] == 4
    assert tok.decode(shards[1].tolist()) == "\ufffd\ufffd\n"


def test_progress_is_reported(tok: Tokenizer, corpus: Path, tmp_path: Path) -> None:
    seen: list[tuple[str, int, int | None]] = []
    tok.encode_files(corpus / "a.txt", tmp_path / "out", progress=lambda *facts: seen.append(facts))
    size = (corpus / "a.txt").stat().st_size
    assert seen[-1] == ("encode", size, size)


def test_progress_goes_on_where_it_was(tok: Tokenizer, tmp_path: Path, ru: str) -> None:
    sizes, seen = [], list[tuple[str, int, int | None]]()
    for name, text in (("a", ru), ("b", ru), ("c", END)):
        (tmp_path / f"{name}.txt").write_bytes(text.encode())
        sizes.append(len(text.encode()))
    options = {"shard_tokens": 5000}
    with pytest.raises(SpecialTokenError):
        tok.encode_files(tmp_path / "?.txt", tmp_path / "out", **options)
    lines = (tmp_path / "out" / "progress.jsonl").read_text().splitlines()
    assert json.loads(lines[-1])["next"][0] == 1
    options |= {"allowed_special": "all", "progress": lambda *facts: seen.append(facts)}
    tok.encode_files(tmp_path / "?.txt", tmp_path / "out", **options)
    assert seen[-1] == ("encode", sum(sizes), sum(sizes))


def test_a_finished_run_is_not_run_again(tok: Tokenizer, corpus: Path, tmp_path: Path) -> None:
    tok.encode_files(corpus, tmp_path / "out")
    before = (tmp_path / "out" / "shard-00000.npy").stat().st_mtime_ns
    tok.encode_files(corpus, tmp_path / "out", threads=1)
    assert (tmp_path / "out" / "shard-00000.npy").stat().st_mtime_ns == before
    with pytest.raises(FileError, match="overwrite=True"):
        tok.encode_files(corpus, tmp_path / "out", resume=False)


def test_shards_made_otherwise_are_refused(tok: Tokenizer, corpus: Path, tmp_path: Path, en: str) -> None:
    out = tmp_path / "out"
    tok.encode_files(corpus, out)
    other = bukva.train_from_iterator([en], bukva.BpeTrainer(num_merges=10))
    with pytest.raises(ArgumentError, match="the tokenizer"):
        other.encode_files(corpus, out)
    with pytest.raises(ArgumentError, match="dtype='uint16', now 'uint32'"):
        tok.encode_files(corpus, out, dtype="uint32")
    with pytest.raises(ArgumentError, match="5 files, now 1"):
        tok.encode_files(corpus / "a.txt", out)
    (corpus / "a.txt").write_bytes(b"another text")
    with pytest.raises(ArgumentError, match=r"a\.txt.*now.*12 bytes"):
        tok.encode_files(corpus, out)
    assert len(tok.encode_files(corpus, out, overwrite=True)) == 9


def test_foreign_files_stay(tok: Tokenizer, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "shard-00000.npy").write_bytes(b"mine")
    with pytest.raises(FileError, match="without a record"):
        tok.encode_files(corpus, out)
    assert sorted(os.listdir(out)) == ["shard-00000.npy"]
    (out / "notes.txt").write_bytes(b"mine")
    tok.encode_files(corpus, out, overwrite=True)
    assert (out / "notes.txt").read_bytes() == b"mine"
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(FileError, match="is a file"):
        tok.encode_files(corpus, tmp_path / "file", overwrite=True)
    with pytest.raises(FileError, match="Create it first"):
        tok.encode_files(corpus, tmp_path / "no" / "folder")


def test_options_are_checked(tok: Tokenizer, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for wrong in (
        {"format": "csv"}, {"dtype": "int8"}, {"dtype": "nonsense"}, {"shard_tokens": 0}, {"append": "<none>"},
        {"unit": "word"}, {"invalid": "ignore"}, {"field": ""}, {"allowed_special": "some"}, {"threads": 0},
        {"format": "parquet", "shard_tokens": 2**31},
    ):  # fmt: skip
        with pytest.raises(ArgumentError):
            tok.encode_files(corpus, out, **wrong)
    with pytest.raises(bukva.UnknownIdError):
        tok.encode_files(corpus, out, append=10**6)
    with pytest.raises(ArgumentError, match="encode_files"):
        tok.encode_file(corpus, out)
    with pytest.raises(ArgumentError):
        tok.encode_file(tmp_path / "missing.txt", out)
    with pytest.raises(ArgumentError):
        tok.encode_files(corpus, "")
    assert not out.exists()


def test_ids_that_do_not_fit_are_refused_before_the_work(corpus: Path, tmp_path: Path) -> None:
    tok = bukva.load(_wide(tmp_path))
    with pytest.raises(ArgumentError, match="the tokenizer's go to 70000"):
        tok.encode_files(corpus, tmp_path / "out", dtype="uint16")
    assert tok.encode_files(corpus, tmp_path / "out").dtype == np.uint32


def _wide(folder: Path) -> Path:
    """A tokenizer whose last id is 70000."""
    path = folder / "tokenizer.json"
    bukva.train_from_iterator(["ab"], bukva.BpeTrainer(num_merges=1)).save(path)
    data = json.loads(path.read_text())
    data["added_tokens"] = [
        {"id": 70_000, "content": "<far>", "special": True, "normalized": False, "lstrip": False, "rstrip": False,
         "single_word": False}
    ]  # fmt: skip
    data["model"]["vocab"]["<far>"] = 70_000
    path.write_text(json.dumps(data))
    return path


def test_damage_is_found(tok: Tokenizer, corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    tok.encode_files(corpus, out)
    path = out / "shard-00000.npy"
    data = path.read_bytes()
    path.write_bytes(data[:-2] + b"\0\0")
    shards = bukva.load_shards(out)
    with pytest.raises(FormatError, match="not those that were written"):
        shards.verify()
    path.write_bytes(data[:-2])
    with pytest.raises(FormatError, match="bytes"):
        bukva.load_shards(out)
    path.unlink()
    with pytest.raises(FileError, match="not there"):
        bukva.load_shards(out)
    path.write_bytes(data)
    manifest = json.loads((out / "manifest.json").read_text())
    for change in ({"version": 2}, {"format": "x"}, {"shards": [{}]}, {"tokens": -1}, {"options": {}}):
        (out / "manifest.json").write_text(json.dumps(manifest | change))
        with pytest.raises(FormatError):
            bukva.load_shards(out)
    for text in ("", "[]", "{"):
        (out / "manifest.json").write_text(text)
        with pytest.raises(FormatError):
            bukva.load_shards(out)
    (out / "manifest.json").unlink()
    with pytest.raises(FormatError, match="no shards of bukva"):
        bukva.load_shards(out)
    with pytest.raises(FileError, match="does not exist"):
        bukva.load_shards(tmp_path / "missing")


class StopError(Exception):
    pass


@pytest.mark.parametrize("format", ["npy", "bin", "megatron", "parquet"])
def test_a_run_that_was_broken_anywhere_goes_on(
    tok: Tokenizer, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    """Breaks the run behind each shard in turn, before its line is written."""
    from bukva.shards import write

    options = {"format": format, "shard_tokens": 6000, "append": END}
    whole = tok.encode_files(corpus, tmp_path / "whole", **options)
    append_entry = write.append_entry
    for number in range(len(whole.ids)):

        def failing(file: object, entry: dict[str, object], number: int = number) -> None:
            shard = entry.get("shard")
            if isinstance(shard, dict) and shard["file"].startswith(f"shard-{number:05}."):
                raise StopError
            append_entry(file, entry)  # type: ignore[arg-type]

        monkeypatch.setattr(write, "append_entry", failing)
        with pytest.raises(StopError):
            tok.encode_files(corpus, tmp_path / "out", **options, overwrite=number == 0)
        with pytest.raises(FormatError, match="did not end"):
            bukva.load_shards(tmp_path / "out")
        assert not [name for name in os.listdir(tmp_path / "out") if name.endswith(".part")]
    monkeypatch.setattr(write, "append_entry", append_entry)
    if format == "npy":
        with pytest.raises(ArgumentError, match="made otherwise: append"):
            tok.encode_files(corpus, tmp_path / "out", **(options | {"append": None}))
        with pytest.raises(FileError, match="resume=True"):
            tok.encode_files(corpus, tmp_path / "out", **options, resume=False)
    tok.encode_files(corpus, tmp_path / "out", **options)
    assert content(tmp_path / "out") == content(tmp_path / "whole")


def test_a_run_may_go_on_with_what_it_refused(tok: Tokenizer, tmp_path: Path, ru: str) -> None:
    corpus, out = tmp_path / "corpus", tmp_path / "out"
    corpus.mkdir()
    (corpus / "a.txt").write_bytes(ru.encode() + f"a {END} b\n".encode())
    (corpus / "b.txt").write_bytes(b"\xff\n" + f"{END}\n".encode())
    strict = {"unit": "line", "shard_tokens": 2000}
    with pytest.raises(SpecialTokenError):
        tok.encode_files(corpus, out, **strict)
    first = set(os.listdir(out))
    assert "shard-00002.npy" in first
    with pytest.raises(TextError):
        tok.encode_files(corpus, out, **strict, allowed_special="all")
    assert first <= set(os.listdir(out))
    with pytest.raises(ArgumentError, match=r"allowed_special='all', now \[\]"):
        tok.encode_files(corpus, out, **strict, invalid="replace", disallowed_special=())
    tok.encode_files(corpus, out, **strict, allowed_special="all", invalid="replace")
    tok.encode_files(corpus, tmp_path / "whole", **strict, allowed_special="all", invalid="replace")
    assert content(out) == content(tmp_path / "whole")
    with pytest.raises(ArgumentError, match="invalid='replace', now 'error'"):
        tok.encode_files(corpus, out, **strict, allowed_special="all")


def test_a_record_that_was_cut_off_loses_its_last_line(tok: Tokenizer, corpus: Path, tmp_path: Path) -> None:
    from bukva.shards.record import read_progress

    path = tmp_path / "progress.jsonl"
    header = {"format": "bukva.shards"}
    shard = dict.fromkeys(("file", "tokens", "documents", "bytes", "starts_document", "ends_document"), 1)
    lines = [header, {"shard": shard, "next": [0, 1, 0, 0, 9, 0]}]
    whole = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    for rest in (b'{"shard": {"x"', b"x\n", b"\xff\n", b"[]\n" + whole):
        path.write_bytes(whole + rest)
        with path.open("a+b") as file:
            progress = read_progress(file)
        assert (progress.header, progress.shards, progress.next) == (header, [shard], (0, 1, 0, 0, 9, 0))
        assert path.read_bytes() == whole
    for bad in (
        {},
        {"shard": {}, "next": [0] * 6},
        {"shard": shard, "next": [0] * 5},
        {"shard": shard, "next": [-1] * 6},
    ):
        path.write_bytes(whole + json.dumps(bad).encode() + b"\n")
        with path.open("a+b") as file, pytest.raises(FormatError, match="damaged"):
            read_progress(file)
    out = tmp_path / "out"
    out.mkdir()
    (out / "progress.jsonl").write_bytes(b"{}\n")
    with pytest.raises(FormatError, match="damaged"):
        tok.encode_files(corpus, out)
    assert len(tok.encode_files(corpus, out, overwrite=True)) == 9


def test_standard_input_cannot_be_gone_on_with(tmp_path: Path, tok: Tokenizer) -> None:
    tok.save(tmp_path / "tok.bukva")
    code = "import sys, bukva; bukva.load(sys.argv[1]).encode_file('-', sys.argv[2], unit='line')"
    command = [sys.executable, "-c", code, str(tmp_path / "tok.bukva"), str(tmp_path / "out")]
    first = subprocess.run(command, input=b"one\ntwo\n", capture_output=True)
    assert first.returncode == 0, first.stderr.decode()
    assert [tok.decode(ids.tolist()) for ids in bukva.load_shards(tmp_path / "out")] == ["one\n", "two\n"]
    second = subprocess.run(command, input=b"other\n", capture_output=True)
    assert second.returncode == 1
    assert b"FileError" in second.stderr


ENCODE = """
import sys, bukva
if len(sys.argv) > 4:
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[4]), int(sys.argv[4])))
tok = bukva.load(sys.argv[1])
print("ready", flush=True)
tok.encode_file(sys.argv[2], sys.argv[3], shard_tokens=20_000, threads=2, allowed_special="all")
"""


@pytest.fixture
def large(tmp_path: Path, tok: Tokenizer, ru: str, en: str) -> tuple[Path, Path]:
    tok.save(tmp_path / "tok.bukva")
    (tmp_path / "large.txt").write_bytes(f"{ru}{en}{END}".encode() * 60)
    return tmp_path / "tok.bukva", tmp_path / "large.txt"


@posix
@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGINT])
def test_a_killed_run_leaves_no_half_shard_and_goes_on(
    large: tuple[Path, Path], tmp_path: Path, tok: Tokenizer, signal_number: int
) -> None:
    whole = tok.encode_file(large[1], tmp_path / "whole", shard_tokens=20_000, allowed_special="all")
    assert len(whole.ids) > 10
    expected, out, lines = content(tmp_path / "whole"), tmp_path / "out", 0
    for wanted in (1, 5, len(whole.ids) - 2):
        command = [sys.executable, "-c", ENCODE, *map(str, large), str(out)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=hear_ctrl_c)
        assert process.stdout is not None
        process.stdout.readline()
        while process.poll() is None and lines <= wanted:
            lines = _lines(out / "progress.jsonl")
            time.sleep(0.001)
        process.send_signal(signal_number)
        process.communicate(timeout=30)
        if process.returncode == 0:
            break  # It was faster.
        found = {name: data for name, data in content(out).items() if not name.endswith((".part", ".jsonl"))}
        assert "manifest.json" not in found
        assert found == {name: expected[name] for name in found}
        assert signal_number == signal.SIGKILL or not [name for name in content(out) if name.endswith(".part")]
        with pytest.raises(FormatError, match="did not end"):
            bukva.load_shards(out)
    tok.encode_file(large[1], out, shard_tokens=20_000, allowed_special="all")
    assert content(out) == expected


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


@posix
def test_a_limit_of_the_system_is_reported(large: tuple[Path, Path], tmp_path: Path, tok: Tokenizer) -> None:
    out = tmp_path / "out"
    command = [sys.executable, "-c", ENCODE, *map(str, large), str(out), "30000"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "FileError" in done.stderr
    assert "was not written" in done.stderr
    assert not [name for name in os.listdir(out) if name != "progress.jsonl"]
    tok.encode_file(large[1], out, shard_tokens=20_000, allowed_special="all").verify()


@posix
def test_a_full_disk_keeps_whole_shards(large: tuple[Path, Path], tmp_path: Path, tok: Tokenizer) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("a small disk can be mounted by the superuser only")
    options = {"shard_tokens": 20_000, "allowed_special": "all"}
    try:
        with pytest.raises(FileError, match="free some space"):
            tok.encode_file(large[1], disk / "out", **options)
        names = os.listdir(disk / "out")
        assert "manifest.json" not in names
        assert "shard-00002.npy" in names
        assert not [name for name in names if name.endswith(".part")]
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        tok.encode_file(large[1], disk / "out", **options)
        tok.encode_file(large[1], tmp_path / "whole", **options)
        assert content(disk / "out") == content(tmp_path / "whole")
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@posix
def test_two_runs_do_not_write_into_one_folder(tok: Tokenizer, corpus: Path, tmp_path: Path) -> None:
    from bukva.shards.record import locked

    with locked(tmp_path / "out") as file:
        file.write(b"x")
        file.flush()
        with pytest.raises(FileError, match="Another run"):
            tok.encode_files(corpus, tmp_path / "out")


def test_an_input_that_changed_is_an_error(tok: Tokenizer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from bukva.shards import write

    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"text": "one two three"}\n' * 50)
    append_entry = write.append_entry

    def failing(file: object, entry: dict[str, object]) -> None:
        append_entry(file, entry)  # type: ignore[arg-type]
        if "shard" in entry and entry["next"][1] > 30:  # type: ignore[index]
            raise StopError

    monkeypatch.setattr(write, "append_entry", failing)
    with pytest.raises(StopError):
        tok.encode_file(path, tmp_path / "out", shard_tokens=40)
    monkeypatch.setattr(write, "append_entry", append_entry)
    path.write_bytes(b'{"text": "%s"}\n' % (b"x" * (path.stat().st_size - 13)))
    with pytest.raises(CorpusError, match="not the one that an earlier run read"):
        tok.encode_file(path, tmp_path / "out", shard_tokens=40)
