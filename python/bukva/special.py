"""How callers name special tokens."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

Specials = Literal["all"] | Collection[str]
"""Every special token, or these."""
