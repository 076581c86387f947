"""snaptokens: a fast encoder of ``tokenizer.json``."""

from __future__ import annotations

from bench.adapters.fastokens import Fastokens
from bench.corpora import artefact_path
from bench.definitions import O200K_HF, VOCABULARIES


class Snaptokens(Fastokens):
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

    def encode_list(self, text: str) -> list[int]:
        return self.tok.encode(text).ids


ADAPTER = Snaptokens
