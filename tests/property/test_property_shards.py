"""Documents larger than a block: cut where that is proven, with the ids of the whole."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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


FORMATS = ("npy", "bin", "megatron", "parquet", "arrow")
VALUES = [None, True, -1, 0, 1, 2**31, 2**70, 0.5, "", "a", "../a", "shard-00000.npy", [], [1], {}, {"a": 1}]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A folder of three shards in each format."""
    folder, tok = tmp_path_factory.mktemp("whole"), trained("o200k", special=True)
    (folder / "a.txt").write_text("a long line of words\n" * 60, encoding="utf-8")
    for format in FORMATS:
        tok.encode_file(folder / "a.txt", folder / format, unit="line", format=format, shard_tokens=200)
    return {format: folder / format for format in FORMATS}


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container of a JSON value with each of its keys."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [pair for key in keys for pair in ((value, key), *places(value[key]))]


def damage(folder: Path, data: st.DataObject) -> None:
    """Changes, removes or adds bytes of a file, or a value of the manifest."""
    path = data.draw(st.sampled_from(sorted(folder.iterdir())), "file")
    content = path.read_bytes()
    if path.suffix == ".json" and data.draw(st.booleans(), "a value"):
        manifest = json.loads(content)
        container, key = data.draw(st.sampled_from(places(manifest)), "place")
        if data.draw(st.booleans(), "removed"):
            del container[key]
        else:
            container[key] = data.draw(st.sampled_from(VALUES), "value")
        path.write_text(json.dumps(manifest), encoding="utf-8")
        return
    start = data.draw(st.integers(0, len(content)), "start")
    end = min(len(content), start + data.draw(st.integers(0, 40), "removed"))
    path.write_bytes(content[:start] + data.draw(st.binary(max_size=40), "added") + content[end:])


@pytest.mark.parametrize("format", FORMATS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damage_is_an_error_of_bukva_or_changes_nothing(
    format: str, whole: dict[str, Path], tmp_path: Path, data: st.DataObject
) -> None:
    """Damaged shards raise what is named, or give ids; what `verify` lets pass are the ids that were written."""
    expected = [ids.tolist() for ids in bukva.load_shards(whole[format])]
    folder = tmp_path / "damaged"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(whole[format], folder)
    damage(folder, data)
    try:
        shards = bukva.load_shards(folder)
        found = [ids.tolist() for ids in shards]
        shards.verify()
    except bukva.BukvaError:
        return
    assert found == expected
