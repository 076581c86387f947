"""What an operation of a template would make, asked before it is done.

Sizes are estimates from above, made in time that does not depend on the result.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterator
from typing import Any

from jinja2.exceptions import SecurityError

from ..errors import TemplateError
from .limits import BUDGET, LONGEST_NUMBER, Budget, size_of

SHALLOW = frozenset(
    [
        *("length", "count", "first", "last", "list", "items", "selectattr", "rejectattr", "select", "reject", "map"),
        *("reverse", "default", "d", "attr", "batch", "slice", "random"),
    ]
)
"""Filters that look at items without writing them out."""
WIDTHS = {"%": re.compile(r"%[^a-zA-Z%]*\d{5,}"), "{": re.compile(r"\{[^{}]*\d{5,}")}
"""Widths of five digits and more, in the two ways of formatting."""
GIVEN_WIDTHS = {"%": re.compile(r"%[^a-zA-Z%]*\*"), "{": re.compile(r"\{[^}]*\{")}
"""Widths that are an argument."""
LARGEST_ARGUMENT = 100_000


def product_size(budget: Budget, name: str, left: Any, right: Any) -> int:
    """About how large the result of an operation is."""
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        _check_number(name, left, right)
        return 1
    if name == "*":
        counts = [value for value in (left, right) if isinstance(value, int)]
        return budget.written(left) * budget.written(right) * max([1, *counts])
    if name == "%" and isinstance(left, str):
        return formatted_size(budget, left, [right], "%")
    if isinstance(left, tuple):
        return budget.written(left) + budget.written(right)
    return size_of(left) + size_of(right)


def _check_number(name: str, left: float, right: float) -> None:
    if isinstance(left, int) and isinstance(right, int) and name in ("*", "**"):
        bits = left.bit_length() * right if name == "**" else left.bit_length() + right.bit_length()
        if bits > LONGEST_NUMBER:
            raise TemplateError(f"The chat template makes a number of more than {LONGEST_NUMBER} bits.")


def check_method(budget: Budget, name: str, owner: Any, arguments: list[Any]) -> None:
    """Refuses a method of a built-in type whose result would be too large, or which takes too long."""
    if name == "translate":
        raise SecurityError("a chat template may not use str.translate")
    if isinstance(owner, (list, tuple, dict)):
        budget.afford(sum(map(budget.written, [owner, *arguments])))
        return
    widths = [abs(argument) for argument in arguments if isinstance(argument, int)]
    tabs = owner.count("\t") if isinstance(owner, str) else 0
    budget.afford(size_of(owner) + max([0, *widths]) * (1 + tabs))
    if name == "replace" and len(arguments) >= 2 and type(arguments[0]) is type(owner):
        budget.afford(_replaced_size(owner, arguments[0], arguments[1]))
    elif name == "join":
        items = sum(size_of(argument) for argument in arguments)
        budget.afford(items * size_of(owner) + sum(map(budget.written, arguments)))


def _replaced_size(text: Any, old: Any, new: Any) -> int:
    count: int = text.count(old)
    return len(text) + count * size_of(new)


def formatted_size(budget: Budget, pattern: str, arguments: list[Any], sort: str) -> int:
    """About how long a formatted text is, by ``%`` or by ``{``; a width that is no width is refused."""
    flat = [item for value in arguments for item in (value if isinstance(value, tuple) else [value])]
    widths = [value for value in flat if isinstance(value, int) and abs(value) > LARGEST_ARGUMENT]
    if WIDTHS[sort].search(pattern) or (widths and GIVEN_WIDTHS[sort].search(pattern)):
        raise TemplateError("The chat template formats a text with a width of more than four digits.")
    uses = 1 + pattern.count("{") + pattern.count("%")
    return len(pattern) + uses * sum(map(budget.written, flat)) + 10_000 * uses


def bounded_filter(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A filter that asks the budget; what Jinja noted on the function is kept."""

    @functools.wraps(function)
    def bounded(*args: Any, **kwargs: Any) -> Any:
        budget = BUDGET.get()
        budget.step()
        skip = 1 if hasattr(function, "jinja_pass_arg") else 0
        given = list(args)
        if name not in SHALLOW and len(given) > skip:
            given[skip] = whole(budget, given[skip])
        budget.afford(_filtered_size(budget, name, given[skip:], kwargs))
        result = function(*given, **kwargs)
        budget.spend(size_of(result))
        return result

    return bounded


def bounded_test(function: Callable[..., Any]) -> Callable[..., Any]:
    """A test that asks the budget, for it may compare what it is given."""

    @functools.wraps(function)
    def bounded(*args: Any, **kwargs: Any) -> Any:
        budget = BUDGET.get()
        budget.step()
        for value in args:
            if isinstance(value, (list, tuple, dict)):
                budget.afford(budget.written(value))
        return function(*args, **kwargs)

    return bounded


def whole(budget: Budget, value: Any) -> Any:
    """What an iterator yields, so that its size is known; anything else as it is."""
    if not isinstance(value, Iterator):
        return value
    items = list(itertools.islice(value, budget.chars + 1))
    budget.afford(len(items))
    return items


def _filtered_size(budget: Budget, name: str, args: list[Any], kwargs: dict[str, Any]) -> int:
    options = [*args[1:], *kwargs.values()]
    factor = max([1, *(option for option in options if isinstance(option, int))])
    if name not in ("default", "d") and factor > LARGEST_ARGUMENT:
        raise TemplateError(f"The chat template gives the filter {name!r} a number above {LARGEST_ARGUMENT}.")
    if name in SHALLOW:
        return factor + (size_of(args[0]) if args else 1)
    if name == "format":
        return formatted_size(budget, str(args[0]), options, "%")
    if name == "replace" and len(options) >= 2:
        budget.written(args[0])
        return _replaced_size(str(args[0]), str(options[0]), str(options[1]))
    value = budget.written(args[0]) if args else 1
    texts = [len(option) for option in options if isinstance(option, str)]
    return value * max([factor if name in ("tojson", "indent") else 1, *texts]) + factor
