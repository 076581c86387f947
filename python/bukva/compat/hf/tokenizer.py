"""``Tokenizer`` with the methods, signatures, defaults and results of ``tokenizers.Tokenizer``."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterable, Sequence
from typing import Any, Self

import bukva

from ... import _core
from ..._core import Encoding
from ...errors import UnsupportedError
from .added import AddedToken, added_of
from .options import check_truncation, padding_facts, padding_record, truncation_facts, truncation_record
from .staged import Staged

Ids = Sequence[int]


class Tokenizer(Staged):
    """A tokenizer that works as ``tokenizers.Tokenizer`` does.

    Made of a model, or by ``from_file``, ``from_str``, ``from_buffer`` and ``from_tokenizer``. The file's truncation
    and padding are on, all added tokens are recognised in a text, and offsets count characters. The engine is
    immutable: a stage that is set makes a new one, when it is first used.
    """

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

    def __reduce__(self) -> tuple[Any, ...]:
        return Tokenizer.from_str, (self.to_str(),)

    def __repr__(self) -> str:
        return (
            f"Tokenizer(model={self._whole()['model']['type']}, truncation={self.truncation}, padding={self.padding})"
        )
