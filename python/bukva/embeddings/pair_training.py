"""Training a table and a head on pairs of ids: which id stands near, or behind, another."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ..checks import check_integer
from ..errors import TrainingError
from .arrays import as_ids, check_shape
from .head import OutputHead
from .losses import Loss, grouped_cross_entropy
from .optimizers import Adam
from .table import Embedding

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .arrays import FloatArray, IdArray

Progress = Callable[[str, int, int | None], object]


def train_on_pairs(
    table: Embedding,
    head: OutputHead,
    inputs: ArrayLike,
    targets: ArrayLike,
    *,
    epochs: int = 3,
    batch: int = 256,
    lr: float = 0.01,
    seed: int = 0,
    progress: Progress | None = None,
) -> list[float]:
    """Trains ``head(table(input))`` to give the target: full softmax, cross-entropy, Adam.

    Both are changed in place. Each epoch takes all pairs once, in an order drawn by the seed. Time and memory of a
    step grow with V times the different inputs of the batch: this is for small vocabularies and for seeing what
    happens. The same inputs give the same bits on one machine with one version of NumPy.

    Parameters
    ----------
    table, head : Embedding, OutputHead
        The head may be tied to the table.
    inputs, targets : array-like of int, shape (n_pairs,)
    epochs, batch : int
    lr : float
    seed : int
    progress : callable, optional
        Called with ``train``, the pairs done and the pairs in all.

    Returns
    -------
    list of float
        Mean loss of each epoch, in nats a pair, as it was while training.

    Raises
    ------
    TrainingError
        If there is no pair.
    """
    caller = "train_on_pairs"
    check_integer("epochs", caller, epochs, 1)
    check_integer("batch", caller, batch, 1)
    check_integer("seed", caller, seed, 0)
    given = as_ids(inputs, table.vocab_size, caller)
    wanted = as_ids(targets, head.vocab_size, caller)
    check_shape(wanted.shape, given.shape, "targets", caller)
    if given.size == 0:
        raise TrainingError("There is no pair to train on. Give texts of at least two tokens.")
    parameters = [table.weight] + ([] if head.tied else [head.weight])
    adam = Adam(parameters + ([] if head.bias is None else [head.bias]), lr)
    rng, losses, done = np.random.default_rng(seed), [], 0
    for _ in range(epochs):
        order, total = rng.permutation(len(given)), 0.0
        for start in range(0, len(order), batch):
            chosen = order[start : start + batch]
            loss, gradients = pair_gradients(table, head, given[chosen], wanted[chosen])
            adam.step(gradients)
            total += loss.value * len(chosen)
            done += len(chosen)
            if progress is not None:
                progress("train", done, epochs * len(given))
        losses.append(total / len(given))
    return losses


def pair_gradients(
    table: Embedding, head: OutputHead, inputs: IdArray, targets: IdArray
) -> tuple[Loss, list[FloatArray]]:
    """The mean loss of pairs, and the gradients of table, own matrix and bias, where the head has them."""
    distinct, places = np.unique(inputs, return_inverse=True)
    hidden = table(distinct)
    loss = grouped_cross_entropy(head(hidden), places, targets)
    upper = head.gradient(hidden, loss.gradient)
    rows = table.gradient(distinct, upper.hidden)
    gradients = [rows + upper.weight] if head.tied else [rows, upper.weight]
    return loss, gradients + ([] if head.bias is None else [upper.bias])
