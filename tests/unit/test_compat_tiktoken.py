"""Where ``bukva.compat.tiktoken`` finds its rank files, and what it says where there is none."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from pathlib import Path

import pytest

import bukva
from bukva.compat import tiktoken
from bukva.compat.tiktoken import registry


@pytest.fixture
def ranks(tok: bukva.Tokenizer) -> bytes:
    return b"".join(b"%s %d\n" % (b64encode(token), rank) for token, rank in tok.vocab.items())


@pytest.fixture(autouse=True)
def _nothing_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(registry, "_loaded", {})
    monkeypatch.delenv("BUKVA_ENCODINGS", raising=False)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path / "cache"))


def test_path_and_environment(ranks: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "cl100k_base.tiktoken"
    file.write_bytes(ranks)
    for path in (file, tmp_path, str(file)):
        encoding = tiktoken.get_encoding("cl100k_base", path)
        assert encoding.decode(encoding.encode("Привет")) == "Привет"
        assert encoding.eot_token == 100257
    monkeypatch.setenv("BUKVA_ENCODINGS", str(tmp_path))
    first = tiktoken.encoding_for_model("gpt-4")
    assert repr(first) == "<Encoding 'cl100k_base'>"
    assert first is tiktoken.get_encoding("cl100k_base")


def test_cache_must_be_what_was_published(ranks: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"  # the name of cl100k_base in tiktoken's cache
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / key).write_bytes(ranks)
    with pytest.raises(ValueError, match="as published"):
        tiktoken.get_encoding("cl100k_base")
    monkeypatch.setitem(registry.DIGESTS, "cl100k_base", hashlib.sha256(ranks).hexdigest())
    assert tiktoken.get_encoding("cl100k_base").encode("a")
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    assert tiktoken.get_encoding("cl100k_base")  # it is known by now


def test_errors_say_what_to_do() -> None:
    with pytest.raises(ValueError, match=r"path=.*BUKVA_ENCODINGS"):
        tiktoken.get_encoding("o200k_base")
    with pytest.raises(ValueError, match="o200k_harmony"):
        tiktoken.get_encoding("o300k")
    with pytest.raises(ValueError, match="string"):
        tiktoken.get_encoding(5)  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="get_encoding"):
        tiktoken.encoding_for_model("unheard-of")
    with pytest.raises(OSError, match="missing"):
        tiktoken.get_encoding("o200k_base", "missing.tiktoken")


def test_wrong_encodings(tok: bukva.Tokenizer) -> None:
    facts = {"mergeable_ranks": dict(tok.vocab), "special_tokens": {"<|end|>": 2000}}
    with pytest.raises(AssertionError, match="5000"):
        tiktoken.Encoding("x", pat_str=r"\w+|\W+", explicit_n_vocab=5000, **facts)
    with pytest.raises(ValueError, match=r"\("):
        tiktoken.Encoding("x", pat_str="(", **facts)
    with pytest.raises(ValueError, match="0x00"):
        tiktoken.Encoding("x", pat_str=".", mergeable_ranks={b"a": 0}, special_tokens={})
