"""``bukva embed``, ``neighbors``, ``analogy`` and ``project``."""

import json
from pathlib import Path

import pytest

import bukva

from .run import bad, good

TEXT = "5 2\nкороль 1 1\nмужчина 0 1\nженщина 0 -1\nкоролева 1 -1\nхлеб -1 0\n"


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    path = tmp_path / "x.vec"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_neighbors(vectors: Path) -> None:
    assert good("neighbors", vectors, "король", "-k", 2).splitlines() == [
        "король    cosine",
        "мужчина   0.7071",
        "королева  0.0000",
    ]
    many = good("neighbors", vectors, "король", "хлеб", "-k", 1, "--exclude", "мужчина").split("\n\n")
    assert [block.splitlines()[1].split()[0] for block in many] == ["королева", "женщина"]
    found = json.loads(good("neighbors", vectors, "-", "--json", "--among", 3, stdin="король\nхлеб\n".encode()))
    assert [one["word"] for one in found] == ["король", "хлеб"]
    assert [near["word"] for near in found[0]["neighbors"]] == ["мужчина", "женщина"]
    assert found[0]["neighbors"][0]["similarity"] == pytest.approx(0.70710678)


@pytest.mark.parametrize("method", ["add", "mul"])
def test_analogy(vectors: Path, method: str) -> None:
    lines = good("analogy", vectors, "мужчина", "король", "женщина", "-k", 1, "--method", method).splitlines()
    assert lines[0].startswith("мужчина : король = женщина :")
    assert lines[1].split()[0] == "королева"
    found = json.loads(good("analogy", vectors, "мужчина", "король", "женщина", "--json"))
    assert found["answers"][0]["word"] == "королева"


def test_project(vectors: Path) -> None:
    lines = good("project", vectors).splitlines()
    assert lines[0].split() == ["word", "x", "y"]
    assert [line.split()[0] for line in lines[1:]] == ["король", "мужчина", "женщина", "королева", "хлеб"]
    found = json.loads(good("project", vectors, "король", "хлеб", "--json"))
    assert [one["word"] for one in found] == ["король", "хлеб"]
    for name in ("x.html", "x.svg"):
        picture = vectors.with_name(name)
        said = good("project", vectors, "-o", picture, "--group", "люди=король,королева", "--title", "Слова & <буквы>")
        assert said == f"wrote {picture}\n"
        assert "Слова &amp; &lt;буквы&gt;" in picture.read_text(encoding="utf-8")


def test_bad_input(vectors: Path) -> None:
    assert "'королы' is not among the 5 words; the closest are 'король'" in bad(1, "neighbors", vectors, "королы")
    assert "'k' parameter" in bad(2, "neighbors", vectors, "король", "-k", 0)
    assert "cannot be read" in bad(1, "neighbors", "missing.vec", "король")
    assert "NAME=WORD,WORD" in bad(2, "project", vectors, "--group", "x")
    assert ".html, .svg or .png" in bad(2, "project", vectors, "-o", "x.pdf")
    vectors.write_text("2 2\na 1 1\nb 1", encoding="utf-8")
    assert 'stops in the middle of row 1 ("b")' in bad(1, "analogy", vectors, "a", "b", "a")


def test_embed_then_neighbors(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.safetensors"
    options = ("--min-count", 2, "--epochs", 2, "--dim", 16, "--normalizer", "lowercase", "--deterministic")
    said = good("embed", folder / "ru.txt", "-o", target, *options).splitlines()
    assert [line.split()[0] for line in said] == ["read", "vocabulary", "trained", "wrote"]
    lines = good("neighbors", target, "буква", "-k", 3).splitlines()
    assert lines[0].split() == ["буква", "cosine"]
    assert len(lines) == 4
    facts = json.loads(good("embed", folder / "ru.txt", "-o", tmp_path / "y.safetensors", *options, "--json"))
    assert facts["dim"] == 16
    assert len(facts["losses"]) == 2
    first, second = (bukva.load_vectors(path) for path in (target, tmp_path / "y.safetensors"))
    assert first.matrix.tobytes() == second.matrix.tobytes()
    assert facts["vectors"] == len(first)
    again = ("-o", tmp_path / "z.bin", *options, "--start", target, "--json")
    facts = json.loads(good("embed", folder / "ru.txt", *again))
    assert [what for what, _ in facts["left_out"]] == ["counts", "output", "record"]
    tokens = good(
        "embed", folder / "ru.txt", "-o", tmp_path / "t.safetensors", "--tokenizer", folder / "tok", "--dim", 4
    )
    assert "vocabulary" in tokens


def test_embed_with_subwords(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.safetensors"
    options = ("--dim", 8, "--epochs", 1, "--min-count", 2, "--subwords", "floret", "--bucket", 500, "--minn", 2)
    good("embed", folder / "ru.txt", "-o", target, *options, "--hash-count", 1, "--maxn", 4)
    assert len(good("neighbors", target, "буквица", "-k", 2).splitlines()) == 3
    assert "'minn' parameter" in bad(2, "embed", folder / "ru.txt", "-o", target, "--minn", 2)
    said = bad(1, "embed", folder / "ru.txt", "-o", tmp_path / "x.vec", *options)
    assert "will have no vector" in said
    assert "x.vec.safetensors" in said


def test_bad_input_of_embed(folder: Path, tmp_path: Path) -> None:
    assert ".safetensors" in bad(2, "embed", folder / "ru.txt", "-o", "x.pdf")
    assert "cannot be written" in bad(1, "embed", folder / "ru.txt", "-o", tmp_path / "missing" / "x.safetensors")
    assert "'dim' parameter" in bad(2, "embed", folder / "ru.txt", "-o", tmp_path / "x.safetensors", "--dim", 0)
    assert "does not exist" in bad(1, "embed", "missing.txt", "-o", tmp_path / "x.safetensors")
    tokens = ("--tokenizer", folder / "tok", "--dim", 4, "--epochs", 1, "--allow-loss")
    assert "x.bin.safetensors" in bad(1, "embed", folder / "ru.txt", "-o", tmp_path / "x.bin", *tokens)
    assert [path.name for path in tmp_path.iterdir()] == ["x.bin.safetensors"]


@pytest.mark.parametrize(
    ("method", "said"), [("glove", "loss a cell "), ("ppmi_svd", "% of the squares of mutual information")]
)
def test_vectors_from_counts(tmp_path: Path, method: str, said: str) -> None:
    corpus, out = tmp_path / "x.txt", tmp_path / "x.safetensors"
    corpus.write_text("кот и пёс\nпёс и кот\nкот ест\n" * 20, encoding="utf-8")
    options = ("--method", method, "--dim", 3, "--window", 2, "--weighting", "flat", "--deterministic")
    assert said in good("embed", corpus, "-o", out, *options)
    facts = json.loads(good("embed", corpus, "-o", out, *options, "--json"))
    assert (facts["method"], facts["vectors"], len(facts["losses"])) == (method, 4, 25 if method == "glove" else 0)
    assert bukva.load_vectors(str(out)).record["weighting"] == "flat"
    assert "'negatives' parameter" in bad(2, "embed", corpus, "-o", out, "--method", method, "--negatives", 9)
