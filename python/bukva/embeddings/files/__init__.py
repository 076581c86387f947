"""Files of word vectors: one module a format, found by name when it is written and by content when it is read."""

from .floret import load_floret, save_floret
from .load import load_vectors
from .save import save_vectors

__all__ = ["load_floret", "load_vectors", "save_floret", "save_vectors"]
