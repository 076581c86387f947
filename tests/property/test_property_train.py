"""Training: what the reference learns, for every tie rule; nothing matters but the documents in order."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bukva
from bukva.reference import bpe

from .texts import SNIPPETS, corpora

pytestmark = pytest.mark.filterwarnings("ignore::bukva.BukvaWarning")
ALPHABETS = ("ab", "ab ", "abcd \n", "aбв中 ", "aé😀 ", "aA1 .'\n")
small = st.sampled_from(ALPHABETS).flatmap(corpora)


def train(documents: list[str], **options: object) -> bukva.Tokenizer | None:
    """A tokenizer, or None where the corpus holds nothing to learn from."""
    threads = options.pop("threads", 1)
    try:
        return bukva.train_from_iterator(documents, bukva.BpeTrainer(**options), threads=threads)
    except bukva.CorpusError:
        assert not any(bukva._core.pretokenize(text, options.get("pattern", "gpt2")) for text in documents)
        return None


def learned(tok: bukva.Tokenizer) -> list[tuple[bytes, bytes, int]]:
    return [(*pair, count) for pair, count in zip(tok.merges, tok.training.merge_counts, strict=True)]


@pytest.mark.parametrize("tie_break", bpe.TIE_BREAKS)
@given(documents=small, num_merges=st.integers(0, 40), pattern=st.sampled_from(["gpt2", "whitespace", "course", None]))
@example(documents=["aaaaaaaa", "aaa"], num_merges=10, pattern=None)
@example(documents=["abab", "baba"], num_merges=10, pattern=None)
def test_bytes(tie_break: str, documents: list[str], num_merges: int, pattern: str | None) -> None:
    tok = train(documents, num_merges=num_merges, pattern=pattern, tie_break=tie_break)
    if tok is not None:
        chunks = [chunk.encode() for text in documents for chunk in bukva._core.pretokenize(text, pattern)]
        expected = bpe.train(chunks, num_merges, tie_break)
        assert learned(tok) == [tuple(merge) for merge in expected]
        assert dict(tok.vocab) == bpe.vocabulary(chunks, expected, tie_break)


@pytest.mark.parametrize("tie_break", bpe.TIE_BREAKS)
@pytest.mark.parametrize("end_of_word", [None, "</w>", "_"])
@given(documents=small, num_merges=st.integers(0, 40))
def test_characters(tie_break: str, end_of_word: str | None, documents: list[str], num_merges: int) -> None:
    options = {"alphabet": "chars", "end_of_word": end_of_word, "pattern": "whitespace", "unk_token": None}
    words = [word for text in documents for word in text.split()]
    if words:
        tok = train(documents, num_merges=num_merges, tie_break=tie_break, **options)
        expected = bpe.train(words, num_merges, tie_break, end_of_word)
        assert learned(tok) == [(left.encode(), right.encode(), count) for left, right, count in expected]
        tokens = [token for word in words for token in bpe.encode(word, expected, end_of_word)]
        assert [tok.vocab[number].decode() for number in tok.encode(" ".join(words))] == tokens


@given(documents=small, num_merges=st.integers(0, 40), min_frequency=st.integers(2, 5))
def test_min_frequency_ends_the_same_run_earlier(documents: list[str], num_merges: int, min_frequency: int) -> None:
    whole = train(documents, num_merges=num_merges)
    if whole is not None:
        tok = train(documents, num_merges=num_merges, min_frequency=min_frequency)
        assert learned(tok) == [merge for merge in learned(whole) if merge[2] >= min_frequency]


@pytest.mark.parametrize("tie_break", bpe.TIE_BREAKS)
@given(documents=small)
def test_fewer_merges_are_a_prefix(tie_break: str, documents: list[str]) -> None:
    more = train(documents, num_merges=30, tie_break=tie_break)
    if more is not None:
        assert train(documents, num_merges=7, tie_break=tie_break).merges == more.merges[:7]


@pytest.mark.parametrize("tie_break", bpe.TIE_BREAKS)
@given(documents=small, threads=st.integers(2, 4))
def test_threads_do_not_matter(tie_break: str, documents: list[str], threads: int) -> None:
    one = train(documents, num_merges=30, tie_break=tie_break)
    if one is not None:
        assert train(documents, num_merges=30, tie_break=tie_break, threads=threads) == one


@pytest.mark.parametrize("tie_break", bpe.TIE_BREAKS)
def test_order_preserving_files_do_not_matter(tie_break: str, tmp_path: Path) -> None:
    lines = [line + "\n" for line in mixture(3, 4000).split("\n")]
    trainer = bukva.BpeTrainer(num_merges=300, tie_break=tie_break)
    whole = tmp_path / "whole.txt"
    whole.write_text("".join(lines), encoding="utf-8", newline="")
    expected = bukva.train(whole, trainer, unit="line", threads=1)
    assert bukva.train_from_iterator(lines, trainer, threads=2) == expected
    for number_of_files in (2, 5):
        folder = tmp_path / str(number_of_files)
        folder.mkdir()
        size = -(-len(lines) // number_of_files)
        for n in range(number_of_files):
            text = "".join(lines[n * size : (n + 1) * size])
            (folder / f"{n:03}.txt").write_text(text, encoding="utf-8", newline="")
        assert bukva.train(folder, trainer, unit="line", threads=2) == expected
        assert bukva.train(sorted(folder.iterdir()), trainer, unit="line") == expected


@pytest.mark.parametrize("pattern", ["gpt2", "cl100k", "o200k", "llama3", "qwen2", "course", "words", "whitespace"])
def test_cuts_inside_a_long_document_do_not_matter(pattern: str, tmp_path: Path) -> None:
    """A file of several megabytes is cut into blocks; a regular expression, written out, is not cut at all."""
    text = mixture(7, 1_000_000)
    assert len(text.encode()) > 2_500_000
    path = tmp_path / "long.txt"
    path.write_text(text, encoding="utf-8", newline="")
    trainer = bukva.BpeTrainer(num_merges=200, pattern=pattern, tie_break="first_seen")
    expected = bukva.train_from_iterator([text], trainer, threads=1)
    for threads in (1, 2, 3):
        assert bukva.train(path, trainer, threads=threads).merges == expected.merges
    pretokens = bukva._core.pretokenize(text, pattern)
    assert expected.training.pretokens == len(pretokens)
    assert expected.training.pretoken_types == len(set(pretokens))


@given(documents=small)
def test_repeating_a_corpus_multiplies_its_counts(documents: list[str]) -> None:
    once = train(documents, num_merges=30)
    if once is not None:
        assert learned(train(documents * 3, num_merges=30)) == [(a, b, 3 * n) for a, b, n in learned(once)]


def mixture(seed: int, pieces: int) -> str:
    """Words and oddities in random order: many ties, every script of the snippets."""
    random_source = random.Random(seed)
    return "".join(random_source.choices(SNIPPETS, k=pieces))
