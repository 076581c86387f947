"""Runs the cases: peers interleaved (A B A B), each measurement in a process of its own, each outcome checked."""

from __future__ import annotations

import sys
from statistics import median

from bench import expected as expectations
from bench.adapters import adapter, installed
from bench.process import measure
from bench.suites import Case

TIMEOUT_S = 3600


def run_case(case: Case, peers: list[str], runs: int, cpu: int, expected: dict) -> dict:
    """Measure one case; a peer whose outcome is not the expected one gets no figures."""
    fingerprint = expectations.fingerprint(case.corpus)
    if fingerprint != expected["corpora"].get(case.corpus):
        raise SystemExit(f"bench: {case.corpus} is not the text of expected.json: {fingerprint}")
    results: dict[str, list[dict]] = {peer: [] for peer in peers}
    errors = {peer: "not installed" for peer in peers if not installed(peer)}
    for turn in range(runs):
        for peer in peers:
            if peer not in errors and not _once(case, peer, cpu, expected, results[peer], errors):
                _say(f"  {case.key} {peer}: {errors[peer]}")
        _say(f"  {case.key}: {turn + 1} of {runs}")
    measured = [_summary(peer, results[peer]) for peer in peers if peer not in errors]
    failed = [{"peer": peer, "error": error} for peer, error in errors.items()]
    return {"case": case.key, "corpus": fingerprint, "runs": runs, "peers": measured + failed}


def expect(case: Case, cpu: int, expected: dict) -> None:
    """Ask the reference of a case for the right outcome."""
    result = measure(case.reference, case, cpu, TIMEOUT_S)
    if "error" in result:
        raise SystemExit(f"bench: {case.key} by {case.reference}: {result['error']}")
    if (fingerprint := expectations.fingerprint(case.corpus)) is not None:
        expected["corpora"][case.corpus] = fingerprint
    expected["outcomes"][case.key] = {sample["mode"]: sample["outcome"] for sample in result["samples"]}


def _once(case: Case, peer: str, cpu: int, expected: dict, results: list[dict], errors: dict[str, str]) -> bool:
    if not results and hasattr(adapter(peer), "prepare"):
        adapter(peer).prepare(case.vocabulary)
    result = measure(peer, case, cpu, TIMEOUT_S)
    wrong = result.get("error") or "; ".join(expectations.differences(expected, case, result["samples"]))
    if wrong:
        errors[peer] = wrong
        return False
    results.append(result)
    return True


def _summary(peer: str, results: list[dict]) -> dict:
    modes = {}
    for samples in zip(*(result["samples"] for result in results), strict=True):
        runs = [{key: round(sample[key], 6) for key in ("cpu_s", "wall_s")} for sample in samples]
        modes[samples[0]["mode"]] = {
            "cpu_s": round(median(run["cpu_s"] for run in runs), 6),
            "wall_s": round(median(run["wall_s"] for run in runs), 6),
            "bytes": samples[0].get("bytes"),
            "calls": samples[0].get("calls"),
            "memory_mb": _memory(samples, results),
            "runs": runs,
            "outcome": samples[0]["outcome"],
        }
        if "scores" in samples[0]:
            modes[samples[0]["mode"]]["scores"] = samples[0]["scores"]
    return {"peer": peer, "version": results[0]["version"], "call": adapter(peer).call, "modes": modes}


def _memory(samples: tuple[dict, ...], results: list[dict]) -> float:
    """The peak of the process, unless the task has measured something narrower."""
    values = [
        sample.get("rss_mb", sample.get("peak_rss_mb", result["peak_rss_mb"]))
        for sample, result in zip(samples, results, strict=True)
    ]
    return round(median(values), 1)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
