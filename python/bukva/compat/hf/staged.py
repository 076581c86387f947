"""The state of a tokenizer: its engine, or the file that one is to be made of."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import TypeVar

from ... import _core
from ..._core import HfEncoder
from .added import AddedToken, added_of, facts_of_file, number_tokens
from .decoders import Decoder
from .models import Model
from .normalizers import Normalizer
from .options import PaddingFacts, TruncationFacts
from .parts import Part, State, file_of, state_of, words
from .pre_tokenizers import PreTokenizer
from .processors import PostProcessor
from .trainers import Trainer, trainer_of
from .training import lines, trained

P = TypeVar("P", bound=Part)


class Staged:
    """The stages of a tokenizer, to be looked at, set and trained.

    The engine is immutable: a stage that is set makes a new one, when it is first used.
    """

    _engine: HfEncoder
    _native: _core.Tokenizer
    _vocab: dict[str, int] | None
    # A file that is to be built.
    _file: State | None

    def __init__(self, model: object) -> None:
        self._encode_special = False
        self._vocab = None
        self._truncation: TruncationFacts | None = None
        self._padding: PaddingFacts | None = None
        self._file = file_of(state_of(Model, model))

    def _use(self, tokenizer: _core.Tokenizer) -> None:
        self._native = tokenizer
        self._vocab = self._file = None
        self._set(None, None)

    def _set(self, truncation: TruncationFacts | None, padding: PaddingFacts | None) -> None:
        self._truncation = truncation
        self._padding = padding
        if self._file is None:
            self._engine = HfEncoder(self._native, truncation, padding, self._encode_special)

    @property
    def _encoder(self) -> HfEncoder:
        if self._file is not None:
            truncation, padding = self._truncation, self._padding
            self._use(_core.read_hf_json(json.dumps(self._file, ensure_ascii=False).encode()))
            self._set(truncation, padding)
        return self._engine

    def _whole(self) -> State:
        """The file as it stands."""
        if self._file is None:
            file: State = json.loads(self._engine.to_json())
            return file
        # The engine knows how they are written.
        empty = _core.read_hf_json(json.dumps(file_of(words({}))).encode())
        written = json.loads(HfEncoder(empty, self._truncation, self._padding, False).to_json())
        return {**self._file, "truncation": written["truncation"], "padding": written["padding"]}

    def _component(self, kind: type[P], name: str) -> P | None:
        state = self._whole()[name]
        return None if state is None else kind._of_state(state)

    def _replace(self, kind: type[Part], name: str, part: object) -> None:
        state = None if part is None and kind is not Model else state_of(kind, part)
        self._file = {**self._whole(), name: state}
        self._vocab = None

    @property
    def model(self) -> Model:
        """The model. One that is set takes the place of the whole vocabulary."""
        return Model._of_state(self._whole()["model"])

    @model.setter
    def model(self, model: object) -> None:
        self._replace(Model, "model", model)

    @property
    def normalizer(self) -> Normalizer | None:
        """The normalizer, if there is one."""
        return self._component(Normalizer, "normalizer")

    @normalizer.setter
    def normalizer(self, normalizer: object) -> None:
        self._replace(Normalizer, "normalizer", normalizer)

    @property
    def pre_tokenizer(self) -> PreTokenizer | None:
        """The pre-tokenizer, if there is one."""
        return self._component(PreTokenizer, "pre_tokenizer")

    @pre_tokenizer.setter
    def pre_tokenizer(self, pre_tokenizer: object) -> None:
        self._replace(PreTokenizer, "pre_tokenizer", pre_tokenizer)

    @property
    def post_processor(self) -> PostProcessor | None:
        """The post-processor, if there is one."""
        return self._component(PostProcessor, "post_processor")

    @post_processor.setter
    def post_processor(self, post_processor: object) -> None:
        self._replace(PostProcessor, "post_processor", post_processor)

    @property
    def decoder(self) -> Decoder | None:
        """The decoder, if there is one."""
        return self._component(Decoder, "decoder")

    @decoder.setter
    def decoder(self, decoder: object) -> None:
        self._replace(Decoder, "decoder", decoder)

    def add_tokens(self, tokens: Sequence[str | AddedToken]) -> int:
        """Adds tokens; returns how many are new."""
        return self._add(tokens, False)

    def add_special_tokens(self, tokens: Sequence[str | AddedToken]) -> int:
        """Adds special tokens; returns how many are new."""
        return self._add(tokens, True)

    def _add(self, tokens: Sequence[str | AddedToken], special: bool) -> int:
        if self._file is not None:
            known, vocab = facts_of_file(self._file)
            added, changed = number_tokens(tokens, special, known, vocab)
            self._file = {**self._file, "added_tokens": [added_of(facts)._record(facts[0]) for facts in added]}
            self._vocab = None
            return changed
        added, changed = number_tokens(tokens, special, self._encoder.added(), self._encoder.vocab(False))
        if changed:
            truncation, padding = self._truncation, self._padding
            self._use(self._encoder.with_added(added))
            self._set(truncation, padding)
        return changed

    def train(self, files: Sequence[str | os.PathLike[str]], trainer: object = None) -> None:
        """Trains the model on the lines of files. See ``train_from_iterator``."""
        self.train_from_iterator(lines([files] if isinstance(files, (str, os.PathLike)) else files), trainer)

    def train_from_iterator(
        self, iterator: Iterable[str | Iterable[str]], trainer: object = None, length: int | None = None
    ) -> None:
        """Trains the model on texts, or lists of texts; the other stages stay. The trainer's special tokens are added.

        Raises
        ------
        UnsupportedError
            For a WordPiece or a Unigram model, and for options that bukva's training does not have.
        """
        options: Trainer = self.model.get_trainer() if trainer is None else trainer_of(trainer)
        file = self._whole()
        self._file = {**file, "model": trained(file, iterator, options)}
        self._vocab = None
        self.add_special_tokens(options.special_tokens)
