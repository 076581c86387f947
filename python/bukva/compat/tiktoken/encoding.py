"""The class ``Encoding``."""

from __future__ import annotations

import functools
from base64 import b64encode
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

from ... import _core
from ...checks import check_integer, check_texts
from ...errors import UnknownIdError
from ...tokenizer import Tokenizer
from .policy import Allowed, Disallowed, check, mend
from .unstable import Ranks, of_bytes, with_unstable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NOTHING: frozenset[str] = frozenset()


class Encoding:
    """Byte-pair encoding by ranks, as ``tiktoken.Encoding``.

    Parameters
    ----------
    name : str
        Shown by ``repr``.
    pat_str : str
        The regular expression that cuts the text into pieces.
    mergeable_ranks : dict of bytes to int
        Id, and priority, of each ordinary token. Every byte that UTF-8 uses must be among them.
    special_tokens : dict of str to int
    explicit_n_vocab : int, optional
        Checked against the number of tokens and the highest id.

    Raises
    ------
    ValueError
        If the ranks, the special tokens or the pattern cannot be used.
    AssertionError
        If ``explicit_n_vocab`` is not what the tokens make.
    """

    def __init__(
        self,
        name: str,
        *,
        pat_str: str,
        mergeable_ranks: dict[bytes, int],
        special_tokens: dict[str, int],
        explicit_n_vocab: int | None = None,
    ) -> None:
        data = b"".join(b"%s %d\n" % (b64encode(token), rank) for token, rank in mergeable_ranks.items())
        names = {regex: pattern for pattern, regex in _core.pattern_names()}
        native = _core.load_ranks(data, None, names.get(pat_str, pat_str), special_tokens)
        self._take(name, pat_str, Tokenizer(native))
        if explicit_n_vocab:
            _check_size(len(mergeable_ranks) + len(special_tokens), self.max_token_value, explicit_n_vocab)

    def _take(self, name: str, pat_str: str, tok: Tokenizer) -> None:
        self.name = name
        self._pat_str = pat_str
        self._tok = tok
        self._special_tokens = tok.special_tokens
        self._special_ids = frozenset(self._special_tokens.values())
        self.max_token_value = tok._id_range() - 1

    @classmethod
    def _of(cls, name: str, native: _core.Tokenizer) -> Self:
        """An encoding around a tokenizer that is loaded already."""
        self = cls.__new__(cls)
        pattern = str(native._summary()["pattern"])
        self._take(name, dict(_core.pattern_names()).get(pattern, pattern), Tokenizer(native))
        return self

    def __repr__(self) -> str:
        return f"<Encoding {self.name!r}>"

    def encode_ordinary(self, text: str) -> list[int]:
        """Ids of a text in which no special token is recognised."""
        try:
            return self._tok.encode_ordinary(text)
        except UnicodeError:
            return self._tok.encode_ordinary(mend(text))

    def encode(
        self, text: str, *, allowed_special: Allowed = NOTHING, disallowed_special: Disallowed = "all"
    ) -> list[int]:
        """Ids of a text. Text of a special token raises ``ValueError`` unless it is allowed or not disallowed."""
        options = self._options([text], allowed_special, disallowed_special)
        try:
            return self._tok.encode(text, **options)
        except UnicodeError:
            return self._tok.encode(mend(text), **options)

    def encode_to_numpy(
        self, text: str, *, allowed_special: Allowed = NOTHING, disallowed_special: Disallowed = "all"
    ) -> NDArray[np.uint32]:
        """As :meth:`encode`, an array of uint32, shape (n_tokens,). A lone surrogate is an error here."""
        options = self._options([text], allowed_special, disallowed_special)
        try:
            return self._tok.encode_batch([text], threads=1, **options).ids
        except UnicodeError:
            self._tok.encode(mend(text), **options)  # A special token is the first thing to complain of.
            text.encode()  # The error that tiktoken raises.
            raise

    def encode_ordinary_batch(self, text: list[str], *, num_threads: int = 8) -> list[list[int]]:
        """:meth:`encode_ordinary` of many texts, in parallel."""
        check_texts("text", "encode_ordinary_batch", text)
        return self._batch(list(text), num_threads, {"disallowed_special": ()})

    def encode_batch(
        self,
        text: list[str],
        *,
        num_threads: int = 8,
        allowed_special: Allowed = NOTHING,
        disallowed_special: Disallowed = "all",
    ) -> list[list[int]]:
        """:meth:`encode` of many texts, in parallel."""
        check_texts("text", "encode_batch", text)
        texts = list(text)
        return self._batch(texts, num_threads, self._options(texts, allowed_special, disallowed_special))

    def encode_with_unstable(
        self, text: str, *, allowed_special: Allowed = NOTHING, disallowed_special: Disallowed = "all"
    ) -> tuple[list[int], list[list[int]]]:
        """Ids that more text cannot change, and every sequence of ids that could cover the rest, sorted."""
        options = self._options([text], allowed_special, disallowed_special)
        return with_unstable(self._tok, self._ranks, text, options)

    def encode_single_token(self, text_or_bytes: str | bytes) -> int:
        """The id of one token, special ones included. ``KeyError`` where there is none."""
        token = _bytes_of(text_or_bytes)
        number = self._tok._token_id(token)
        if number is None:
            number = self._special_tokens.get(token.decode(errors="replace"))
        if number is None:
            raise KeyError(token)
        return number

    def decode_bytes(self, tokens: Sequence[int]) -> bytes:
        """The bytes that ids spell. ``KeyError`` for an id that is none."""
        try:
            return self._tok.decode_bytes(tokens)
        except UnknownIdError as error:
            _check_range(tokens)
            raise KeyError(f"Invalid token for decoding: {error}") from None

    def decode(self, tokens: Sequence[int], errors: str = "replace") -> str:
        """The text that ids spell; ``errors`` as in ``bytes.decode``."""
        return self.decode_bytes(tokens).decode(errors=errors)

    def decode_single_token_bytes(self, token: int) -> bytes:
        """The bytes of one id, special ones included. ``KeyError`` where there is none."""
        try:
            return self._tok._token_bytes(token)
        except UnknownIdError:
            _check_range([token])
            raise KeyError(str(token)) from None

    def decode_tokens_bytes(self, tokens: Sequence[int]) -> list[bytes]:
        """The bytes of each id."""
        return [self.decode_single_token_bytes(token) for token in tokens]

    def decode_with_offsets(self, tokens: Sequence[int]) -> tuple[str, list[int]]:
        """The text, and for each token the first character that has bytes of it. Strict about UTF-8."""
        spelled = self.decode_tokens_bytes(tokens)
        offsets, length = [], 0
        for token in spelled:
            offsets.append(max(0, length - _continues(token[0])))
            length += sum(not _continues(byte) for byte in token)
        return b"".join(spelled).decode(), offsets

    def decode_batch(
        self, batch: Sequence[Sequence[int]], *, errors: str = "replace", num_threads: int = 8
    ) -> list[str]:
        """:meth:`decode` of many sequences."""
        return [data.decode(errors=errors) for data in self.decode_bytes_batch(batch, num_threads=num_threads)]

    def decode_bytes_batch(self, batch: Sequence[Sequence[int]], *, num_threads: int = 8) -> list[bytes]:
        """:meth:`decode_bytes` of many sequences. One thread: making the objects is what takes the time."""
        check_integer("num_threads", "decode_bytes_batch", num_threads, 1)
        return [self.decode_bytes(tokens) for tokens in batch]

    def token_byte_values(self) -> list[bytes]:
        """Every ordinary token, in byte order."""
        return list(self._ranks.tokens)

    @property
    def eot_token(self) -> int:
        """The id of ``<|endoftext|>``; ``KeyError`` where there is none."""
        return self._special_tokens["<|endoftext|>"]

    @functools.cached_property
    def special_tokens_set(self) -> set[str]:
        """Names of the special tokens."""
        return set(self._special_tokens)

    def is_special_token(self, token: int) -> bool:
        """Whether an id is a special token's."""
        if not isinstance(token, int):
            raise AssertionError(f"The token must be an integer. Got {token!r} instead.")
        return token in self._special_ids

    @property
    def n_vocab(self) -> int:
        """``max_token_value + 1``."""
        return self.max_token_value + 1

    @functools.cached_property
    def _mergeable_ranks(self) -> dict[bytes, int]:
        return dict(self._tok._vocab())

    @functools.cached_property
    def _ranks(self) -> Ranks:
        return Ranks(self._mergeable_ranks)

    def _encode_single_piece(self, text_or_bytes: str | bytes) -> list[int]:
        return self._ranks.whole_or_merged(_bytes_of(text_or_bytes))

    def _encode_only_native_bpe(self, text: str) -> list[int]:
        return self.encode_ordinary(text)

    def _encode_bytes(self, text: bytes) -> list[int]:
        return of_bytes(self._tok, self._ranks, text)

    def _options(self, texts: list[str], allowed: Allowed, disallowed: Disallowed) -> dict[str, Any]:
        """The engine's arguments, once no text holds what only tiktoken's arguments can refuse."""
        if not allowed and disallowed == "all":
            return {"allowed_special": (), "disallowed_special": "all"}
        names = self.special_tokens_set
        known = names if allowed == "all" else names.intersection(allowed)
        refused: Collection[str] = names - known if disallowed == "all" else disallowed
        for text in texts:
            check(text, refused)
        return {"allowed_special": frozenset(known), "disallowed_special": ()}

    def _batch(self, texts: list[str], num_threads: int, options: dict[str, Any]) -> list[list[int]]:
        try:
            return self._tok.encode_batch(texts, threads=num_threads, **options).to_list()
        except UnicodeError:
            return self._tok.encode_batch([mend(text) for text in texts], threads=num_threads, **options).to_list()

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name, "pat_str": self._pat_str, "tokenizer": self._tok}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._take(state["name"], state["pat_str"], state["tokenizer"])


def _bytes_of(token: str | bytes) -> bytes:
    if not isinstance(token, (str, bytes, bytearray)):
        raise TypeError(f"A token must be str or bytes. Got {token!r} instead.")
    return token.encode() if isinstance(token, str) else bytes(token)


def _check_range(tokens: Iterable[int]) -> None:
    """Refuses what is no unsigned integer of 32 bits, with the error that tiktoken has for it."""
    for token in tokens:
        if not 0 <= token < 2**32:
            raise OverflowError(f"An id must be from 0 to {2**32 - 1}. Got {token} instead.")


def _continues(byte: int) -> bool:
    """Whether a byte continues a character of UTF-8."""
    return 0x80 <= byte < 0xC0


def _check_size(n_tokens: int, highest: int, stated: int) -> None:
    if n_tokens != stated or highest != stated - 1:
        raise AssertionError(
            f"explicit_n_vocab is {stated}, but there are {n_tokens} tokens and the highest id is {highest}."
        )
