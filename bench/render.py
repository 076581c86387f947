"""``docs/benchmarks.md`` from the records. Nothing in that page is written by hand."""

from __future__ import annotations

from bench import records
from bench.corpora import ROOT
from bench.definitions import ROWS, TRAININGS, VOCABULARIES
from bench.suites import SUITES

PAGE = ROOT / "docs" / "benchmarks.md"
NAMES = {
    "bukva": "**bukva**",
    "bukva_image": "**bukva**, own image",
    "bukva_vectors": "**bukva**",
    "gensim_vectors": "gensim",
    "bukva_training": "**bukva**",
    "bukva_independent": "**bukva**, negatives for each pair",
    "bukva_subwords": "**bukva**",
    "gensim_training": "gensim",
    "fasttext_training": "fastText",
    "bukva_rows": "**bukva**, rows used only",
    "hf": "HF tokenizers",
    "naive": "plain Python (`bukva.reference`)",
    "numpy_add_at": "NumPy, `np.add.at`",
    "numpy_sorted": "NumPy, sort and `reduceat`",
    "scipy_csr": "SciPy, one-hot CSR",
    "sentencepiece": "SentencePiece",
}
INTRO = """# Benchmarks

This page is made by `python -m bench` (`make bench`) from the records in `bench/results`; do not edit it.

How it is measured: every measurement runs in a process of its own, on one pinned CPU, with one thread; the peers take
turns (A B A B); figures are medians. Times are CPU seconds (user and system), so a busy machine disturbs them little,
but trust ratios more than absolute figures. 1 MB is 10^6 bytes of UTF-8; memory is the peak resident memory of the
whole process. Every outcome is checked against the reference library (`bench/expected.json`): a peer that computes
something else has no figure.

`python -m bench encode --peers bukva,tiktoken --corpora code` measures a part (`--dry` writes nothing, `--help` lists
the suites). The corpora and vocabularies lie in the folder `BUKVA_SHARED`, `../shared` unless set; the peers are in
`bench/requirements.txt`.
"""
ABOUT = {
    "train": "## Training\n\nFrom the file to the model in memory.",
    "naive": "## A native engine against plain Python\n\nThe same training by the definition that a learner reads.",
    "encode": "## Encoding\n\nThe o200k vocabulary, MB/s of CPU time; ids in the cheapest container of each library.\n"
    "*cold*: the first half of the text in a fresh process, then *fresh*: the second half, never seen, then *warm*:\n"
    "the second half again. The honest figure is *fresh*.",
    "lists": "## Encoding to a Python list\n\nAs above, ids as `list[int]`.",
    "count": "## Counting tokens\n\nAs above, by the library's own way to count where it has one.",
    "short": "## Short texts\n\nOne call a line, ids as `list[int]`: 5,000 lines of the second half of each text,\n"
    "after the first half. Microseconds of CPU time a call.",
    "decode": "## Decoding\n\nThe ids of the second half of each text, MB/s: first time → again.",
    "models": "## Other models\n\nReal vocabularies of other kinds, line by line, each beside its reference library:\n"
    "MB/s cold → fresh → warm as above.",
    "import": "## Import\n\n`import` in a fresh interpreter, files in the page cache.",
    "vectors": "## Word vectors\n\n83,578 vectors of 100 numbers (random, fixed seed) from word2vec's text and binary\n"
    "files, and the 10 nearest of 200 words: one call a word, or one for all where a library has it.",
    "train_vectors": "## Training word vectors\n\nFrom the file (105 MB of English Wikipedia) to the vectors in\n"
    "memory, the count of words included: words at white space, 100 numbers, window 5, 5 negatives, counts of 5 and\n"
    "more, sampling 1e-3, alpha 0.025, one epoch, one thread; n-grams of 3 to 6 characters. Means over three\n"
    "seeds (fastText has none); memory is the peak of the first run. Scores are Spearman × 100, and per cent\n"
    "of analogies by 3CosAdd among the 30,000 most frequent words.",
    "load": "## Load\n\nEach vocabulary from its own file, and from bukva's image, and the ids of one short\n"
    "text, after the import; files in the page cache. For o200k, HF reads the `tokenizer.json` of\n"
    "gpt-oss, which has the same ranks.",
    "rows": "## Rows of a table\n\nRows by id (gather), and gradients of rows added up by id (scatter-add),\n"
    "from ids and gradients in memory to a new array. Milliseconds of CPU time,\n"
    "the median of nine calls in a process. *times*: scatter-add against NumPy's gather of the same shape.",
}
MODES = {"decode": ("cold", "warm"), "short": ("short",)}


def write() -> int:
    """Write the page from all records there are."""
    parts = [INTRO]
    for suite in SUITES:
        if (record := records.read(suite)) is not None:
            parts.append(f"{suite_text(suite, record)}\n{_provenance(record)}")
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text("\n".join(parts), encoding="utf-8")
    return 0


def suite_text(suite: str, record: dict) -> str:
    """The tables of one suite."""
    cases = record["cases"]
    if not cases:
        return ""
    task = cases[0]["case"].split("/")[0]
    body = {
        "train": _training,
        "encode": _encoding,
        "startup": _startup,
        "vectors": _vectors,
        "train_vectors": _training_vectors,
        "rows": _rows,
    }[task]
    body = _models(cases) if suite == "models" else body(cases)
    return f"{ABOUT[suite]}\n\n{body}"


def _provenance(record: dict) -> str:
    machine = record["machine"]
    return (
        f"{record['date']}, `{record['command']}`, {machine['cpu']} ({machine['cpus']} CPUs, one used), "
        f"{machine['system']}, Python {machine['python']}.\n"
    )


def _training(cases: list[dict]) -> str:
    tables = []
    for case in cases:
        _task, corpus, op = case["case"].split("/")
        best = _figure(case, "bukva", "train")
        head = f"`{corpus}` ({case['corpus']['bytes'] / 1e6:.1f} MB): {TRAININGS[op].what}.\n\n"
        rows = [_training_row(peer, best) for peer in case["peers"]]
        tables.append(head + _table(["", "version", "CPU s", "wall s", "peak MB", "times bukva's CPU time"], rows))
    return "\n".join(tables)


def _training_row(peer: dict, best: dict | None) -> list[str]:
    if "error" in peer:
        return [_name(peer), "", peer["error"], "", "", ""]
    figure = peer["modes"]["train"]
    ratio = f"{figure['cpu_s'] / best['cpu_s']:.3g}" if best else ""
    times = [_seconds(figure["cpu_s"]), _seconds(figure["wall_s"]), f"{figure['memory_mb']:.0f}", ratio]
    return [_name(peer), peer["version"], *times]


def _encoding(cases: list[dict]) -> str:
    names = list(dict.fromkeys(peer["peer"] for case in cases for peer in case["peers"]))
    op = cases[0]["case"].rsplit("/", 1)[1]
    modes = MODES.get(op, ("cold", "fresh", "warm"))
    columns = [case["case"].split("/")[1] for case in cases]
    rows = [
        [NAMES.get(name, name), _version(cases, name), *(_speeds(case, name, modes) for case in cases)]
        for name in names
    ]
    mode = "fresh" if "fresh" in modes else modes[0]
    rows.append([f"bukva ÷ tiktoken, {mode}", "", *(_ratio(case, mode) for case in cases)])
    memory = [[NAMES.get(name, name), *(_peak(case, name) for case in cases)] for name in names]
    speed = _table(["µs" if op == "short" else "MB/s", "version", *columns], rows)
    return f"{speed}\n{_table(['peak MB', *columns], memory)}"


def _models(cases: list[dict]) -> str:
    """One row a vocabulary and corpus: ours, the reference, and how many times faster ours is on fresh text."""
    rows = []
    for case in cases:
        _task, corpus, _op, vocabulary = case["case"].split("/")
        ours, reference = case["peers"]
        speeds = [_speeds(case, peer["peer"], ("cold", "fresh", "warm")) for peer in (ours, reference)]
        fresh = [_figure(case, peer["peer"], "fresh") for peer in (ours, reference)]
        ratio = f"{fresh[1]['cpu_s'] / fresh[0]['cpu_s']:.1f}" if all(fresh) else ""
        what = f"{vocabulary} ({VOCABULARIES[vocabulary].what})"
        rows.append([what, corpus, speeds[0], f"{_name(reference)} {reference.get('version', '')}", speeds[1], ratio])
    return _table(["vocabulary", "text", "bukva, MB/s", "reference", "MB/s", "times, fresh"], rows)


def _speeds(case: dict, name: str, modes: tuple[str, ...]) -> str:
    peer = next((peer for peer in case["peers"] if peer["peer"] == name), None)
    if peer is None or "error" in peer:
        return peer["error"] if peer else ""
    return " → ".join(_speed(peer["modes"][mode]) for mode in modes)


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


def _ratio(case: dict, mode: str) -> str:
    ours, theirs = _figure(case, "bukva", mode), _figure(case, "tiktoken", mode)
    return f"{theirs['cpu_s'] / ours['cpu_s']:.1f}" if ours and theirs else ""


VECTORS = {
    "load_text": "load text, s",
    "load_binary": "load binary, s",
    "neighbors": "one query, ms",
    "neighbors_many": "a query of many, ms",
}


def _vectors(cases: list[dict]) -> str:
    """One row an operation, one column a peer; CPU time."""
    names = list(dict.fromkeys(peer["peer"] for case in cases for peer in case["peers"]))
    rows = []
    for case in cases:
        op = case["case"].split("/")[2]
        figures = [_figure(case, name, op) for name in names]
        rows.append([VECTORS[op], *(_per_call(figure) if figure else "" for figure in figures)])
    heads = [f"{NAMES.get(name, name)} {_version(cases, name)}" for name in names]
    return _table(["CPU time", *heads], rows)


SCORES = {"ws353": "WordSim", "simlex": "SimLex", "men": "MEN", "analogies": "analogies"}


def _training_vectors(cases: list[dict]) -> str:
    """A table a method: means over the seeds."""
    tables = []
    for case in cases:
        best = _mean(case["peers"][0], lambda figure: figure["cpu_s"])
        rows = [_training_vectors_row(peer, best) for peer in case["peers"]]
        head = ["", "version", "CPU s", "times bukva's", "peak MB", *SCORES.values()]
        tables.append(f"{case['case'].split('/')[2]}:\n\n{_table(head, rows)}")
    return "\n".join(tables)


def _training_vectors_row(peer: dict, best: float) -> list[str]:
    if "error" in peer:
        return [_name(peer), "", peer["error"], *[""] * (2 + len(SCORES))]
    cpu = _mean(peer, lambda figure: figure["cpu_s"])
    memory = _mean(peer, lambda figure: figure["memory_mb"])
    scores = [_mean(peer, lambda figure, name=name: figure["scores"][name]) for name in SCORES]
    figures = [f"{cpu:.1f}", f"{cpu / best:.1f}", f"{memory:.0f}", *(f"{score:.1f}" for score in scores)]
    return [_name(peer), peer["version"], *figures]


def _mean(peer: dict, of) -> float:
    figures = peer.get("modes", {}).values()
    return sum(map(of, figures)) / max(len(figures), 1)


def _per_call(figure: dict) -> str:
    if figure["calls"]:
        return f"{figure['cpu_s'] / figure['calls'] * 1000:.2f}"
    return _seconds(figure["cpu_s"])


def _startup(cases: list[dict]) -> str:
    if len(cases) == 1:
        return _startup_table(cases[0])
    parts = []
    for case in cases:
        _task, _corpus, _op, *name = case["case"].split("/")
        what = VOCABULARIES[name[0] if name else "o200k"]
        parts.append(f"`{what.file}` ({what.what}):\n\n{_startup_table(case)}")
    return "\n".join(parts)


def _startup_table(case: dict) -> str:
    rows = []
    for peer in case["peers"]:
        if "error" in peer:
            rows.append([_name(peer), "", peer["error"], "", ""])
            continue
        (figure,) = peer["modes"].values()
        memory = f"{figure['memory_mb']:.1f}"
        rows.append([_name(peer), peer["version"], _ms(figure["cpu_s"]), _ms(figure["wall_s"]), memory])
    return _table(["", "version", "CPU ms", "wall ms", "memory added, MB"], rows)


def _rows(cases: list[dict]) -> str:
    tables = []
    for case in cases:
        what, gather = ROWS[case["case"].split("/")[2]], _figure(case, "numpy_add_at", "gather")
        head = f"{what.n_ids:,} ids, a table of {what.n_rows:,} × {what.dim}:\n\n"
        rows = [_rows_row(peer, gather) for peer in case["peers"]]
        tables.append(head + _table(["", "version", "gather ms", "scatter-add ms", "times"], rows))
    return "\n".join(tables)


def _rows_row(peer: dict, gather: dict | None) -> list[str]:
    if "error" in peer:
        return [_name(peer), "", peer["error"], "", ""]
    own, added = peer["modes"]["gather"], peer["modes"]["scatter-add"]
    ratio = f"{added['cpu_s'] / gather['cpu_s']:.2f}" if gather else ""
    return [_name(peer), peer["version"], _ms(own["cpu_s"]), _ms(added["cpu_s"]), ratio]


def _figure(case: dict, name: str, mode: str) -> dict | None:
    return next((p["modes"][mode] for p in case["peers"] if p["peer"] == name and "error" not in p), None)


def _version(cases: list[dict], name: str) -> str:
    return next((p["version"] for c in cases for p in c["peers"] if p["peer"] == name and "error" not in p), "")


def _name(peer: dict) -> str:
    return NAMES.get(peer["peer"], peer["peer"])


def _seconds(value: float) -> str:
    return f"{value:.3f}" if value < 1 else f"{value:.2f}"


def _ms(value: float) -> str:
    return f"{value * 1000:.1f}"


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
