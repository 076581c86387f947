"""The outcomes that every peer must reproduce, and the exact texts they belong to; kept in ``expected.json``."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from bench.corpora import text_path
from bench.suites import Case

FILE = Path(__file__).with_name("expected.json")


def load() -> dict:
    """``{"corpora": {name: {"bytes", "sha256"}}, "outcomes": {case: {mode: outcome}}}``."""
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {"corpora": {}, "outcomes": {}}


def save(expected: dict) -> None:
    """Write the file, in a stable order."""
    FILE.write_text(json.dumps(expected, indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")


def fingerprint(corpus: str) -> dict | None:
    """Size and SHA-256 of the bytes of a corpus."""
    if corpus == "none":
        return None
    with text_path(corpus).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return {"bytes": file.tell(), "sha256": digest}


def differences(expected: dict, case: Case, samples: list[dict]) -> list[str]:
    """What a peer computed otherwise; empty where all is right."""
    if case.op == "import":
        return []
    right = expected["outcomes"].get(case.key)
    if right is None:
        return [f"{case.key}: no expected outcome; run python -m bench --expect"]
    return [
        f"{sample['mode']}: {_shown(sample['outcome'])}, expected {_shown(right[sample['mode']])}"
        for sample in samples
        if sample["outcome"] != right[sample["mode"]]
    ]


def _shown(outcome: dict) -> str:
    return ", ".join(f"{key} {str(value)[:24]}" for key, value in outcome.items())
