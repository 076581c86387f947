"""gigatoken: a fast encoder."""

from __future__ import annotations

from bench.adapters import Adapter
from bench.corpora import artefact_path
from bench.definitions import O200K_RANKS


class Gigatoken(Adapter):
    """Ids come as a NumPy array."""

    name = "gigatoken"
    package = "gigatoken"
    module = "gigatoken"
    call = "encode(text), decode(ids)"
    can = frozenset({"encode", "startup"})

    def load(self, vocabulary: str = "o200k") -> None:
        import gigatoken

        self.tok = gigatoken.Tokenizer.from_tiktoken(artefact_path(O200K_RANKS))

    def encode(self, text: str):
        return self.tok.encode(text)

    def encode_list(self, text: str) -> list[int]:
        return self.tok.encode(text).tolist()

    def decode(self, ids) -> bytes:
        return self.tok.decode(ids)


ADAPTER = Gigatoken
