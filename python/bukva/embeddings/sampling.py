"""From logits to the next id: the best one, or one drawn at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..checks import check_integer, wrong
from ..errors import ArgumentError
from .arrays import check_shape
from .losses import softmax

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..tokenizer import Tokenizer


@dataclass(frozen=True, kw_only=True)
class Sampling:
    """How the next id is drawn. The three are applied in this order.

    Attributes
    ----------
    temperature : float
        Logits are divided by it. 0 takes the largest logit, the smallest id among equals.
    top_k : int or None
        Only the k most probable ids stay; among equals the smaller id.
    top_p : float or None
        Of these, the fewest most probable ones that together reach p.
    """

    temperature: float = 1.0
    top_k: int | None = None
    top_p: float | None = None

    def __post_init__(self) -> None:
        """Refuses values that mean nothing."""
        check_integer("top_k", "Sampling", self.top_k, 1, optional=True)
        if not _is_number(self.temperature) or not 0 <= self.temperature < np.inf:
            raise wrong("temperature", "Sampling", "a number of at least 0", self.temperature)
        if self.top_p is not None and (not _is_number(self.top_p) or not 0 < self.top_p <= 1):
            raise wrong("top_p", "Sampling", "above 0 and at most 1, or None", self.top_p)


def next_probabilities(
    logits: ArrayLike, sampling: Sampling | None = None, allowed: ArrayLike | None = None
) -> NDArray[np.float64]:
    """The probabilities that the next id is drawn from.

    Parameters
    ----------
    logits : array-like, shape (vocab_size,)
    sampling : Sampling, optional
        As the model says where left out.
    allowed : array-like of bool, shape (vocab_size,), optional
        False has probability 0, whatever its logit: rows that no id defines.

    Raises
    ------
    ArgumentError
        If no id is left, or a logit is NaN or infinite.
    """
    values, sampling = np.array(logits, np.float64), sampling or Sampling()
    if values.ndim != 1:
        raise wrong("logits", "next_probabilities", "one row", f"shape {values.shape}")
    if allowed is not None:
        values[~_mask(allowed, values.shape)] = -np.inf
    softmax(values)  # It names what cannot be used, before any arithmetic.
    if sampling.temperature == 0:
        chosen = np.zeros_like(values)
        chosen[int(values.argmax())] = 1
        return chosen
    # The largest becomes 0 first: a tiny temperature must not make it infinite.
    with np.errstate(over="ignore"):
        probabilities = softmax((values - values.max()) / sampling.temperature).astype(np.float64)
    if sampling.top_k is None and sampling.top_p is None:
        return probabilities
    order = np.argsort(-values, kind="stable")
    kept = order if sampling.top_k is None else order[: sampling.top_k]
    if sampling.top_p is not None:
        sums = np.cumsum(probabilities[kept]) / probabilities[kept].sum()
        kept = kept[: int(np.searchsorted(sums, sampling.top_p * (1 - 1e-12))) + 1]
    filtered = np.zeros_like(probabilities)
    filtered[kept] = probabilities[kept] / probabilities[kept].sum()
    return filtered


def next_id(
    logits: ArrayLike,
    rng: np.random.Generator,
    sampling: Sampling | None = None,
    allowed: ArrayLike | None = None,
) -> int:
    """One id drawn from :func:`next_probabilities`; ``rng`` gives one number for each."""
    probabilities = next_probabilities(logits, sampling, allowed)
    sums = np.cumsum(probabilities)
    drawn = int(np.searchsorted(sums, rng.random() * sums[-1], side="right"))
    return min(drawn, int(np.flatnonzero(probabilities)[-1]))


def defined_ids(tok: Tokenizer, n_rows: int, *, special: bool = False) -> NDArray[np.bool_]:
    """Which rows of a table an id stands for: False for holes, for rows beyond the vocabulary and for special tokens.

    Parameters
    ----------
    tok : Tokenizer
    n_rows : int
        Rows of the table; often more than ids.
    special : bool
        True also for special tokens.

    Raises
    ------
    ArgumentError
        If the table has too few rows for the tokenizer.
    """
    check_integer("n_rows", "defined_ids", n_rows, 0)
    ids = [number for _, number in tok._vocab()]
    ids += [number for _, number, is_special in tok._added_tokens() if special or not is_special]
    highest = max(ids, default=-1)
    if highest >= n_rows:
        expected = f"at least {highest + 1}, the highest id of the tokenizer and one more"
        raise wrong("n_rows", "defined_ids", expected, n_rows)
    defined = np.zeros(n_rows, np.bool_)
    defined[ids] = True
    return defined


def _mask(allowed: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    mask = np.asarray(allowed)
    check_shape(mask.shape, shape, "allowed", "next_probabilities")
    if mask.dtype != np.bool_:
        raise wrong("allowed", "next_probabilities", "of bool", mask.dtype.name)
    if not mask.any():
        raise ArgumentError("No id is allowed, so there is no next one.")
    return mask


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
