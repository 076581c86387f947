"""NumPy's own way to add up by index."""

from __future__ import annotations

import numpy as np

from bench.adapters import Adapter


class NumpyAddAt(Adapter):
    """``np.add.at`` is unbuffered: every id counts."""

    name = "numpy_add_at"
    package = "numpy"
    module = "numpy"
    call = "np.add.at(np.zeros_like(table), ids, gradients)"
    can = frozenset({"rows"})

    def take(self, table) -> None:
        self.table = table

    def gather(self, ids):
        return self.table.take(ids, axis=0)

    def scatter_add(self, ids, gradients):
        total = np.zeros(self.table.shape, np.float32)
        np.add.at(total, ids, gradients)
        return total


ADAPTER = NumpyAddAt
