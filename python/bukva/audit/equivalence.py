"""Whether two tokenizers give the same ids: shown by what they are made of, or looked for by search."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..checks import check_integer
from ..errors import BukvaError
from ..tokenizer import Tokenizer
from .probes import probes
from .shrinking import shortest

PARTS = ("normalizer", "pre_tokenizer", "model", "added_tokens")
BATCH = 20_000

Ids = list[int] | str
"""Ids, or the name of the error that came instead."""


@dataclass(frozen=True, kw_only=True)
class Equivalence:
    """What is known of whether two tokenizers give the same ids. True in an ``if`` where they do.

    Attributes
    ----------
    same : bool
    basis : str
        What ``same`` rests on: ``structure`` (every part that decides ids is equal), ``search`` (no text that was tried
        differs; no proof) or ``difference`` (a text that differs).
    parts : dict of str to bool
        Which parts are equal once written in one form: normalizer, pre_tokenizer, model, added_tokens.
    n_texts : int
        Texts tried.
    text : str or None
        A text that differs: no part of it can be left out.
    recognised : bool
        Whether special tokens in that text were recognised, or plain text.
    ids_a, ids_b : list of int, str or None
        Ids of that text, or the name of the error instead.
    """

    same: bool
    basis: str
    parts: dict[str, bool]
    n_texts: int = 0
    text: str | None = None
    recognised: bool = False
    ids_a: Ids | None = field(default=None, repr=False)
    ids_b: Ids | None = field(default=None, repr=False)

    def __bool__(self) -> bool:
        return self.same


def equivalent(a: Tokenizer, b: Tokenizer, *, n_random: int = 20_000, seed: int = 0) -> Equivalence:
    """Whether two tokenizers give the same ids for every text.

    First the parts that decide ids are compared in one form. Where they differ, texts are tried: every token of both,
    every character alone and between letters, added tokens in contexts, pairs of nasty pieces, and random mixtures;
    each with special tokens as plain text and recognised. A text that differs is shrunk.

    Parameters
    ----------
    a, b : Tokenizer
    n_random : int
        Random mixtures to try.
    seed : int
        Of the mixtures.
    """
    check_integer("n_random", "equivalent", n_random, 0)
    check_integer("seed", "equivalent", seed, 0)
    if a.fingerprint == b.fingerprint:
        return Equivalence(same=True, basis="structure", parts=dict.fromkeys(PARTS, True))
    parts = _equal_parts(a, b)
    if parts and all(parts.values()):
        return Equivalence(same=True, basis="structure", parts=parts)
    n_texts = 0
    for texts in _batches(probes(a, b, n_random, seed)):
        n_texts += len(texts)
        for recognised in (False, True):
            if differing := _differing(a, b, texts, recognised):
                return _difference(a, b, min(differing, key=len), recognised, parts, n_texts)
    return Equivalence(same=True, basis="search", parts=parts, n_texts=n_texts)


def _difference(
    a: Tokenizer, b: Tokenizer, text: str, recognised: bool, parts: dict[str, bool], n_texts: int
) -> Equivalence:
    text = shortest(text, lambda shorter: _ids(a, shorter, recognised) != _ids(b, shorter, recognised))
    return Equivalence(
        same=False,
        basis="difference",
        parts=parts,
        n_texts=n_texts,
        text=text,
        recognised=recognised,
        ids_a=_ids(a, text, recognised),
        ids_b=_ids(b, text, recognised),
    )


def _equal_parts(a: Tokenizer, b: Tokenizer) -> dict[str, bool]:
    """Parts that are the same in ``tokenizer.json``; none are known where a tokenizer does not fit into one."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            ours, theirs = (_written(tok, Path(folder) / "tokenizer.json") for tok in (a, b))
        except BukvaError:
            return {}
    return {part: ours.get(part) == theirs.get(part) for part in PARTS}


def _written(tok: Tokenizer, path: Path) -> dict[str, Any]:
    tok.save(path)
    written: dict[str, Any] = json.loads(path.read_bytes())
    written["added_tokens"] = sorted(written.get("added_tokens") or [], key=lambda token: (token["id"], str(token)))
    return written


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    for text in texts:
        batch.append(text)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _options(recognised: bool) -> dict[str, Any]:
    return {"allowed_special": "all"} if recognised else {"disallowed_special": ()}


def _ids(tok: Tokenizer, text: str, recognised: bool) -> Ids:
    try:
        return tok.encode(text, **_options(recognised))
    except BukvaError as error:
        return type(error).__name__


def _differing(a: Tokenizer, b: Tokenizer, texts: list[str], recognised: bool) -> list[str]:
    """Texts whose ids differ. Both in batches, and one by one only where that fails."""
    try:
        ours, theirs = (tok.encode_batch(texts, **_options(recognised)) for tok in (a, b))
    except BukvaError:
        return [text for text in texts if _ids(a, text, recognised) != _ids(b, text, recognised)]
    if ours.ids.tobytes() == theirs.ids.tobytes() and ours.offsets.tobytes() == theirs.offsets.tobytes():
        return []
    return [text for text, left, right in zip(texts, ours, theirs, strict=True) if left.tolist() != right.tolist()]
