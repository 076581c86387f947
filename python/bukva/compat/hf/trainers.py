"""``tokenizers.trainers``: what ``Tokenizer.train`` and ``train_from_iterator`` are given."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .added import AddedToken

Specials = Sequence[str | AddedToken]


class Trainer:
    """Any trainer. Its options are attributes."""

    special_tokens: list[AddedToken]

    def _take(self, special_tokens: Specials, **options: Any) -> None:
        self.special_tokens = [_special(token) for token in special_tokens]
        for name, value in options.items():
            setattr(self, name, value)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"


class BpeTrainer(Trainer):
    """Trains BPE."""

    def __init__(
        self,
        vocab_size: int = 30000,
        min_frequency: int = 0,
        show_progress: bool = True,
        special_tokens: Specials = (),
        limit_alphabet: int | None = None,
        initial_alphabet: Sequence[str] = (),
        continuing_subword_prefix: str | None = None,
        end_of_word_suffix: str | None = None,
        max_token_length: int | None = None,
        progress_format: str = "indicatif",
    ) -> None:
        self._take(
            special_tokens,
            vocab_size=vocab_size,
            min_frequency=min_frequency,
            show_progress=show_progress,
            limit_alphabet=limit_alphabet,
            initial_alphabet=[text[0] for text in initial_alphabet if text],
            continuing_subword_prefix=continuing_subword_prefix,
            end_of_word_suffix=end_of_word_suffix,
            max_token_length=max_token_length,
        )


class WordPieceTrainer(Trainer):
    """Trains WordPiece: held for its options; bukva has no such training."""

    def __init__(self, vocab_size: int = 30000, special_tokens: Specials = (), **options: Any) -> None:
        self._take(special_tokens, vocab_size=vocab_size, **options)


class UnigramTrainer(Trainer):
    """Trains Unigram: held for its options; bukva has no such training."""

    def __init__(self, vocab_size: int = 8000, special_tokens: Specials = (), **options: Any) -> None:
        self._take(special_tokens, vocab_size=vocab_size, **options)


class WordLevelTrainer(Trainer):
    """Trains a word-level model."""

    def __init__(
        self,
        vocab_size: int = 30000,
        min_frequency: int = 0,
        show_progress: bool = True,
        special_tokens: Specials = (),
    ) -> None:
        self._take(special_tokens, vocab_size=vocab_size, min_frequency=min_frequency, show_progress=show_progress)


def trainer_of(trainer: object) -> Trainer:
    """The trainer, or ours for one of ``tokenizers`` with the same options.

    Raises
    ------
    TypeError
        If it is none.
    """
    if isinstance(trainer, Trainer):
        return trainer
    if not type(trainer).__module__.startswith("tokenizers"):
        raise TypeError(f"{type(trainer).__name__!r} object is not an instance of 'Trainer'")
    ((name, options),) = json.loads(trainer.__getstate__()).items()  # type: ignore[arg-type]
    options = options.get("bpe_trainer", options)
    options.pop("words", None)
    options.pop("progress_format", None)
    tokens = [AddedToken(**token) for token in options.pop("special_tokens")]
    made = {each.__name__: each for each in (BpeTrainer, WordPieceTrainer, UnigramTrainer, WordLevelTrainer)}[name]
    found: Trainer = made(special_tokens=tokens, **options)
    return found


def _special(token: str | AddedToken) -> AddedToken:
    if isinstance(token, str):
        return AddedToken(token, special=True)
    fields = (token.content, token.single_word, token.lstrip, token.rstrip, token._given)
    return AddedToken(*fields, special=True)
