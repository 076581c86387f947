"""Compression against the number of merges: every prefix of one training run, from one pass over the texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..checks import check_integer, check_text, wrong
from ..errors import CorpusError, UnsupportedError
from ..tokenizer import Tokenizer
from .metrics import batches


@dataclass(frozen=True, kw_only=True)
class CompressionCurve:
    """Tokens of each text after each number of merges.

    ``merges[i]`` merges leave ``n_tokens[name][i]`` tokens. ``n_bytes`` and ``n_chars`` are the sizes of the texts,
    ``tokenizer`` is the fingerprint.
    """

    merges: tuple[int, ...]
    n_tokens: Mapping[str, tuple[int, ...]]
    n_bytes: Mapping[str, int]
    n_chars: Mapping[str, int]
    tokenizer: str

    @property
    def names(self) -> list[str]:
        """Names of the texts."""
        return list(self.n_tokens)

    @property
    def bytes_per_token(self) -> dict[str, list[float]]:
        """Bytes per token of each text, one number a row."""
        return {name: [self.n_bytes[name] / n for n in tokens] for name, tokens in self.n_tokens.items()}

    @property
    def chars_per_token(self) -> dict[str, list[float]]:
        """Code points per token of each text, one number a row."""
        return {name: [self.n_chars[name] / n for n in tokens] for name, tokens in self.n_tokens.items()}

    def rows(self) -> list[dict[str, Any]]:
        """One row a number of merges and text: ``merges``, ``text``, ``n_tokens``, ``bytes_per_token``."""
        ratios = self.bytes_per_token
        return [
            {"merges": merges, "text": name, "n_tokens": self.n_tokens[name][row], "bytes_per_token": ratios[name][row]}
            for row, merges in enumerate(self.merges)
            for name in self.names
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON: columns."""
        return {
            "tokenizer": self.tokenizer,
            "merges": list(self.merges),
            "n_bytes": dict(self.n_bytes),
            "n_chars": dict(self.n_chars),
            "n_tokens": {name: list(tokens) for name, tokens in self.n_tokens.items()},
            "bytes_per_token": self.bytes_per_token,
        }

    def __len__(self) -> int:
        return len(self.merges)

    def __repr__(self) -> str:
        from ..report.tables import curve_lines

        return "\n".join(curve_lines(self))


def compression_curve(
    tok: Tokenizer, texts: Mapping[str, Iterable[str] | str], steps: int | Iterable[int] | None = None
) -> CompressionCurve:
    """Compression of texts by every prefix of a tokenizer's merges.

    The first ``k`` merges are the vocabulary that training would have given at ``num_merges=k``. One pass a text
    counts how often each merge is applied; ``tokens(k)`` is the symbols at the start less the merges of rank below
    ``k``.

    Parameters
    ----------
    tok : Tokenizer
        With merges.
    texts : mapping of str to iterable of str
        Texts by name. One str is one text.
    steps : int or iterable of int, optional
        Numbers of merges to report: so many, evenly spread from 0 to all; or these. Every number where left out.

    Raises
    ------
    UnsupportedError
        If the tokenizer has no merges.
    CorpusError
        If a text is empty.
    """
    if not isinstance(texts, Mapping) or not texts:
        raise wrong("texts", "compression_curve", "a mapping of at least one name to texts", texts)
    n_merges = len(tok._merges())
    if n_merges == 0:
        raise UnsupportedError("The tokenizer has no merges, so there is no curve over them.")
    merges = _steps(steps, n_merges)
    columns = {name: _column(tok, name, given, merges) for name, given in texts.items()}
    return CompressionCurve(
        merges=merges,
        n_tokens={name: column[0] for name, column in columns.items()},
        n_bytes={name: column[1] for name, column in columns.items()},
        n_chars={name: column[2] for name, column in columns.items()},
        tokenizer=tok.fingerprint,
    )


def _steps(steps: object, n_merges: int) -> tuple[int, ...]:
    if steps is None:
        return tuple(range(n_merges + 1))
    if isinstance(steps, Iterable) and not isinstance(steps, (str, bytes)):
        return tuple(sorted(_chosen(steps, n_merges)))
    check_integer("steps", "compression_curve", steps, 2)
    count = min(int(str(steps)), n_merges + 1)
    return tuple(round(n * n_merges / (count - 1)) for n in range(count))


def _chosen(steps: Iterable[object], n_merges: int) -> set[int]:
    chosen: set[int] = set()
    for step in steps:
        if not isinstance(step, int) or not 0 <= step <= n_merges:
            raise wrong("steps", "compression_curve", f"numbers of merges from 0 to {n_merges}", step)
        chosen.add(step)
    return chosen


def _column(
    tok: Tokenizer, name: str, texts: Iterable[str] | str, merges: tuple[int, ...]
) -> tuple[tuple[int, ...], int, int]:
    """Tokens after each number of merges, bytes and characters of one text."""
    import numpy as np

    check_text("texts", "compression_curve", name)
    symbols = n_bytes = n_chars = 0
    applied = np.zeros(len(tok._merges()), dtype=np.uint64)
    for batch in batches([texts] if isinstance(texts, str) else texts, "compression_curve"):
        start, histogram = tok._merge_histogram(batch)
        symbols += start
        applied += histogram
        n_bytes += sum(len(text.encode()) for text in batch)
        n_chars += sum(map(len, batch))
    if symbols == 0:
        raise CorpusError(f"The text {name!r} is empty. Give at least one character.")
    removed = np.concatenate([[0], np.cumsum(applied, dtype=np.int64)])
    return tuple(int(symbols - removed[k]) for k in merges), n_bytes, n_chars
