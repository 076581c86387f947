"""``docs/benchmarks.md`` from the records. Nothing in that page is written by hand."""

from __future__ import annotations

from bench import records, targets
from bench.cells import NAMES, figure_of, milliseconds, name_of, seconds, table, version
from bench.corpora import ROOT
from bench.definitions import ROWS, TRAININGS, VOCABULARIES
from bench.render_encoding import encoding, models, one_text, threads
from bench.suites import SUITES

PAGE = ROOT / "docs" / "benchmarks.md"
INTRO = """# Benchmarks

This page is made by `python -m bench` (`make bench`) from the records in `bench/results`; do not edit it.

How it is measured: every measurement runs in a process of its own, on one pinned CPU, with one thread (two where the
suite of threads says so); the peers take turns (A B A B); figures are medians. Times are CPU seconds (user and system),
so a busy machine disturbs them little, but trust ratios more than absolute figures. 1 MB is 10^6 bytes of UTF-8; memory
is the peak resident memory of the whole process. Every outcome is checked against the reference library
(`bench/expected.json`): a peer that computes something else has no figure.

`python -m bench encode --peers bukva,tiktoken --corpora code` measures a part (`--dry` writes nothing, `--help` lists
the suites), `python -m bench targets` all that the targets of encoding are about. The corpora and vocabularies lie in
the folder `BUKVA_SHARED`, `../shared` unless set; the peers are in `bench/requirements.txt`.
"""
ABOUT = {
    "train": "## Training\n\nFrom the file to the model in memory.",
    "naive": "## A native engine against plain Python\n\nThe same training by the definition that a learner reads.",
    "encode": "## Encoding\n\nMB/s of CPU time; ids in the cheapest container of each library.\n"
    "*cold*: the first half of the text in a fresh process, then *fresh*: the second half, never seen, then *warm*:\n"
    "the second half again. The honest figure is *fresh*.",
    "lists": "## Encoding to a Python list\n\nAs above, ids as `list[int]`.",
    "count": "## Counting tokens\n\nAs above, by the library's own way to count where it has one.",
    "short": "## Short texts\n\nOne call a line, ids as `list[int]`: 5,000 lines of the second half of each text,\n"
    "after the first half. Microseconds of CPU time a call.",
    "lines": "## A thousand lines\n\nThe o200k vocabulary: one call for 1,000 lines, in a fresh process → again. MB/s.",
    "calls": "## Calls\n\nMicroseconds of CPU time a call: one short text as a list, a batch of one short text, the\n"
    "number of its ids. The text is `Hello, world!`.",
    "threads": "## Threads\n\nDocuments of 4 KB, one call for all: MB/s of fresh text by the clock, on one thread →\n"
    "on two.",
    "others": "## Other models beside fast libraries\n\nLine by line, MB/s cold → fresh → warm as above.",
    "long_pieces": "## Long pieces\n\nThe o200k vocabulary, a million times `a`, and a million random letters:\n"
    "milliseconds of CPU time.",
    "memory": "## Memory\n\nResident MB more after loading the o200k vocabulary than after the import, and more\n"
    "after a hundred million bytes of text of all kinds than before.",
    "decode_bytes": "## Decoding to bytes\n\nAs decoding, without making a `str` where the library can.",
    "decode": "## Decoding\n\nThe ids of the second half of each text, MB/s: first time → again (nine calls).",
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


def write() -> int:
    """Write the page from all records there are."""
    parts = [INTRO, targets.text({suite: records.read(suite) for suite in targets.SUITES})]
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
        "encode": encoding,
        "calls": one_text,
        "long_pieces": one_text,
        "memory": one_text,
        "threads": threads,
        "startup": _startup,
        "vectors": _vectors,
        "train_vectors": _training_vectors,
        "rows": _rows,
    }[task]
    body = {"models": models, "memory": one_text}.get(suite, body)(cases)
    return f"{ABOUT[suite]}\n\n{body}"


def _provenance(record: dict) -> str:
    machine = record["machine"]
    return (
        f"{record['date']}, `{record['command']}`, {machine['cpu']} ({machine['cpus']} CPUs), "
        f"{machine['system']}, Python {machine['python']}.\n"
    )


def _training(cases: list[dict]) -> str:
    tables = []
    for case in cases:
        _task, corpus, op = case["case"].split("/")
        best = figure_of(case, "bukva", "train")
        head = f"`{corpus}` ({case['corpus']['bytes'] / 1e6:.1f} MB): {TRAININGS[op].what}.\n\n"
        rows = [_training_row(peer, best) for peer in case["peers"]]
        tables.append(head + table(["", "version", "CPU s", "wall s", "peak MB", "times bukva's CPU time"], rows))
    return "\n".join(tables)


def _training_row(peer: dict, best: dict | None) -> list[str]:
    if "error" in peer:
        return [name_of(peer), "", peer["error"], "", "", ""]
    figure = peer["modes"]["train"]
    ratio = f"{figure['cpu_s'] / best['cpu_s']:.3g}" if best else ""
    times = [seconds(figure["cpu_s"]), seconds(figure["wall_s"]), f"{figure['memory_mb']:.0f}", ratio]
    return [name_of(peer), peer["version"], *times]


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
        figures = [figure_of(case, name, op) for name in names]
        rows.append([VECTORS[op], *(_per_call(figure) if figure else "" for figure in figures)])
    heads = [f"{NAMES.get(name, name)} {version(cases, name)}" for name in names]
    return table(["CPU time", *heads], rows)


SCORES = {"ws353": "WordSim", "simlex": "SimLex", "men": "MEN", "analogies": "analogies"}


def _training_vectors(cases: list[dict]) -> str:
    """A table a method: means over the seeds."""
    tables = []
    for case in cases:
        best = _mean(case["peers"][0], lambda figure: figure["cpu_s"])
        rows = [_training_vectors_row(peer, best) for peer in case["peers"]]
        head = ["", "version", "CPU s", "times bukva's", "peak MB", *SCORES.values()]
        tables.append(f"{case['case'].split('/')[2]}:\n\n{table(head, rows)}")
    return "\n".join(tables)


def _training_vectors_row(peer: dict, best: float) -> list[str]:
    if "error" in peer:
        return [name_of(peer), "", peer["error"], *[""] * (2 + len(SCORES))]
    cpu = _mean(peer, lambda figure: figure["cpu_s"])
    memory = _mean(peer, lambda figure: figure["memory_mb"])
    scores = [_mean(peer, lambda figure, name=name: figure["scores"][name]) for name in SCORES]
    figures = [f"{cpu:.1f}", f"{cpu / best:.1f}", f"{memory:.0f}", *(f"{score:.1f}" for score in scores)]
    return [name_of(peer), peer["version"], *figures]


def _mean(peer: dict, of) -> float:
    figures = peer.get("modes", {}).values()
    return sum(map(of, figures)) / max(len(figures), 1)


def _per_call(figure: dict) -> str:
    if figure["calls"]:
        return f"{figure['cpu_s'] / figure['calls'] * 1000:.2f}"
    return seconds(figure["cpu_s"])


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
            rows.append([name_of(peer), "", peer["error"], "", ""])
            continue
        (figure,) = peer["modes"].values()
        memory = f"{figure['memory_mb']:.1f}"
        rows.append(
            [name_of(peer), peer["version"], milliseconds(figure["cpu_s"]), milliseconds(figure["wall_s"]), memory]
        )
    return table(["", "version", "CPU ms", "wall ms", "memory added, MB"], rows)


def _rows(cases: list[dict]) -> str:
    tables = []
    for case in cases:
        what, gather = ROWS[case["case"].split("/")[2]], figure_of(case, "numpy_add_at", "gather")
        head = f"{what.n_ids:,} ids, a table of {what.n_rows:,} × {what.dim}:\n\n"
        rows = [_rows_row(peer, gather) for peer in case["peers"]]
        tables.append(head + table(["", "version", "gather ms", "scatter-add ms", "times"], rows))
    return "\n".join(tables)


def _rows_row(peer: dict, gather: dict | None) -> list[str]:
    if "error" in peer:
        return [name_of(peer), "", peer["error"], "", ""]
    own, added = peer["modes"]["gather"], peer["modes"]["scatter-add"]
    ratio = f"{added['cpu_s'] / gather['cpu_s']:.2f}" if gather else ""
    return [name_of(peer), peer["version"], milliseconds(own["cpu_s"]), milliseconds(added["cpu_s"]), ratio]
