import json
from pathlib import Path

import pytest

import bukva

from .run import good


def test_help_and_version() -> None:
    assert good("--version").strip() == f"bukva, version {bukva.__version__}"
    shown = good("--help")
    for name in ("train", "encode", "decode", "count", "inspect", "measure", "curve", "explain"):
        assert name in shown
        assert "Usage: " in good(name, "--help")


def test_train(folder: Path, tmp_path: Path) -> None:
    shown = good("train", folder / "ru.txt", "--num-merges", 50, "-o", tmp_path / "out")
    assert "50 merges" in shown
    tok = bukva.load(tmp_path / "out")
    assert len(tok.merges) == 50
    report = json.loads(
        good("train", folder / "*.txt", "--vocab-size", 300, "--pattern", "o200k", "--special-token", "<s>", "--unit",
             "line", "--threads", 2, "--json", "-o", tmp_path / "x.bukva")
    )  # fmt: skip
    assert (report["vocabulary"], report["merges"], report["documents"]) == (300, 43, 400)
    assert report["special_tokens"].keys() == {"<s>"}
    assert bukva.load(tmp_path / "x.bukva").fingerprint == report["fingerprint"]


def test_train_other_models(folder: Path, tmp_path: Path) -> None:
    good("train", folder / "en.txt", "--model", "chars", "-o", tmp_path / "chars.bukva")
    assert bukva.load(tmp_path / "chars.bukva").count("word") == 4
    good("train", folder / "en.txt", "--model", "words", "--vocab-size", 50, "-o", tmp_path / "words.bukva")
    assert bukva.load(tmp_path / "words.bukva").sizes.defined == 50
    good("train", folder / "en.txt", "--num-merges", 5, "--alphabet", "chars", "--end-of-word", "</w>", "--pattern",
         "whitespace", "--unk-token", "", "-o", tmp_path / "eow.bukva")  # fmt: skip
    assert bukva.load(tmp_path / "eow.bukva").special_tokens == {}
    good("train", folder / "en.txt", "--num-merges", 5, "--pattern", "none", "-o", tmp_path / "none.bukva")


def test_train_from_standard_input(folder: Path, tmp_path: Path, ru: str) -> None:
    good("train", "-", "--num-merges", 20, "-o", tmp_path / "x.bukva", stdin=ru.encode())
    good("train", folder / "ru.txt", "--num-merges", 20, "-o", tmp_path / "y.bukva")
    assert bukva.load(tmp_path / "x.bukva") == bukva.load(tmp_path / "y.bukva")


def test_encode_and_decode_are_inverse(folder: Path, ru: str, en: str) -> None:
    for unit in ("file", "line"):
        ids = good("encode", folder / "tok", folder / "ru.txt", folder / "en.txt", "--unit", unit)
        assert len(ids.splitlines()) == (2 if unit == "file" else 400)
        assert good("decode", folder / "tok", stdin=ids.encode()) == ru + en
    rows = good("encode", folder / "tok", "-", "--json", stdin=ru.encode())
    assert good("decode", folder / "tok", "-", stdin=rows.encode()) == ru


def test_encode_into_shards(folder: Path, tmp_path: Path, tok: bukva.Tokenizer, ru: str, en: str) -> None:
    shown = good("encode", folder / "tok", folder / "*.txt", "-o", tmp_path / "out", "--shard-tokens", 5000,
                 "--append", "<|endoftext|>", "--threads", 2)  # fmt: skip
    assert "2 documents" in shown
    end = tok.special_tokens["<|endoftext|>"]
    shards = bukva.load_shards(tmp_path / "out")
    assert [ids.tolist() for ids in shards] == [[*tok.encode(text), end] for text in (en, ru)]
    options = ("--format", "bin", "--dtype", "uint32", "--append", end, "--unit", "line", "--json")
    report = json.loads(good("encode", folder / "tok", "-", "-o", tmp_path / "in", *options, stdin=ru.encode()))
    assert (report["documents"], report["options"]["append"]) == (200, [end])
    assert (tmp_path / "in" / "shard-00000.bin").stat().st_size == 4 * report["tokens"]
    options = ("--overwrite", "--ordinary", "--format", "parquet")
    good("encode", folder / "tok", folder / "ru.txt", "-o", tmp_path / "in", *options)
    assert bukva.load_shards(tmp_path / "in")[0].tolist() == tok.encode_ordinary(ru)


def test_encode_text(folder: Path, tok: bukva.Tokenizer) -> None:
    assert good("encode", folder / "tok", "--text", "Привет").split() == [str(n) for n in tok.encode("Привет")]
    assert json.loads(good("encode", folder / "tok", "--text", "Привет", "--json")) == [tok.encode("Привет")]
    special = "a<|endoftext|>"
    allowed = good("encode", folder / "tok", "--text", special, "--allow-special", "<|endoftext|>")
    assert allowed == good("encode", folder / "tok", "--text", special, "--allow-special", "all")
    plain = good("encode", folder / "tok", "--text", special, "--special-as-text")
    assert plain == good("encode", folder / "tok", "--text", special, "--ordinary")
    assert plain != allowed


def test_decode_options(folder: Path, tok: bukva.Tokenizer) -> None:
    half = str(tok.vocab[b"\xd0"]).encode()
    assert good("decode", folder / "tok", "--errors", "replace", stdin=half) == "\ufffd"
    assert json.loads(good("decode", folder / "tok", "--json", stdin=b"[%d]" % tok.vocab[b"a"])) == ["a"]
    special = str(tok.special_tokens["<|endoftext|>"]).encode()
    assert good("decode", folder / "tok", "--skip-special-tokens", stdin=special) == ""


def test_count(folder: Path, tok: bukva.Tokenizer, ru: str, en: str) -> None:
    assert good("count", folder / "tok", "--text", "Привет") == f"{tok.count('Привет')}\n"
    assert good("count", folder / "tok", stdin=ru.encode()) == f"{tok.count(ru)}\n"
    report = json.loads(good("count", folder / "tok", folder / "ru.txt", folder / "en.txt", "--json"))
    assert report["total"] == tok.count(ru) + tok.count(en)
    lines = good("count", folder / "tok", folder / "ru.txt", folder / "en.txt").splitlines()
    assert lines[-1].split() == [str(report["total"]), "total"]


def test_inspect(folder: Path, tok: bukva.Tokenizer) -> None:
    shown = good("inspect", folder / "tok", "--merges", 3, "--tokens", 2)
    assert tok.fingerprint in shown
    assert "<|endoftext|>" in shown
    report = json.loads(good("inspect", folder / "tok", "--json", "--merges", 3))
    assert report["sizes"]["defined"] == 757
    assert report["merges"] == [[left.hex(), right.hex()] for left, right in tok.merges[:3]]


def test_measure(folder: Path, tok: bukva.Tokenizer, ru: str) -> None:
    report = json.loads(good("measure", folder / "tok", f"ru={folder / 'ru.txt'}", "--json"))
    assert report == {"ru": json.loads(json.dumps(bukva.measure(tok, [ru]).to_dict()))}
    shown = good("measure", folder / "tok", f"ru={folder / 'ru.txt'}", f"en={folder / 'en.txt'}", "--segments")
    assert shown.splitlines()[1].split() == ["texts", "200", "200"]
    assert str(sum(map(tok.count, ru.splitlines()))) in shown
    assert "fertility" in shown
    assert "bytes/token" in shown


def test_curve(folder: Path, tok: bukva.Tokenizer, ru: str) -> None:
    report = json.loads(good("curve", folder / "tok", f"ru={folder / 'ru.txt'}", "--steps", 3, "--json"))
    assert report["merges"] == [0, 250, 500]
    assert report["n_tokens"]["ru"][-1] == tok.count(ru)
    assert "● ru" in good("curve", folder / "tok", f"ru={folder / 'ru.txt'}")
    assert "●" not in good("curve", folder / "tok", f"ru={folder / 'ru.txt'}", "--no-plot")


def test_explain(folder: Path, tok: bukva.Tokenizer) -> None:
    shown = good("explain", folder / "tok", "Привет")
    for part in ("U+041F", "D0 9F", "pre-token 1", "merge ", "6 graphemes"):
        assert part in shown
    report = json.loads(good("explain", folder / "tok", "-", "--json", stdin="Привет".encode()))
    assert report["encoding"]["ids"] == tok.encode("Привет")
    assert report["view"]["n_bytes"] == 12


def test_demo(tmp_path: Path) -> None:
    shown = good("demo", "--num-merges", 100, cwd=tmp_path)
    for part in ("First merges", "trained on ru", "trained on en", "bytes per token", "pre-token 1", "bukva-demo/ru"):
        assert part in shown
    assert {"ru", "en", "ru.txt", "curves.json", "ru.tiktoken", "en.bukva"} <= {
        path.name for path in (tmp_path / "bukva-demo").iterdir()
    }
    (tmp_path / "my.txt").write_text("своё слово, своё дело\n" * 20, encoding="utf-8")
    assert "trained on corpus" in good("demo", "my.txt", "--num-merges", 10, "-o", "mine", cwd=tmp_path)


def test_progress_goes_to_standard_error(folder: Path, tmp_path: Path) -> None:
    from .run import bukva as run

    done = run("train", folder / "ru.txt", "--num-merges", 300, "--progress", "-o", tmp_path / "x.bukva")
    assert done.returncode == 0
    assert "merging" in done.stderr.decode()
    assert "merging" not in done.stdout.decode()
    quiet = run("train", folder / "ru.txt", "--num-merges", 300, "-o", tmp_path / "x.bukva")
    assert quiet.stderr == b""


@pytest.mark.parametrize("command", ["encode", "count", "measure", "curve"])
def test_reading_shows_how_far_it_is(folder: Path, tmp_path: Path, command: str) -> None:
    from .run import bukva as run

    run("train", folder / "ru.txt", "--num-merges", 30, "-o", tmp_path / "x.bukva")
    shown = run(command, tmp_path / "x.bukva", folder / "ru.txt", "--progress")
    quiet = run(command, tmp_path / "x.bukva", folder / "ru.txt")
    assert shown.returncode == 0
    assert "encoding" in shown.stderr.decode()
    assert (shown.stdout, quiet.stderr) == (quiet.stdout, b"")
