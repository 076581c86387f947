"""``python -m tests.parity.suite``: one line a file and text set, with the counts compared; exit 1 if any differ."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from ...shared_folder import SHARED
from ..paths import ways
from .compare import Outcome, compare, compare_ways
from .pairs import Pair, pair_of
from .texts import CORPORA, pages, text_sets, unpacked


def main() -> int:
    options = _options()
    if not SHARED.is_dir():
        print(f"no shared folder {SHARED} (set BUKVA_SHARED): nothing compared", file=sys.stderr)
        return 2
    failed = 0
    for name, form in artefacts(SHARED):
        if all(wanted not in name for wanted in options.files):
            continue
        path = unpacked(SHARED, name, options.cache)
        pair = pair_of(path, form)
        for set_name, texts in text_sets(SHARED, pair.added, options.bytes):
            if options.sets and set_name not in options.sets:
                continue
            start = time.monotonic()
            outcomes = _outcomes(pair, set_name, texts(), options.paths)
            for way, outcome in outcomes.items():
                failed += bool(outcome.different)
                row = f"{name:<44} {set_name:<12} {way:<24}" if way else f"{name:<44} {set_name:<12}"
                print(f"{row} {outcome.line()}", flush=True)
                for example in outcome.examples:
                    print(f"    {example}", flush=True)
            print(f"    [{time.monotonic() - start:.0f} s]", flush=True)
    return int(failed > 0)


def _outcomes(pair: Pair, set_name: str, texts: Sequence[str], paths: Sequence[str]) -> dict[str, Outcome]:
    """What came of each way; of the usual one more facts are compared, and it has no name."""
    if not paths:
        return {"": compare(pair, texts)}
    chosen = {name: way for name, way in ways(pair.tokenizer).items() if "all" in paths or name in paths}
    return compare_ways(pair, chosen, pages(texts) if set_name in CORPORA else texts)


def artefacts(shared: Path) -> list[tuple[str, str]]:
    """Names and formats of the vocabularies."""
    rows = (shared / "artefacts" / "INDEX.tsv").read_text(encoding="utf-8").splitlines()[1:]
    fields = [row.split("\t") for row in rows]
    return [(row[1], row[2]) for row in fields if row[2] != "hf-config"]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.parity.suite", description=__doc__)
    parser.add_argument("files", nargs="*", default=[""], help="parts of names in artefacts/INDEX.tsv; default all")
    parser.add_argument("--bytes", type=int, help="bytes of each corpus; default all")
    parser.add_argument("--sets", nargs="*", help="names of text sets; default all")
    parser.add_argument("--paths", nargs="*", default=[], help="names of ways to encode, or all; default the usual one")
    cache = Path(tempfile.gettempdir()) / "bukva-artefacts"
    parser.add_argument("--cache", type=Path, default=cache, help="folder for unpacked files")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
