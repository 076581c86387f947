"""fastokens: a fast encoder."""

from __future__ import annotations

from bench.adapters import Adapter
from bench.corpora import artefact_path
from bench.definitions import O200K_PATTERN, O200K_RANKS, O200K_SPECIALS, VOCABULARIES


class Fastokens(Adapter):
    """Ids come as bytes from ``encode_batch_flat`` of one text, and as a list from ``encode_ordinary``."""

    name = "fastokens"
    package = "fastokens"
    module = "fastokens"
    call = "encode_batch_flat([text]), encode_ordinary(text).ids, decode"
    can = frozenset({"encode", "startup"})

    def load(self, vocabulary: str = "o200k") -> None:
        import fastokens
        import numpy

        self.from_buffer = numpy.frombuffer
        if vocabulary != "o200k":
            self.tok = fastokens.Tokenizer.from_file(str(artefact_path(VOCABULARIES[vocabulary].file)))
            return
        self.tok = fastokens.Tokenizer.from_tiktoken(
            str(artefact_path(O200K_RANKS)), pattern=O200K_PATTERN, special_tokens=O200K_SPECIALS
        )

    def encode(self, text: str):
        return self.from_buffer(self.tok.encode_batch_flat([text])[0], "<u4")

    def encode_list(self, text: str) -> list[int]:
        return self.tok.encode_ordinary(text).ids

    def decode(self, ids) -> str:
        return self.tok.decode(ids)


ADAPTER = Fastokens
