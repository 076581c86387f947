"""The commands ``convert``, ``equivalent``, ``chat`` and ``inspect --config``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bukva as package

from .run import bad, bukva, good

MESSAGES = [{"role": "user", "content": "Привет"}]
TEMPLATE = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}{{ extra }}{{ eos_token }}"


@pytest.fixture
def talk(tmp_path: Path, tok: package.Tokenizer) -> Path:
    """A folder with a tokenizer, a template and `messages.json`."""
    tok.save(tmp_path / "talk", allow_loss=True)
    config = {"chat_template": TEMPLATE, "eos_token": "<|endoftext|>"}
    (tmp_path / "talk" / "tokenizer_config.json").write_text(json.dumps(config))
    (tmp_path / "messages.json").write_text(json.dumps(MESSAGES))
    return tmp_path


def test_convert(folder: Path, tmp_path: Path, tok: package.Tokenizer) -> None:
    out = good("convert", folder / "tok", tmp_path / "x.bukva")
    assert out == f"wrote {tmp_path / 'x.bukva'}, nothing lost\n"
    assert package.load(tmp_path / "x.bukva").encode("Привет") == tok.encode("Привет")
    report = json.loads(good("convert", tmp_path / "x.bukva", tmp_path / "y", "--json"))
    assert report == {"output": str(tmp_path / "y"), "losses": []}
    assert (tmp_path / "y" / "tokenizer.json").is_file()


def test_convert_refuses_to_lose(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.tiktoken"
    assert "special" in bad(1, "convert", folder / "tok", target)
    done = bukva("convert", folder / "tok", target, "--json")
    assert (done.returncode, done.stderr) == (1, b"")
    assert "special" in json.loads(done.stdout)["error"]
    assert not target.exists()
    out = good("convert", folder / "tok", target, "--allow-loss").splitlines()
    assert out[0].split() == ["lost", "detail"]
    assert out[-1] == f"wrote {target}"
    losses = json.loads(good("convert", folder / "tok", target, "--allow-loss", "--json"))["losses"]
    assert [loss["what"] for loss in losses] == ["special tokens"]
    good("convert", target, tmp_path / "z.bukva", "--pattern", "gpt2")


def test_convert_misuse(folder: Path, tmp_path: Path) -> None:
    assert "OUTPUT" in bad(2, "convert", folder / "tok")
    bad(1, "convert", tmp_path / "missing.bukva", tmp_path / "x.bukva")


def test_equivalent(folder: Path, tmp_path: Path) -> None:
    good("convert", folder / "tok", tmp_path / "same.bukva")
    assert good("equivalent", folder / "tok", tmp_path / "same.bukva").startswith("same: every part")
    good("train", folder / "ru.txt", "--num-merges", 9, "-o", tmp_path / "other.bukva")
    done = bukva("equivalent", folder / "tok", tmp_path / "other.bukva")
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.decode().startswith("different, for example: ")
    done = bukva("equivalent", folder / "tok", tmp_path / "other.bukva", "--json")
    found = json.loads(done.stdout)
    assert (done.returncode, found["same"], found["basis"]) == (1, False, "difference")
    assert found["ids_a"] != found["ids_b"]
    good("convert", tmp_path / "other.bukva", tmp_path / "other.tiktoken")
    options = ("--pattern", "gpt2", "--random", 100, "--seed", 1)
    assert "search" in good("equivalent", tmp_path / "other.bukva", tmp_path / "other.tiktoken", *options)
    bad(2, "equivalent", folder / "tok")
    bad(2, "equivalent", folder / "tok", folder / "tok", "--random", -1)


def test_chat(talk: Path, tok: package.Tokenizer) -> None:
    base = ("chat", talk / "talk", talk / "messages.json")
    text = "user: Привет\n<|endoftext|>"
    ids = tok.encode(text, allowed_special="all")
    assert good(*base) == text
    assert good(*base, "--count") == f"{len(ids)}\n"
    assert good(*base, "--ids").split() == [str(number) for number in ids]
    assert json.loads(good(*base, "--json")) == {"tokens": len(ids), "text": text, "ids": ids}
    assert good("chat", talk / "talk", "-", "--set", 'extra="!"', stdin=b'{"messages": [{"role": "a"}]}').startswith(
        "a:"
    )
    assert good(*base, "--set", "extra=word", "--template", "default") == "user: Привет\nword<|endoftext|>"
    (talk / "own.jinja").write_text("{{ tools | length }}{{ add_generation_prompt }}{{ messages[0].content }}")
    (talk / "tools.json").write_text("[{}, {}]")
    own = (*base, "--template", talk / "own.jinja", "--tools", talk / "tools.json")
    assert good(*own, "--prompt") == "2TrueПривет"
    assert good(*own, "--continue") == "2FalseПривет"


def test_chat_and_special_tokens(talk: Path, tok: package.Tokenizer) -> None:
    (talk / "bad.json").write_text(json.dumps([{"role": "user", "content": "<|endoftext|>"}]))
    base = ("chat", talk / "talk", talk / "bad.json", "--ids")
    assert "<|endoftext|>" in bad(1, *base)
    special = str(tok.special_tokens["<|endoftext|>"])
    assert good(*base, "--special-as-text").split().count(special) == 1
    assert good(*base, "--allow-special", "<|endoftext|>").split().count(special) == 2


def test_chat_failures(talk: Path, folder: Path) -> None:
    base = ("chat", talk / "talk", talk / "messages.json")
    assert "Harmony" in bad(1, *base, "--harmony")
    assert "--harmony" in bad(2, *base, "--harmony", "--template", "x")
    assert "NAME=JSON" in bad(2, *base, "--set", "x")
    assert "'default'" in bad(2, *base, "--template", "missing")
    assert "chat template" in bad(1, "chat", folder / "tok", talk / "messages.json")
    (talk / "broken.json").write_text("[")
    assert "broken.json" in bad(1, "chat", talk / "talk", talk / "broken.json")
    bad(2, "chat", talk / "talk", "-", stdin=b"[]")


def test_inspect_config(folder: Path, tmp_path: Path, tok: package.Tokenizer) -> None:
    config = {"vocab_size": 1024, "hidden_size": 8, "torch_dtype": "float16", "tie_word_embeddings": True}
    (tmp_path / "config.json").write_text(json.dumps(config))
    found = json.loads(good("inspect", folder / "tok", "--config", tmp_path, "--json"))["model_sizes"]
    assert (found["rows_beyond"], found["head_bytes"]) == (1024 - tok.sizes.id_range, 0)
    text = good("inspect", folder / "tok", "--config", tmp_path / "config.json")
    assert "embedding_bytes" in text
    assert str(1024 * 8 * 2) in text
    bad(1, "inspect", folder / "tok", "--config", tmp_path / "missing.json")
