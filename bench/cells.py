"""What the tables of the page have in common: figures of a record, and cells."""

from __future__ import annotations

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


def best_peer(case: dict, mode: str, key: str = "cpu_s") -> dict | None:
    """The figure of the fastest library that computed the right thing, ours left out."""
    peers = [peer["modes"][mode] for peer in case["peers"] if not is_ours(peer) and "error" not in peer]
    return min(peers, key=lambda figure: figure[key], default=None)


def is_ours(peer: dict) -> bool:
    """Whether a peer is this package."""
    return peer["peer"].startswith("bukva")


def vocabulary_of(case: dict) -> str:
    """The vocabulary in the name of a case."""
    _task, _corpus, _op, *name = case["case"].split("/")
    return name[0] if name else "o200k"


def figure_of(case: dict, name: str, mode: str) -> dict | None:
    """What was measured of a peer, if it computed the right thing."""
    return next((p["modes"][mode] for p in case["peers"] if p["peer"] == name and "error" not in p), None)


def version(cases: list[dict], name: str) -> str:
    """The version of a peer that was measured."""
    return next((p["version"] for c in cases for p in c["peers"] if p["peer"] == name and "error" not in p), "")


def name_of(peer: dict) -> str:
    """How a peer is called on the page."""
    return NAMES.get(peer["peer"], peer["peer"])


def seconds(value: float) -> str:
    """Three digits and a little more."""
    return f"{value:.3f}" if value < 1 else f"{value:.2f}"


def milliseconds(value: float) -> str:
    """Seconds as milliseconds."""
    return f"{value * 1000:.1f}"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table of Markdown; all columns but the first are numbers."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
