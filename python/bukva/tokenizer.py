"""A tokenizer: text to ids and back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

from . import _core
from ._core import Batch
from .checks import wrong
from .cutting import Padding, Truncation, padding_of, truncation_of, windows
from .encoding import Encoding, explain
from .shards.encoding import FileEncoding
from .special import Specials
from .vocab import Sizes, Vocab, sizes_of

if TYPE_CHECKING:
    from .chat import Chat, ChatTemplate, Harmony
    from .training import TrainingRecord

CorpusPath = str | os.PathLike[str]


class Tokenizer(FileEncoding):
    """Encodes text into token ids and decodes ids into text. Immutable, and safe to share between threads.

    Made by :func:`bukva.train`, :func:`bukva.train_from_iterator` and :func:`bukva.load`. ``encode``,
    ``encode_batch``, ``encode_ordinary``, ``count``, ``count_batch``, ``decode``, ``decode_batch``, ``decode_bytes``
    and ``stream`` come from the native module as they are. Two tokenizers are equal when they give the same ids for
    every text in the same way.
    """

    __slots__ = ("_training",)

    _training: TrainingRecord | None

    def __new__(cls, source: _core.Tokenizer, /, training: TrainingRecord | None = None) -> Self:
        """Wrap a native tokenizer; use ``train`` or ``load``."""
        self = super().__new__(cls, source)
        self._training = training
        return self

    def without_cache(self) -> Tokenizer:
        """The same tokenizer, whose threads remember nothing of the texts they encode.

        Usually each thread keeps the pre-tokens that it met, with their ids, up to 16 MB, until the tokenizer is
        deleted: a text of words met before is encoded several times as fast. Without it memory stays as it is after
        loading. The ids are the same, and so the two are equal; tables are shared. Copies and pickles have no cache
        either.
        """
        return Tokenizer(self._without_cache(), self._training)

    @property
    def has_cache(self) -> bool:
        """Whether threads remember what they encoded; see :meth:`without_cache`."""
        return self._has_cache()

    def encode_windows(
        self,
        text: str,
        max_length: int,
        stride: int = 0,
        *,
        add_special_tokens: bool = False,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
    ) -> Batch:
        """Encodes one text and cuts its ids into windows; nothing is lost.

        Parameters
        ----------
        max_length : int
            Tokens of a window, control tokens among them; the last may have fewer.
        stride : int
            Tokens of the text that a window shares with the one before.
        add_special_tokens : bool
            Put the control tokens of the template around every window, as ``tokenizers`` does when it truncates.
        allowed_special, disallowed_special
            As in ``encode``.

        Raises
        ------
        ArgumentError
            Unless a window has room for control tokens and more than ``stride`` others.
        """
        ids = self.encode(text, allowed_special=allowed_special, disallowed_special=disallowed_special)
        return windows(ids, max_length, stride, self._pad_id(), self._framed if add_special_tokens else None)

    @property
    def truncation(self) -> Truncation | None:
        """How the file says to cut long texts; applied only by ``bukva.compat.hf``."""
        return truncation_of(self)

    @property
    def padding(self) -> Padding | None:
        """How the file says to fill short texts; its id is the default of ``Batch.pad``."""
        return padding_of(self)

    def explain(self, text: str, *, allowed_special: Specials = (), disallowed_special: Specials = "all") -> Encoding:
        """Encodes one text step by step: what was normalised, cut and merged, and where each token lies."""
        return explain(self, text, allowed_special=allowed_special, disallowed_special=disallowed_special)

    def chat(
        self,
        messages: Iterable[Any],
        *,
        tools: Iterable[Any] | None = None,
        documents: Iterable[Any] | None = None,
        add_generation_prompt: bool = False,
        continue_final_message: bool | str = False,
        template: ChatTemplate | Harmony | str | None = None,
        allowed_special: Specials = (),
        disallowed_special: Specials = "all",
        **variables: Any,
    ) -> Chat:
        """A conversation as the text and the ids that the model reads; ``len`` of it counts tokens.

        Parameters
        ----------
        messages : iterable of mappings
            Each with ``role`` and ``content``.
        tools, documents : iterable of mappings, optional
            Functions as JSON schemas; texts to answer from.
        add_generation_prompt : bool
            Begin the assistant's next message.
        continue_final_message : bool or str
            Leave the last message open; a string names the field to go on with.
        template : ChatTemplate, Harmony or str, optional
            A string names one of the templates of the tokenizer's folder. Left out: that folder's own.
        allowed_special, disallowed_special
            As in ``encode``, for what the messages say. Control tokens that the template writes are always
            recognised; text in a message never becomes one unless ``allowed_special`` says so.
        **variables
            Further variables of the template, such as ``enable_thinking``.

        Raises
        ------
        SpecialTokenError
            If a message holds the text of a special token and the options do not let it pass.
        TemplateError
            If there is no template, or it fails, or refuses the conversation.
        """
        from .chat.conversation import converse

        return converse(
            self,
            messages,
            template,
            tools=tools,
            documents=documents,
            add_generation_prompt=add_generation_prompt,
            continue_final_message=continue_final_message,
            allowed_special=allowed_special,
            disallowed_special=disallowed_special,
            **variables,
        )

    @property
    def chat_template(self) -> ChatTemplate | None:
        """The chat template of the folder that the tokenizer was loaded from; None where it has none."""
        from .chat.template import ChatTemplate

        return ChatTemplate.from_files(self._files())

    @property
    def sizes(self) -> Sizes:
        """How many ids there are of each sort. O(vocabulary)."""
        return sizes_of((number for _, number in self._vocab()), self._added_tokens())

    @property
    def vocab(self) -> Vocab:
        """Ordinary tokens, bytes ↔ id. O(vocabulary): keep it where it is used often."""
        return Vocab(self._vocab())

    @property
    def merges(self) -> list[tuple[bytes, bytes]]:
        """Left and right bytes of each merge, in the order of rank; empty for models without merges."""
        spell = {number: token for token, number in self._vocab()}
        return [(spell[left], spell[right]) for left, right, _ in self._merges()]

    @property
    def special_tokens(self) -> dict[str, int]:
        """Text and id of each special token."""
        return {text: number for text, number, special in self._added_tokens() if special}

    @property
    def training(self) -> TrainingRecord | None:
        """What the training run read and how it ended; None for a tokenizer that was loaded."""
        return self._training

    @property
    def fingerprint(self) -> str:
        """Hash of everything that decides ids: equal tokenizers have equal fingerprints."""
        return self._fingerprint()

    def save(self, path: CorpusPath, allow_loss: bool = False) -> list[tuple[str, str]]:
        """Writes the tokenizer in the format that the path names, whole or not at all.

        Parameters
        ----------
        path : str or os.PathLike
            A folder (``tokenizer.json`` and its companions), ``tokenizer.json``, ``x.tiktoken`` or ``x.bukva``.
        allow_loss : bool
            Write even where the format cannot hold everything.

        Returns
        -------
        list of (str, str)
            What was lost, and how.

        Raises
        ------
        LossError
            If the format cannot hold everything and ``allow_loss`` is False.
        FileError
            If the file cannot be written.
        """
        if not isinstance(path, (str, os.PathLike)) or not os.fspath(path):
            raise wrong("path", "save", "a path that is not empty", path)
        return self._save(os.fspath(path), allow_loss)

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_image, (self._to_image(), self._training, self.has_cache)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tokenizer):
            return NotImplemented
        return self is other or self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __repr__(self) -> str:
        summary, sizes = self._summary(), self.sizes
        return f"Tokenizer({summary['model']}, {sizes.defined} ids, pattern={summary['pattern']!r})"


def _from_image(image: bytes, training: TrainingRecord | None, cache: bool) -> Tokenizer:
    tokenizer = Tokenizer(_core.load_image(image), training)
    return tokenizer if cache else tokenizer.without_cache()


def load(
    path: CorpusPath,
    encoding: str | None = None,
    pattern: str | None = None,
    special_tokens: Mapping[str, int] | None = None,
) -> Tokenizer:
    """Reads a tokenizer from a file or folder. Never uses the network.

    Parameters
    ----------
    path : str or os.PathLike
        ``tokenizer.json`` or its folder, ``vocab.json`` with ``merges.txt`` beside it, ``vocab.txt``, ``.tiktoken`` or
        ``.bukva``. The side files of a folder are kept.
    encoding : str, optional
        For ``.tiktoken`` and ``vocab.json``, which hold no more than tables: names the pattern and the special tokens
        (``o200k_base``). For ``vocab.txt``: ``bert_uncased`` or ``bert_cased``. A ``tokenizer_config.json`` beside the
        last two says it as well.
    pattern, special_tokens : optional
        The same by hand, instead of ``encoding`` or over it. ``"none"`` is a pattern that cuts nothing.

    Raises
    ------
    FileError
        If the file cannot be read.
    FormatError
        If it is truncated, foreign, or contradicts itself.
    """
    if not isinstance(path, (str, os.PathLike)) or not os.fspath(path):
        raise wrong("path", "load", "a path that is not empty", path)
    return Tokenizer(_core.load(os.fspath(path), encoding, pattern, special_tokens))
