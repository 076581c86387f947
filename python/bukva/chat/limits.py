"""How much a template may do. A template comes with a model, from whoever published it."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sized
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from ..checks import check_integer, wrong
from ..errors import TemplateError

LONGEST_NUMBER = 10_000
"""Bits of a number that a template may make."""

NAMESPACE = "_Namespace__attrs"
"""Where Jinja's ``namespace`` keeps its values; they are written out with it."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds of one rendering.

    Attributes
    ----------
    max_chars : int
        Characters, and items of lists, that a template may make in all, what it throws away included.
    max_steps : int
        Rounds of loops and calls.
    timeout_s : float
        Seconds, looked at on each step.
    """

    max_chars: int = 20_000_000
    max_steps: int = 1_000_000
    timeout_s: float = 60.0

    def __post_init__(self) -> None:
        check_integer("max_chars", "Limits", self.max_chars, 1)
        check_integer("max_steps", "Limits", self.max_steps, 1)
        if not isinstance(self.timeout_s, (int, float)) or not self.timeout_s > 0:
            raise wrong("timeout_s", "Limits", "a number of seconds above 0", self.timeout_s)


class Budget:
    """What is left of the limits while one template runs."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.chars = limits.max_chars
        self.steps = limits.max_steps
        self.end = time.monotonic() + limits.timeout_s

    def step(self) -> None:
        """One round of a loop, or one call."""
        self.steps -= 1
        if self.steps < 0:
            raise TemplateError(f"The chat template takes more than {self.limits.max_steps} steps. Raise max_steps.")
        if time.monotonic() > self.end:
            raise TemplateError(f"The chat template takes more than {self.limits.timeout_s} s. Raise timeout_s.")

    def spend(self, size: int) -> None:
        """Takes from what may still be made."""
        self.chars -= size
        if self.chars < 0:
            self.too_large()

    def afford(self, size: int) -> None:
        """Refuses to begin what cannot be paid for."""
        if size > self.chars:
            self.too_large()

    def too_large(self) -> None:
        """Raises the error for a template that makes too much."""
        raise TemplateError(
            f"The chat template makes more than {self.limits.max_chars} characters. Raise max_chars if that is right."
        )

    def written(self, value: Any) -> int:
        """About how many characters a value has when it is written out. O(what may still be made)."""
        if isinstance(value, (str, bytes)):
            return len(value)
        total, rest = 0, [value]
        while rest:
            item = rest.pop()
            if isinstance(item, str):
                total += len(item)
            else:
                total += 8
                rest += _parts(item)
            if total > self.chars:
                self.too_large()
        return total


def _parts(value: Any) -> Iterable[Any]:
    """What is written out with a value."""
    if isinstance(value, (int, float, bytes)) or value is None:
        return ()
    if isinstance(value, Mapping):
        return [*value.keys(), *value.values()]
    if isinstance(value, Collection):
        return value
    try:
        return (object.__getattribute__(value, NAMESPACE),)
    except AttributeError:
        return ()


def size_of(value: Any) -> int:
    """Characters or items of a value, what is inside them not counted."""
    return len(value) if isinstance(value, Sized) else 1


BUDGET: ContextVar[Budget] = ContextVar("budget")
"""The budget of the rendering that goes on."""
