"""Added tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

# id, content, single_word, lstrip, rstrip, normalized, special
AddedFacts = tuple[int, str, bool, bool, bool, bool, bool]


@dataclass(init=False, repr=False)
class AddedToken:
    """A token that is matched in the text before the model sees it."""

    content: str
    single_word: bool
    lstrip: bool
    rstrip: bool
    normalized: bool
    special: bool

    def __init__(
        self,
        content: str | None = None,
        single_word: bool = False,
        lstrip: bool = False,
        rstrip: bool = False,
        normalized: bool | None = None,
        special: bool = False,
    ) -> None:
        self.content = content or ""
        self.single_word = single_word
        self.lstrip = lstrip
        self.rstrip = rstrip
        self.normalized = not special if normalized is None else normalized
        self.special = special
        self._given = normalized

    def facts(self, number: int) -> AddedFacts:
        """The token as the engine takes it."""
        return number, self.content, self.single_word, self.lstrip, self.rstrip, self.normalized, self.special

    def _record(self, number: int) -> dict[str, Any]:
        """The token as a file has it."""
        names = ("id", "content", "single_word", "lstrip", "rstrip", "normalized", "special")
        return dict(zip(names, self.facts(number), strict=True))

    def __str__(self) -> str:
        return self.content

    def __repr__(self) -> str:
        return (
            f'AddedToken("{self.content}", rstrip={self.rstrip}, lstrip={self.lstrip}, '
            f"single_word={self.single_word}, normalized={self.normalized}, special={self.special})"
        )

    def __hash__(self) -> int:
        return hash((self.content, self.single_word, self.lstrip, self.rstrip, self.normalized, self.special))


def added_of(facts: AddedFacts) -> AddedToken:
    """An added token from the engine's facts."""
    return AddedToken(*facts[1:])


def facts_of_file(file: dict[str, Any]) -> tuple[list[AddedFacts], dict[str, int]]:
    """The added tokens of a ``tokenizer.json``, and the vocabulary of its model."""
    names = ("id", "content", "single_word", "lstrip", "rstrip", "normalized", "special")
    known: Any = [tuple(token[name] for name in names) for token in file["added_tokens"]]
    vocab = file["model"]["vocab"]
    if isinstance(vocab, list):
        vocab = {piece[0]: number for number, piece in enumerate(vocab)}
    return known, vocab


def number_tokens(
    tokens: Sequence[str | AddedToken], special: bool, known: list[AddedFacts], vocab: dict[str, int]
) -> tuple[list[AddedFacts], int]:
    """Gives new tokens their ids: the model's, an earlier token's of the same text, or the next number.

    Returns
    -------
    list
        All added tokens, those known before included.
    int
        How many were added or changed.
    """
    by_id = {facts[0]: facts for facts in known}
    ids = {facts[1]: facts[0] for facts in known}
    next_id = max([len(vocab), *(number + 1 for number in by_id)])
    changed = 0
    for token in tokens:
        added = _added(token, special)
        if not added.content:
            continue
        number = ids.get(added.content, vocab.get(added.content))
        if number is None:
            number, next_id = next_id, next_id + 1
        facts = added.facts(number)
        changed += by_id.get(number) != facts
        by_id[number], ids[added.content] = facts, number
    return [by_id[number] for number in sorted(by_id)], changed


def _added(token: str | AddedToken, special: bool) -> AddedToken:
    if isinstance(token, str):
        return AddedToken(token, special=special)
    if not isinstance(token, AddedToken):
        raise TypeError("Input must be a List[Union[str, AddedToken]]")
    if not special:
        return token
    return AddedToken(token.content, token.single_word, token.lstrip, token.rstrip, token._given, True)
