"""fastokens: a fast encoder."""

from __future__ import annotations

from bench.adapters import Adapter
from bench.corpora import artefact_path
from bench.definitions import VOCABULARIES


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
        what = VOCABULARIES[vocabulary]
        if what.pattern is None:
            self.tok = fastokens.Tokenizer.from_file(str(artefact_path(what.file)))
            return
        self.tok = fastokens.Tokenizer.from_tiktoken(
            str(artefact_path(what.file)), pattern=what.pattern, special_tokens=what.specials
        )

    def encode(self, text: str):
        return self.flat(self.tok.encode_batch_flat([text]))

    def encode_list(self, text: str) -> list[int]:
        return self.tok.encode_ordinary(text).ids

    def call_many(self, threads: int):
        return self.tok.encode_batch_flat

    def flat(self, batch):
        return self.from_buffer(batch[0], "<u4")

    def decode(self, ids) -> str:
        return self.tok.decode(ids)


ADAPTER = Fastokens
