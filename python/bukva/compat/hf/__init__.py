"""The interface of Hugging Face ``tokenizers``: ``from bukva.compat.hf import Tokenizer``.

A program that encodes and decodes with ``tokenizers`` 0.23 runs with this import instead, and gets the same ids,
tokens, offsets, masks, windows and texts. Training and building a tokenizer from parts are not here: see
``bukva.train``.
"""

from ..._core import Encoding
from .added import AddedToken
from .stages import Decoder, DecodeStream, Model, Normalizer, PreTokenizer
from .tokenizer import Tokenizer

__all__ = ["AddedToken", "DecodeStream", "Decoder", "Encoding", "Model", "Normalizer", "PreTokenizer", "Tokenizer"]
