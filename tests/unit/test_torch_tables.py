"""Tables to torch and back."""

import numpy as np
import pytest

import bukva
from bukva.embeddings import from_torch, to_torch

VECTORS = bukva.WordVectors(["a", "b", "c"], np.arange(6.0).reshape(3, 2))


def test_tables_go_both_ways() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'bukva[torch]'")
    module = to_torch(VECTORS)
    assert module.weight.requires_grad
    assert torch.equal(module(torch.tensor([2, 0])), torch.tensor([[4.0, 5], [0, 1]]))
    again = from_torch(module, VECTORS.words)
    assert isinstance(again, bukva.WordVectors)
    assert np.array_equal(again.matrix, VECTORS.matrix)
    assert not to_torch(VECTORS, freeze=True).weight.requires_grad
    padded = bukva.Embedding(5, 3, padding_id=1)
    module = to_torch(padded)
    assert module.padding_idx == 1
    table = from_torch(module.to(torch.bfloat16).float())
    assert isinstance(table, bukva.Embedding)
    assert table.padding_id == 1
    assert table.weight == pytest.approx(padded.weight, rel=1e-2)
    with torch.no_grad():
        module.weight[0, 0] = 7
    assert padded.weight[0, 0] != 7
    with pytest.raises(bukva.ArgumentError, match=r"2 words.*\(5, 3\)"):
        from_torch(module, ["a", "b"])


def test_what_is_no_table() -> None:
    with pytest.raises(bukva.ArgumentError, match="'table' parameter of to_torch"):
        to_torch([1])  # type: ignore[arg-type]
    with pytest.raises(bukva.ArgumentError, match="Got list"):
        from_torch([1])


def test_torch_is_an_extra() -> None:
    try:
        import torch  # noqa: F401
    except ImportError:
        with pytest.raises(bukva.UnsupportedError, match=r"pip install 'bukva\[torch\]'"):
            to_torch(VECTORS)
