"""Byte-pair encoding, as it is defined and not as it is made fast.

Read it from top to bottom: it is the whole algorithm. It imports nothing of bukva's native engine, and the tests hold
that engine to it, merge for merge and token for token.

A *chunk* is one pre-token: a ``bytes`` object (BPE over bytes) or a ``str`` (BPE over characters). Pairs never cross
from one chunk into the next. A *symbol* is a slice of a chunk of the same type, so joining two symbols is ``left +
right``, and a token **is** its text: no table of ids is needed to understand the algorithm.

>>> merges = train(["low", "lower", "lowest"], num_merges=3)
>>> [(m.left, m.right, m.count) for m in merges]
[('l', 'o', 3), ('lo', 'w', 3), ('low', 'e', 2)]
>>> encode("slower", merges)
['s', 'lowe', 'r']

Sources: P. Gage, *A New Algorithm for Data Compression*, The C Users Journal 12(2), 1994 (the idea: replace the most
frequent pair of bytes by a new one). R. Sennrich, B. Haddow, A. Birch, *Neural Machine Translation of Rare Words with
Subword Units*, ACL 2016 (the use: merges learned on words, replayed on new words, an end-of-word marker).

Cost: training walks all chunks once a merge, O(merges x symbols). The engine does the same work incrementally.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

Symbol = bytes | str
Pair = tuple[Symbol, Symbol]
TIE_BREAKS = ("first_seen", "huggingface", "raw_bytes", "sentencepiece")


class Merge(NamedTuple):
    """One learned rule: ``left`` followed by ``right`` becomes ``left + right``. Its rank is its place in the list."""

    left: Symbol
    right: Symbol
    count: int  # occurrences of the pair when it was chosen


def train(
    chunks: Iterable[Symbol], num_merges: int, tie_break: str = "first_seen", end_of_word: Symbol | None = None
) -> list[Merge]:
    """Learn at most ``num_merges`` merges; fewer when no pair is left.

    Each round counts every pair anew, takes the one with the highest count (``tie_break`` decides between equals) and
    replaces it everywhere.
    """
    words = [split(chunk, end_of_word) for chunk in chunks]
    ids = number(alphabet(words), tie_break)
    lengths = dict.fromkeys(ids, 1)
    merges: list[Merge] = []
    while len(merges) < num_merges:
        counts = count_pairs(words)
        if tie_break == "sentencepiece":
            counts = only_pieces(counts, ids, lengths)
        if not counts:
            break
        left, right = best = choose(counts, tie_break, ids, lengths)
        merges.append(Merge(left, right, counts[best]))
        ids.setdefault(left + right, len(ids))
        lengths[left + right] = lengths[left] + lengths[right]
        words = [merge(word, best) for word in words]
    return merges


def split(chunk: Symbol, end_of_word: Symbol | None = None) -> list[Symbol]:
    """The symbols before the first merge: single bytes or single characters, then the end-of-word marker."""
    symbols = [chunk[i : i + 1] for i in range(len(chunk))]
    return symbols if end_of_word is None else [*symbols, end_of_word]


def count_pairs(words: Iterable[Sequence[Symbol]]) -> dict[Pair, int]:
    """Occurrences of each pair of neighbours, in the order in which the pairs are first seen.

    Overlapping occurrences all count: ``aaa`` holds the pair ``(a, a)`` twice.
    """
    counts: dict[Pair, int] = {}
    for word in words:
        for pair in pairwise(word):
            counts[pair] = counts.get(pair, 0) + 1
    return counts


def merge(word: Sequence[Symbol], pair: Pair) -> list[Symbol]:
    """Replace the pair from left to right, without overlap: ``a a a`` becomes ``aa a``."""
    left, right = pair
    if left not in word or right not in word:
        return list(word)
    merged: list[Symbol] = []
    i = 0
    while i < len(word):
        if word[i] == left and i + 1 < len(word) and word[i + 1] == right:
            merged.append(left + right)
            i += 2
        else:
            merged.append(word[i])
            i += 1
    return merged


def only_pieces(counts: dict[Pair, int], ids: dict[Symbol, int], lengths: dict[Symbol, int]) -> dict[Pair, int]:
    """SentencePiece's pairs: none that spells what another split has made, none longer than 16 symbols."""
    return {(a, b): n for (a, b), n in counts.items() if a + b not in ids and lengths[a] + lengths[b] <= 16}


def choose(counts: dict[Pair, int], tie_break: str, ids: dict[Symbol, int], lengths: dict[Symbol, int]) -> Pair:
    """The pair with the highest count; the rule decides among equals.

    ``first_seen``
        the one whose first occurrence in the corpus, as it is segmented now, is earliest;
    ``huggingface``, ``raw_bytes``
        the smallest (id of left, id of right); the two number the alphabet differently, see :func:`number`;
    ``sentencepiece``
        the one whose product has the fewest symbols of the alphabet, then the one whose product is the smallest UTF-8.
    """
    highest = max(counts.values())
    equals = [pair for pair, count in counts.items() if count == highest]
    if tie_break == "first_seen":
        return equals[0]
    if tie_break == "sentencepiece":
        return min(equals, key=lambda pair: (lengths[pair[0]] + lengths[pair[1]], utf8(pair[0] + pair[1])))
    return min(equals, key=lambda pair: (ids[pair[0]], ids[pair[1]]))


def alphabet(words: Iterable[Sequence[Symbol]]) -> set[Symbol]:
    """The symbols that exist before the first merge: all 256 bytes, or the characters (and the marker) that occur."""
    symbols = {symbol for word in words for symbol in word}
    if any(isinstance(symbol, bytes) for symbol in symbols):
        symbols |= {bytes([byte]) for byte in range(256)}
    return symbols


def number(symbols: Iterable[Symbol], tie_break: str) -> dict[Symbol, int]:
    """Ids of the alphabet. Merge products follow, in the order in which they are made.

    Characters are numbered by code point and bytes by value. Under ``huggingface`` bytes are numbered by the code
    point of the printable character that stands for them in GPT-2's byte-level files.
    """
    byte_level = tie_break == "huggingface"
    order = sorted(symbols, key=lambda symbol: stand_in(symbol) if byte_level else utf8(symbol))
    return {symbol: i for i, symbol in enumerate(order)}


def stand_in(symbol: Symbol) -> str:
    """GPT-2's printable character for a byte: itself where it is printable, else the next one from U+0100 on."""
    if isinstance(symbol, str) or len(symbol) != 1:
        return symbol if isinstance(symbol, str) else symbol.decode("utf-8")
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    if symbol[0] in printable:
        return chr(symbol[0])
    return chr(0x100 + sum(byte not in printable for byte in range(symbol[0])))


def utf8(symbol: Symbol) -> bytes:
    """The bytes of a symbol of either kind."""
    return symbol.encode("utf-8") if isinstance(symbol, str) else symbol


def encode(chunk: Symbol, merges: Sequence[Sequence], end_of_word: Symbol | None = None) -> list[Symbol]:
    """Replay the merges on one chunk: again and again the pair of the lowest rank, until no pair has a rank."""
    ranks = {(left, right): rank for rank, (left, right, *_) in reversed([*enumerate(merges)])}
    word = split(chunk, end_of_word)
    while pairs := [pair for pair in pairwise(word) if pair in ranks]:
        word = merge(word, min(pairs, key=ranks.__getitem__))
    return word


def decode(tokens: Iterable[Symbol], end_of_word: str | None = None) -> str:
    """The text of the tokens. Bytes are joined before they are read as UTF-8: one character may span two tokens.

    With an end-of-word marker the words come back with one space between them.
    """
    tokens = list(tokens)
    if tokens and isinstance(tokens[0], bytes):
        return b"".join(tokens).decode("utf-8")
    text = "".join(tokens)
    return text if end_of_word is None else text.replace(end_of_word, " ").removesuffix(" ")


def vocabulary(chunks: Iterable[Symbol], merges: Sequence[Sequence], tie_break: str = "first_seen",
               end_of_word: Symbol | None = None) -> dict[Symbol, int]:  # fmt: skip
    """Ids of all tokens: the alphabet, then the merge products by rank."""
    ids = number(alphabet(split(chunk, end_of_word) for chunk in chunks), tie_break)
    for left, right, *_ in merges:
        ids.setdefault(left + right, len(ids))
    return ids
