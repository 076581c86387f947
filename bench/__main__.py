"""``python -m bench``: run suites, write their records, render ``docs/benchmarks.md``."""

from __future__ import annotations

import argparse
import os
import sys

from bench import expected as expectations
from bench import harness, records, render, targets
from bench.suites import SUITES, Case


def main() -> int:
    """Exit code 1 where bukva computed something else than the reference; a peer that does so gets no figure."""
    options = _parse()
    if options.render:
        return render.write()
    suites = [
        name for suite in options.suites or SUITES for name in (targets.SUITES if suite == "targets" else (suite,))
    ]
    cases = {suite: _selected(SUITES[suite], options) for suite in suites}
    expected = expectations.load()
    if options.expect:
        return _expect(cases, options.cpu, expected)
    command = " ".join(["python -m bench", *sys.argv[1:]])
    failed, measured = False, {}
    for suite, selected in cases.items():
        print(suite, file=sys.stderr)
        done = [_run(case, options, expected) for case in selected]
        failed |= any("error" in peer for case in done for peer in case["peers"] if peer["peer"].startswith("bukva"))
        if not options.dry:
            records.write(suite, command, done)
        print(render.suite_text(suite, {"cases": done}))
        measured[suite] = {"cases": done}
    print(targets.text(measured))
    if not options.dry:
        render.write()
    return int(failed)


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="suite", help=f"{', '.join(SUITES)} (default: all)")
    parser.add_argument("--peers", help="only these, separated by commas")
    parser.add_argument("--corpora", help="only these, separated by commas")
    parser.add_argument("--vocabularies", help="only these, separated by commas")
    parser.add_argument("--runs", type=int, help="repetitions instead of the suite's own")
    parser.add_argument("--cpu", type=int, default=(os.cpu_count() or 1) - 1, help="the CPU to pin to")
    parser.add_argument("--dry", action="store_true", help="print the figures, write nothing")
    parser.add_argument("--expect", action="store_true", help="write expected.json by the reference peers")
    parser.add_argument("--render", action="store_true", help="only write docs/benchmarks.md from the records")
    options = parser.parse_args()
    if unknown := [suite for suite in options.suites if suite not in (*SUITES, "targets")]:
        parser.error(f"no suite {unknown[0]!r}; there are {', '.join(SUITES)}, and targets for those of encoding")
    return options


def _selected(cases: list[Case], options: argparse.Namespace) -> list[Case]:
    def chosen(names: str | None, name: str) -> bool:
        return names is None or name in names.split(",")

    return [
        case for case in cases if chosen(options.corpora, case.corpus) and chosen(options.vocabularies, case.vocabulary)
    ]


def _run(case: Case, options: argparse.Namespace, expected: dict) -> dict:
    peers = [peer for peer in case.peers if options.peers is None or peer in options.peers.split(",")]
    return harness.run_case(case, peers, options.runs or case.runs, options.cpu, expected)


def _expect(cases: dict[str, list[Case]], cpu: int, expected: dict) -> int:
    for suite in cases.values():
        for case in suite:
            print(case.key, file=sys.stderr)
            if case.op != "import":
                harness.expect(case, cpu, expected)
                expectations.save(expected)
    return 0


if __name__ == "__main__":
    sys.exit(main())
