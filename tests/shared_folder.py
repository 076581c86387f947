"""The shared folder beside the repository, what is unpacked from it, and tests that take minutes.

The shared folder (``BUKVA_SHARED``, default ``../shared``) holds texts and real vocabularies that are not part of the
repository. Without it the tests that need it are skipped, and say so: ``pytest -rs``.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import runpy
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("BUKVA_SHARED") or ROOT.parent / "shared").resolve()
HEAVY = "takes minutes: whole corpora against the reference libraries; run with -m heavy (make parity)"

__all__ = [
    *("pytest_configure", "pytest_collection_modifyitems"),
    *("shared", "cache", "golden", "nasty", "pud", "artefact", "corpus"),
]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", f"heavy: {HEAVY}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave heavy tests out unless a marker expression names them."""
    if "heavy" not in (config.getoption("markexpr") or ""):
        for item in items:
            if item.get_closest_marker("heavy"):
                item.add_marker(pytest.mark.skip(reason=HEAVY))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The shared folder, or a skip that names it."""
    if not SHARED.is_dir():
        pytest.skip(f"no shared folder {SHARED} (set BUKVA_SHARED)")
    return SHARED


@pytest.fixture(scope="session")
def cache(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what is slow to unpack; it outlives the run unless pytest keeps no cache."""
    kept = getattr(pytestconfig, "cache", None)
    return Path(kept.mkdir("bukva")) if kept else tmp_path_factory.mktemp("bukva")


@pytest.fixture(scope="session")
def golden(shared: Path) -> dict:
    """The facts of ``golden/course.json``."""
    return json.loads((shared / "golden" / "course.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def nasty(shared: Path) -> list[tuple[str, str]]:
    """The (name, text) pairs of ``golden/nasty.py``."""
    return runpy.run_path(str(shared / "golden" / "nasty.py"))["NASTY"]


@pytest.fixture(scope="session")
def pud(shared: Path) -> Callable[[str], str]:
    """Text of a PUD file by name, such as ``ru_train``; line feeds as they are."""
    return lambda name: (shared / "pud" / f"{name}.txt").read_bytes().decode("utf-8")


@pytest.fixture(scope="session")
def artefact(shared: Path, cache: Path) -> Callable[[str], Path]:
    """Path of a real vocabulary by its name in ``artefacts/INDEX.tsv``, unpacked once and checked against it."""
    index = (shared / "artefacts" / "INDEX.tsv").read_text(encoding="utf-8").splitlines()[1:]
    facts = {row.split("\t")[1]: row.split("\t")[3:5] for row in index}

    def unpack(name: str) -> Path:
        target, (size, digest) = cache / "artefacts" / name, facts[name]
        if not target.is_file() or target.stat().st_size != int(size):
            data = lzma.decompress((shared / "artefacts" / f"{name}.xz").read_bytes())
            assert hashlib.sha256(data).hexdigest() == digest, f"{name} is not the file of INDEX.tsv"
            _write(target, data)
        return target

    return unpack


@pytest.fixture(scope="session")
def corpus(shared: Path, cache: Path) -> Callable[..., Path]:
    """Path of a corpus by name, unpacked once: whole, or its first ``limit`` bytes cut back to the last line feed."""

    def unpack(name: str, limit: int | None = None) -> Path:
        target = cache / "corpora" / (f"{name}.txt" if limit is None else f"{name}.{limit}.txt")
        if not target.is_file():
            _write(target, _unzstd(shared / "corpora" / f"{name}.txt.zst", limit))
        return target

    return unpack


def _unzstd(path: Path, limit: int | None) -> bytes:
    pyarrow = pytest.importorskip("pyarrow")
    with pyarrow.input_stream(str(path), compression="zstd") as stream:
        data = stream.read() if limit is None else stream.read(limit)
    return data if limit is None else data[: data.rindex(b"\n") + 1]


def _write(target: Path, data: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    part.write_bytes(data)
    part.replace(target)
