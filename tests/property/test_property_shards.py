"""Documents larger than a block: cut where that is proven, with the ids of the whole."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import bukva

from .conftest import LOSSLESS, SPECIAL, trained
from .texts import SNIPPETS

NORMALIZERS = (None, "nfc", "nfkd", "lowercase", "collapse_whitespace", "strip")


def nasty(seed: int) -> str:
    """About two megabytes of what pre-tokenizers and the search for added tokens trip over."""
    draw = random.Random(seed)
    pieces = [*SNIPPETS, *SPECIAL, "<|en", "d|>", "<", "s>", "word ", "слово, ", "\u0301", "İ"]
    page = "".join(draw.choices(pieces, k=20_000))
    return "".join(page[draw.randrange(1000) :] for _ in range(30))


@pytest.mark.parametrize("pattern", LOSSLESS, ids=str)
def test_a_large_document_has_the_ids_of_the_whole(pattern: str | None, tmp_path: Path) -> None:
    tok = trained(pattern, special=True)
    check(tok, nasty(1), tmp_path)


@pytest.mark.parametrize("normalizer", NORMALIZERS, ids=str)
def test_so_it_has_behind_a_normalizer(normalizer: str | None, tmp_path: Path) -> None:
    names = [] if normalizer is None else [normalizer]
    trainer = bukva.BpeTrainer(num_merges=300, pattern="o200k", normalizer=names, special_tokens=list(SPECIAL))
    check(bukva.train_from_iterator([nasty(2)[:100_000]], trainer), nasty(3), tmp_path)


def test_long_lines_have_the_ids_of_the_whole(tmp_path: Path) -> None:
    tok, text = trained("o200k", special=True), nasty(4).replace("\n", "")
    size = len(text)
    lines = [text[:100] + "\n", text[100:-7] + "\n", "\n", "a\n" * 3, text[: size // 2] + "\n", text[-7:]]
    path = tmp_path / "x.txt"
    path.write_bytes("".join(lines).encode())
    options = {"allowed_special": "all", "threads": 2, "shard_tokens": 300_000}
    shards = tok.encode_file(path, tmp_path / "out", unit="line", **options)
    found = [tok.decode(ids.tolist()) for ids in shards]
    assert found == [line + "\n" for line in "".join(lines).split("\n")[:-1]] + [text[-7:]]
    assert shards[1].tolist() == tok.encode(lines[1], allowed_special="all")


def check(tok: bukva.Tokenizer, text: str, folder: Path) -> None:
    path = folder / "x.txt"
    path.write_bytes(text.encode())
    for allowed in ("all", SPECIAL[:1], ()):
        options = {"allowed_special": allowed, "disallowed_special": ()}
        shards = tok.encode_file(path, folder / "out", threads=2, shard_tokens=300_000, overwrite=True, **options)
        assert shards[0].tolist() == tok.encode(text, **options)
