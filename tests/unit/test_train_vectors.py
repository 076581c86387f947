from __future__ import annotations

import inspect
import itertools
import random
from pathlib import Path

import numpy as np
import pytest

import bukva
from bukva.embeddings import estimate_vectors_memory
from bukva.embeddings.training_options import VectorKeywords, VectorOptions
from bukva.reference.skipgram import train_skipgram

SMALL = {
    "dim": 12,
    "window": 3,
    "negatives": 3,
    "epochs": 2,
    "min_count": 2,
    "alpha": 0.2,
    "min_alpha": 0.01,
    "seed": 7,
}


def sentences(count: int = 120, seed: int = 1) -> list[str]:
    chosen = random.Random(seed)
    animals, tools = ["кот", "пёс", "конь", "лис"], ["нож", "пила", "молот", "клещи"]
    lines = []
    for _ in range(count):
        group, place = (animals, "лес") if chosen.random() < 0.5 else (tools, "дом")
        lines.append(" ".join([*chosen.choices(group, k=chosen.randrange(0, 9)), place, "и"]))
    return lines


def corpus(tmp_path: Path, lines: list[str]) -> Path:
    path = tmp_path / "corpus.txt"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("method", "negative_sampling"), [("skipgram", "shared"), ("skipgram", "independent"), ("cbow", "shared")]
)
@pytest.mark.parametrize("sample", [0.0, 0.02])
def test_vectors_are_those_of_the_definition(method: str, negative_sampling: str, sample: float) -> None:
    lines = sentences()
    options = {**SMALL, "method": method, "negative_sampling": negative_sampling, "sample": sample}
    words, inputs, outputs, losses = train_skipgram([line.split() for line in lines], **options)
    vectors = bukva.train_vectors_from_iterator(lines, deterministic=True, word_pattern="whitespace", **options)
    assert vectors.words == words
    np.testing.assert_allclose(vectors.matrix, inputs, atol=2e-3)
    assert vectors.output is not None
    np.testing.assert_allclose(vectors.output, outputs, atol=2e-3)
    np.testing.assert_allclose(vectors.record["losses"], losses, rtol=1e-4)


def test_the_reference_agrees_where_a_document_is_longer_than_a_part() -> None:
    lines = [" ".join(sentences(100))] * 2
    options = {**SMALL, "negative_sampling": "shared", "sample": 0.05}
    words, inputs, _, losses = train_skipgram([line.split() for line in lines], **options)
    vectors = bukva.train_vectors_from_iterator(lines, deterministic=True, word_pattern="whitespace", **options)
    assert vectors.words == words
    np.testing.assert_allclose(vectors.matrix, inputs, atol=2e-3)
    np.testing.assert_allclose(vectors.record["losses"], losses, rtol=1e-4)


def test_deterministic_vectors_are_the_same_bits_for_any_number_of_threads(tmp_path: Path) -> None:
    path = corpus(tmp_path, sentences(3000))
    runs = [bukva.train_vectors(path, deterministic=True, threads=threads, **SMALL) for threads in (1, 2, 3, None)]
    for run in runs[1:]:
        assert run.words == runs[0].words
        assert run.matrix.tobytes() == runs[0].matrix.tobytes()
        assert run.record["losses"] == runs[0].record["losses"]
    other = bukva.train_vectors(path, deterministic=True, **{**SMALL, "seed": 8})
    assert other.matrix.tobytes() != runs[0].matrix.tobytes()


def test_words_that_stand_together_are_near(tmp_path: Path) -> None:
    vectors = bukva.train_vectors(corpus(tmp_path, sentences(2000)), threads=2, **{**SMALL, "epochs": 5})
    animals, tools = {"кот", "пёс", "конь", "лис"}, {"нож", "пила", "молот", "клещи"}
    for group in (animals, tools):
        for word in group:
            assert {neighbor.word for neighbor in vectors.neighbors(word, k=3)} <= group | {"лес", "дом"}
    losses = vectors.record["losses"]
    assert losses == sorted(losses, reverse=True)


def test_the_corpus_is_reported(tmp_path: Path) -> None:
    path = corpus(tmp_path, ["кот, кот и Кот", "", "раз 12 кот 12"])
    vectors = bukva.train_vectors(path, min_count=2, epochs=1, dim=3, normalizer="lowercase")
    assert vectors.words == ["кот", "12"]
    assert vectors.counts is not None
    assert vectors.counts.tolist() == [4, 2]
    facts = vectors.record["corpus"]
    assert facts == {
        "documents": 3,
        "bytes": path.stat().st_size,
        "replaced_bytes": 0,
        "words": 8,
        "rare_words": 2,
        "ids": 9,
    }


def test_words_by_pattern(tmp_path: Path) -> None:
    path = corpus(tmp_path, ["a-b c_d, 12"])

    def words(pattern: str) -> list[str]:
        return sorted(bukva.train_vectors(path, word_pattern=pattern, min_count=1, epochs=1, dim=2).words)

    assert words("whitespace") == ["12", "a-b", "c_d,"]
    assert words("words") == [",", "-", "12", "a", "b", "c_d"]
    assert words("[a-z]") == ["a", "b", "c", "d"]
    assert words(r"\p{L}+|\p{N}+") == ["12", "a", "b", "c", "d"]


def test_windows_end_with_documents(tmp_path: Path) -> None:
    path = corpus(tmp_path, ["a b", "c d"])
    by_line = bukva.train_vectors(path, min_count=1, epochs=1, dim=2, window=1, sample=0)
    whole = bukva.train_vectors(path, min_count=1, epochs=1, dim=2, window=1, sample=0, unit="file")
    assert (by_line.record["pairs"], whole.record["pairs"]) == ([4], [6])


def test_long_documents_are_not_cut_short() -> None:
    vectors = bukva.train_vectors_from_iterator(["a b " * 50_000], dim=2, window=1, epochs=1, sample=0, threads=2)
    assert vectors.record["pairs"] == [2 * (100_000 - 1)]


def test_a_tokenizer_gives_the_words(tmp_path: Path) -> None:
    path = corpus(tmp_path, sentences(200))
    tok = bukva.train(path, bukva.BpeTrainer(vocab_size=300))
    vectors = bukva.train_vectors(path, tokenizer=tok, epochs=1, min_count=1, dim=4)
    ids = vectors.record["token_ids"]
    assert len(ids) == len(vectors.words)
    for word, number in zip(vectors.words, ids, strict=True):
        assert tok.vocab[number].decode("utf-8", "backslashreplace") == word
    assert vectors.counts is not None
    assert vectors.counts.sum() == sum(len(tok.encode_ordinary(line + "\n")) for line in sentences(200))


def test_tokens_of_one_spelling_are_told_apart() -> None:
    texts = ["\\xd0 é"]
    tok = bukva.train_from_iterator(texts, bukva.BpeTrainer(num_merges=4, pattern=None))
    texts = [r"\xd0 " + "р"]
    vectors = bukva.train_vectors_from_iterator(texts, tokenizer=tok, epochs=1, min_count=1, dim=2)
    assert len(set(vectors.words)) == len(vectors.words)


def test_going_on(tmp_path: Path) -> None:
    first = bukva.train_vectors_from_iterator(sentences(200), deterministic=True, **SMALL)
    more = [line.replace("нож", "топор") for line in sentences(50, seed=2)]
    second = bukva.train_vectors_from_iterator(more, start=first, deterministic=True, **SMALL)
    assert set(second.words) == set(first.words) | {"топор"}
    assert second.matrix[second.words.index("нож")].tobytes() == first.matrix[first.words.index("нож")].tobytes()
    assert second.record["losses"][0] < bukva.train_vectors_from_iterator(more, **SMALL).record["losses"][0]
    assert second.counts is not None
    assert first.counts is not None
    assert second.counts.tolist() == sorted(second.counts.tolist(), reverse=True)
    cat = [vectors.counts[vectors.words.index("кот")] for vectors in (first, second)]
    assert cat[1] - cat[0] == sum(line.split().count("кот") for line in more)


def test_going_on_needs_both_tables() -> None:
    lines = sentences(20)
    known = bukva.train_vectors_from_iterator(lines, **SMALL)
    with pytest.raises(bukva.ArgumentError, match="'dim' parameter of train_vectors_from_iterator must be that of"):
        bukva.train_vectors_from_iterator(lines, start=known, **{**SMALL, "dim": 5})
    without = bukva.WordVectors(known.words, known.matrix)
    with pytest.raises(bukva.ArgumentError, match="with output vectors"):
        bukva.train_vectors_from_iterator(lines, start=without, **SMALL)


def test_progress_is_told_and_may_stop() -> None:
    seen: list[tuple[str, int, int | None]] = []
    bukva.train_vectors_from_iterator(sentences(500), progress=lambda *state: seen.append(state), **SMALL)
    assert [stage for stage, _ in itertools.groupby(seen, key=lambda state: state[0])] == ["count", "train"]
    assert seen[-1][1] == seen[-1][2]

    def stop(stage: str, done: int, total: int | None) -> None:
        if stage == "train":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bukva.train_vectors_from_iterator(sentences(500), progress=stop, **SMALL)


def test_memory_is_known_before() -> None:
    vectors = bukva.train_vectors_from_iterator(sentences(), **SMALL)
    memory = vectors.record["memory"]
    ids, words = vectors.record["corpus"]["ids"], len(vectors.words)
    assert memory["tables"] == 2 * words * 16 * 4
    assert memory["corpus"] == 4 * ids
    assert estimate_vectors_memory(words=words, corpus_words=ids, dim=12).peak == memory["peak"]
    with pytest.raises(bukva.TrainingError, match=r"takes \d+ bytes at its peak, and memory_limit is 100\b"):
        bukva.train_vectors_from_iterator(sentences(), memory_limit=100, **SMALL)
    with pytest.raises(bukva.ArgumentError, match="beyond what can be addressed"):
        estimate_vectors_memory(words=2**62, corpus_words=1, dim=100)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("dim", 0),
        ("dim", 2**31),
        ("window", 0),
        ("window", True),
        ("negatives", 0),
        ("epochs", 0),
        ("min_count", 0),
        ("alpha", 0),
        ("alpha", -1.0),
        ("alpha", float("nan")),
        ("alpha", 1e-6),
        ("min_alpha", float("inf")),
        ("sample", -0.1),
        ("noise_exponent", "0.75"),
        ("seed", -1),
        ("seed", 2**64),
        ("threads", 0),
        ("memory_limit", 0),
        ("method", "lsa"),
        ("negative_sampling", "both"),
        ("word_pattern", ""),
        ("normalizer", "lower"),
        ("tokenizer", "o200k"),
        ("start", "x.bin"),
        ("progress", 1),
    ],
)
def test_options_that_cannot_work_are_named(option: str, value: object) -> None:
    with pytest.raises(bukva.ArgumentError, match=f"'{option}' parameter of train_vectors_from_iterator"):
        bukva.train_vectors_from_iterator(["a"], **{option: value})  # type: ignore[misc]


def test_bad_corpora_are_named(tmp_path: Path) -> None:
    with pytest.raises(bukva.FileError, match="does not exist"):
        bukva.train_vectors(tmp_path / "none.txt")
    with pytest.raises(bukva.CorpusError, match="at least 5 times: of 1 words the most frequent one comes 4 times"):
        bukva.train_vectors_from_iterator(["a a a a"])
    with pytest.raises(bukva.CorpusError, match="holds no words"):
        bukva.train_vectors_from_iterator(["", " ,;"])
    with pytest.raises(bukva.CorpusError, match="holds no words"):
        bukva.train_vectors_from_iterator([])
    path = tmp_path / "bad.txt"
    path.write_bytes(b"a a\n\xff\n")
    with pytest.raises(bukva.TextError, match="line 2"):
        bukva.train_vectors(path)
    replaced = bukva.train_vectors(path, invalid="replace", min_count=1, epochs=1, dim=2)
    assert replaced.record["corpus"]["replaced_bytes"] == 1
    with pytest.raises(bukva.ArgumentError, match="iterable of str"):
        bukva.train_vectors_from_iterator("a text")
    with pytest.raises(bukva.ArgumentError, match=r"texts\[1\]"):
        bukva.train_vectors_from_iterator(["a", 5])  # type: ignore[list-item]
    with pytest.raises(bukva.PatternError):
        bukva.train_vectors_from_iterator(["a"], word_pattern="(")
    with pytest.raises(bukva.TrainingError, match="no longer finite after epoch"):
        bukva.train_vectors_from_iterator(sentences(), **{**SMALL, "alpha": 1e30})


def test_one_word_alone_has_a_vector() -> None:
    vectors = bukva.train_vectors_from_iterator(["a"], min_count=1, dim=3)
    assert vectors.words == ["a"]
    assert vectors.record["losses"] == [0.0] * 5


def test_the_keywords_are_the_same_everywhere() -> None:
    of_files = set(inspect.signature(bukva.train_vectors).parameters) - {"corpus", "unit", "field", "invalid"}
    assert of_files == set(VectorKeywords.__annotations__) == set(VectorOptions.__dataclass_fields__) - {"caller"}
    for name, parameter in inspect.signature(bukva.train_vectors).parameters.items():
        if name in of_files:
            assert parameter.default == VectorOptions.__dataclass_fields__[name].default, name
