"""Training: a corpus and a trainer give a tokenizer."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .checks import check_choice, check_integer, check_texts, wrong
from .corpus import Corpus, Invalid, Source, Unit, sources
from .errors import BukvaWarning
from .tokenizer import Tokenizer
from .trainers import BpeTrainer, CharTrainer, Trainer, WordLevelTrainer

Progress = Callable[[str, int, int | None], object]
"""Called with the stage (``count``, ``merge``), the units done and the units in all, or None where unknown."""


@dataclass(frozen=True, kw_only=True)
class TrainingRecord:
    """What a training run read and how it ended.

    ``merge_counts`` holds the count of each merge when it was chosen; ``replaced_bytes`` the bytes that were not
    UTF-8 and became U+FFFD. ``stopped`` is ``reached`` or the reason why the run ended earlier.
    """

    trainer: Trainer
    documents: int
    bytes: int
    replaced_bytes: int
    pretokens: int
    pretoken_types: int
    merge_counts: tuple[int, ...]
    stopped: str
    message: str

    def __repr__(self) -> str:
        return f"TrainingRecord({self.documents} documents, {self.bytes} bytes: {self.message})"


def train(
    corpus: Corpus,
    trainer: Trainer,
    *,
    unit: Unit = "file",
    field: str = "text",
    invalid: Invalid = "error",
    threads: int | None = None,
    progress: Progress | None = None,
) -> Tokenizer:
    """Trains a tokenizer on files.

    Parameters
    ----------
    corpus : path, or list of paths
        Files, globs, folders (read recursively) or ``"-"`` for standard input; ``.txt``, ``.jsonl`` and ``.parquet``,
        each also ``.gz`` and ``.zst``. Order: as listed; folders and globs by byte order of the relative path.
    trainer : BpeTrainer, CharTrainer or WordLevelTrainer
        What to train.
    unit : {"file", "line"}
        What a document is in a ``.txt`` file: the whole file, or each line with its LF.
    field : str
        Field of ``.jsonl`` objects and column of ``.parquet`` files.
    invalid : {"error", "replace"}
        What to do with bytes that are not UTF-8: stop and say where, or put U+FFFD there and count them.
    threads : int, optional
        Threads for counting. The vocabulary does not depend on it.
    progress : callable, optional
        Called at most ten times a second with stage, units done, units in all or None.

    Raises
    ------
    FileError, CorpusError, TextError
        If the corpus cannot be read, is empty, or is not UTF-8.
    TrainingError
        If the vocabulary size is below alphabet and special tokens.

    Warns
    -----
    BukvaWarning
        If training stopped before it reached what was asked.
    """
    check_choice("unit", "train", unit, ("file", "line"))
    listed = sources(corpus, field=field, invalid=invalid, caller="train")
    return _train("train", listed, trainer, unit=unit, invalid=invalid, threads=threads, progress=progress)


def train_from_iterator(
    texts: Iterable[str],
    trainer: Trainer,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Tokenizer:
    """Trains a tokenizer on texts in memory; each is a document of its own.

    Parameters
    ----------
    texts : iterable of str
        Read once, never held as a whole.
    trainer, threads, progress
        As in :func:`train`.
    """
    caller = "train_from_iterator"
    listed: list[Source] = [documents(texts, caller)]
    return _train(caller, listed, trainer, unit="file", invalid="error", threads=threads, progress=progress)


def documents(texts: Iterable[str], caller: str) -> Iterator[str]:
    """The texts, each looked at when its turn comes; one string is refused at once."""
    check_texts("texts", caller, texts)
    return _checked(texts, caller)


def _checked(texts: Iterable[str], caller: str) -> Iterator[str]:
    for number, text in enumerate(texts):
        if not isinstance(text, str):
            raise wrong(f"texts[{number}]", caller, "a str", text)
        yield text


def _train(
    caller: str, listed: list[Source], trainer: Trainer, *, threads: int | None, progress: Progress | None, **run: Any
) -> Tokenizer:
    if not isinstance(trainer, (BpeTrainer, CharTrainer, WordLevelTrainer)):
        raise wrong("trainer", caller, "a BpeTrainer, CharTrainer or WordLevelTrainer", trainer)
    check_integer("threads", caller, threads, 1, optional=True)
    if progress is not None and not callable(progress):
        raise wrong("progress", caller, "a callable or None", progress)
    native, facts = trainer._run(listed, threads=threads, progress=progress, **run)
    record = TrainingRecord(trainer=trainer, **{**facts, "merge_counts": tuple(facts["merge_counts"])})
    if record.stopped != "reached":
        warnings.warn(record.message, BukvaWarning, stacklevel=3)
    return Tokenizer(native, record)
