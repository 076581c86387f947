"""Training as ``tokenizers`` does it: pre-tokens are counted, and the model's tables are made of the counts."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import bukva

from ...errors import UnsupportedError
from .parts import State, engine, file_of, words
from .trainers import Trainer, WordLevelTrainer

MODELS = {"BpeTrainer": "BPE", "WordLevelTrainer": "WordLevel"}


def trained(file: State, texts: Iterable[Any], trainer: Trainer) -> State:
    """The model that training on ``texts`` makes, for the normalizer and the pre-tokenizer of ``file``.

    Raises
    ------
    UnsupportedError
        For a trainer that bukva has no training for, or an option that it does not have.
    """
    kind, model = type(trainer).__name__, dict(file["model"])
    if MODELS.get(kind) != model["type"]:
        known = "BPE with a BpeTrainer, and WordLevel with a WordLevelTrainer"
        raise UnsupportedError(f"bukva trains {known}; got a {model['type']} model with a {kind}")
    counts = _counts(file, texts)
    specials = list(dict.fromkeys(token.content for token in trainer.special_tokens))
    if isinstance(trainer, WordLevelTrainer):
        return {**model, "vocab": _words(counts, trainer, specials)}
    vocab, merges = _merges(counts, trainer, specials)
    return {**model, "vocab": vocab, "merges": merges}


def _counts(file: State, texts: Iterable[Any]) -> Counter[str]:
    """How often each pre-token occurs."""
    stages = {name: file[name] for name in ("normalizer", "pre_tokenizer")}
    cut, counts = engine(file_of(words({}), **stages)), Counter[str]()
    for text in _flat(texts):
        counts.update(piece for piece, _ in cut.pre_tokenize(cut.normalize(text)))
    counts.pop("", None)
    return counts


def _flat(texts: Iterable[Any]) -> Iterator[str]:
    """Texts, or lists of them."""
    for item in texts:
        if isinstance(item, str):
            yield item
        else:
            yield from item


def _words(counts: Counter[str], trainer: Any, specials: list[str]) -> dict[str, int]:
    frequent = [word for word, count in counts.items() if count >= trainer.min_frequency and word not in specials]
    ordered = specials + sorted(frequent, key=lambda word: (-counts[word], word))
    return {word: number for number, word in enumerate(ordered[: trainer.vocab_size])}


def _merges(counts: Counter[str], trainer: Any, specials: list[str]) -> tuple[dict[str, int], list[list[str]]]:
    """Special tokens, the alphabet by code points, then what each merge makes."""
    for option in ("limit_alphabet", "continuing_subword_prefix", "end_of_word_suffix"):
        if getattr(trainer, option):
            raise UnsupportedError(f"bukva trains BPE without {option}; leave it out")
    letters = sorted(set(itertools.chain.from_iterable(counts)) | set(trainer.initial_alphabet))
    tokens = list(dict.fromkeys([*specials, *letters]))
    merges = _trained(counts, trainer, trainer.vocab_size - len(tokens))
    tokens = list(dict.fromkeys([*tokens, *(left + right for left, right in merges)]))
    return {token: number for number, token in enumerate(tokens)}, merges


def _trained(counts: Counter[str], trainer: Any, most: int) -> list[list[str]]:
    if most <= 0 or not counts:
        return []
    options = bukva.BpeTrainer(
        num_merges=most,
        alphabet="chars",
        pattern=None,
        min_frequency=trainer.min_frequency,
        unk_token=None,
        max_token_length=trainer.max_token_length,
    )
    repeated = itertools.chain.from_iterable(itertools.repeat(word, counts[word]) for word in sorted(counts))
    tokenizer, _ = options._run([repeated], threads=None, progress=None, unit="file", invalid="error")
    spell = {number: token.decode() for token, number in tokenizer._vocab()}
    return [[spell[left], spell[right]] for left, right, _ in tokenizer._merges()]


def lines(paths: Iterable[Any]) -> Iterator[str]:
    """The lines of files, each with its end."""
    for path in paths:
        with open(path, encoding="utf-8", newline="") as file:
            yield from file
