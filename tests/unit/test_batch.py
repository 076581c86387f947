import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import bukva
from bukva import ArgumentError, Batch


@pytest.fixture
def batch() -> Batch:
    return Batch(np.array([1, 2, 3, 4, 5], dtype=np.uint32), np.array([0, 2, 2, 5]))


def test_a_batch_is_a_sequence(batch: Batch) -> None:
    assert len(batch) == 3
    assert batch.to_list() == [[1, 2], [], [3, 4, 5]]
    assert batch[-1].tolist() == [3, 4, 5]
    assert batch[1:].to_list() == [[], [3, 4, 5]]
    assert batch[3:1].to_list() == []
    assert batch.lengths().tolist() == [2, 0, 3]
    assert [ids.tolist() for ids in batch] == batch.to_list()
    assert repr(batch) == "Batch(3 texts, 5 tokens)"
    assert pickle.loads(pickle.dumps(batch)).to_list() == batch.to_list()
    with pytest.raises(IndexError, match="text 3 of a batch of 3"):
        batch[3]
    with pytest.raises(ArgumentError, match="steps of 1"):
        batch[::2]


def test_positions_are_any_integers(batch: Batch) -> None:
    assert batch[np.int64(-3)].tolist() == [1, 2]
    for wrong in (3, -4, 2**70, -(2**70)):
        with pytest.raises(IndexError, match=f"text {wrong} of a batch of 3"):
            batch[wrong]
    with pytest.raises(TypeError):
        batch["a"]  # type: ignore[call-overload]


def test_a_text_is_a_view(batch: Batch) -> None:
    batch[0][1] = 9
    batch[1:][1][0] = 8
    assert batch.ids.tolist() == [1, 9, 8, 4, 5]
    assert batch.ids is batch.ids


@pytest.mark.parametrize("offsets", [[], [0, 6], [-1, 2], [0, 3, 2]])
def test_offsets_lie_within_the_ids(offsets: list[int]) -> None:
    with pytest.raises(ArgumentError, match=r"'offsets' parameter of Batch must ascend within 0\.\.5"):
        Batch(np.arange(5, dtype=np.uint32), np.array(offsets, dtype=np.int64))


def test_arrays_need_not_be_contiguous() -> None:
    batch = Batch(np.arange(8, dtype=np.uint32)[::2], np.array([0, 7, 1, 7, 4, 7], dtype=np.int64)[::2])
    assert batch.to_list() == [[0], [2, 4, 6]]
    assert batch[1].tolist() == [2, 4, 6]


def test_padding(batch: Batch) -> None:
    ids, mask = batch.pad(pad_id=0)
    assert ids.tolist() == [[1, 2, 0], [0, 0, 0], [3, 4, 5]]
    assert mask.tolist() == [[True, True, False], [False] * 3, [True] * 3]
    assert ids.dtype == np.uint32
    left, mask = batch.pad(side="left", pad_id=9, multiple_of=4)
    assert left.tolist() == [[9, 9, 1, 2], [9, 9, 9, 9], [9, 3, 4, 5]]
    assert mask.tolist() == [[False, False, True, True], [False] * 4, [False, True, True, True]]
    assert batch.pad(5, pad_id=0)[0].shape == (3, 5)
    assert batch[:0].pad(pad_id=0)[0].shape == (0, 0)
    assert Batch(batch.ids, batch.offsets, pad_id=7).pad()[0][1].tolist() == [7, 7, 7]


def test_padding_is_never_guessed(batch: Batch) -> None:
    with pytest.raises(ArgumentError, match="file names none"):
        batch.pad()
    with pytest.raises(ArgumentError, match="at least 3"):
        batch.pad(2, pad_id=0)
    with pytest.raises(ArgumentError, match="'right', 'left'"):
        batch.pad(side="top", pad_id=0)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="multiple_of"):
        batch.pad(multiple_of=0, pad_id=0)


def test_batches_are_the_texts_one_by_one(tok: bukva.Tokenizer, ru: str) -> None:
    texts = [*ru.splitlines(keepends=True), ""]
    batch = tok.encode_batch(texts)
    assert batch.ids.dtype == np.uint32
    assert batch.offsets.dtype == np.int64
    assert batch.to_list() == [tok.encode(text) for text in texts]
    assert tok.encode_batch(iter(texts), threads=2).to_list() == batch.to_list()
    assert tok.count_batch(texts).tolist() == batch.lengths().tolist()
    assert tok.decode_batch(batch) == texts
    assert tok.decode_batch(batch.to_list()) == texts
    assert len(tok.encode_batch([])) == 0


def test_one_text_is_no_batch(tok: bukva.Tokenizer) -> None:
    with pytest.raises(ArgumentError, match="iterable of str"):
        tok.encode_batch("text")
    with pytest.raises(ArgumentError, match="threads"):
        tok.encode_batch(["text"], threads=0)
    with pytest.raises((ArgumentError, TypeError)):
        tok.encode_batch(["a", 5])  # type: ignore[list-item]


def test_ids_are_one_array_for_all_threads(tok: bukva.Tokenizer) -> None:
    with ThreadPoolExecutor(4) as pool:
        for _ in range(50):
            batch = tok.encode_batch(["вода и мир"])
            found = list(pool.map(lambda _, batch=batch: batch.ids, range(4)))  # type: ignore[misc]
            assert all(ids is found[0] for ids in found)
            assert found[0].tolist() == tok.encode("вода и мир")


def test_short_batches_are_as_long_ones(tok: bukva.Tokenizer, ru: str) -> None:
    lines = ["", *ru.splitlines()[:5], ""]
    for texts in (lines, tuple(lines), (line for line in lines)):
        assert tok.encode_batch(texts).to_list() == [tok.encode(line) for line in lines]
    whole = [*lines, ru * 20]
    assert tok.encode_batch(whole)[:-1].to_list() == tok.encode_batch(lines).to_list()
    for texts in ([*lines, "\ud800"], [*lines, ru * 20, "\ud800"]):
        with pytest.raises(bukva.TextError, match=f"text number {len(texts) - 1}"):
            tok.encode_batch(texts)


def test_lists_of_a_batch_need_no_numpy(tmp_path: Path, tok: bukva.Tokenizer) -> None:
    tok.save(tmp_path / "tok.bukva")
    program = (
        "import sys, bukva; batch = bukva.load(sys.argv[1]).encode_batch(['a b', 'c']); "
        "print(len(batch.to_list()), len(batch), batch, 'numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "tok.bukva")], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("2 2 Batch(2 texts, ")
    assert done.stdout.endswith("False\n")
