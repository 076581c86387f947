"""The vocabulary as data: bytes ↔ id, and how many ids of each sort there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import overload

from .errors import UnknownIdError


class Vocab(Mapping[bytes, int]):
    """Ordinary tokens: a mapping from bytes to id, in id order, that is also read the other way.

    ``vocab[b"ab"]`` is an id and ``vocab[97]`` are bytes. Special tokens are in ``Tokenizer.special_tokens``.
    """

    __slots__ = ("_ids", "_tokens")

    def __init__(self, pairs: Iterable[tuple[bytes, int]]) -> None:
        self._ids: dict[bytes, int] = {}
        self._tokens: dict[int, bytes] = {}
        for token, number in pairs:
            self._ids.setdefault(token, number)
            self._tokens[number] = token

    @overload
    def __getitem__(self, key: bytes) -> int: ...
    @overload
    def __getitem__(self, key: int) -> bytes: ...
    def __getitem__(self, key: bytes | int) -> int | bytes:
        return self.token(key) if isinstance(key, int) else self._ids[key]

    def token(self, number: int) -> bytes:
        """Bytes of an ordinary token."""
        try:
            return self._tokens[number]
        except KeyError:
            known = f"{len(self._tokens)} ordinary ids, the highest {max(self._tokens, default=None)}"
            raise UnknownIdError(f"The id {number} is no ordinary token. The vocabulary has {known}.") from None

    def id(self, token: bytes) -> int | None:
        """Id of a token, or None where the vocabulary has none."""
        return self._ids.get(token)

    def ids(self) -> list[int]:
        """Ordinary ids in order."""
        return list(self._tokens)

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)

    def __repr__(self) -> str:
        return f"Vocab({len(self)} tokens)"


@dataclass(frozen=True, kw_only=True)
class Sizes:
    """The sizes of a vocabulary, which are often mixed up.

    Attributes
    ----------
    defined : int
        |I|, the number of ids that stand for something.
    id_range : int
        R, the highest id + 1: the rows that a table of embeddings needs at least.
    ordinary, special_ids : int
        Ids of ordinary tokens, and ids of special tokens. Together: ``defined``.
    special_names : int
        Names of special tokens; more than ``special_ids`` where two names share an id.
    aliases : int
        Names beyond the first of an id: ``special_names - special_ids``.
    alias_names : dict of int to tuple of str
        The names of each id that has several.
    holes : int
        Ids below R that stand for nothing: ``id_range - defined``.
    hole_ranges : tuple of (int, int)
        First and last id of each run of holes.
    """

    defined: int
    id_range: int
    ordinary: int
    special_ids: int
    special_names: int
    aliases: int
    holes: int
    alias_names: Mapping[int, tuple[str, ...]]
    hole_ranges: tuple[tuple[int, int], ...]


def sizes_of(ordinary: Iterable[int], added: Iterable[tuple[str, int, bool]]) -> Sizes:
    """Counts ids and names. ``added`` are text, id and whether the token is special."""
    names: dict[int, list[str]] = {}
    plain = set(ordinary)
    for text, number, special in added:
        if special:
            names.setdefault(number, []).append(text)
        else:
            plain.add(number)
    defined = sorted(plain | names.keys())
    n_names = sum(map(len, names.values()))
    id_range = defined[-1] + 1 if defined else 0
    return Sizes(
        defined=len(defined),
        id_range=id_range,
        ordinary=len(defined) - len(names),
        special_ids=len(names),
        special_names=n_names,
        aliases=n_names - len(names),
        holes=id_range - len(defined),
        alias_names={number: tuple(texts) for number, texts in sorted(names.items()) if len(texts) > 1},
        hole_ranges=_hole_ranges(defined),
    )


def _hole_ranges(defined: list[int]) -> tuple[tuple[int, int], ...]:
    starts = [-1, *defined[:-1]]
    return tuple((low + 1, high - 1) for low, high in zip(starts, defined, strict=True) if high - low > 1)
