"""The tables of encoding, decoding and counting."""

from __future__ import annotations

from bench.cells import NAMES, best_peer, figure_of, name_of, table, version, vocabulary_of
from bench.definitions import VOCABULARIES

MODES = {
    "decode": ("cold", "warm"),
    "decode_bytes": ("cold", "warm"),
    "lines_1000": ("cold", "warm"),
    "short": ("short",),
}


def encoding(cases: list[dict]) -> str:
    """A table of speeds and one of memory for each vocabulary; one column a text."""
    groups: dict[str, list[dict]] = {}
    for case in cases:
        groups.setdefault(vocabulary_of(case), []).append(case)
    if len(groups) == 1:
        return _encoding(cases)
    return "\n".join(f"`{name}` ({VOCABULARIES[name].what}):\n\n{_encoding(group)}" for name, group in groups.items())


def _encoding(cases: list[dict]) -> str:
    names = list(dict.fromkeys(peer["peer"] for case in cases for peer in case["peers"]))
    op = cases[0]["case"].split("/")[2]
    modes = MODES.get(op, ("cold", "fresh", "warm"))
    columns = [case["case"].split("/")[1] for case in cases]
    rows = [
        [NAMES.get(name, name), version(cases, name), *(_speeds(case, name, modes) for case in cases)] for name in names
    ]
    if len(names) > 1:
        rows.append(["bukva ÷ best of the others", "", *(_ratios(case, modes) for case in cases)])
    memory = [[NAMES.get(name, name), *(_peak(case, name) for case in cases)] for name in names]
    speed = table(["µs" if op == "short" else "MB/s", "version", *columns], rows)
    return f"{speed}\n{table(['peak MB', *columns], memory)}"


def _ratios(case: dict, modes: tuple[str, ...]) -> str:
    pairs = [(best_peer(case, mode), figure_of(case, "bukva", mode)) for mode in modes]
    if not all(ours and theirs for theirs, ours in pairs):
        return ""
    return " → ".join(f"{theirs['cpu_s'] / ours['cpu_s']:.1f}" for theirs, ours in pairs)


def one_text(cases: list[dict]) -> str:
    """One row a peer, one column a case: microseconds a call, or milliseconds for a text, or megabytes that stay."""
    names = list(dict.fromkeys(peer["peer"] for case in cases for peer in case["peers"]))
    columns = [case["case"].split("/")[2] for case in cases]
    rows = [[NAMES.get(name, name), version(cases, name), *(_cell(case, name) for case in cases)] for name in names]
    return table(["", "version", *columns], rows)


def _cell(case: dict, name: str) -> str:
    task, _corpus, op, *_name = case["case"].split("/")
    measured = figure_of(case, name, op)
    if measured is None:
        return _why(case, name)
    if op in ("load", "growth"):
        return f"{measured['memory_mb']:.1f}"
    return _speed(measured) if task == "calls" else f"{measured['cpu_s'] * 1000:.1f}"


def threads(cases: list[dict]) -> str:
    """MB/s of fresh text by the clock: on one thread → on two."""
    names = list(dict.fromkeys(peer["peer"] for case in cases for peer in case["peers"]))
    pairs: dict[str, dict[str, dict]] = {}
    for case in cases:
        _task, corpus, op, *_name = case["case"].split("/")
        pairs.setdefault(corpus, {})[op] = case
    rows = [
        [NAMES.get(name, name), version(cases, name), *(_both(pair, name) for pair in pairs.values())] for name in names
    ]
    return table(["MB/s", "version", *pairs], rows)


def _both(pair: dict[str, dict], name: str) -> str:
    speeds = [_by_clock(pair[op], name) for op in ("threads_1", "threads_2") if op in pair]
    return " → ".join(speeds)


def _by_clock(case: dict, name: str) -> str:
    measured = figure_of(case, name, "fresh")
    return f"{measured['bytes'] / 1e6 / measured['wall_s']:.0f}" if measured else _why(case, name)


def models(cases: list[dict]) -> str:
    """One row a vocabulary and corpus: ours, the reference, and how many times faster ours is on fresh text."""
    rows = []
    for case in cases:
        _task, corpus, _op, vocabulary = case["case"].split("/")
        ours, reference = case["peers"]
        speeds = [_speeds(case, peer["peer"], ("cold", "fresh", "warm")) for peer in (ours, reference)]
        fresh = [figure_of(case, peer["peer"], "fresh") for peer in (ours, reference)]
        ratio = f"{fresh[1]['cpu_s'] / fresh[0]['cpu_s']:.1f}" if all(fresh) else ""
        what = f"{vocabulary} ({VOCABULARIES[vocabulary].what})"
        rows.append([what, corpus, speeds[0], f"{name_of(reference)} {reference.get('version', '')}", speeds[1], ratio])
    return table(["vocabulary", "text", "bukva, MB/s", "reference", "MB/s", "times, fresh"], rows)


def _speeds(case: dict, name: str, modes: tuple[str, ...]) -> str:
    figures = [figure_of(case, name, mode) for mode in modes]
    return " → ".join(map(_speed, figures)) if all(figures) else _why(case, name)


def _why(case: dict, name: str) -> str:
    """Why a peer has no figure; nothing where it was not asked."""
    error = next((peer["error"] for peer in case["peers"] if peer["peer"] == name), "")
    return "other ids" if ", expected " in error else error[:60]


def _speed(figure: dict) -> str:
    if figure["calls"]:
        return f"{figure['cpu_s'] / figure['calls'] * 1e6:.2f}"
    speed = figure["bytes"] / 1e6 / figure["cpu_s"]
    return f"{speed:.0f}" if speed >= 20 else f"{speed:.1f}"


def _peak(case: dict, name: str) -> str:
    for peer in case["peers"]:
        if peer["peer"] == name and "error" not in peer:
            return f"{next(iter(peer['modes'].values()))['memory_mb']:.0f}"
    return ""
