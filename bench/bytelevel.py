"""GPT-2's printable stand-ins for bytes, to read the merges of files that use them."""

from __future__ import annotations

from functools import cache


@cache
def _table() -> dict[str, int]:
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(0x100 + i): byte for i, byte in enumerate(others)}


def to_bytes(token: str) -> bytes:
    """The bytes for which a byte-level token stands."""
    return bytes(map(_table().__getitem__, token))
