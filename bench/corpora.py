"""The texts that are measured: where they are, unpacked once into ``bench/cache``, and known by their SHA-256."""

from __future__ import annotations

import hashlib
import lzma
import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = Path(__file__).resolve().parent / "cache"
ENCODING = ("en_prose", "ru_prose", "zh_ja", "code", "mixed")


def shared() -> Path:
    """The folder with corpora and vocabularies: ``BUKVA_SHARED``, or ``shared`` beside the repository."""
    folder = Path(os.environ.get("BUKVA_SHARED") or ROOT.parent / "shared").resolve()
    if not folder.is_dir():
        raise SystemExit(f"bench: no folder {folder}; set BUKVA_SHARED to the one with corpora/ and artefacts/")
    return folder


def text_path(name: str) -> Path:
    """The unpacked file of a corpus.

    ``pud_ru`` is the Russian training text of PUD; ``train_50m`` the first 50,000,000 bytes of ``train_300m`` cut back
    to the last line feed; the others are named as in ``corpora/``.
    """
    if name == "pud_ru":
        return shared() / "pud" / "ru_train.txt"
    target = CACHE / f"{name}.txt"
    if not target.is_file():
        data = _head(text_path("train_300m")) if name == "train_50m" else _unzstd(f"corpora/{name}.txt.zst")
        _write(target, data)
    return target


def artefact_path(name: str) -> Path:
    """A real vocabulary, unpacked; ``name`` as in ``artefacts/INDEX.tsv``."""
    target = CACHE / "artefacts" / name
    if not target.is_file():
        _write(target, lzma.decompress((shared() / "artefacts" / f"{name}.xz").read_bytes()))
    return target


def sha256(data: bytes) -> str:
    """Hexadecimal SHA-256 of exactly the bytes that are measured."""
    return hashlib.sha256(data).hexdigest()


def halves(text: str) -> tuple[str, str]:
    """The text cut after the last line feed of its first half: one part to warm up on, one never seen."""
    cut = text.rfind("\n", 0, len(text) // 2) + 1
    return text[:cut], text[cut:]


def _head(path: Path, size: int = 50_000_000) -> bytes:
    with path.open("rb") as file:
        data = file.read(size)
    return data[: data.rindex(b"\n") + 1]


def _unzstd(name: str) -> bytes:
    import zstandard

    with (shared() / name).open("rb") as file:
        return zstandard.ZstdDecompressor().stream_reader(file).read()


def _write(target: Path, data: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(target.name + ".part")
    part.write_bytes(data)
    part.replace(target)
