"""The harness itself: wrong outcomes get no figure, every case has an expected outcome, records become a page."""

from __future__ import annotations

import json

import pytest
from bench.adapters import adapter
from bench.corpora import halves
from bench.suites import SUITES, Case

from bench import expected, harness, render

CASE = Case(task="encode", corpus="none", op="encode", peers=("bukva", "tiktoken"), runs=3)
RIGHT = {"tokens": 3, "sha256": "right"}
EXPECTED = {"corpora": {}, "outcomes": {CASE.key: {"fresh": RIGHT}}}
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
            need = {"train": case.op, "startup": "startup"}.get(case.task, case.task)
            assert need in able or (case.op == "import" and "import" in able), (case.key, name)


def test_halves_are_the_text() -> None:
    text = "ab\ncd\nef\ngh\n"
    assert halves(text) == ("ab\ncd\n", "ef\ngh\n")
    assert halves("abc") == ("", "abc")


def test_records_become_tables(runs: list[str]) -> None:
    case = harness.run_case(CASE, ["bukva"], 3, 0, EXPECTED)
    case["peers"][0]["modes"] |= dict.fromkeys(("cold", "warm"), case["peers"][0]["modes"]["fresh"])
    assert "5.0 → 5.0 → 5.0" in render.suite_text("encode", {"cases": [json.loads(json.dumps(case))]})
