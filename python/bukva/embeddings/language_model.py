"""The loop closed: text → ids → rows → logits → next id → … → text, with the smallest model that can."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..checks import check_integer, check_texts, wrong
from ..errors import CorpusError
from .head import OutputHead
from .losses import log_softmax
from .pair_training import Progress, train_on_pairs
from .sampling import Sampling, defined_ids, next_id
from .table import Embedding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ..tokenizer import Tokenizer
    from .arrays import FloatArray

ROWS = 1024
"""Positions whose logits are held at a time."""


@dataclass(frozen=True, kw_only=True)
class LanguageLoss:
    """How well a model foretells texts.

    Attributes
    ----------
    nats_per_token : float
        Mean of -ln p(next id). Depends on the tokenizer.
    bits_per_byte : float
        The same for a byte of the text: comparable between tokenizers.
    n_tokens, n_bytes : int
    """

    nats_per_token: float
    bits_per_byte: float
    n_tokens: int
    n_bytes: int


class LanguageModel:
    """Gives logits of the next id from the last id alone: a row of the table, times the head.

    It knows which token follows which, smoothed through ``dim`` numbers, and nothing of what came before: a bigram
    model. The table has one row more than the tokenizer's id range; it stands for the start of a text.

    Parameters
    ----------
    tok : Tokenizer
    table : Embedding
        With ``tok.sizes.id_range + 1`` rows.
    head : OutputHead
    losses : sequence of float
        Mean loss of each epoch of training, nats a token.
    """

    def __init__(self, tok: Tokenizer, table: Embedding, head: OutputHead, losses: Sequence[float] = ()) -> None:
        self.tok, self.table, self.head, self.losses = tok, table, head, tuple(losses)
        self.start = tok.sizes.id_range
        for name, rows in (("table", table.vocab_size), ("head", head.vocab_size)):
            if rows != self.start + 1:
                raise wrong(name, "LanguageModel", f"of {self.start + 1} rows, the id range and one more", rows)
        self.allowed = defined_ids(tok, self.start + 1)

    def logits(self, ids: Sequence[int]) -> FloatArray:
        """Logits of the id that follows, shape (id_range + 1,). No ids: those of the first one."""
        return self.head(self.table(ids[-1] if len(ids) else self.start))

    def generate_ids(
        self, prompt: Sequence[int] = (), *, sampling: Sampling | None = None, seed: int = 0
    ) -> Iterator[int]:
        """Ids that go on from the prompt, without end. Rows that no ordinary id defines are never chosen.

        Parameters
        ----------
        prompt : sequence of int
        sampling : Sampling, optional
        seed : int
            The same seed gives the same ids.
        """
        check_integer("seed", "generate", seed, 0)
        return self._drawn(list(prompt)[-1:], sampling, np.random.default_rng(seed))

    def _drawn(self, last: list[int], sampling: Sampling | None, rng: np.random.Generator) -> Iterator[int]:
        while True:
            last = [next_id(self.logits(last), rng, sampling, self.allowed)]
            yield last[0]

    def generate(
        self, prompt: str = "", *, max_tokens: int = 100, sampling: Sampling | None = None, seed: int = 0
    ) -> Iterator[str]:
        """Text that goes on from the prompt, piece by piece; only complete characters are given out.

        Bytes that spell no character become U+FFFD: such a model may well produce them.

        Parameters
        ----------
        prompt : str
            Not repeated in what is given out.
        max_tokens : int
        sampling, seed
            As in :meth:`generate_ids`.
        """
        check_integer("max_tokens", "generate", max_tokens, 0)
        prompt_ids = self.tok.encode(prompt)
        ids = itertools.islice(self.generate_ids(prompt_ids, sampling=sampling, seed=seed), max_tokens)
        return self._decoded(prompt_ids, ids)

    def _decoded(self, prompt: list[int], ids: Iterable[int]) -> Iterator[str]:
        # The prompt goes through the decoder too: some decoders write a first token differently.
        stream = self.tok.stream(errors="replace")
        for number in prompt:
            stream.push(number)
        for number in ids:
            if piece := stream.push(number):
                yield piece
        if rest := stream.finish():
            yield rest

    def evaluate(self, texts: Iterable[str]) -> LanguageLoss:
        """The loss on texts, each from its start. Special tokens in them are plain text.

        Raises
        ------
        CorpusError
            If there is no token.
        """
        total, n_tokens, n_bytes = 0.0, 0, 0
        for text in _texts(texts, "evaluate"):
            inputs, targets = _pairs(self.tok, [text], self.start)
            n_tokens += len(targets)
            n_bytes += len(text.encode())
            for at in range(0, len(targets), ROWS):
                wanted = targets[at : at + ROWS].astype(np.int64)[:, None]
                logarithms = log_softmax(self.head(self.table(inputs[at : at + ROWS])))
                total -= float(np.take_along_axis(logarithms, wanted, axis=1).sum(dtype=np.float64))
        if n_tokens == 0:
            raise CorpusError("The texts have no token, so there is no loss. Give at least one character.")
        return LanguageLoss(
            nats_per_token=total / n_tokens,
            bits_per_byte=total / math.log(2) / n_bytes,
            n_tokens=n_tokens,
            n_bytes=n_bytes,
        )


def train_language_model(
    texts: Iterable[str],
    tok: Tokenizer,
    *,
    dim: int = 64,
    tied: bool = False,
    epochs: int = 5,
    batch: int = 256,
    lr: float = 0.01,
    seed: int = 0,
    progress: Progress | None = None,
) -> LanguageModel:
    """Trains Embedding → OutputHead on the next ids of texts.

    Parameters
    ----------
    texts : iterable of str
        Each is a document: the first token follows the start row, nothing follows the last. Special tokens in them
        are plain text.
    tok : Tokenizer
    dim : int
        Numbers in a row.
    tied : bool
        One table for both. A tied bigram model is poor: the logit of b after a is E[a] · E[b], and so is that of a
        after b.
    epochs, batch, lr, seed, progress
        As in :func:`train_on_pairs`.

    Raises
    ------
    TrainingError
        If the texts have no token.
    """
    inputs, targets = _pairs(tok, list(_texts(texts, "train_language_model")), tok.sizes.id_range)
    table = Embedding(tok.sizes.id_range + 1, dim, seed)
    own = None if tied else Embedding(table.vocab_size, dim, seed + 1).weight
    head = OutputHead(table) if own is None else OutputHead(own, np.zeros(len(own), np.float32), layout="rows")
    losses = train_on_pairs(
        table, head, inputs, targets, epochs=epochs, batch=batch, lr=lr, seed=seed, progress=progress
    )
    return LanguageModel(tok, table, head, losses)


def _texts(texts: Iterable[str], caller: str) -> Iterable[str]:
    check_texts("texts", caller, texts)
    return texts


def _pairs(tok: Tokenizer, texts: list[str], start: int) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Each id with the one before it; the start row is before the first of a text."""
    batch = tok.encode_batch(texts, disallowed_special=())
    before = np.empty_like(batch.ids)
    before[1:] = batch.ids[:-1]
    firsts = batch.offsets[:-1][batch.lengths() > 0]
    before[firsts] = start
    return before, batch.ids
