"""snaptokens: a fast encoder of ``tokenizer.json``."""

from __future__ import annotations

from bench.adapters import Adapter
from bench.corpora import artefact_path
from bench.definitions import O200K_HF, VOCABULARIES


class Snaptokens(Adapter):
    """Ids come as bytes from ``encode_batch_flat``. o200k is read from gpt-oss's ``tokenizer.json``."""

    name = "snaptokens"
    package = "snaptokens"
    module = "snaptokens"
    call = "encode_batch_flat([text]), encode(text).ids, decode"
    can = frozenset({"encode"})

    def load(self, vocabulary: str = "o200k") -> None:
        import numpy
        import snaptokens

        self.from_buffer = numpy.frombuffer
        file = O200K_HF if vocabulary == "o200k" else VOCABULARIES[vocabulary].file
        self.tok = snaptokens.Tokenizer.from_file(str(artefact_path(file)))

    def encode(self, text: str):
        return self.flat(self.tok.encode_batch_flat([text]))

    def encode_list(self, text: str) -> list[int]:
        return self.tok.encode(text).ids

    def call_many(self, threads: int):
        return self.tok.encode_batch_flat

    def flat(self, batch):
        return self.from_buffer(batch[0], "<u4")

    def decode(self, ids) -> str:
        return self.tok.decode(ids)


ADAPTER = Snaptokens
