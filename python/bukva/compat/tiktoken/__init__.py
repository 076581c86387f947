"""The interface of tiktoken 0.14 over bukva's engine: the same methods, defaults, results and types of error.

::

    from bukva.compat import tiktoken

    enc = tiktoken.get_encoding("o200k_base", path="o200k_base.tiktoken")
    enc.encode("Привет")

One thing differs on purpose: nothing is ever fetched. :func:`get_encoding` reads a rank file that is already on the
machine, and its error says where it looked.
"""

from .encoding import Encoding
from .models import encoding_name_for_model
from .registry import encoding_for_model, get_encoding, list_encoding_names

__all__ = ["Encoding", "encoding_for_model", "encoding_name_for_model", "get_encoding", "list_encoding_names"]
