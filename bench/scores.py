"""How good word vectors are: judgements of similarity, and analogies. Files of gensim's tests, and MEN."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from bench.corpora import shared


def scores_of(words: list[str], matrix) -> dict[str, float]:
    """Spearman × 100 on WordSim-353, SimLex-999 and MEN; per cent of Google's analogies by 3CosAdd among 30,000."""
    from bukva.embeddings import WordVectors, evaluate_analogies, evaluate_similarity

    vectors = WordVectors(words, matrix)
    files = {
        "ws353": _gensim("wordsim353.tsv"),
        "simlex": _gensim("simlex999.txt"),
        "men": shared() / "eval" / "men.txt",
    }
    scores = {name: round(100 * evaluate_similarity(vectors, path).spearman, 1) for name, path in files.items()}
    total = evaluate_analogies(vectors, _gensim("questions-words.txt"), among=30_000).total
    return scores | {"analogies": round(100 * total.accuracy, 1)}


def _gensim(name: str) -> Path:
    spec = find_spec("gensim")
    if spec is None or spec.origin is None:
        raise SystemExit("bench: scores of vectors need the test data of gensim; pip install -r bench/requirements.txt")
    return Path(spec.origin).parent / "test" / "test_data" / name
