"""tuetoken: a fast encoder of ``tokenizer.json``."""

from __future__ import annotations

import functools

from bench.adapters import Adapter
from bench.corpora import artefact_path
from bench.definitions import O200K_HF, VOCABULARIES


class Tuetoken(Adapter):
    """Ids come as bytes. Special tokens are text. o200k is read from gpt-oss's ``tokenizer.json``."""

    name = "tuetoken"
    package = "tuetoken"
    module = "tuetoken"
    call = "encode_to_bytes(text), encode_ordinary, encode_ordinary_to_buffer, decode_array"
    can = frozenset({"encode"})

    def load(self, vocabulary: str = "o200k") -> None:
        import numpy
        import tuetoken

        self.from_buffer = numpy.frombuffer
        file = O200K_HF if vocabulary == "o200k" else VOCABULARIES[vocabulary].file
        self.tok = tuetoken.Tokenizer(str(artefact_path(file)))

    def encode(self, text: str):
        return self.from_buffer(self.tok.encode_to_bytes(text), "<u4")

    def encode_list(self, text: str) -> list[int]:
        return self.tok.encode_ordinary(text)

    def call_one(self):
        return self.tok.encode_ordinary

    def call_many(self, threads: int):
        return functools.partial(self.tok.encode_ordinary_to_buffer, num_threads=threads)

    def call_count(self):
        return self.tok.count_tokens

    def flat(self, batch):
        return batch["data"]

    def decode(self, ids) -> str:
        return self.tok.decode_array(ids)


ADAPTER = Tuetoken
