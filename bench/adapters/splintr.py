"""splintr: a fast encoder, by rank or by ``tokenizer.json``."""

from __future__ import annotations

from bench.adapters import Adapter
from bench.corpora import artefact_path
from bench.definitions import VOCABULARIES


class Splintr(Adapter):
    """Ids come as bytes."""

    name = "splintr"
    package = "splintr-rs"
    module = "splintr"
    call = "encode_flat(text), encode_raw, encode_batch_flat, decode"
    can = frozenset({"encode"})

    def load(self, vocabulary: str = "o200k") -> None:
        import numpy
        import splintr

        self.from_buffer = numpy.frombuffer
        what = VOCABULARIES[vocabulary]
        path = artefact_path(what.file)
        if what.pattern is None:
            self.tok = splintr.from_json(str(path))
        else:
            self.tok = splintr.Tokenizer.from_bytes(path.read_bytes(), what.pattern, what.specials)

    def encode(self, text: str):
        return self.from_buffer(self.tok.encode_flat(text), "<u4")

    def encode_list(self, text: str) -> list[int]:
        return self.tok.encode_raw(text)

    def call_one(self):
        return self.tok.encode_raw

    def call_many(self, threads: int):
        return self.tok.encode_batch_flat

    def flat(self, batch):
        return self.from_buffer(batch[0], "<u4")

    def decode(self, ids) -> str:
        return self.tok.decode(ids)

    def decode_bytes(self, ids) -> bytes:
        return self.tok.decode_bytes(ids)


ADAPTER = Splintr
