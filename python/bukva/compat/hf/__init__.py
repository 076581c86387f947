"""The interface of Hugging Face ``tokenizers``: ``from bukva.compat.hf import Tokenizer``.

A program that uses ``tokenizers`` 0.23 runs with this import instead, and gets the same ids, tokens, offsets, masks,
windows and texts. Stages are objects of ``normalizers``, ``pre_tokenizers``, ``models``, ``processors`` and
``decoders`` here, or those of ``tokenizers`` itself; BPE and WordLevel models are trained with ``trainers``.
"""

from typing import NoReturn

from ..._core import Encoding
from ...errors import UnsupportedError
from . import decoders, models, normalizers, pre_tokenizers, processors, trainers
from .added import AddedToken
from .parts import Regex
from .stream import DecodeStream
from .tokenizer import Tokenizer

__all__ = [
    "AddedToken",
    "DecodeStream",
    "Encoding",
    "Regex",
    "Tokenizer",
    "decoders",
    "models",
    "normalizers",
    "pre_tokenizers",
    "processors",
    "trainers",
]

_LEFT_OUT = {
    "BertWordPieceTokenizer": "load its files with Tokenizer.from_file, or build a Tokenizer of models.WordPiece",
    "ByteLevelBPETokenizer": "load its files with Tokenizer.from_file, or build a Tokenizer of models.BPE",
    "CharBPETokenizer": "build a Tokenizer of models.BPE with end_of_word_suffix",
    "SentencePieceBPETokenizer": "build a Tokenizer of models.BPE with pre_tokenizers.Metaspace",
    "SentencePieceUnigramTokenizer": "build a Tokenizer of models.Unigram with pre_tokenizers.Metaspace",
    "NormalizedString": "use normalize_str of a normalizer",
    "PreTokenizedString": "use pre_tokenize_str of a pre-tokenizer",
}


def __getattr__(name: str) -> NoReturn:
    if name in _LEFT_OUT:
        raise UnsupportedError(f"bukva.compat.hf has no {name}: {_LEFT_OUT[name]}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
