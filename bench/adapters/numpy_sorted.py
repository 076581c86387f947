"""NumPy's faster way to add up by index."""

from __future__ import annotations

import numpy as np

from bench.adapters.numpy_add_at import NumpyAddAt


class NumpySorted(NumpyAddAt):
    """Sorts the ids, and adds up runs of equal ones."""

    name = "numpy_sorted"
    call = "np.argsort(ids, kind='stable'), np.add.reduceat"

    def scatter_add(self, ids, gradients):
        order = np.argsort(ids, kind="stable")
        unique, starts = np.unique(ids[order], return_index=True)
        total = np.zeros(self.table.shape, np.float32)
        total[unique] = np.add.reduceat(gradients[order], starts)
        return total


ADAPTER = NumpySorted
