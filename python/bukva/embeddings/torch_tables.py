"""Tables to and from ``torch.nn.Embedding``, where torch is installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..checks import wrong
from ..errors import ArgumentError, UnsupportedError
from .table import Embedding
from .vectors import WordVectors


def to_torch(table: WordVectors | Embedding, *, freeze: bool = False) -> Any:
    """A ``torch.nn.Embedding`` of float32 with the same rows, which are copied.

    Parameters
    ----------
    table : WordVectors or Embedding
        Row *i* of word vectors is the word ``words[i]``. A table's padding id becomes ``padding_idx``.
    freeze : bool
        Whether training leaves the rows as they are.

    Raises
    ------
    UnsupportedError
        If torch is not installed.
    """
    if not isinstance(table, (WordVectors, Embedding)):
        raise wrong("table", "to_torch", "WordVectors or an Embedding", table)
    torch = _torch()
    rows = table.matrix if isinstance(table, WordVectors) else table.weight
    padding = table.padding_id if isinstance(table, Embedding) else None
    copied = torch.from_numpy(np.array(rows, dtype=np.float32))
    return torch.nn.Embedding.from_pretrained(copied, freeze=freeze, padding_idx=padding)


def from_torch(module: Any, words: Sequence[str] | None = None) -> WordVectors | Embedding:
    """Rows of a ``torch.nn.Embedding``: word vectors where words are given, or else a table.

    Parameters
    ----------
    module : torch.nn.Embedding or torch.Tensor
        On any device and of any type of floats; the rows are copied as float32.
    words : sequence of str, optional
        One a row.

    Raises
    ------
    ArgumentError
        If words do not fit the rows (both sizes are named), or a row is not finite.
    """
    weight = getattr(module, "weight", module)
    if not hasattr(weight, "detach") or getattr(weight, "ndim", 0) != 2:
        raise ArgumentError(f"A torch.nn.Embedding or a tensor of rows was expected. Got {type(module).__name__}.")
    rows = weight.detach().to("cpu").float().numpy().copy()
    if words is not None:
        return WordVectors(words, rows)
    return Embedding.from_weight(rows, padding_id=getattr(module, "padding_idx", None))


def _torch() -> Any:
    try:
        import torch
    except ImportError:
        raise UnsupportedError("torch is not installed: pip install 'bukva[torch]'.") from None
    return torch
