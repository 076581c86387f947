"""What each stage did to one text: the record that ``Tokenizer.explain`` returns."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .tokenizer import Tokenizer

Span = tuple[int, int]


@dataclass(frozen=True, kw_only=True)
class MergeStep:
    """One merge: two neighbouring symbols became one.

    ``position`` is the index of the left symbol among the symbols before the step.
    """

    rank: int
    left: bytes
    right: bytes
    product: bytes
    position: int


@dataclass(frozen=True, kw_only=True)
class Pretoken:
    """One pre-token and how it became tokens.

    ``span`` are bytes of the original text, ``text`` is the normalised text, ``symbols`` stand before the first
    merge. ``whole``: taken from the vocabulary as it is, without merging. ``added``: an added or special token.
    """

    span: Span
    text: str
    symbols: tuple[bytes, ...]
    steps: tuple[MergeStep, ...]
    ids: tuple[int, ...]
    tokens: tuple[bytes, ...]
    whole: bool
    added: bool

    def states(self) -> list[tuple[bytes, ...]]:
        """The symbols at the start and after each merge."""
        states = [self.symbols]
        for step in self.steps:
            before, at = states[-1], step.position
            states.append((*before[:at], step.product, *before[at + 2 :]))
        return states


@dataclass(frozen=True, kw_only=True)
class Edit:
    """A change that the normaliser made: byte ranges of the original and of the normalised text."""

    original: Span
    normalized: Span


@dataclass(frozen=True, kw_only=True)
class Encoding:
    """A text, its ids, and every step between.

    Attributes
    ----------
    text, normalized : str
        The text as given, and after the normaliser.
    ids, tokens : tuple
        Ids and the bytes of each token.
    byte_spans, char_spans : tuple of (int, int)
        Where each token lies in ``text``: bytes of its UTF-8, and characters. They tile what is not dropped.
    pretokens : tuple of Pretoken
    edits : tuple of Edit
    dropped : tuple of (int, int)
        Bytes of ``text`` that no token covers.
    losses : tuple of str
        Why this tokenizer does not promise ``decode(encode(s)) == s`` for every text; empty where it does.
    round_trips : bool
        Whether ``decode(ids)`` gives exactly this text.
    """

    text: str
    normalized: str
    ids: tuple[int, ...]
    tokens: tuple[bytes, ...]
    byte_spans: tuple[Span, ...]
    char_spans: tuple[Span, ...]
    pretokens: tuple[Pretoken, ...]
    edits: tuple[Edit, ...]
    dropped: tuple[Span, ...]
    losses: tuple[str, ...]
    round_trips: bool

    @property
    def lossless(self) -> bool:
        """Whether the tokenizer promises ``decode(encode(s)) == s`` for every text."""
        return not self.losses

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; bytes become hexadecimal strings."""
        plain: dict[str, Any] = _plain(asdict(self))
        return plain | {"lossless": self.lossless}

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        from .report.explain import explain_lines

        return "\n".join(explain_lines(self))

    def _repr_html_(self) -> str:
        from .report.html import explain_html

        return explain_html(self)


def explain(tokenizer: Tokenizer, text: str, **options: Any) -> Encoding:
    """Encodes one text step by step. Slow and readable; the ids are those of ``encode``."""
    facts = tokenizer._explain(text, **options)
    ids = tuple(facts["ids"])
    tokens = tuple(tokenizer._token_bytes(number) for number in ids)
    return Encoding(
        text=text,
        normalized=facts["normalized"],
        ids=ids,
        tokens=tokens,
        byte_spans=tuple(facts["byte_spans"]),
        char_spans=tuple(facts["char_spans"]),
        pretokens=tuple(_pretoken(tokenizer, pretoken, ids, tokens) for pretoken in facts["pretokens"]),
        edits=tuple(Edit(original=(a, b), normalized=(c, d)) for a, b, c, d in facts["edits"]),
        dropped=tuple(facts["dropped"]),
        losses=tuple(tokenizer._losses()),
        round_trips=tokenizer.decode_bytes(list(ids)) == text.encode(),
    )


def _pretoken(tokenizer: Tokenizer, facts: Any, ids: tuple[int, ...], tokens: tuple[bytes, ...]) -> Pretoken:
    spell = tokenizer._token_bytes
    first, last = facts["token_range"]
    return Pretoken(
        span=facts["span"],
        text=facts["text"],
        symbols=tuple(map(spell, facts["symbols"])),
        steps=tuple(_step(tokenizer, step) for step in facts["steps"]),
        ids=ids[first:last],
        tokens=tokens[first:last],
        whole=facts["whole"],
        added=facts["added"],
    )


def _step(tokenizer: Tokenizer, facts: Any) -> MergeStep:
    spell = tokenizer._token_bytes
    left, right, product = (spell(facts[name]) for name in ("left", "right", "product"))
    return MergeStep(rank=facts["rank"], left=left, right=right, product=product, position=facts["position"])


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value
