"""What decides the content of shards: checked, and as plain data for the record of a run."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..checks import check_choice, check_integer, check_text, wrong
from ..corpus import Invalid, Unit
from ..errors import ArgumentError

if TYPE_CHECKING:
    from .._core import Tokenizer
    from ..special import Specials

ShardFormat = Literal["npy", "bin", "megatron", "parquet", "arrow"]
FORMATS = ("npy", "bin", "megatron", "parquet", "arrow")
ARROW = ("parquet", "arrow")
FLAT = ("npy", "bin")
"""Formats in which a document may have any number of ids. The others count them with 32 bits."""
LONGEST, LONGEST_32 = 2**63 - 1, 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class ShardOptions:
    """Options of ``encode_files`` that decide what is written; ``append`` as ids, ``dtype`` by name."""

    format: ShardFormat
    dtype: str
    shard_tokens: int
    unit: Unit
    field: str
    invalid: Invalid
    ordinary: bool
    add_special_tokens: bool
    append: tuple[int, ...]
    allowed_special: Specials
    disallowed_special: Specials

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON has it."""
        values = asdict(self) | {"append": list(self.append)}
        return values | {name: _names(values[name]) for name in ("allowed_special", "disallowed_special")}


def checked_options(
    tok: Tokenizer,
    caller: str,
    *,
    dtype: object,
    shard_tokens: int | None,
    append: int | str | None,
    **others: Any,
) -> ShardOptions:
    """The options, or the error that names the first that cannot be used."""
    check_choice("format", caller, others["format"], FORMATS)
    check_choice("unit", caller, others["unit"], ("file", "line"))
    check_choice("invalid", caller, others["invalid"], ("error", "replace"))
    check_text("field", caller, others["field"])
    for name in ("allowed_special", "disallowed_special"):
        if others[name] != "all" and (isinstance(others[name], str) or not isinstance(others[name], Collection)):
            raise wrong(name, caller, '"all" or a collection of names', others[name])
    longest = LONGEST if others["format"] in FLAT else LONGEST_32
    return ShardOptions(
        dtype=_dtype(tok, dtype, caller),
        shard_tokens=_shard_tokens(shard_tokens, longest, caller),
        append=_append(tok, append, caller),
        **others,
    )


def listed_inputs(names: list[str]) -> list[dict[str, Any]]:
    """Path and size of each input; the size is None where nobody knows it: standard input, a pipe."""
    return [{"path": name, "bytes": _size(name)} for name in names]


def _size(name: str) -> int | None:
    try:
        facts = None if name == "-" else os.stat(name)
    except OSError:
        return None  # The reader says what is wrong.
    return facts.st_size if facts is not None and stat.S_ISREG(facts.st_mode) else None


def _names(specials: Specials) -> str | list[str]:
    return specials if isinstance(specials, str) else sorted(specials)


def _dtype(tok: Tokenizer, dtype: object, caller: str) -> str:
    ids = tok._id_range()
    if dtype is None:
        return "uint16" if ids <= 2**16 else "uint32"
    import numpy as np

    try:
        name = np.dtype(dtype).name  # type: ignore[call-overload]
    except TypeError:
        name = ""
    if name not in ("uint16", "uint32"):
        raise wrong("dtype", caller, "uint16, uint32 or None", dtype)
    if name == "uint16" and ids > 2**16:
        raise ArgumentError(
            f"The 'dtype' parameter of {caller} is uint16, which holds ids to 65535; the tokenizer's go to {ids - 1}. "
            "Use uint32, or None."
        )
    return str(name)


def _shard_tokens(shard_tokens: int | None, longest: int, caller: str) -> int:
    check_integer("shard_tokens", caller, shard_tokens, 1, optional=True)
    if shard_tokens is not None and shard_tokens > longest:
        raise wrong("shard_tokens", caller, f"at most {longest} in this format", shard_tokens)
    return longest if shard_tokens is None else shard_tokens


def _append(tok: Tokenizer, append: int | str | None, caller: str) -> tuple[int, ...]:
    if append is None:
        return ()
    if isinstance(append, str):
        added = {text: number for text, number, _ in tok._added_tokens()}
        if append not in added:
            known = ", ".join(map(repr, list(added)[:10])) or "none"
            raise wrong("append", caller, f"an id or the text of an added token ({known})", append)
        return (added[append],)
    check_integer("append", caller, append, 0)
    tok._token_bytes(append)  # An id that the vocabulary does not have is an error here.
    return (append,)
