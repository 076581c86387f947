"""``Tokenizer`` with the methods, signatures, defaults and results of ``tokenizers.Tokenizer``."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any, Self

import bukva

from ... import _core
from ..._core import Encoding, HfEncoder
from ...errors import UnsupportedError
from .added import AddedToken, added_of, number_tokens
from .options import (
    PaddingFacts,
    TruncationFacts,
    check_truncation,
    padding_facts,
    padding_record,
    truncation_facts,
    truncation_record,
)
from .stages import Decoder, Model, Normalizer, PreTokenizer

Ids = Sequence[int]


class Tokenizer:
    """A tokenizer that works as ``tokenizers.Tokenizer`` does.

    Made by ``from_file``, ``from_str``, ``from_buffer`` and ``from_tokenizer``. The file's truncation and padding are
    on, all added tokens are recognised in a text, and offsets count characters.
    """

    _encoder: HfEncoder
    _tokenizer: _core.Tokenizer
    _vocab: dict[str, int] | None

    def __init__(self, model: object = None) -> None:
        raise UnsupportedError(
            "Tokenizer is not built from parts here: use Tokenizer.from_file, from_str or from_tokenizer"
        )

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
        self._tokenizer = tokenizer
        self._vocab = None
        self._set(None, None)

    def _set(self, truncation: TruncationFacts | None, padding: PaddingFacts | None) -> None:
        self._truncation = truncation
        self._padding = padding
        self._encoder = HfEncoder(self._tokenizer, truncation, padding, self._encode_special)

    def to_str(self, pretty: bool = False) -> str:
        """The text of its ``tokenizer.json``."""
        text = self._encoder.to_json()
        return json.dumps(json.loads(text), ensure_ascii=False, indent=2) if pretty else text

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
        """The model, read-only."""
        return Model(self._encoder)

    @property
    def normalizer(self) -> Normalizer | None:
        """The normalizer, read-only."""
        return Normalizer(self._encoder) if self._tokenizer._summary()["normalizer"] else None

    @property
    def pre_tokenizer(self) -> PreTokenizer:
        """The pre-tokenizer, read-only."""
        return PreTokenizer(self._encoder)

    @property
    def decoder(self) -> Decoder:
        """The decoder, read-only."""
        return Decoder(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return Tokenizer.from_str, (self.to_str(),)

    def __repr__(self) -> str:
        summary = self._tokenizer._summary()
        return f"Tokenizer(model={summary['model']}, truncation={self.truncation}, padding={self.padding})"
