"""Counts and ratios of one tokenizer on one set of texts, with the conventions they depend on."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from .. import _core
from ..checks import check_text, wrong
from ..errors import CorpusError
from ..tokenizer import Tokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORD_PATTERN = r"\p{L}+|\p{N}+"
CHARS = 1 << 22
"""Characters of text that are held at a time."""


class Segmenter(Protocol):
    """What can be measured: a tokenizer, or patches of :mod:`bukva.embeddings`, which have no ids."""

    @property
    def fingerprint(self) -> str:
        """Hash of everything that decides where a text is cut."""

    def count_batch(
        self, texts: Iterable[str], *, disallowed_special: Literal["all"] | Collection[str] = ()
    ) -> NDArray[np.int64]:
        """Tokens of each text."""


@dataclass(frozen=True, kw_only=True)
class Conventions:
    """What the numbers depend on. Figures with unlike conventions are not to be compared.

    ``corpus`` is the SHA-256 of the texts, each preceded by its length in bytes. ``special_tokens``: how their text
    is treated where it occurs. ``words``: how words are counted and tested.
    """

    tokenizer: str
    corpus: str
    word_pattern: str
    normalizer: str | None
    special_tokens: str = "text of special tokens is plain text; none are added"
    words: str = "fertility: tokens of the running text per word; retention: word types, each encoded alone"


@dataclass(frozen=True, kw_only=True)
class Measures:
    """Totals, and the ratios of totals.

    Attributes
    ----------
    n_texts, n_tokens, n_bytes, n_chars, n_words, n_word_types : int
        Totals; each text is encoded separately, characters are code points.
    bytes_per_token, chars_per_token, tokens_per_text : float
        Ratios of totals.
    fertility : float
        Tokens of the running text per word: Σ tokens / Σ words.
    single_token_retention, single_token_retention_spaced : float
        Share of word types that are one token: alone, and with a space before.
    bits_per_byte : float
        Bits per input byte when each id takes ⌈log2 R⌉ bits, R the id range.
    bits_per_byte_exact : float
        The same with log2 R bits, which an arithmetic coder reaches.
    conventions : Conventions

    A ratio is NaN where it would divide by nothing.
    """

    n_texts: int
    n_tokens: int
    n_bytes: int
    n_chars: int
    n_words: int
    n_word_types: int
    bytes_per_token: float
    chars_per_token: float
    tokens_per_text: float
    fertility: float
    single_token_retention: float
    single_token_retention_spaced: float
    bits_per_byte: float
    bits_per_byte_exact: float
    conventions: Conventions

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; a ratio that divides by nothing becomes None."""
        plain = asdict(self)
        return {key: None if isinstance(value, float) and math.isnan(value) else value for key, value in plain.items()}

    def __repr__(self) -> str:
        from ..report.tables import measures_lines

        return "\n".join(measures_lines({"": self}))


def measure(tok: Segmenter, texts: Iterable[str] | str, word_pattern: str = WORD_PATTERN) -> Measures:
    """Measures a tokenizer on texts.

    Parameters
    ----------
    tok : Tokenizer or Patches
        Patches count as tokens; they have no ids, so their bits a byte are NaN.
    texts : iterable of str
        Each is encoded separately. One str is one text.
    word_pattern : str
        Regular expression of a word. Part of the result's conventions.

    Raises
    ------
    CorpusError
        If there is no text.
    PatternError
        If the pattern cannot be compiled.
    """
    check_text("word_pattern", "measure", word_pattern)
    totals = _Totals(tok, word_pattern)
    for batch in batches([texts] if isinstance(texts, str) else texts, "measure"):
        totals.add(batch)
    if totals.n_texts == 0:
        raise CorpusError("measure was given no text. Give an iterable of at least one str.")
    return totals.measures()


def batches(texts: Iterable[str], caller: str) -> Iterator[list[str]]:
    """Texts in lists of about :data:`CHARS` characters; refuses what is not a str."""
    if not isinstance(texts, Iterable) or isinstance(texts, bytes):
        raise wrong("texts", caller, "an iterable of str", texts)
    held: list[str] = []
    n_chars = 0
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise wrong(f"texts[{number}]", caller, "a str", text)
        held.append(text)
        n_chars += len(text)
        if n_chars >= CHARS:
            yield held
            held, n_chars = [], 0
    if held:
        yield held


class _Totals:
    """Sums over batches of texts."""

    def __init__(self, tok: Segmenter, word_pattern: str) -> None:
        import hashlib  # not above: it loads OpenSSL, a fifth of the time of `import bukva`

        self.tok = tok
        self.word_pattern = word_pattern
        self.n_texts = self.n_tokens = self.n_bytes = self.n_chars = self.n_words = 0
        self.types: dict[str, None] = {}
        self.hash = hashlib.sha256()

    def add(self, texts: list[str]) -> None:
        self.n_texts += len(texts)
        self.n_tokens += int(self.tok.count_batch(texts, disallowed_special=()).sum())
        for text in texts:
            data = text.encode()
            self.hash.update(len(data).to_bytes(8, "little"))
            self.hash.update(data)
            words = _core.find_all(self.word_pattern, text)
            self.n_bytes += len(data)
            self.n_chars += len(text)
            self.n_words += len(words)
            self.types.update(dict.fromkeys(words))

    def retention(self, before: str) -> float:
        """Share of word types that are one token with ``before`` in front."""
        types = iter(self.types)
        single = 0
        while chunk := [before + word for word in itertools.islice(types, 1 << 16)]:
            single += int((self.tok.count_batch(chunk, disallowed_special=()) == 1).sum())
        return _ratio(single, len(self.types))

    def measures(self) -> Measures:
        id_range = self.tok.sizes.id_range if isinstance(self.tok, Tokenizer) else 0
        bits = math.log2(id_range) if id_range else math.nan
        return Measures(
            n_texts=self.n_texts,
            n_tokens=self.n_tokens,
            n_bytes=self.n_bytes,
            n_chars=self.n_chars,
            n_words=self.n_words,
            n_word_types=len(self.types),
            bytes_per_token=_ratio(self.n_bytes, self.n_tokens),
            chars_per_token=_ratio(self.n_chars, self.n_tokens),
            tokens_per_text=_ratio(self.n_tokens, self.n_texts),
            fertility=_ratio(self.n_tokens, self.n_words),
            single_token_retention=self.retention(""),
            single_token_retention_spaced=self.retention(" "),
            bits_per_byte=_ratio(self.n_tokens * math.ceil(bits), self.n_bytes) if id_range else math.nan,
            bits_per_byte_exact=_ratio(self.n_tokens * bits, self.n_bytes),
            conventions=self.conventions(),
        )

    def conventions(self) -> Conventions:
        summary = self.tok._summary() if isinstance(self.tok, Tokenizer) else {"normalizer": None}
        return Conventions(
            tokenizer=self.tok.fingerprint,
            corpus=self.hash.hexdigest(),
            word_pattern=self.word_pattern,
            normalizer=summary["normalizer"],
        )


def _ratio(total: float, by: float) -> float:
    return total / by if by else math.nan
