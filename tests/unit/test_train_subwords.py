"""Training with n-grams: the definition, words outside the vocabulary, files, going on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bukva
from bukva.embeddings import NgramScheme, NgramTable, estimate_vectors_memory
from bukva.embeddings.files.safetensors import TensorFile, write_tensors
from bukva.reference.subwords import fasttext_buckets, train_subwords

from .test_train_vectors import SMALL, corpus, sentences

FASTTEXT: dict[str, Any] = {"subwords": "fasttext", "minn": 2, "maxn": 3, "bucket": 50}
FLORET: dict[str, Any] = {"subwords": "floret", "minn": 2, "maxn": 3, "bucket": 500, "hash_count": 3}
SCHEMES = [NgramScheme("fasttext", 2, 3, 50), NgramScheme("floret", 2, 3, 500, 3)]


def trained(lines: list[str], subwords: dict[str, Any], **options: Any) -> bukva.WordVectors:
    given = {"deterministic": True, "word_pattern": "whitespace", **SMALL, **subwords, **options}
    return bukva.train_vectors_from_iterator(lines, **given)


def table_of(vectors: bukva.WordVectors) -> NgramTable:
    assert isinstance(vectors.subwords, NgramTable)
    return vectors.subwords


@pytest.mark.parametrize(
    ("method", "negative_sampling"), [("skipgram", "shared"), ("skipgram", "independent"), ("cbow", "shared")]
)
@pytest.mark.parametrize(("options", "scheme"), list(zip([FASTTEXT, FLORET], SCHEMES, strict=True)))
@pytest.mark.parametrize("long", [False, True])
def test_vectors_are_those_of_the_definition(
    method: str, negative_sampling: str, options: dict[str, Any], scheme: NgramScheme, long: bool
) -> None:
    lines = [" ".join(sentences(40))] * 2 if long else sentences(60)
    how = {**SMALL, "alpha": 0.1, "method": method, "negative_sampling": negative_sampling, "sample": 0.05}
    words, inputs, outputs, losses, table = train_subwords(
        [line.split() for line in lines],
        buckets=lambda word: scheme.buckets(word).tolist(),
        has_word_rows=scheme.kind == "fasttext",
        **how,
    )
    vectors = trained(lines, options, **how)
    found = table_of(vectors)
    assert (vectors.words, found.scheme) == (words, scheme)
    np.testing.assert_allclose(vectors.matrix, inputs, atol=2e-3)
    assert vectors.output is not None
    np.testing.assert_allclose(vectors.output, outputs, atol=2e-3)
    np.testing.assert_allclose(vectors.record["losses"], losses, rtol=1e-4)
    rows = found.rows if found.word_rows is None else np.concatenate([found.word_rows, found.rows])
    np.testing.assert_allclose(rows, table, atol=2e-3)


def test_buckets_are_those_of_fasttext_and_floret() -> None:
    # Model.get_subwords of the packages fasttext 0.9.2 and floret 0.10.5.
    fasttext = NgramScheme("fasttext", 2, 4, 1000)
    assert fasttext.buckets("über").tolist() == [388, 82, 269, 928, 527, 527, 232, 366, 56, 446, 840, 353]
    assert fasttext.buckets("где").tolist() == [246, 178, 257, 416, 951, 531, 738, 68, 248]
    assert fasttext.buckets("").tolist() == [367]
    floret = NgramScheme("floret", 2, 4, 100, 2)
    assert floret.buckets("a").tolist() == [5, 22, 5, 84, 5, 22, 81, 78]
    for word in ["где", "über", "日本語", "", "a</b>"]:
        assert fasttext.buckets(word).tolist() == fasttext_buckets(word, 2, 4, 1000)


def test_words_outside_the_vocabulary_have_vectors() -> None:
    vectors = trained(sentences(300), FASTTEXT, epochs=4, bucket=100_000)
    table = table_of(vectors)
    assert "котик" not in vectors
    buckets = table.scheme.buckets("котик")
    places = table.find(buckets)
    expected = table.rows[places[places >= 0]].sum(axis=0) / len(buckets)
    np.testing.assert_allclose(vectors["котик"], expected, atol=1e-6)
    assert [near.word for near in vectors.neighbors("котик", k=3)].count("кот") == 1
    assert len(vectors.analogy("кот", "котик", "пёс", k=2)) == 2
    with pytest.raises(bukva.UnknownWordError, match="'xyz' is not among"):
        vectors["xyz"]
    with pytest.raises(bukva.UnknownWordError):
        vectors["\ud800"]


@pytest.mark.parametrize("options", [FASTTEXT, FLORET])
def test_vectors_are_means_of_rows(options: dict[str, Any]) -> None:
    vectors = trained(sentences(50), options)
    table = table_of(vectors)
    assert vectors.matrix.tobytes() == table.compose(vectors.words, table.word_rows).tobytes()
    assert table.dim == 12
    assert "2 to 3 characters" in repr(table)
    if options is FLORET:
        assert table.word_rows is None
        np.testing.assert_allclose(table.vector("кот"), vectors["кот"], atol=1e-6)


@pytest.mark.parametrize("options", [FASTTEXT, FLORET])
def test_files_hold_everything(tmp_path: Path, options: dict[str, Any]) -> None:
    vectors = trained(sentences(50), options)
    assert vectors.save(tmp_path / "x.safetensors") == []
    found = bukva.load_vectors(tmp_path / "x.safetensors")
    assert found.matrix.tobytes() == vectors.matrix.tobytes()
    assert found["котик"].tobytes() == vectors["котик"].tobytes()
    assert table_of(found).scheme == table_of(vectors).scheme
    more = [trained(sentences(20, 3), options, start=start).matrix.tobytes() for start in (vectors, found)]
    assert more[0] == more[1]
    for name in ("x.vec", "x.bin", "x.npy", "x.tsv"):
        with pytest.raises(bukva.LossError, match="subwords: words outside the vocabulary will have no vector"):
            vectors.save(tmp_path / name)
        assert ("subwords", "words outside the vocabulary will have no vector") in vectors.save(
            tmp_path / name, allow_loss=True
        )


def test_damaged_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    trained(sentences(50), FASTTEXT).save(path)
    file = TensorFile(path)
    tensors = {name: file.tensor(name) for name in file.entries}
    whole = dict(file.metadata)
    scheme = json.loads(whole["ngrams"])
    for ngrams in ("", "[]", "{", json.dumps({**scheme, "bucket": 3}), json.dumps({**scheme, "kind": "x"})):
        write_tensors(path, tensors, whole | {"ngrams": ngrams})
        with pytest.raises(bukva.FormatError, match="n-grams are damaged"):
            bukva.load_vectors(path)
    write_tensors(path, tensors | {"ngram_word_rows": tensors["ngram_rows"]}, whole)
    with pytest.raises(bukva.FormatError, match="do not fit vectors of"):
        bukva.load_vectors(path)


@pytest.mark.parametrize("options", [FASTTEXT, FLORET])
def test_going_on(options: dict[str, Any]) -> None:
    first = trained(sentences(200), options)
    lines = [line.replace("нож", "топор").replace("лис", "кот") for line in sentences(50, 2)]
    second = trained(lines, options, start=first)
    assert set(second.words) == set(first.words) | {"топор"}
    table = table_of(second)
    assert second.matrix.tobytes() == table.compose(second.words, table.word_rows).tobytes()
    assert second.record["losses"][0] < trained(lines, options).record["losses"][0]
    assert (table.find(table_of(first).buckets) >= 0).all()
    assert first.output is not None
    assert second.output is not None
    assert second.output[second.index("лис")].tobytes() == first.output[first.index("лис")].tobytes()
    if table.word_rows is not None:
        before = table_of(first).word_rows
        assert before is not None
        assert table.word_rows[second.index("лис")].tobytes() == before[first.index("лис")].tobytes()
    for other in ({**options, "bucket": 51}, {}):
        with pytest.raises(bukva.ArgumentError, match=r"'subwords' parameter .* must be those of the vectors to go on"):
            trained(lines, other, start=first)


def test_deterministic_vectors_are_the_same_bits_for_any_number_of_threads(tmp_path: Path) -> None:
    path = corpus(tmp_path, sentences(1000))
    options: dict[str, Any] = {**SMALL, **FASTTEXT, "deterministic": True}
    runs = [bukva.train_vectors(path, threads=threads, **options) for threads in (1, 2, None)]
    assert len({run.matrix.tobytes() for run in runs}) == len({table_of(run).rows.tobytes() for run in runs}) == 1
    threaded = bukva.train_vectors(path, threads=2, **{**options, "deterministic": False})
    assert np.isfinite(threaded.matrix).all()
    assert threaded.record["losses"][-1] < threaded.record["losses"][0]


def test_tokens_have_subwords(tmp_path: Path) -> None:
    path = corpus(tmp_path, sentences(100))
    tok = bukva.train(path, bukva.BpeTrainer(vocab_size=300))
    vectors = bukva.train_vectors(path, tokenizer=tok, epochs=1, min_count=1, dim=4, **FASTTEXT)
    table = table_of(vectors)
    assert vectors.matrix.tobytes() == table.compose(vectors.words, table.word_rows).tobytes()


def test_memory_is_known_before() -> None:
    vectors = trained(sentences(50), FASTTEXT)
    table, memory = table_of(vectors), vectors.record["memory"]
    ngrams = table.scheme.words(vectors.words)
    assert ngrams.table_rows == len(vectors) + len(table.rows)
    assert memory["tables"] == (ngrams.table_rows + len(vectors)) * 16 * 4
    assert memory["ngrams"] == 8 * len(vectors) + 4 * (ngrams.references + ngrams.table_rows)
    ids = vectors.record["corpus"]["ids"]
    expected = estimate_vectors_memory(
        words=len(vectors), corpus_words=ids, dim=12, table_rows=ngrams.table_rows, ngrams=ngrams.references
    )
    assert expected.peak == memory["peak"]
    with pytest.raises(bukva.TrainingError, match=r"rows of words and n-grams takes \d+ bytes"):
        trained(sentences(50), FASTTEXT, memory_limit=1000)


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"subwords": "bpe"}, "subwords"),
        ({**FASTTEXT, "minn": 4}, "maxn"),
        ({**FASTTEXT, "minn": 0}, "minn"),
        ({**FASTTEXT, "maxn": 65}, "maxn"),
        ({**FASTTEXT, "bucket": 0}, "bucket"),
        ({**FASTTEXT, "bucket": 2**31}, "bucket"),
        ({**FASTTEXT, "hash_count": 2}, "hash_count"),
        ({**FLORET, "hash_count": 5}, "hash_count"),
        ({"minn": 2}, "minn"),
        ({"bucket": 100}, "bucket"),
    ],
)
def test_options_that_cannot_work_are_named(options: dict[str, Any], name: str) -> None:
    with pytest.raises(bukva.ArgumentError, match=f"'{name}' parameter of train_vectors_from_iterator"):
        bukva.train_vectors_from_iterator(["a"], **options)


def test_tables_that_do_not_fit_are_refused() -> None:
    scheme, rows = SCHEMES[0], np.zeros((3, 2), np.float32)
    for buckets in ([1, 1, 2], [1, 2], [1, 2, 50], [-1, 2, 3], [0.5, 1, 2]):
        with pytest.raises(bukva.ArgumentError, match="'buckets' parameter of NgramTable"):
            NgramTable(scheme, rows, buckets)
    with pytest.raises(bukva.ArgumentError, match="'rows' parameter"):
        NgramTable(scheme, np.zeros(3))
    with pytest.raises(bukva.ArgumentError, match="'word_rows' parameter"):
        NgramTable(scheme, rows, word_rows=np.zeros((3, 3)))
    with pytest.raises(bukva.ArgumentError, match="'kind' parameter of NgramScheme"):
        NgramScheme("bpe")  # type: ignore[arg-type]
    empty = NgramTable(scheme, rows[:0])
    assert empty.vector("кот") is None
    assert empty.compose(["кот"], rows[:1]).shape == (1, 2)
