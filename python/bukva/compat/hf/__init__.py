"""The interface of Hugging Face ``tokenizers``: ``from bukva.compat.hf import Tokenizer``.

A program that uses ``tokenizers`` 0.23 runs with this import instead, and gets the same ids, tokens, offsets, masks,
windows and texts. Stages are objects of ``normalizers``, ``pre_tokenizers``, ``models``, ``processors`` and
``decoders`` here, or those of ``tokenizers`` itself; BPE and WordLevel models are trained with ``trainers``.
"""

from ..._core import Encoding
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
