"""Sentences as rows of word numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..checks import wrong
from ..errors import CorpusError


@dataclass(frozen=True, kw_only=True)
class NumberedSentences:
    """Words by falling count, then by first occurrence; how often each stands; the sentences as their numbers."""

    words: list[str]
    counts: list[int]
    rows: list[list[int]]


def numbered(sentences: Iterable[str | Sequence[str]], caller: str) -> NumberedSentences:
    """Numbers the words of sentences; a str is cut at white space.

    Raises
    ------
    CorpusError
        If there is no word.
    """
    if isinstance(sentences, (str, bytes)) or not isinstance(sentences, Iterable):
        raise wrong("sentences", caller, "an iterable of str, or of lists of str", sentences)
    rows = [_words(sentence, number, caller) for number, sentence in enumerate(sentences)]
    counts = Counter(word for row in rows for word in row)
    if not counts:
        raise CorpusError(f"{caller} was given no word. Give sentences.")
    words = [word for word, _ in counts.most_common()]
    ids = {word: number for number, word in enumerate(words)}
    numbers = [[ids[word] for word in row] for row in rows]
    return NumberedSentences(words=words, counts=[counts[word] for word in words], rows=numbers)


def _words(sentence: str | Sequence[str], number: int, caller: str) -> Sequence[str]:
    words = sentence.split() if isinstance(sentence, str) else list(sentence)
    if not all(isinstance(word, str) for word in words):
        raise wrong(f"sentences[{number}]", caller, "a str or a list of str", sentence)
    return words
