"""gensim reads what is written, and what gensim writes is read."""

from pathlib import Path

import numpy as np
import pytest

import bukva
from bukva.embeddings import evaluate_analogies, evaluate_similarity, from_gensim, to_gensim

models = pytest.importorskip("gensim.models", reason="gensim is not installed: pip install gensim")
utils = pytest.importorskip("gensim.test.utils")
KeyedVectors = models.KeyedVectors

WORDS = ["кошка", "dog", "猫", "naïve", "a.b", "\u00a0x"]
MATRIX = np.random.default_rng(0).normal(size=(6, 50)).astype(np.float32)
VECTORS = bukva.WordVectors(WORDS, MATRIX)
COUNTED = bukva.WordVectors(WORDS, MATRIX, [9, 8, 7, 6, 5, 4])


def check(keyed: object) -> None:
    assert keyed.index_to_key == WORDS
    assert keyed.vectors.tobytes() == MATRIX.tobytes()


@pytest.mark.parametrize(
    ("name", "form", "read"),
    [
        ("x.txt", None, {}),
        ("x.vec", None, {}),
        ("x.bin", None, {"binary": True}),
        ("x", "glove", {"no_header": True}),
    ],
)
def test_gensim_reads_what_is_written(tmp_path: Path, name: str, form: str | None, read: dict) -> None:
    VECTORS.save(tmp_path / name, format=form)
    check(KeyedVectors.load_word2vec_format(str(tmp_path / name), **read))


@pytest.mark.parametrize("write", [{}, {"binary": True}, {"write_header": False}])
def test_what_gensim_writes_is_read(tmp_path: Path, write: dict) -> None:
    path = str(tmp_path / "x")
    to_gensim(VECTORS).save_word2vec_format(path, **write)
    found = bukva.load_vectors(path)
    assert found.words == WORDS
    assert found.matrix.tobytes() == MATRIX.tobytes()


def test_keyed_vectors_go_both_ways() -> None:
    keyed = to_gensim(COUNTED)
    check(keyed)
    assert [keyed.get_vecattr(word, "count") for word in WORDS] == [9, 8, 7, 6, 5, 4]
    again = from_gensim(keyed)
    assert again.words == WORDS
    assert again.matrix.tobytes() == MATRIX.tobytes()
    assert again.counts is not None
    assert again.counts.tolist() == [9, 8, 7, 6, 5, 4]


def test_its_script_for_tensorboard_is_read(tmp_path: Path) -> None:
    script = pytest.importorskip("gensim.scripts.word2vec2tensor")
    VECTORS.save(tmp_path / "x.txt")
    script.word2vec2tensor(str(tmp_path / "x.txt"), str(tmp_path / "big"))
    found = bukva.load_vectors(tmp_path / "big_tensor.tsv")
    assert found.words == WORDS
    assert found.matrix == pytest.approx(MATRIX)


@pytest.mark.parametrize("name", ["euclidean_vectors.bin", "crime-and-punishment.vec", "test_glove.txt"])
def test_files_of_its_own_tests_are_read(name: str) -> None:
    path = utils.datapath(name)
    keyed = KeyedVectors.load_word2vec_format(path, binary=name.endswith(".bin"), no_header=name == "test_glove.txt")
    found = bukva.load_vectors(path)
    assert found.words == keyed.index_to_key
    assert found.matrix.tobytes() == keyed.vectors.tobytes()


def test_neighbors_and_analogies_are_the_same() -> None:
    table = np.random.default_rng(1).normal(size=(500, 20)).astype(np.float32)
    vectors = bukva.WordVectors([f"w{row}" for row in range(500)], table)
    keyed = to_gensim(vectors)
    for word in ("w1", "w77"):
        expected = keyed.most_similar(word, topn=8)
        found = vectors.neighbors(word, 8)
        assert [one.word for one in found] == [word for word, _ in expected]
        assert [one.similarity for one in found] == pytest.approx([score for _, score in expected], abs=1e-5)
        expected = keyed.most_similar(positive=["w2", "w3"], negative=[word], topn=5)
        assert [one.word for one in vectors.analogy(word, "w2", "w3", 5)] == [word for word, _ in expected]
        expected = keyed.most_similar_cosmul(positive=["w2", "w3"], negative=[word], topn=1)
        assert vectors.analogy(word, "w2", "w3", 1, method="mul")[0].word == expected[0][0]


def test_judgements_are_scored_the_same() -> None:
    pairs, questions = utils.datapath("wordsim353.tsv"), utils.datapath("questions-words.txt")
    text = " ".join(Path(path).read_text(encoding="utf-8") for path in (pairs, questions)).lower()
    words = sorted(set(text.split()))[::2]
    table = np.random.default_rng(2).normal(size=(len(words), 10)).astype(np.float32)
    vectors = bukva.WordVectors(words, table)
    keyed = to_gensim(vectors)
    _, (expected, _), unknown = keyed.evaluate_word_pairs(pairs)
    found = evaluate_similarity(vectors, pairs)
    assert found.spearman == pytest.approx(expected, abs=1e-6)
    assert (found.n_pairs - found.n_scored) / found.n_pairs == pytest.approx(unknown / 100)
    score, sections = keyed.evaluate_word_analogies(questions)
    total = evaluate_analogies(vectors, questions).total
    assert total.n_right == len(sections[-1]["correct"])
    assert total.n_asked == len(sections[-1]["correct"]) + len(sections[-1]["incorrect"])
    assert total.accuracy == pytest.approx(score)


@pytest.mark.parametrize("vectors", [VECTORS, COUNTED])
def test_the_projector_of_tensorboard_reads_what_is_written(tmp_path: Path, vectors: bukva.WordVectors) -> None:
    plugin = pytest.importorskip(
        "tensorboard.plugins.projector.projector_plugin", reason="tensorboard is not installed: pip install tensorboard"
    )
    vectors.save(tmp_path / "vectors.tsv")
    tensor = plugin._read_tensor_tsv_file(str(tmp_path / "vectors.tsv"))
    assert tensor.tobytes() == MATRIX.tobytes()
    rows = (tmp_path / "metadata.tsv").read_text(encoding="utf-8").splitlines()
    # Metadata of one column have no headings; of several they have.
    labels = rows if vectors.counts is None else [row.split("\t")[0] for row in rows[1:]]
    assert labels == WORDS
