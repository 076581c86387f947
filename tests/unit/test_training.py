from __future__ import annotations

import pickle

import pytest

import bukva
from bukva import BpeTrainer


def test_the_record(ru: str) -> None:
    trainer = BpeTrainer(num_merges=10)
    record = bukva.train_from_iterator(ru.splitlines(), trainer).training
    assert record is not None
    assert record.trainer is trainer
    assert record.documents == 200
    assert record.bytes == len("".join(ru.splitlines()).encode())
    assert record.pretokens > record.pretoken_types > 0
    assert len(record.merge_counts) == 10
    assert list(record.merge_counts) == sorted(record.merge_counts, reverse=True)
    assert record.stopped == "reached"
    assert "200 documents" in repr(record)
    assert pickle.loads(pickle.dumps(record)) == record


@pytest.mark.parametrize("tie_break", ["huggingface", "first_seen", "sentencepiece", "raw_bytes"])
def test_threads_do_not_matter(ru: str, en: str, tie_break: str) -> None:
    trainer = BpeTrainer(num_merges=300, tie_break=tie_break)  # type: ignore[arg-type]
    texts = [*ru.splitlines(), *en.splitlines()]
    assert bukva.train_from_iterator(texts, trainer, threads=1) == bukva.train_from_iterator(texts, trainer, threads=2)


def test_progress_is_reported_in_order(ru: str) -> None:
    reports: list[tuple[str, int, int | None]] = []
    bukva.train_from_iterator(
        [ru], BpeTrainer(num_merges=50), progress=lambda stage, done, total: reports.append((stage, done, total))
    )
    assert list(dict.fromkeys(stage for stage, _, _ in reports)) == ["count", "merge"]
    for stage in ("count", "merge"):
        done = [n for name, n, _ in reports if name == stage]
        assert done == sorted(done)
    assert reports[-1][1:] == (50, 50)


def test_an_error_in_the_callback_ends_training(ru: str) -> None:
    def stop(stage: str, done: int, total: int | None) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        bukva.train_from_iterator([ru], BpeTrainer(num_merges=50), progress=stop)


def test_options_reach_the_engine(ru: str) -> None:
    short = bukva.train_from_iterator([ru], BpeTrainer(num_merges=300, max_token_length=4))
    assert max(map(len, short.vocab)) <= 4
    whole = bukva.train_from_iterator(["ab ab"], BpeTrainer(num_merges=3, pattern=None))
    assert b"ab ab"[:4] in [left + right for left, right in whole.merges] or len(whole.merges) == 3
    lower = bukva.train_from_iterator(["AB"], BpeTrainer(num_merges=1, normalizer="lowercase"))
    assert lower.merges == [(b"a", b"b")]
    word = bukva.train_from_iterator(
        ["кот"], BpeTrainer(num_merges=3, alphabet="chars", end_of_word="_", pattern="whitespace")
    )
    assert [token.decode() for token in word.explain("кот").tokens] == ["кот_"]
