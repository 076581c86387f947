"""quicktok: an encoder with a bound on the time of long pieces."""

from __future__ import annotations

import functools

from bench.adapters import Adapter
from bench.definitions import VOCABULARIES


class Quicktok(Adapter):
    """Vocabularies are part of the package."""

    name = "quicktok"
    package = "quicktok-v1"
    module = "quicktok"
    call = "encode_ordinary(text)"
    can = frozenset({"encode"})

    def load(self, vocabulary: str = "o200k") -> None:
        import quicktok

        self.tok = quicktok.get_encoding(VOCABULARIES[vocabulary].encoding or vocabulary)

    def encode(self, text: str) -> list[int]:
        return self.tok.encode_ordinary(text)

    def call_one(self):
        return self.tok.encode_ordinary

    def call_many(self, threads: int):
        return functools.partial(self.tok.encode_batch, threads=threads)

    def flat(self, batch):
        return batch[0]

    def decode(self, ids) -> str:
        return self.tok.decode(ids)


ADAPTER = Quicktok
