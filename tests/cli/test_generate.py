"""`bukva generate`: the same text for the same seed, on standard output alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .run import bad, good

SMALL = ("--epochs", 1, "--dim", 8, "--length", 12)


@pytest.fixture(scope="module")
def text(folder: Path, ru: str) -> Path:
    path = folder / "short.txt"
    path.write_text(ru[:3000], encoding="utf-8")
    return path


def test_generate(folder: Path, text: Path) -> None:
    run = ("generate", folder / "tok", text, "--prompt", "Мой", *SMALL)
    written = good(*run)
    assert written.startswith("Мой")
    assert written.endswith("\n")
    assert written != good(*run, "--seed", 1)
    found = json.loads(good(*run, "--json"))
    assert found["prompt"] + found["text"] + "\n" == written
    assert len(found["epoch_losses"]) == 1
    greedy = good(*run, "--temperature", 0)
    assert greedy == good(*run, "--top-k", 1)
    assert good(*run, "--unit", "line", "--tied") != written


def test_a_model_is_saved_and_loaded(folder: Path, text: Path) -> None:
    path = folder / "model.safetensors"
    written = good("generate", folder / "tok", text, "--prompt", "Мой", *SMALL, "--save", path)
    assert good("generate", folder / "tok", "--load", path, "--prompt", "Мой", "--length", 12) == written
    assert "either" in bad(2, "generate", folder / "tok", text, "--load", path)
    assert "either" in bad(2, "generate", folder / "tok")
    assert "No such file" in bad(1, "generate", folder / "tok", "--load", folder / "none.safetensors")


def test_misuse(folder: Path, text: Path) -> None:
    run = ("generate", folder / "tok", text, *SMALL)
    assert "'top_p'" in bad(2, *run, "--top-p", 2)
    assert "'temperature'" in bad(2, *run, "--temperature", -1)
    assert "'epochs'" in bad(2, *run, "--epochs", 0)
    assert "special token" in bad(1, *run, "--prompt", "<|endoftext|>")
    (folder / "empty.txt").write_text("")
    assert "no pair" in bad(1, "generate", folder / "tok", folder / "empty.txt")
