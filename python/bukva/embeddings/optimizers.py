"""How parameters move against their gradients. Which of the three is a choice with consequences.

=============== ==================================================================================================
SGD             a row without gradient stays (without momentum)
Adam            a row without gradient goes on moving: its running means are not zero yet
SparseAdam      a row without gradient stays as it is, and so do its running means
=============== ==================================================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ..checks import check_choice, wrong
from .arrays import check_shape
from .table import RowGradient

if TYPE_CHECKING:
    from .arrays import FloatArray

    Gradient = FloatArray | RowGradient


class Optimizer(Protocol):
    """Changes its parameters in place, one step at a time."""

    def step(self, gradients: Sequence[Gradient]) -> None:
        """One step; a gradient for each parameter, in order."""


class SGD:
    """Gradient descent: p ← p - lr · v, with v ← momentum · v + g.

    Parameters
    ----------
    parameters : sequence of ndarray
        Changed in place.
    lr : float
    momentum : float
        0 for none; below 1.
    """

    def __init__(self, parameters: Sequence[FloatArray], lr: float, *, momentum: float = 0.0) -> None:
        self.parameters, self.lr = _parameters(parameters, "SGD"), _rate(lr, "SGD")
        self.momentum = _share("momentum", momentum, "SGD")
        self._velocities = [np.zeros_like(parameter) for parameter in self.parameters] if momentum else None

    def step(self, gradients: Sequence[Gradient]) -> None:
        """One step."""
        for number, (parameter, gradient) in enumerate(_pairs(self.parameters, gradients, "SGD")):
            if isinstance(gradient, RowGradient) and self._velocities is None:
                parameter[gradient.ids] -= (self.lr * gradient.rows).astype(parameter.dtype)
                continue
            step = _dense(gradient)
            if self._velocities is not None:
                step = self._velocities[number]
                step *= self.momentum
                step += _dense(gradient)
            parameter -= (self.lr * step).astype(parameter.dtype)


class Adam:
    """Adam: m and v are running means of g and g²; p ← p - lr · m̂ / (√v̂ + eps), with both corrected for their start.

    Every row moves, also one whose gradient is zero now. Source: Kingma and Ba 2015, algorithm 1.

    Parameters
    ----------
    parameters : sequence of ndarray
        Changed in place.
    lr : float
    betas : (float, float)
    eps : float
    """

    def __init__(
        self,
        parameters: Sequence[FloatArray],
        lr: float = 1e-3,
        *,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
    ) -> None:
        name = type(self).__name__
        self.parameters, self.lr = _parameters(parameters, name), _rate(lr, name)
        self.betas = _share("betas", betas[0], name), _share("betas", betas[1], name)
        self.eps = eps
        self.steps = 0
        self._means = [np.zeros_like(parameter) for parameter in self.parameters]
        self._squares = [np.zeros_like(parameter) for parameter in self.parameters]

    def step(self, gradients: Sequence[Gradient]) -> None:
        """One step."""
        self.steps += 1
        pairs = _pairs(self.parameters, gradients, type(self).__name__)
        for number, (parameter, gradient) in enumerate(pairs):
            mean, square = self._means[number], self._squares[number]
            parameter -= self._move(mean, square, _dense(gradient))

    def _move(self, mean: FloatArray, square: FloatArray, gradient: FloatArray) -> FloatArray:
        """Updates the running means in place and returns what is to be taken from the parameter."""
        first, second = self.betas
        mean *= first
        mean += (1 - first) * gradient
        square *= second
        square += (1 - second) * np.square(gradient)
        scale = self.lr / (1 - first**self.steps)
        root = np.sqrt(square / (1 - second**self.steps))
        move: FloatArray = (scale * mean / (root + self.eps)).astype(mean.dtype)
        return move


class SparseAdam(Adam):
    """Adam by rows: only rows that were used change, and only their running means.

    The number of steps, which corrects the means, is that of the whole table. Takes :class:`RowGradient` only.
    """

    def step(self, gradients: Sequence[Gradient]) -> None:
        """One step; each gradient is ``E.sparse_gradient(ids, d_rows)``."""
        pairs = _pairs(self.parameters, gradients, "SparseAdam")
        for _, gradient in pairs:
            if not isinstance(gradient, RowGradient):
                remedy = "Use E.sparse_gradient, or Adam for gradients of all rows."
                raise wrong("gradients", "SparseAdam", "of RowGradient", type(gradient).__name__, remedy)
        self.steps += 1
        for number, (parameter, gradient) in enumerate(pairs):
            assert isinstance(gradient, RowGradient)
            mean, square = self._means[number][gradient.ids], self._squares[number][gradient.ids]
            parameter[gradient.ids] -= self._move(mean, square, gradient.rows)
            self._means[number][gradient.ids], self._squares[number][gradient.ids] = mean, square


OPTIMIZERS: dict[str, type[SGD] | type[Adam]] = {"sgd": SGD, "adam": Adam, "sparse_adam": SparseAdam}
"""Optimizers by name."""


def optimizer(name: str, parameters: Sequence[FloatArray], lr: float) -> Optimizer:
    """The optimizer of that name: ``sgd``, ``adam`` or ``sparse_adam``."""
    check_choice("name", "optimizer", name, OPTIMIZERS)
    return OPTIMIZERS[name](parameters, lr)


def _dense(gradient: Gradient) -> FloatArray:
    return gradient.to_dense() if isinstance(gradient, RowGradient) else gradient


def _parameters(parameters: Sequence[FloatArray], caller: str) -> list[FloatArray]:
    listed = list(parameters)
    for number, parameter in enumerate(listed):
        if not isinstance(parameter, np.ndarray) or parameter.dtype.kind != "f":
            raise wrong(f"parameters[{number}]", caller, "an array of floats", type(parameter).__name__)
    return listed


def _pairs(
    parameters: list[FloatArray], gradients: Sequence[Gradient], caller: str
) -> list[tuple[FloatArray, Gradient]]:
    if isinstance(gradients, (np.ndarray, RowGradient)) or len(gradients) != len(parameters):
        found = 1 if isinstance(gradients, (np.ndarray, RowGradient)) else len(gradients)
        raise wrong("gradients", caller, f"a list of {len(parameters)}, one a parameter", found)
    for number, (parameter, gradient) in enumerate(zip(parameters, gradients, strict=True)):
        check_shape(tuple(gradient.shape), parameter.shape, f"gradients[{number}]", caller)
    return list(zip(parameters, gradients, strict=True))


def _rate(lr: float, caller: str) -> float:
    if isinstance(lr, bool) or not isinstance(lr, (int, float)) or not 0 < lr < np.inf:
        raise wrong("lr", caller, "a number above 0", lr)
    return float(lr)


def _share(parameter: str, value: float, caller: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1:
        raise wrong(parameter, caller, "from 0 to below 1", value)
    return float(value)
