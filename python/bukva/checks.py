"""Checks of options, with one form of message: what, of whom, what is allowed, what came."""

from __future__ import annotations

from collections.abc import Iterable

from .errors import ArgumentError


def wrong(parameter: str, caller: str, expected: str, value: object, remedy: str = "") -> ArgumentError:
    """The error for a parameter with a value that cannot be used."""
    shown = repr(value) if len(repr(value)) <= 80 else repr(value)[:80] + "…"
    tail = f" {remedy}" if remedy else ""
    return ArgumentError(f"The {parameter!r} parameter of {caller} must be {expected}. Got {shown} instead.{tail}")


def check_integer(parameter: str, caller: str, value: object, minimum: int, *, optional: bool = False) -> None:
    """Refuses what is not an integer of at least ``minimum``; ``True`` is not an integer here."""
    if optional and value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool) or value < minimum:
        expected = f"an integer of at least {minimum}" + (" or None" if optional else "")
        raise wrong(parameter, caller, expected, value)


def check_choice(parameter: str, caller: str, value: object, choices: Iterable[str]) -> None:
    """Refuses what is not one of the named choices."""
    names = list(choices)
    if value not in names:
        raise wrong(parameter, caller, "one of " + ", ".join(map(repr, names)), value)


def check_text(parameter: str, caller: str, value: object, *, optional: bool = False) -> None:
    """Refuses what is not a string of at least one character."""
    if optional and value is None:
        return
    if not isinstance(value, str) or not value:
        raise wrong(parameter, caller, "a string that is not empty" + (" or None" if optional else ""), value)


def check_texts(parameter: str, caller: str, value: object) -> None:
    """Refuses one string where many are asked for: iterating it would give characters."""
    if isinstance(value, (str, bytes)):
        raise wrong(parameter, caller, "an iterable of str", value, f"For one text write [{parameter[:-1]}].")
    if not isinstance(value, Iterable):
        raise wrong(parameter, caller, "an iterable of str", value)
