"""nanotoken: a fast encoder for WordPiece."""

from __future__ import annotations

import functools

from bench.adapters import Adapter
from bench.corpora import artefact_path
from bench.definitions import VOCABULARIES


class Nanotoken(Adapter):
    """Ids come as a NumPy array."""

    name = "nanotoken"
    package = "nanotoken"
    module = "nanotoken"
    call = "encode_batch(lines, add_special_tokens=False, parallel=False)"
    can = frozenset({"encode"})

    def load(self, vocabulary: str = "bert") -> None:
        from nanotoken import Tokenizer

        self.tok = Tokenizer(str(artefact_path(VOCABULARIES[vocabulary].file)))

    def encode(self, text: str):
        return self.tok.encode(text, add_special_tokens=False)

    def call_many(self, threads: int):
        return functools.partial(self.tok.encode_batch, add_special_tokens=False, parallel=threads > 1)

    def flat(self, batch):
        return batch.ids


ADAPTER = Nanotoken
