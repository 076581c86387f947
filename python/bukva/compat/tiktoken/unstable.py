"""Tokens that more text could still change, by tiktoken's rules.

The last piece of a text may go on: ``hello fant`` may become ``fanta`` or ``fantastic``. ``encode_with_unstable`` gives
the tokens before that piece and every sequence of tokens that could cover it. The rules are those of tiktoken 0.14,
found by comparison; they are exact for its encodings, not for every pattern one can think of.
"""

from __future__ import annotations

import bisect
import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...tokenizer import Tokenizer

SPACES = frozenset(b" \n\t")


class Ranks:
    """A vocabulary of ranks, with the orders that the search needs. O(vocabulary log vocabulary) to make."""

    def __init__(self, ranks: Mapping[bytes, int]) -> None:
        self.ranks = ranks
        self.tokens = sorted(ranks)
        self.spelling = {rank: token for token, rank in ranks.items()}

    def starting_with(self, start: bytes) -> Iterator[bytes]:
        """Tokens that begin with these bytes, in byte order."""
        for at in range(bisect.bisect_left(self.tokens, start), len(self.tokens)):
            if not self.tokens[at].startswith(start):
                return
            yield self.tokens[at]

    def is_space(self, token: int) -> bool:
        """Whether an ordinary token is blanks, tabs and line feeds only."""
        return token in self.spelling and SPACES.issuperset(self.spelling[token])

    def spell(self, tokens: Iterable[int]) -> bytes:
        """The bytes of ordinary tokens."""
        return b"".join(self.spelling[token] for token in tokens)

    def whole_or_merged(self, piece: bytes) -> list[int]:
        """Ids of a piece: its own where it is a token, else what its bytes merge into."""
        return [self.ranks[piece]] if piece in self.ranks else self.merged(piece)

    def merged(self, piece: bytes) -> list[int]:
        """Ids of a piece of any bytes by merging alone. O(n log n) time.

        Raises
        ------
        KeyError
            If a byte has no token.
        """
        if len(piece) == 1:
            return [self.ranks[piece]]
        ends = _merged_ends(piece, self.ranks)
        return [self.ranks[piece[start:end]] for start, end in ends]


def _merged_ends(piece: bytes, ranks: Mapping[bytes, int]) -> list[tuple[int, int]]:
    """Spans of the symbols left: the pair of lowest rank merges first, the leftmost of equals."""
    end = list(range(1, len(piece) + 1))
    before = list(range(-1, len(piece) - 1))
    heap: list[tuple[int, int, int, int]] = []

    def offer(start: int) -> None:
        middle = end[start]
        if middle < len(piece):
            rank = ranks.get(piece[start : end[middle]])
            if rank is not None:
                heapq.heappush(heap, (rank, start, middle, end[middle]))

    for start in range(len(piece)):
        offer(start)
    alive = bytearray(b"\x01") * len(piece)
    while heap:
        _, start, middle, last = heapq.heappop(heap)
        if not (alive[start] and end[start] == middle and alive[middle] and end[middle] == last):
            continue
        end[start], alive[middle] = last, 0
        if last < len(piece):
            before[last] = start
        offer(start)
        if before[start] >= 0:
            offer(before[start])
    return [(start, end[start]) for start in range(len(piece)) if alive[start]]


def split_last(tok: Tokenizer, ranks: Ranks, text: str, options: Mapping[str, Any]) -> tuple[list[int], list[int]]:
    """The tokens before the last piece, and those of the last piece; none of these after a special token.

    White space before a last piece of white space belongs to it: a line feed may come and join them.
    """
    facts = tok._explain(text, **options)
    ids, pieces = facts["ids"], facts["pretokens"]
    if not pieces or pieces[-1]["added"]:
        return ids, []
    cut = pieces[-1]["token_range"][0]
    if cut < len(ids) and ranks.is_space(ids[cut]):
        while cut > 0 and ranks.is_space(ids[cut - 1]):
            cut -= 1
    return ids[:cut], ids[cut:]


def with_unstable(
    tok: Tokenizer, ranks: Ranks, text: str, options: Mapping[str, Any]
) -> tuple[list[int], list[list[int]]]:
    """Stable tokens, and the sequences that could cover the rest, in order of ids."""
    stable, last = split_last(tok, ranks, text, options)
    rest = ranks.spell(last)
    if not rest:
        return stable, []
    found: set[tuple[int, ...]] = {(ranks.ranks[token],) for token in ranks.starting_with(rest)}
    found.update(_straddling(tok, ranks, rest))
    if (split := _before_last_space(rest)) is not None:
        found.add((*ranks.merged(rest[:split]), *ranks.merged(rest[split:])))
    return stable, [list(sequence) for sequence in sorted(found)]


def _straddling(tok: Tokenizer, ranks: Ranks, rest: bytes) -> Iterator[tuple[int, ...]]:
    """Sequences in which a token begins inside ``rest`` and goes beyond it."""
    texts: list[str] = []
    for at in range(1, len(rest)):
        for token in ranks.starting_with(rest[at:]):
            longer = rest[:at] + token
            try:
                texts.append(longer.decode())
            except UnicodeDecodeError:
                yield _covering(ranks, ranks.merged(longer), len(rest))
    for ids in tok.encode_batch(texts, disallowed_special=()).to_list() if texts else ():
        yield _covering(ranks, ids, len(rest))


def _covering(ranks: Ranks, ids: Sequence[int], length: int) -> tuple[int, ...]:
    """The first of these tokens that together reach ``length`` bytes."""
    for count, token in enumerate(ids, 1):
        length -= len(ranks.spelling[token])
        if length <= 0:
            return tuple(ids[:count])
    return tuple(ids)


def _before_last_space(rest: bytes) -> int | None:
    """Where the last character begins, if it is white space with something before it: a split may appear there."""
    for size in range(1, min(4, len(rest) - 1) + 1):
        try:
            character = rest[-size:].decode()
        except UnicodeDecodeError:
            continue
        return len(rest) - size if len(character) == 1 and character.isspace() else None
    return None


def of_bytes(tok: Tokenizer, ranks: Ranks, data: bytes) -> list[int]:
    """Ids of bytes that need not be UTF-8: text up to the first bad byte, then one piece with the rest."""
    try:
        return tok.encode_ordinary(data.decode())
    except UnicodeDecodeError as error:
        valid = error.start
    ids, last = split_last(tok, ranks, data[:valid].decode(), {"disallowed_special": ()})
    return ids + ranks.whole_or_merged(ranks.spell(last) + data[valid:])
