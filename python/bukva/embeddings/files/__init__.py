"""Files of word vectors: one module a format, found by name when it is written and by content when it is read."""

from .load import load_vectors
from .save import save_vectors

__all__ = ["load_vectors", "save_vectors"]
