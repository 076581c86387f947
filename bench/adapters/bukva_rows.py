"""bukva, the rows that were used only."""

from __future__ import annotations

from bench.adapters.bukva import Bukva


class BukvaRows(Bukva):
    """The gradient that sparse optimizers take."""

    name = "bukva_rows"
    call = "E.sparse_gradient(ids, gradients)"
    can = frozenset({"rows"})

    def scatter_add(self, ids, gradients):
        return self.table.sparse_gradient(ids, gradients)

    def dense(self, gradient):
        return gradient.to_dense()


ADAPTER = BukvaRows
