"""The environment in which chat templates run: the one that transformers gives them, with bounds.

Jinja's sandbox keeps templates from attributes that lead out of it and from changing what they are given. It does not
bound time or memory, so here every operation that can make something large asks a :class:`Budget` first. The places
where the compiled template would do such work by itself are rewritten into calls (:class:`_Bounded`).
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace
from jinja2.visitor import NodeTransformer

from ..errors import TemplateError
from .bounds import WIDTHS, bounded_filter, bounded_test, check_method, formatted_size, product_size, whole
from .limits import BUDGET, Budget, size_of


class Sandbox(ImmutableSandboxedEnvironment):
    """Jinja as transformers sets it up, with every operation bounded by the budget of the rendering."""

    intercepted_binops = frozenset(["+", "-", "*", "/", "//", "%", "**"])

    def __init__(self) -> None:
        super().__init__(
            trim_blocks=True,
            lstrip_blocks=True,
            optimized=False,  # The optimizer would compute constants while compiling, before there is a budget.
            finalize=_finalize,
            extensions=[Generation, loopcontrols],
        )
        self.filters["tojson"] = _tojson
        for name in ("wordwrap", "urlize", "pprint"):  # Slow on purpose-made text, and no template needs them.
            del self.filters[name]
        self.filters = {name: bounded_filter(name, function) for name, function in self.filters.items()}
        self.tests = {name: bounded_test(function) for name, function in dict[str, Any](self.tests).items()}
        self.globals |= {
            "raise_exception": _raise_exception,
            "strftime_now": _strftime_now,
            "dict": _Dict(),
            "namespace": _Namespace,
        }
        del self.globals["lipsum"]

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree: nodes.Template = _Bounded().visit(super()._parse(source, name, filename))
        return tree

    def call_binop(self, context: Any, operator_: str, left: Any, right: Any) -> Any:
        """Computes ``left operator right`` within the budget."""
        budget = BUDGET.get()
        budget.step()
        budget.afford(product_size(budget, operator_, left, right))
        result = super().call_binop(context, operator_, left, right)
        budget.spend(size_of(result))
        return result

    def call(self, context: Any, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Calls a function or method within the budget."""
        budget = BUDGET.get()
        budget.step()
        owner = getattr(function, "__self__", None)
        if isinstance(owner, (str, bytes, int, float, list, tuple, dict)):
            args = tuple(whole(budget, value) for value in args)
            check_method(budget, function.__name__, owner, [*args, *kwargs.values()])
        result = super().call(context, function, *args, **kwargs)
        budget.spend(size_of(result))
        if isinstance(result, (list, tuple, dict)):
            self.bounded_whole(result)
        return result

    def wrap_str_format(self, value: Any) -> Callable[..., str] | None:
        """``str.format`` of Jinja's sandbox, within the budget."""
        wrapped = super().wrap_str_format(value)
        if wrapped is None:
            return None

        @functools.wraps(wrapped)
        def bounded(*args: Any, **kwargs: Any) -> str:
            budget = BUDGET.get()
            budget.afford(formatted_size(budget, value.__self__, [*args, *kwargs.values()], "{"))
            return wrapped(*args, **kwargs)

        return bounded

    def bounded_step(self) -> str:
        """One round of a loop."""
        BUDGET.get().step()
        return ""

    def bounded_whole(self, value: Any) -> Any:
        """A container, or what is compared: small enough to be walked through."""
        budget = BUDGET.get()
        budget.afford(budget.written(value))
        return value

    def bounded_join(self, *parts: Any) -> str:
        """``a ~ b``."""
        budget = BUDGET.get()
        budget.afford(sum(map(budget.written, parts)))
        return "".join(map(str, parts))

    def bounded_slice(self, value: Any, start: Any, stop: Any, step: Any) -> Any:
        """``value[start:stop:step]``."""
        return value[start:stop:step]


class _Bounded(NodeTransformer):
    """Turns into calls what the compiled template would do without asking."""

    def visit_For(self, node: nodes.For) -> nodes.For:  # noqa: N802
        self.generic_visit(node)
        node.body.insert(0, nodes.ExprStmt(_call("bounded_step", [], node.lineno), lineno=node.lineno))
        return node

    def visit_Compare(self, node: nodes.Compare) -> nodes.Compare:  # noqa: N802
        self.generic_visit(node)
        node.expr = _call("bounded_whole", [node.expr], node.lineno)
        for operand in node.ops:
            operand.expr = _call("bounded_whole", [operand.expr], node.lineno)
        return node

    def visit_List(self, node: nodes.List) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _call("bounded_whole", [node], node.lineno)

    visit_Dict = visit_List  # noqa: N815

    def visit_Tuple(self, node: nodes.Tuple) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _call("bounded_whole", [node], node.lineno) if node.ctx == "load" else node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        return _call("bounded_join", node.nodes, node.lineno)

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:  # noqa: N802
        self.generic_visit(node)
        if not isinstance(node.arg, nodes.Slice):
            return node
        none = nodes.Const(None, lineno=node.lineno)
        bounds = [node.arg.start or none, node.arg.stop or none, node.arg.step or none]
        return _call("bounded_slice", [node.node, *bounds], node.lineno)

    def visit_TemplateData(self, node: nodes.TemplateData) -> nodes.Node:  # noqa: N802
        # A constant goes through `finalize`, which counts it; plain text would not.
        return nodes.Const(node.data, lineno=node.lineno)


def _call(name: str, arguments: list[nodes.Expr], line: int) -> nodes.Call:
    function = nodes.EnvironmentAttribute(name, lineno=line)
    return nodes.Call(function, arguments, [], None, None, lineno=line)


class Generation(Extension):
    """The tag ``generation``: marks what the assistant says."""

    tags = {"generation"}  # noqa: RUF012
    places: ContextVar[Callable[[str], str] | None] = ContextVar("places", default=None)

    def parse(self, parser: Parser) -> nodes.Node:
        """The block up to ``endgeneration``."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("_said"), [], [], body).set_lineno(line)

    def _said(self, caller: Callable[[], str]) -> str:
        mark = self.places.get()
        return caller() if mark is None else mark(caller())


@contextmanager
def running(budget: Budget) -> Iterator[None]:
    """Sets the budget of the rendering that follows."""
    token = BUDGET.set(budget)
    try:
        yield
    finally:
        BUDGET.reset(token)


@jinja2.pass_context  # Without it constants would be finalized while compiling.
def _finalize(context: Any, value: Any) -> Any:
    budget = BUDGET.get()
    budget.spend(budget.written(value))
    return value


def _tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """JSON with nothing escaped for HTML."""
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def _raise_exception(message: object) -> None:
    raise TemplateError(f"The chat template refuses the conversation: {message}")


def _strftime_now(pattern: str) -> str:
    if WIDTHS["%"].search(pattern) or len(pattern) > 1000:
        raise TemplateError("The chat template formats the time with a pattern that is too long.")
    return datetime.now().strftime(pattern)


class _Dict:
    """``dict`` without what its class leads to."""

    def __call__(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        return dict(*args, **kwargs)

    def fromkeys(self, keys: Any, value: Any = None) -> dict[Any, Any]:
        """As ``dict.fromkeys``."""
        return dict.fromkeys(keys, value)


class _Namespace(Namespace):
    """``namespace`` that holds no names beginning with an underscore."""

    def __init__(*args: Any, **kwargs: Any) -> None:
        self, rest = args[0], args[1:]
        attributes = dict(*rest, **kwargs)
        for name in attributes:
            _check_name(name)
        Namespace.__init__(self, attributes)

    def __setitem__(self, name: str, value: Any) -> None:
        _check_name(name)
        super().__setitem__(name, value)


def _check_name(name: object) -> None:
    if isinstance(name, str) and name.startswith("_"):
        raise SecurityError(f"a chat template may not keep {name!r} in a namespace")
