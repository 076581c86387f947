"""``Tokenizer`` with the methods, signatures, defaults and results of ``tokenizers.Tokenizer``."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterable, Sequence
from typing import Any, Self, TypeVar

import bukva

from ... import _core
from ..._core import Encoding, HfEncoder
from ...errors import UnsupportedError
from .added import AddedToken, added_of, facts_of_file, number_tokens
from .decoders import Decoder
from .models import Model
from .normalizers import Normalizer
from .options import (
    PaddingFacts,
    TruncationFacts,
    check_truncation,
    padding_facts,
    padding_record,
    truncation_facts,
    truncation_record,
)
from .parts import Part, State, file_of, state_of
from .pre_tokenizers import PreTokenizer
from .processors import PostProcessor
from .trainers import Trainer, trainer_of
from .training import lines, trained

Ids = Sequence[int]
P = TypeVar("P", bound=Part)
EMPTY: State = {"type": "WordLevel", "vocab": {}, "unk_token": ""}


class Tokenizer:
    """A tokenizer that works as ``tokenizers.Tokenizer`` does.

    Made of a model, or by ``from_file``, ``from_str``, ``from_buffer`` and ``from_tokenizer``. The file's truncation
    and padding are on, all added tokens are recognised in a text, and offsets count characters. The engine is
    immutable: a stage that is set makes a new one, when it is first used.
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

    @classmethod
    def from_tokenizer(cls, tokenizer: bukva.Tokenizer) -> Self:
        """The same tokenizer with this interface."""
        return cls._wrap(tokenizer)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Self:
        """The tokenizer of a ``tokenizer.json``, or of any other file or folder that ``bukva.load`` reads."""
        return cls._wrap(bukva.load(path))

    @classmethod
    def from_str(cls, json: str) -> Self:
        """The tokenizer of the text of a ``tokenizer.json``."""
        return cls._wrap(_core.read_hf_json(json.encode()))

    @classmethod
    def from_buffer(cls, buffer: bytes) -> Self:
        """The tokenizer of the bytes of a ``tokenizer.json``."""
        return cls._wrap(_core.read_hf_json(bytes(buffer)))

    @classmethod
    def from_pretrained(cls, identifier: str, revision: str = "main", token: str | None = None) -> Self:
        """Always an error: nothing here uses the network.

        Raises
        ------
        UnsupportedError
        """
        raise UnsupportedError(
            f"{identifier!r} would have to be downloaded, and bukva never uses the network: "
            "download its tokenizer.json and use Tokenizer.from_file"
        )

    @classmethod
    def _wrap(cls, tokenizer: _core.Tokenizer) -> Self:
        self = cls.__new__(cls)
        self._encode_special = False
        self._use(tokenizer)
        file = self._encoder
        self._set(file.truncation(), file.padding())
        return self

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
        facts = {"truncation": self._truncation, "padding": self._padding}
        if not any(facts.values()):
            return self._file
        # The engine knows how they are written.
        shown = HfEncoder(
            _core.read_hf_json(json.dumps(file_of(EMPTY)).encode()), self._truncation, self._padding, False
        )
        written = json.loads(shown.to_json())
        return {**self._file, **{name: written[name] for name in facts}}

    def _component(self, kind: type[P], name: str) -> P | None:
        state = self._whole()[name]
        return None if state is None else kind._of_state(state)

    def _replace(self, kind: type[Part], name: str, part: object) -> None:
        state = None if part is None and kind is not Model else state_of(kind, part)
        self._file = {**self._whole(), name: state}
        self._vocab = None

    def to_str(self, pretty: bool = False) -> str:
        """The text of its ``tokenizer.json``."""
        if self._file is None and not pretty:
            return self._engine.to_json()
        separators = None if pretty else (",", ":")
        return json.dumps(self._whole(), ensure_ascii=False, indent=2 if pretty else None, separators=separators)

    def save(self, path: str | os.PathLike[str], pretty: bool = True) -> None:
        """Writes its ``tokenizer.json``."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.to_str(pretty))

    def encode(
        self,
        sequence: str | Sequence[str],
        pair: str | Sequence[str] | None = None,
        is_pretokenized: bool = False,
        add_special_tokens: bool = True,
    ) -> Encoding:
        """Encodes a text or a pair; words in a list with ``is_pretokenized``."""
        return self._encoder.encode(sequence, pair, is_pretokenized, add_special_tokens)

    def encode_batch(
        self, input: Iterable[Any], is_pretokenized: bool = False, add_special_tokens: bool = True
    ) -> list[Encoding]:
        """Encodes many texts, or pairs in tuples, on all processors."""
        return self._encoder.encode_batch(input, is_pretokenized, add_special_tokens, False)

    def encode_batch_fast(
        self, input: Iterable[Any], is_pretokenized: bool = False, add_special_tokens: bool = True
    ) -> list[Encoding]:
        """As ``encode_batch``, without offsets, words and the texts of tokens."""
        return self._encoder.encode_batch(input, is_pretokenized, add_special_tokens, True)

    async def async_encode(
        self,
        sequence: str | Sequence[str],
        pair: str | Sequence[str] | None = None,
        is_pretokenized: bool = False,
        add_special_tokens: bool = True,
    ) -> Encoding:
        """As ``encode``, on another thread."""
        return await asyncio.to_thread(self.encode, sequence, pair, is_pretokenized, add_special_tokens)

    async def async_encode_batch(
        self, input: Iterable[Any], is_pretokenized: bool = False, add_special_tokens: bool = True
    ) -> list[Encoding]:
        """As ``encode_batch``, on another thread."""
        return await asyncio.to_thread(self.encode_batch, input, is_pretokenized, add_special_tokens)

    async def async_encode_batch_fast(
        self, input: Iterable[Any], is_pretokenized: bool = False, add_special_tokens: bool = True
    ) -> list[Encoding]:
        """As ``encode_batch_fast``, on another thread."""
        return await asyncio.to_thread(self.encode_batch_fast, input, is_pretokenized, add_special_tokens)

    async def async_decode_batch(self, sequences: Iterable[Ids], skip_special_tokens: bool = True) -> list[str]:
        """As ``decode_batch``, on another thread."""
        return await asyncio.to_thread(self.decode_batch, sequences, skip_special_tokens)

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

    def post_process(
        self, encoding: Encoding, pair: Encoding | None = None, add_special_tokens: bool = True
    ) -> Encoding:
        """Cuts encodings, puts the template around them, and fills them up."""
        return self._encoder.post_process(encoding, pair, add_special_tokens)

    def decode(self, ids: Ids, skip_special_tokens: bool = True) -> str:
        """The text of ids; ids that no token has are left out."""
        return self._encoder.decode(ids, skip_special_tokens)

    def decode_batch(self, sequences: Iterable[Ids], skip_special_tokens: bool = True) -> list[str]:
        """The texts of many sequences of ids, on all processors."""
        return self._encoder.decode_batch(sequences, skip_special_tokens)

    def token_to_id(self, token: str) -> int | None:
        """The id of a token, added ones included."""
        if self._vocab is None:
            self._vocab = self._encoder.vocab(True)
        return self._vocab.get(token)

    def id_to_token(self, id: int) -> str | None:
        """The token of an id, added ones included."""
        return self._encoder.id_to_token(id)

    def get_vocab(self, with_added_tokens: bool = True) -> dict[str, int]:
        """Tokens and ids."""
        return self._encoder.vocab(with_added_tokens)

    def get_vocab_size(self, with_added_tokens: bool = True) -> int:
        """The number of tokens."""
        return len(self._encoder.vocab(with_added_tokens))

    def get_added_tokens_decoder(self) -> dict[int, AddedToken]:
        """Added tokens by id."""
        return {facts[0]: added_of(facts) for facts in sorted(self._encoder.added())}

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

    def num_special_tokens_to_add(self, is_pair: bool) -> int:
        """How many control tokens the template adds."""
        return self._encoder.added_by_template(is_pair)

    def enable_truncation(
        self, max_length: int, stride: int = 0, strategy: str = "longest_first", direction: str = "right"
    ) -> None:
        """Cuts what is encoded from now on; the other windows are ``overflowing``.

        Raises
        ------
        ValueError
            For an unknown strategy or direction, or a stride that leaves no room.
        """
        facts = truncation_facts(max_length, stride, strategy, direction)
        check_truncation(facts, self.num_special_tokens_to_add(False))
        self._set(facts, self._padding)

    def no_truncation(self) -> None:
        """Cuts nothing from now on."""
        self._set(None, self._padding)

    def enable_padding(
        self,
        direction: str = "right",
        pad_id: int = 0,
        pad_type_id: int = 0,
        pad_token: str = "[PAD]",
        length: int | None = None,
        pad_to_multiple_of: int | None = None,
    ) -> None:
        """Fills what is encoded from now on; to the longest of a batch where no length is given.

        Raises
        ------
        ValueError
            For an unknown direction.
        """
        facts = padding_facts(direction, pad_id, pad_type_id, pad_token, length, pad_to_multiple_of)
        self._set(self._truncation, facts)

    def no_padding(self) -> None:
        """Fills nothing from now on."""
        self._set(self._truncation, None)

    @property
    def truncation(self) -> dict[str, Any] | None:
        """The truncation that is on."""
        return truncation_record(self._truncation)

    @property
    def padding(self) -> dict[str, Any] | None:
        """The padding that is on."""
        return padding_record(self._padding)

    @property
    def encode_special_tokens(self) -> bool:
        """Whether the text of special tokens is encoded as any text."""
        return self._encode_special

    @encode_special_tokens.setter
    def encode_special_tokens(self, value: bool) -> None:
        self._encode_special = value
        self._set(self._truncation, self._padding)

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

    def __reduce__(self) -> tuple[Any, ...]:
        return Tokenizer.from_str, (self.to_str(),)

    def __repr__(self) -> str:
        return (
            f"Tokenizer(model={self._whole()['model']['type']}, truncation={self.truncation}, padding={self.padding})"
        )
