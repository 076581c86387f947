"""tokie: an encoder for BPE, WordPiece and Unigram."""

from __future__ import annotations

import functools

from bench.adapters import Adapter
from bench.corpora import artefact_path
from bench.definitions import VOCABULARIES


class Tokie(Adapter):
    """Ids come as a NumPy array."""

    name = "tokie"
    package = "tokie"
    module = "tokie"
    call = "encode_batch_flat(lines, add_special_tokens=False)"
    can = frozenset({"encode"})

    def load(self, vocabulary: str = "bert") -> None:
        from tokie import Tokenizer

        self.tok = Tokenizer.from_json(str(artefact_path(VOCABULARIES[vocabulary].file)))

    def encode(self, text: str) -> list[int]:
        return self.tok.encode(text, add_special_tokens=False).ids

    def call_many(self, threads: int):
        return functools.partial(self.tok.encode_batch_flat, add_special_tokens=False)

    def flat(self, batch):
        return batch[0]


ADAPTER = Tokie
