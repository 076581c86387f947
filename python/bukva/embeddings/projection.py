"""Vectors on a plane: principal components."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import check_integer
from ..errors import ArgumentError

ROWS_AT_ONCE = 65_536
"""Rows that are turned into float64 together: a mapped table is never in memory as a whole."""


@dataclass(frozen=True, kw_only=True)
class PrincipalComponents:
    """The axes of greatest variance, and the rows seen along them.

    Attributes
    ----------
    points : ndarray of float32, shape (rows, n)
    axes : ndarray of float64, shape (n, dim)
        Unit vectors. The sign is such that the number of greatest size in an axis is positive.
    mean : ndarray of float64, shape (dim,)
    explained : ndarray of float64, shape (n,)
        Share of the whole variance, from 0 to 1; zeros where there is no variance.
    """

    points: NDArray[np.float32]
    axes: NDArray[np.float64]
    mean: NDArray[np.float64]
    explained: NDArray[np.float64]


def pca(matrix: ArrayLike, n: int = 2) -> NDArray[np.float32]:
    """Rows along the ``n`` axes of greatest variance.

    Parameters
    ----------
    matrix : array, shape (rows, dim)
    n : int
        At most ``dim``.

    Returns
    -------
    ndarray of float32, shape (rows, n)

    Raises
    ------
    ArgumentError
        If the matrix has another shape, a row that is not finite, or fewer than ``n`` columns.
    """
    return principal_components(matrix, n).points


def principal_components(matrix: ArrayLike, n: int = 2) -> PrincipalComponents:
    """The ``n`` axes of greatest variance. Parameters and errors as in :func:`pca`.

    The eigenvectors of the covariance, in float64. O(rows · dim² + dim³) time, O(dim²) memory.
    Source: K. Pearson, *On lines and planes of closest fit to systems of points in space*, 1901.
    """
    table = _checked(matrix)
    check_integer("n", "pca", n, 1)
    rows, dim = table.shape
    if n > dim:
        raise ArgumentError(
            f"The 'n' parameter of pca must be at most the {dim} columns of the matrix. Got {n} instead."
        )
    mean: NDArray[np.float64] = np.asarray(np.mean(table, axis=0, dtype=np.float64))
    covariance = np.zeros((dim, dim))
    for start in range(0, rows, ROWS_AT_ONCE):
        centred = table[start : start + ROWS_AT_ONCE] - mean
        covariance += centred.T @ centred
    values, vectors = np.linalg.eigh(covariance)
    axes = _signed(vectors[:, ::-1][:, :n].T)
    whole = max(float(np.trace(covariance)), 0.0)
    explained = np.clip(values[::-1][:n], 0, None) / whole if whole > 0 else np.zeros(n)
    points = (table @ axes.T - mean @ axes.T).astype(np.float32)
    return PrincipalComponents(points=points, axes=axes, mean=mean, explained=explained)


def _checked(matrix: ArrayLike) -> NDArray[np.floating]:
    table = np.asarray(matrix)
    if table.ndim != 2 or 0 in table.shape or table.dtype.kind not in "fiu":
        shown = f"shape {table.shape}, {table.dtype}"
        raise ArgumentError(f"The 'matrix' parameter of pca must be numbers in rows and columns. Got {shown} instead.")
    bad = np.flatnonzero(~np.isfinite(table).all(axis=1))
    if len(bad):
        raise ArgumentError(f"Row {bad[0]} of the matrix of pca is not finite ({len(bad)} rows are not). Leave it out.")
    return table


def _signed(axes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Eigenvectors have no sign of their own: a fixed one makes pictures the same from run to run."""
    greatest = np.abs(axes).argmax(axis=1)
    signs = np.sign(axes[np.arange(len(axes)), greatest])
    signed: NDArray[np.float64] = axes * signs[:, None]
    return signed
