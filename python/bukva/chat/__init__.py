"""Conversations: messages become the text, and the ids, that a model was trained on.

:class:`ChatTemplate` runs the Jinja template of a tokenizer's folder; :class:`Harmony` writes the format of gpt-oss.
``Tokenizer.chat`` uses them.
"""

from .conversation import Chat
from .harmony import Harmony
from .limits import Limits
from .template import ChatTemplate

__all__ = ["Chat", "ChatTemplate", "Harmony", "Limits"]
