"""Tables and heads against their definitions: one-hot products, and sums over all uses of a row."""

from __future__ import annotations

import numpy as np
import pytest

import bukva
from bukva.embeddings import OutputHead, RowGradient, check_gradient, cross_entropy, one_hot

rng = np.random.default_rng(5)


@pytest.fixture
def table() -> bukva.Embedding:
    return bukva.Embedding(7, 4, seed=1)


def test_rows_are_drawn_by_the_seed(table: bukva.Embedding) -> None:
    assert table.weight.dtype == np.float32
    assert (table.vocab_size, table.dim, repr(table)) == (7, 4, "Embedding(7, 4)")
    assert np.array_equal(table.weight, bukva.Embedding(7, 4, seed=1).weight)
    assert not np.array_equal(table.weight, bukva.Embedding(7, 4).weight)
    lengths = np.linalg.norm(bukva.Embedding(200, 500).weight, axis=1)
    assert lengths == pytest.approx(np.ones(200), abs=0.2)


@pytest.mark.parametrize("shape", [(), (3,), (0,), (2, 3), (2, 0), (2, 3, 4)])
@pytest.mark.parametrize("dtype", [np.uint32, np.int64, np.uint8])
def test_lookup_is_one_hot_times_table(table: bukva.Embedding, shape: tuple, dtype: type) -> None:
    ids = rng.integers(0, 7, shape).astype(dtype)
    assert np.array_equal(table(ids), one_hot(ids, 7) @ table.weight)
    assert table(ids.tolist()).shape == (*shape, 4)


def test_ids_of_a_batch(tok: bukva.Tokenizer) -> None:
    ids, mask = tok.encode_batch(["привет", "мир и война"]).pad(pad_id=0)
    table = bukva.Embedding(tok.sizes.id_range, 4)
    assert table(ids).shape == (*mask.shape, 4)
    with pytest.raises(bukva.ArgumentError, match=r"Got Batch.*batch.pad\(\)"):
        table(tok.encode_batch(["мир"]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_gradient_adds_up_all_uses(table: bukva.Embedding, dtype: type) -> None:
    ids = rng.integers(0, 7, (5, 9))
    d_rows = rng.normal(size=(5, 9, 4)).astype(dtype)
    expected = np.zeros((7, 4), dtype)
    np.add.at(expected, ids, d_rows)
    found = table.gradient(ids, d_rows)
    assert found.dtype == dtype
    assert np.array_equal(found, expected)
    sparse = table.sparse_gradient(ids, d_rows)
    assert sparse.ids.tolist() == sorted(set(ids.flat))
    assert np.array_equal(sparse.to_dense(), expected)


def test_padding_is_zero_and_stays_so() -> None:
    table = bukva.Embedding(5, 3, padding_id=2)
    assert not table.weight[2].any()
    ids, d_rows = [[0, 2], [2, 0]], np.ones((2, 2, 3))
    assert table.gradient(ids, d_rows).tolist() == [[2, 2, 2], *[[0, 0, 0]] * 4]
    assert table.sparse_gradient(ids, d_rows).ids.tolist() == [0]
    given = bukva.Embedding.from_weight(np.ones((3, 2)), padding_id=1)
    assert given.weight[1].all()
    assert not given.gradient([1], [[1, 1]]).any()


def test_weight_is_shared_and_checked(table: bukva.Embedding) -> None:
    rows, head = table.weight, OutputHead(table)
    table.weight = np.arange(28).reshape(7, 4)
    assert table.weight is rows
    assert head.weight is rows
    given = np.ones((2, 2), np.float32)
    assert bukva.Embedding.from_weight(given).weight is given
    with pytest.raises(bukva.ArgumentError, match=r"\(7, 4\). Got \(4, 7\)"):
        table.weight = np.ones((4, 7))
    given[1, 0] = np.nan
    with pytest.raises(bukva.ArgumentError, match=r"Row 1 .* NaN or infinity"):
        bukva.Embedding.from_weight(given)
    with pytest.raises(bukva.ArgumentError, match="Row 1 "):
        OutputHead([[0, 0], [0, np.inf]])


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (7, "id 7 has no row: the table has 7 rows, for ids from 0 to 6"),
        ([[0, 1], [9, 2]], r"id 9 .*index \(1, 0\)"),
        ([0, -1], r"id -1 .*index \(1,\)"),
        (np.array([2**32 - 1], np.uint32), "id 4294967295"),
    ],
)
def test_ids_without_a_row(table: bukva.Embedding, ids: object, message: str) -> None:
    with pytest.raises(bukva.UnknownIdError, match=message):
        table(ids)


def test_bad_arguments(table: bukva.Embedding) -> None:
    for ids in ([0.5], ["a"], [True], [[0], [1, 2]], None):
        with pytest.raises(bukva.ArgumentError, match="'ids' parameter"):
            table(ids)
    with pytest.raises(bukva.ArgumentError, match=r"shape \(2, 4\). Got \(2, 5\)"):
        table.gradient([0, 1], np.ones((2, 5)))
    for wrong in ({"vocab_size": 0, "dim": 2}, {"vocab_size": 2, "dim": True}, {"vocab_size": 2, "dim": 2, "seed": -1}):
        with pytest.raises(bukva.ArgumentError, match="must be an integer"):
            bukva.Embedding(**wrong)
    with pytest.raises(bukva.ArgumentError, match="below the number of rows, 3"):
        bukva.Embedding(3, 2, padding_id=3)
    for size in (10**7, 10**15):
        with pytest.raises(bukva.ArgumentError, match=r"takes 4[0,]+ bytes"):
            bukva.Embedding(size, 10**9)
    with pytest.raises(bukva.ArgumentError, match=r"not of shape \(3,\)"):
        bukva.Embedding.from_weight([1, 2, 3])


def test_a_tied_head_is_the_table(table: bukva.Embedding) -> None:
    head, hidden = OutputHead(table), rng.normal(size=(2, 3, 4))
    assert head.tied
    assert head.vocab_size == 7
    assert head(hidden) == pytest.approx(hidden @ table.weight.T)
    assert not OutputHead(table.weight).tied


def test_the_layout_of_a_matrix() -> None:
    matrix, hidden, bias = rng.normal(size=(5, 3)), rng.normal(size=(2, 3)), rng.normal(size=5)
    for head in (OutputHead(matrix, bias), OutputHead(matrix.T, bias), OutputHead(matrix.T, bias, layout="columns")):
        assert head(hidden) == pytest.approx(hidden @ matrix.T + bias)
        assert head.gradient(hidden, np.ones((2, 5))).weight.shape == head.weight.shape
    with pytest.raises(bukva.ArgumentError, match="The matrix is square"):
        OutputHead(np.eye(3))(hidden)
    assert OutputHead(np.eye(3), layout="rows")(hidden) == pytest.approx(hidden)
    with pytest.raises(bukva.ArgumentError, match=r"\(5, 3\) by rows. Got 'shape \(5,\)'"):
        OutputHead(matrix, layout="rows")(np.ones(5))
    with pytest.raises(bukva.ArgumentError, match="left out"):
        OutputHead(bukva.Embedding(3, 2), layout="columns")
    with pytest.raises(bukva.ArgumentError, match="'bias' parameter"):
        OutputHead(matrix, np.ones(3), layout="rows")


@pytest.mark.parametrize("layout", ["rows", "columns"])
def test_gradients_of_a_head(layout: str) -> None:
    weight = rng.normal(size=(6, 3) if layout == "rows" else (3, 6))
    hidden, bias, targets = rng.normal(size=(2, 2, 3)), rng.normal(size=6), [[1, 5], [1, 0]]

    def loss(hidden: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> float:
        return cross_entropy(OutputHead(weight, bias, layout=layout)(hidden), targets).value

    head = OutputHead(weight, bias, layout=layout)
    found = head.gradient(hidden, cross_entropy(head(hidden), targets).gradient)
    assert check_gradient(lambda x: loss(x, weight, bias), hidden, found.hidden).passed
    assert check_gradient(lambda x: loss(hidden, x, bias), weight, found.weight).passed
    assert check_gradient(lambda x: loss(hidden, weight, x), bias, found.bias).passed


def test_gradient_of_a_tied_model() -> None:
    """The table is used twice: its gradient is that of the lookup and that of the head together."""
    ids, targets = np.array([[0, 2, 0], [3, 3, 1]]), np.array([[2, 0, 1], [3, 1, 0]])

    def loss(rows: np.ndarray) -> float:
        table = bukva.Embedding.from_weight(rows)
        return cross_entropy(OutputHead(table)(table(ids)), targets).value

    table = bukva.Embedding.from_weight(rng.normal(size=(4, 3)))
    head = OutputHead(table)
    found = head.gradient(table(ids), cross_entropy(head(table(ids)), targets).gradient)
    total = table.gradient(ids, found.hidden) + found.weight
    assert check_gradient(loss, table.weight, total).passed
    missing = check_gradient(loss, table.weight, found.weight)
    assert not missing.passed
    assert missing.worst > 0.01


def test_row_gradient_is_a_record() -> None:
    gradient = RowGradient(ids=np.array([1], np.uint32), rows=np.ones((1, 2)), shape=(3, 2))
    assert gradient.to_dense().tolist() == [[0, 0], [1, 1], [0, 0]]
