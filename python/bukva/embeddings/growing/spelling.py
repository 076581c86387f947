"""Tokens of two vocabularies, spelled alike so that they can be compared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ...errors import ArgumentError, BukvaError

if TYPE_CHECKING:
    from ...tokenizer import Tokenizer
    from ..vectors import WordVectors

META = "▁".encode()
BYTE = re.compile(rb"<0x([0-9A-Fa-f]{2})>")

Key = tuple[str, bytes]
"""What a token is: ``special``, ``added`` or ``ordinary``, and the bytes that it stands for."""


def keys_of(tok: Tokenizer) -> dict[int, Key]:
    """The token of each defined id, in the order of ids.

    Vocabularies of characters spell a space as ``▁`` where their decoder says so, and a byte as ``<0x0A>``; here both
    are the bytes that they stand for.
    """
    spaces, single_bytes = spelling_of(tok)
    keys: dict[int, Key] = {}
    for token, number in tok._vocab():
        match = BYTE.fullmatch(token) if single_bytes else None
        spelled = bytes.fromhex(match[1].decode()) if match else token.replace(META, b" ") if spaces else token
        keys[number] = ("ordinary", spelled)
    for text, number, special in tok._added_tokens():
        keys[number] = ("special" if special else "added", text.encode())
    return dict(sorted(keys.items()))


def spelling_of(tok: Tokenizer) -> tuple[bool, bool]:
    """Whether ``▁`` is a space, and whether ``<0x0A>`` is a byte."""
    summary = tok._summary()
    if summary["alphabet"] == "bytes":
        return False, False
    stages = f"{summary['decoder']} {summary['pretokenizer']}"
    spaces = any(mark in stages for mark in ("▁", '"metaspace"', '"sentence_piece"'))
    return spaces, any(mark in stages for mark in ('"byte_fallback"', '"sentence_piece"'))


class Speller:
    """Spells tokens of another vocabulary by the ids of an old tokenizer."""

    def __init__(self, tok: Tokenizer) -> None:
        self.tok = tok
        self.keys = keys_of(tok)
        self.by_key = {key: number for number, key in reversed(self.keys.items())}
        self.spaces, _ = spelling_of(tok)

    def ids(self, key: Key) -> list[int]:
        """Ids without special tokens; none where nothing spells the token.

        Bytes that are no whole characters are spelled by single bytes.
        """
        try:
            ids = self._encoded(key[1].decode())
        except UnicodeDecodeError:
            ids = [self.by_key.get(("ordinary", bytes([byte])), -1) for byte in key[1]]
        except BukvaError:
            return []
        return [number for number in ids if number in self.keys and self.keys[number][0] != "special"]

    def _encoded(self, text: str) -> list[int]:
        """Ids of a text; of the space that some tokenizers put before every text there is one at most."""
        if not self.spaces:
            return self.tok.encode_ordinary(text)
        ids = self.tok.encode_ordinary(text.removeprefix(" "))
        if not text.startswith(" ") and len(ids) > 1 and self.tok._token_bytes(ids[0]) == META:
            return ids[1:]
        return ids


def token_vectors(tok: Tokenizer, words: WordVectors, before: str | None = None) -> NDArray[np.float32]:
    """A vector for each token from vectors of words: the mean of the words that it occurs in, by their counts.

    Parameters
    ----------
    tok : Tokenizer
    words : WordVectors
        Where it has no counts, every word counts once. Vectors that were trained on the ids of a tokenizer go to their
        ids as they are; it must be this one.
    before : str, optional
        What stands before a word when it is encoded: a space for vocabularies of bytes, else nothing, where left out.

    Returns
    -------
    ndarray of float32, shape (ids, dim)
        One row for each id below the highest; zeros for tokens that occur in no word.

    Notes
    -----
    Source: B. Minixhofer, F. Paischer, N. Rekabsaz, *WECHSEL*, 2022 (arXiv 2112.06598), section 3.
    """
    trained_on = words.record.get("token_ids")
    if trained_on:
        return _by_ids(words, trained_on, tok.sizes.id_range)
    if before is None:
        before = " " if tok._summary()["alphabet"] == "bytes" else ""
    batch = tok.encode_batch([before + word for word in words.words], disallowed_special=())
    counts = np.ones(len(words)) if words.counts is None else words.counts.astype(np.float64)
    rows = np.repeat(np.arange(len(words)), np.diff(batch.offsets))
    pairs = np.unique(np.column_stack([batch.ids.astype(np.int64), rows]), axis=0)
    sums = np.zeros((tok.sizes.id_range, words.dim))
    weights = np.zeros(tok.sizes.id_range)
    for start in range(0, len(pairs), 65_536):
        ids, of = pairs[start : start + 65_536].T
        np.add.at(sums, ids, words.matrix[of] * counts[of, None])
        np.add.at(weights, ids, counts[of])
    found: NDArray[np.float32] = (sums / np.where(weights == 0, 1, weights)[:, None]).astype(np.float32)
    return found


def _by_ids(words: WordVectors, ids: list[int], rows: int) -> NDArray[np.float32]:
    if len(ids) != len(words) or max(ids) >= rows or min(ids) < 0:
        stated = f"{len(ids)} ids up to {max(ids)} for {len(words)} vectors"
        raise ArgumentError(f"The vectors are of another tokenizer: {stated}, and this one has {rows} ids.")
    table = np.zeros((rows, words.dim), dtype=np.float32)
    table[ids] = words.matrix
    return table
