"""Every way of encoding, one after the other: scanners, levels of looking up, algorithms of merging."""

from __future__ import annotations

from typing import Any

import bukva

SCANNERS = ("automatic", "characters", "portable", "avx2", "regex")
LEVELS = ({"cache": False}, {"whole": False}, {"cache": False, "whole": False})
MERGING = ("automatic", "alone", "bytes", "together", "short", "long", "runs", "general")

_SCANNERS = {f"scanner {name}": {"scanner": name} for name in SCANNERS}
_LEVELS = {f"without {' and '.join(options)}": options for options in LEVELS}
# What is remembered, or looked up whole, is not merged.
_MERGING = {f"merging {name}": {"merging": name, "cache": False, "whole": False} for name in MERGING}
PATHS: dict[str, dict[str, Any]] = {**_SCANNERS, **_LEVELS, **_MERGING}


def ways(tok: bukva.Tokenizer) -> dict[str, bukva.Tokenizer]:
    """The tokenizer by each way that this processor has."""
    made = {}
    for name, options in PATHS.items():
        try:
            made[name] = bukva.Tokenizer(tok._with_paths(**options))
        except bukva.errors.UnsupportedError:
            if options.get("scanner") != "avx2":
                raise
    return made
