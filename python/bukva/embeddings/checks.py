"""Whether a gradient by formula is right: the same by differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..checks import check_integer, wrong
from ..errors import ArgumentError
from .arrays import as_floats, check_shape

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

STEP = 1e-5
"""Near the cube root of float64's precision, where rounding and curvature err alike."""


@dataclass(frozen=True, kw_only=True)
class GradientCheck:
    """How far a gradient is from the differences.

    Attributes
    ----------
    worst : float
        The largest ``abs(formula - difference) / max(1, abs(formula), abs(difference))``.
    index : tuple of int
        Where.
    formula, difference : float
        The two values there.
    n_entries : int
        Entries compared.
    passed : bool
        Whether ``worst`` is within the tolerance.
    """

    worst: float
    index: tuple[int, ...]
    formula: float
    difference: float
    n_entries: int
    passed: bool


def finite_differences(
    function: Callable[[NDArray[np.float64]], float], at: ArrayLike, *, step: float = STEP
) -> NDArray[np.float64]:
    """The gradient by central differences, (f(x + h) - f(x - h)) / 2h, one entry at a time.

    Parameters
    ----------
    function : callable
        Takes an array of float64 in the shape of ``at``, gives one number. Called twice an entry.
    at : array-like
        Not changed.
    step : float
        h.

    Returns
    -------
    ndarray of float64, shape of ``at``
    """
    point = np.array(as_floats(at, "at", "finite_differences"), np.float64)
    differences = [_difference(function, point, index, step) for index in np.ndindex(point.shape)]
    return np.array(differences, np.float64).reshape(point.shape)


def check_gradient(
    function: Callable[[NDArray[np.float64]], float],
    at: ArrayLike,
    gradient: ArrayLike,
    *,
    tolerance: float = 1e-6,
    n_entries: int | None = None,
    seed: int = 0,
    step: float = STEP,
) -> GradientCheck:
    """Compares a gradient with differences.

    Parameters
    ----------
    function, at, step
        As in :func:`finite_differences`.
    gradient : array-like, shape of ``at``
        What is checked.
    tolerance : float
        The largest error that passes, relative to values above 1.
    n_entries : int, optional
        Compare so many entries, drawn by ``seed``; all where left out.

    Raises
    ------
    ArgumentError
        If the shapes differ, ``at`` is empty, or the function gives no finite number.
    """
    point = np.array(as_floats(at, "at", "check_gradient"), np.float64)
    claimed = np.asarray(gradient, np.float64)
    check_shape(claimed.shape, point.shape, "gradient", "check_gradient")
    check_integer("n_entries", "check_gradient", n_entries, 1, optional=True)
    if point.size == 0:
        raise wrong("at", "check_gradient", "an array of at least one number", f"shape {point.shape}")
    chosen = np.arange(point.size)
    if n_entries is not None and n_entries < point.size:
        chosen = np.sort(np.random.default_rng(seed).choice(point.size, n_entries, replace=False))
    worst = GradientCheck(worst=-1, index=(), formula=0, difference=0, n_entries=len(chosen), passed=False)
    for place in chosen:
        index = tuple(int(axis) for axis in np.unravel_index(place, point.shape))
        formula, difference = float(claimed[index]), _difference(function, point, index, step)
        error = abs(formula - difference) / max(1, abs(formula), abs(difference))
        if not error <= worst.worst:
            worst = GradientCheck(
                worst=error,
                index=index,
                formula=formula,
                difference=difference,
                n_entries=len(chosen),
                passed=error <= tolerance,
            )
    return worst


def _difference(
    function: Callable[[NDArray[np.float64]], float], point: NDArray[np.float64], index: tuple[int, ...], step: float
) -> float:
    values = []
    for sign in (1, -1):
        moved = point.copy()
        moved[index] += sign * step
        values.append(float(function(moved)))
    if not np.isfinite(values).all():
        raise ArgumentError(f"The function that is checked gives {values[0]} and {values[1]} around index {index}.")
    return (values[0] - values[1]) / (2 * step)
