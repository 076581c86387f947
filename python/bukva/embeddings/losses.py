"""From logits to probabilities and losses, without overflow, with gradients by formula."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..checks import wrong
from ..errors import ArgumentError
from .arrays import as_floats, as_ids, check_shape

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .arrays import FloatArray, IdArray


@dataclass(frozen=True, kw_only=True)
class Loss:
    """A loss and its gradient.

    Attributes
    ----------
    value : float
        Summed in float64.
    gradient : ndarray
        By what the loss was computed from, in its shape.
    """

    value: float
    gradient: FloatArray


def softmax(logits: ArrayLike) -> FloatArray:
    """Probabilities over the last axis: exp(x) / Σ exp(x), computed from x - max x, which changes nothing.

    A logit of minus infinity has probability 0.

    Raises
    ------
    ArgumentError
        If a row holds NaN or plus infinity, or nothing but minus infinity; names the row.
    """
    given = _logits(logits, "softmax")
    powers = np.exp(given - given.max(axis=-1, keepdims=True))
    probabilities: FloatArray = powers / powers.sum(axis=-1, keepdims=True)
    return probabilities


def log_softmax(logits: ArrayLike) -> FloatArray:
    """Natural logarithms of :func:`softmax`: x - max x - log Σ exp(x - max x). Small ones do not become log 0."""
    given = _logits(logits, "log_softmax")
    shifted = given - given.max(axis=-1, keepdims=True)
    logarithms: FloatArray = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return logarithms


def cross_entropy(logits: ArrayLike, targets: ArrayLike, mask: ArrayLike | None = None) -> Loss:
    """Mean of -log p(target), in nats, over the places that the mask keeps.

    Parameters
    ----------
    logits : array-like, shape (..., vocab_size)
    targets : array-like of int, shape (...)
        Ids. What stands under a False of the mask is not looked at.
    mask : array-like of bool, shape (...), optional
        True where a place counts: the mask of ``Batch.pad``.

    Returns
    -------
    Loss
        The gradient is (p - onehot(target)) / number of places, and zero where the mask is False.

    Raises
    ------
    ArgumentError
        If the shapes do not fit, a row of logits cannot be used, or the mask keeps nothing.
    UnknownIdError
        If a target has no logit.
    """
    given = _logits(logits, "cross_entropy")
    kept = _mask(mask, given.shape[:-1], "cross_entropy")
    ids = _targets(targets, kept, given.shape, "cross_entropy")
    places, n_kept = ids[..., None], int(kept.sum())
    shifted = given - given.max(axis=-1, keepdims=True)
    gradient = np.exp(shifted)
    sums = gradient.sum(axis=-1, keepdims=True)
    picked = (np.take_along_axis(shifted, places, axis=-1) - np.log(sums))[..., 0]
    gradient *= (kept[..., None] / (sums * n_kept)).astype(gradient.dtype)
    at_target = np.take_along_axis(gradient, places, axis=-1) - (kept / n_kept)[..., None].astype(gradient.dtype)
    np.put_along_axis(gradient, places, at_target, axis=-1)
    return Loss(value=-float(picked[kept].sum(dtype=np.float64)) / n_kept, gradient=gradient)


def grouped_cross_entropy(logits: ArrayLike, rows: ArrayLike, targets: ArrayLike) -> Loss:
    """Cross-entropy of pairs that share logits: pair i has row ``rows[i]`` of the logits and target ``targets[i]``.

    Equal to ``cross_entropy(logits[rows], targets)``, with a gradient for each row of logits once: where an input
    occurs often, its logits need to be computed only once.

    Parameters
    ----------
    logits : array-like, shape (n_rows, vocab_size)
    rows, targets : array-like of int, shape (n_pairs,)
    """
    caller = "grouped_cross_entropy"
    given = _logits(logits, caller)
    if given.ndim != 2:
        raise wrong("logits", caller, "a matrix", f"shape {given.shape}")
    places, ids = as_ids(rows, given.shape[0], caller), as_ids(targets, given.shape[1], caller)
    check_shape(ids.shape, (places.size,), "targets", caller)
    if places.size == 0:
        raise wrong("rows", caller, "at least one", "none")
    shifted = given - given.max(axis=1, keepdims=True)
    gradient = np.exp(shifted)
    sums = gradient.sum(axis=1, keepdims=True)
    losses = np.log(sums)[places, 0] - shifted[places, ids]
    counts = np.bincount(places, minlength=len(given))[:, None]
    gradient *= (counts / (sums * places.size)).astype(gradient.dtype)
    np.subtract.at(gradient, (places, ids), gradient.dtype.type(1 / places.size))
    return Loss(value=float(losses.mean(dtype=np.float64)), gradient=gradient)


def half_squared_error(rows: ArrayLike, targets: ArrayLike) -> Loss:
    """Half the sum of squared differences; the gradient is ``rows - targets``."""
    given = as_floats(rows, "rows", "half_squared_error")
    wanted = as_floats(targets, "targets", "half_squared_error")
    check_shape(wanted.shape, given.shape, "targets", "half_squared_error")
    difference: FloatArray = given - wanted
    return Loss(value=0.5 * float(np.square(difference, dtype=np.float64).sum()), gradient=difference)


def _logits(logits: ArrayLike, caller: str) -> FloatArray:
    given = as_floats(logits, "logits", caller)
    if given.ndim == 0 or given.shape[-1] == 0:
        raise wrong("logits", caller, "an array of at least one logit in the last axis", f"shape {given.shape}")
    highest = given.max(axis=-1)
    if not np.isfinite(highest).all():
        row = tuple(int(axis) for axis in np.argwhere(~np.isfinite(highest))[0])
        value = highest[row]
        what = "nothing but minus infinity" if value == -np.inf else "NaN" if np.isnan(value) else "infinity"
        where = f"Row {row[0] if len(row) == 1 else row} of the logits" if row else "The row of logits"
        raise ArgumentError(f"{where} given to {caller} holds {what}, so it has no probabilities.")
    return given


def _mask(mask: ArrayLike | None, shape: tuple[int, ...], caller: str) -> NDArray[np.bool_]:
    if mask is None:
        kept = np.ones(shape, np.bool_)
    else:
        kept = np.asarray(mask)
        if kept.dtype != np.bool_:
            raise wrong("mask", caller, "of bool, True where a place counts", kept.dtype.name)
        check_shape(kept.shape, shape, "mask", caller)
    if not kept.any():
        raise wrong("mask", caller, "True at one place at least", f"{kept.size} places, all False")
    return kept


def _targets(targets: ArrayLike, kept: NDArray[np.bool_], shape: tuple[int, ...], caller: str) -> IdArray:
    found = np.asarray(targets)
    check_shape(found.shape, shape[:-1], "targets", caller)
    return as_ids(np.where(kept, found, np.zeros((), found.dtype)), shape[-1], caller).astype(np.int64)
