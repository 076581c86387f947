"""SciPy: a sparse matrix of one-hot rows."""

from __future__ import annotations

import numpy as np

from bench.adapters.numpy_add_at import NumpyAddAt


class ScipyCsr(NumpyAddAt):
    """The transposed one-hot matrix times the gradients."""

    name = "scipy_csr"
    package = "scipy"
    module = "scipy.sparse"
    call = "csr_matrix(one-hot).T @ gradients"

    def scatter_add(self, ids, gradients):
        from scipy.sparse import csr_matrix

        places = np.arange(len(ids) + 1)
        hot = csr_matrix((np.ones(len(ids), np.float32), ids, places), shape=(len(ids), len(self.table)))
        return hot.T @ gradients


ADAPTER = ScipyCsr
