"""What to train: one frozen record of options a kind of tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeVar

from . import _core
from .checks import check_choice, check_integer, check_text, wrong
from .errors import ArgumentError

NormalizerName = Literal["nfc", "nfd", "nfkc", "nfkd", "lowercase", "collapse_whitespace", "strip"]
NORMALIZERS = ("nfc", "nfd", "nfkc", "nfkd", "lowercase", "collapse_whitespace", "strip")
TIE_BREAKS = ("huggingface", "first_seen", "sentencepiece", "raw_bytes")
ALPHABETS = ("bytes", "chars")
UNK = "[UNK]"

T = TypeVar("T")
Run = tuple[_core.Tokenizer, dict[str, Any]]


class Trainer(Protocol):
    """What ``train`` asks of a trainer."""

    def _run(self, sources: Sequence[Any], **run: Any) -> Run: ...


def _tuple(parameter: str, caller: str, value: object) -> tuple[str, ...]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise wrong(parameter, caller, "a list of strings", value)
    for item in value:
        check_text(parameter, caller, item)
    return tuple(value)


def _special_tokens(caller: str, value: object) -> tuple[str, ...]:
    tokens = _tuple("special_tokens", caller, value)
    repeated = next((token for n, token in enumerate(tokens) if token in tokens[:n]), None)
    if repeated is not None:
        raise wrong("special_tokens", caller, f"without repetitions, but {repeated!r} stands there twice", list(tokens))
    return tokens


def normalizer_names(caller: str, value: object) -> tuple[str, ...]:
    """The names of normalizers that an option states, none for None."""
    if value is None:
        return ()
    names = (value,) if isinstance(value, str) else _tuple("normalizer", caller, value)
    for name in names:
        check_choice("normalizer", caller, name, NORMALIZERS)
    return names


def _check_pattern(caller: str, value: object) -> None:
    if value is not None and not (isinstance(value, str) and value):
        names = ", ".join(repr(name) for name, _ in _core.pattern_names())
        raise wrong("pattern", caller, f"one of {names}, a regular expression or None", value)


def _freeze(record: object, **fields: object) -> None:
    for name, value in fields.items():
        object.__setattr__(record, name, value)


@dataclass(frozen=True, kw_only=True)
class BpeTrainer:
    """Byte-pair encoding: merges the most frequent pair, again and again.

    Parameters
    ----------
    vocab_size : int, optional
        Size of the whole vocabulary: special tokens, alphabet and merges. Give this or ``num_merges``.
    num_merges : int, optional
        Number of merges. Give this or ``vocab_size``.
    alphabet : {"bytes", "chars"}
        What the first symbols are. Bytes can spell every text; characters are those of the corpus.
    pattern : str or None
        Cuts text into pre-tokens, which no merge crosses: a name (``gpt2``, ``cl100k``, ``o200k``, ``llama3``,
        ``qwen2``, ``course``, ``words``, ``whitespace``), a regular expression, or None for no cut at all.
    normalizer : str or list of str, optional
        ``nfc``, ``nfd``, ``nfkc``, ``nfkd``, ``lowercase``, ``collapse_whitespace``, ``strip``; applied in order.
    tie_break : {"huggingface", "first_seen", "sentencepiece", "raw_bytes"}
        Which of the most frequent pairs is merged first. See the page on tie rules.
    end_of_word : str, optional
        Marker put after each pre-token, such as ``"</w>"``. For characters only.
    min_frequency : int
        Pairs that are rarer are not merged.
    special_tokens : list of str
        Control tokens, in the order of their ids.
    unk_token : str or None
        Stands for characters outside the alphabet. None makes such a character an error. Bytes need none.
    max_token_length : int, optional
        Longer tokens are not made. In symbols of the alphabet.

    Raises
    ------
    ArgumentError
        If a value cannot be used.
    """

    vocab_size: int | None = None
    num_merges: int | None = None
    alphabet: Literal["bytes", "chars"] = "bytes"
    pattern: str | None = "gpt2"
    normalizer: NormalizerName | Sequence[NormalizerName] | None = None
    tie_break: Literal["huggingface", "first_seen", "sentencepiece", "raw_bytes"] = "huggingface"
    end_of_word: str | None = None
    min_frequency: int = 1
    special_tokens: Sequence[str] = ()
    unk_token: str | None = UNK
    max_token_length: int | None = None

    def __post_init__(self) -> None:
        caller = type(self).__name__
        if (self.vocab_size is None) == (self.num_merges is None):
            got = f"vocab_size={self.vocab_size!r} and num_merges={self.num_merges!r}"
            raise ArgumentError(f"{caller} takes either 'vocab_size' or 'num_merges'. Got {got} instead.")
        check_integer("vocab_size", caller, self.vocab_size, 1, optional=True)
        check_integer("num_merges", caller, self.num_merges, 0, optional=True)
        check_integer("min_frequency", caller, self.min_frequency, 0)
        check_integer("max_token_length", caller, self.max_token_length, 1, optional=True)
        check_choice("alphabet", caller, self.alphabet, ALPHABETS)
        check_choice("tie_break", caller, self.tie_break, TIE_BREAKS)
        _check_pattern(caller, self.pattern)
        self._check_alphabet_options(caller)
        normalizer = normalizer_names(caller, self.normalizer)
        _freeze(self, normalizer=normalizer, special_tokens=_special_tokens(caller, self.special_tokens))

    def _check_alphabet_options(self, caller: str) -> None:
        check_text("end_of_word", caller, self.end_of_word, optional=True)
        check_text("unk_token", caller, self.unk_token, optional=True)
        if self.alphabet == "bytes" and self.end_of_word is not None:
            raise wrong("end_of_word", caller, "None with alphabet='bytes'", self.end_of_word, "Use alphabet='chars'.")
        if self.alphabet == "bytes" and self.unk_token not in (None, UNK):
            remedy = "Bytes spell every character; use alphabet='chars' for an unknown token."
            raise wrong("unk_token", caller, "left out with alphabet='bytes'", self.unk_token, remedy)

    def _run(self, sources: Sequence[Any], **run: Any) -> Run:
        tokenizer, facts = _core.train_bpe(
            sources,
            vocab_size=self.vocab_size,
            num_merges=self.num_merges,
            alphabet=self.alphabet,
            pattern=self.pattern,
            normalizer=self.normalizer or (),
            tie_break=self.tie_break,
            end_of_word=self.end_of_word,
            min_frequency=self.min_frequency,
            special_tokens=self.special_tokens,
            unk_token=self.unk_token if self.alphabet == "chars" else None,
            max_token_length=self.max_token_length,
            **run,
        )
        return tokenizer, dict(facts)


@dataclass(frozen=True, kw_only=True)
class CharTrainer:
    """Characters: each character of the corpus is a token, nothing is merged.

    Text is cut by the GPT-2 pattern first, so that any corpus is counted in bounded memory; the ids do not depend
    on it.

    Parameters
    ----------
    normalizer, special_tokens, unk_token
        As in :class:`BpeTrainer`.
    """

    normalizer: NormalizerName | Sequence[NormalizerName] | None = None
    special_tokens: Sequence[str] = ()
    unk_token: str | None = UNK

    def __post_init__(self) -> None:
        caller = type(self).__name__
        check_text("unk_token", caller, self.unk_token, optional=True)
        normalizer = normalizer_names(caller, self.normalizer)
        _freeze(self, normalizer=normalizer, special_tokens=_special_tokens(caller, self.special_tokens))

    def _run(self, sources: Sequence[Any], **run: Any) -> Run:
        trainer = BpeTrainer(
            num_merges=0,
            alphabet="chars",
            normalizer=self.normalizer,
            special_tokens=self.special_tokens,
            unk_token=self.unk_token,
        )
        return trainer._run(sources, **run)


@dataclass(frozen=True, kw_only=True)
class WordLevelTrainer:
    """Words: each pre-token of the corpus is a token, the most frequent first.

    Parameters
    ----------
    vocab_size : int, optional
        Size of the whole vocabulary, special tokens included. None keeps every word.
    pattern, normalizer, special_tokens
        As in :class:`BpeTrainer`; the pattern is ``whitespace`` unless another is named.
    min_frequency : int
        Words that are rarer are left out.
    unk_token : str or None
        Stands for words outside the vocabulary. None makes such a word an error.
    """

    vocab_size: int | None = None
    pattern: str | None = "whitespace"
    normalizer: NormalizerName | Sequence[NormalizerName] | None = None
    min_frequency: int = 1
    special_tokens: Sequence[str] = ()
    unk_token: str | None = UNK

    def __post_init__(self) -> None:
        caller = type(self).__name__
        check_integer("vocab_size", caller, self.vocab_size, 1, optional=True)
        check_integer("min_frequency", caller, self.min_frequency, 0)
        _check_pattern(caller, self.pattern)
        check_text("unk_token", caller, self.unk_token, optional=True)
        normalizer = normalizer_names(caller, self.normalizer)
        _freeze(self, normalizer=normalizer, special_tokens=_special_tokens(caller, self.special_tokens))

    def _run(self, sources: Sequence[Any], **run: Any) -> Run:
        tokenizer, facts = _core.train_wordlevel(
            sources,
            vocab_size=self.vocab_size,
            pattern=self.pattern,
            normalizer=self.normalizer or (),
            min_frequency=self.min_frequency,
            special_tokens=self.special_tokens,
            unk_token=self.unk_token,
            **run,
        )
        return tokenizer, dict(facts)
