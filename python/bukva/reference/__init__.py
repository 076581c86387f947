"""Readable definitions in plain Python: what the engine must compute, without how it does it fast.

They use the standard library alone, are slow on purpose, and serve the guide as text to read and the tests as oracle.
"""

from . import bpe, unigram, wordpiece

__all__ = ["bpe", "unigram", "wordpiece"]
