"""Vectors on a plane by UMAP, where umap-learn is installed.

Source: L. McInnes, J. Healy, J. Melville, *UMAP: Uniform Manifold Approximation and Projection*, 2018.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..errors import UnsupportedError


def umap(matrix: NDArray[np.float32], n: int, seed: int, neighbors: int) -> NDArray[np.float32]:
    """Rows at places where those near by cosine are near; one thread, so that a seed gives the same places again.

    Parameters
    ----------
    matrix : ndarray of float32, shape (rows, dim)
    n : int
        Axes.
    seed : int
    neighbors : int
        Rows that count as near; fewer where there are not so many.

    Returns
    -------
    ndarray of float32, shape (rows, n)

    Raises
    ------
    UnsupportedError
        If umap-learn is not installed.
    """
    try:
        import umap as library
    except ImportError:
        raise UnsupportedError(
            "UMAP needs umap-learn, which is not installed: pip install 'bukva[umap]', or use method='pca'."
        ) from None
    near = max(2, min(neighbors, len(matrix) - 1))
    reducer = library.UMAP(n_components=n, n_neighbors=near, metric="cosine", random_state=seed, n_jobs=1)
    return np.asarray(reducer.fit_transform(np.asarray(matrix)), dtype=np.float32)
