"""What all trainers do with a corpus that was read."""

from __future__ import annotations

from collections import Counter

from ..errors import TrainingError
from .training_options import VectorOptions


def distinct(words: list[str], token_ids: list[int] | None) -> list[str]:
    """Tokens of one spelling, such as a byte and its name, are told apart by their ids."""
    if token_ids is None:
        return words
    times = Counter(words)
    return [word if times[word] == 1 else f"{word}#{number}" for word, number in zip(words, token_ids, strict=True)]


def check_memory(peak: int, n_words: int, options: VectorOptions, more: tuple[str, str] = ("", "")) -> None:
    """Refuses to train where that takes more than ``memory_limit``. ``more`` is what else there is, and what to lower.

    Raises
    ------
    TrainingError
    """
    if options.memory_limit is not None and peak > options.memory_limit:
        raise TrainingError(
            f"Training {n_words} vectors of {options.dim} numbers{more[0]} takes {peak} bytes at its peak, and "
            f"memory_limit is {options.memory_limit}. Raise the limit or min_count, or lower dim{more[1]}."
        )
