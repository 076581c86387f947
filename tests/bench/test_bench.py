"""The harness itself: wrong outcomes get no figure, every case has an expected outcome, records become a page."""

from __future__ import annotations

import json

import pytest
from bench.adapters import adapter
from bench.corpora import halves
from bench.suites import SUITES, Case

from bench import expected, harness, render, targets

CASE = Case(task="encode", corpus="none", op="encode", peers=("bukva", "tiktoken"), runs=3)
RIGHT = {"tokens": 3, "sha256": "right"}
EXPECTED = {"corpora": {}, "outcomes": {CASE.key: {"fresh": RIGHT}}}
ENCODING_TASKS = ("calls", "threads", "long_pieces", "memory")
CASES = [case for cases in SUITES.values() for case in cases]


def measured(outcome: dict, cpu_s: float) -> dict:
    sample = {"mode": "fresh", "bytes": 1_000_000, "cpu_s": cpu_s, "wall_s": 1.0, "outcome": outcome}
    return {"version": "1", "peak_rss_mb": 10.0, "samples": [sample]}


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replaces the measuring: bukva is right and tiktoken, for once, wrong. Holds who was measured."""
    order: list[str] = []
    times = iter([0.3, 0.1, 0.2])

    def measure(peer: str, *_arguments: object) -> dict:
        order.append(peer)
        return measured(RIGHT, next(times)) if peer == "bukva" else measured({"tokens": 4, "sha256": "wrong"}, 0.001)

    monkeypatch.setattr(harness, "measure", measure)
    monkeypatch.setattr(harness, "installed", lambda _peer: True)
    return order


def test_a_wrong_outcome_gets_no_figure(runs: list[str]) -> None:
    result = harness.run_case(CASE, ["bukva", "tiktoken"], 3, 0, EXPECTED)
    right, wrong = result["peers"]
    assert right["modes"]["fresh"]["cpu_s"] == 0.2  # the median
    assert wrong == {"peer": "tiktoken", "error": "fresh: tokens 4, sha256 wrong, expected tokens 3, sha256 right"}
    assert runs == ["bukva", "tiktoken", "bukva", "bukva"]


def test_another_text_is_refused() -> None:
    changed = {"corpora": {"none": {"bytes": 1, "sha256": "other"}}, "outcomes": {}}
    with pytest.raises(SystemExit, match="not the text"):
        harness.run_case(CASE, ["bukva"], 1, 0, changed)


def test_every_case_has_an_expected_outcome() -> None:
    known = expected.load()
    for case in CASES:
        assert case.op == "import" or case.key in known["outcomes"], case.key
        assert case.corpus == "none" or case.corpus in known["corpora"], case.key


def test_every_peer_of_a_case_can_do_it() -> None:
    for case in CASES:
        for name in case.peers:
            able = adapter(name).can
            need = (
                case.op if case.task == "train" else dict.fromkeys(ENCODING_TASKS, "encode").get(case.task, case.task)
            )
            assert need in able or (case.op == "import" and "import" in able), (case.key, name)


def test_halves_are_the_text() -> None:
    text = "ab\ncd\nef\ngh\n"
    assert halves(text) == ("ab\ncd\n", "ef\ngh\n")
    assert halves("abc") == ("", "abc")


def test_records_become_tables(runs: list[str]) -> None:
    case = harness.run_case(CASE, ["bukva"], 3, 0, EXPECTED)
    case["peers"][0]["modes"] |= dict.fromkeys(("cold", "warm"), case["peers"][0]["modes"]["fresh"])
    assert "5.0 → 5.0 → 5.0" in render.suite_text("encode", {"cases": [json.loads(json.dumps(case))]})


def peer(name: str, cpu_s: float, **figure: object) -> dict:
    times = {"cpu_s": cpu_s, "wall_s": cpu_s, "bytes": 1_000_000, "calls": None, "memory_mb": 1.0} | figure
    return {"peer": name, "version": "1", "modes": dict.fromkeys(("cold", "fresh", "warm"), times)}


def row(records: dict, what: str) -> list[str]:
    lines = targets.text(records).splitlines()
    return next((line.strip("| ").split(" | ") for line in lines if line.startswith(f"| {what} ")), [])


def test_a_target_is_met_when_every_cell_meets_it() -> None:
    wrong = {"peer": "fastokens", "error": "fresh: tokens 4, expected tokens 3"}
    good = {"case": "encode/en/encode", "peers": [peer("bukva", 0.1), peer("gigatoken", 0.3), peer("hf", 9), wrong]}
    poor = {"case": "encode/ru/encode/llama3", "peers": [peer("bukva", 0.2), peer("gigatoken", 0.3)]}
    assert row({"encode": {"cases": [good]}}, "fresh text") == [
        *("fresh text", "≥ 2 ×", "3.00", "3.00", "3.00", "1 of 1", "yes")
    ]
    assert row({"encode": {"cases": [good, poor]}}, "fresh text") == [
        *("fresh text", "≥ 2 ×", "1.50 (llama3 ru)", "2.25", "3.00 (o200k en)", "1 of 2", "no")
    ]
    assert row({"encode": {"cases": [{"case": "encode/en/encode", "peers": [peer("bukva", 1), wrong]}]}}, "warm") == []


def test_targets_of_counting_and_threads() -> None:
    encoded = {"case": "encode/en/encode", "peers": [peer("bukva", 0.3)]}
    counted = {"case": "encode/en/count", "peers": [peer("bukva", 0.2)]}
    found = row({"encode": {"cases": [encoded]}, "count": {"cases": [counted]}}, "count only, own encoding ÷ count")
    assert found[2:] == ["1.50", "1.50", "1.50", "1 of 1", "yes"]
    one = {"case": "threads/en/threads_1", "peers": [peer("bukva", 1.0)]}
    two = {"case": "threads/en/threads_2", "peers": [peer("bukva", 1.0, wall_s=0.625), peer("gigatoken", 1.0)]}
    records = {"threads": {"cases": [one, two]}}
    assert row(records, "two threads ÷ one, 4 KB documents")[-3:] == ["1.60", "0 of 1", "no"]
    assert row(records, "two threads against the best peer")[-3:] == ["1.60", "0 of 1", "no"]


def test_a_case_of_two_threads_has_two_cpus() -> None:
    cases = [Case(task="threads", corpus="none", op=f"threads_{n}", peers=("bukva",), runs=1) for n in (1, 2)]
    assert [(case.threads, case.cpus(1)) for case in cases] == [(1, [1]), (2, [1, 0])]


def test_each_suite_has_tables() -> None:
    assert set(targets.SUITES) <= set(SUITES)
    for suite, cases in SUITES.items():
        assert suite in render.ABOUT, suite
        assert cases, suite
