"""gigatoken: a fast encoder."""

from __future__ import annotations

import functools

from bench.adapters import Adapter
from bench.corpora import artefact_path
from bench.definitions import VOCABULARIES


class Gigatoken(Adapter):
    """Ids come as a NumPy array."""

    name = "gigatoken"
    package = "gigatoken"
    module = "gigatoken"
    call = "encode(text), decode(ids)"
    can = frozenset({"encode", "startup"})

    def load(self, vocabulary: str = "o200k") -> None:
        import gigatoken

        path = artefact_path(VOCABULARIES[vocabulary].file)
        read = {
            ".tiktoken": gigatoken.Tokenizer.from_tiktoken,
            ".json": gigatoken.Tokenizer,
            ".model": gigatoken.Tokenizer.from_sentencepiece,
        }
        self.tok = read[path.suffix](path)

    def encode(self, text: str):
        return self.tok.encode(text)

    def encode_list(self, text: str) -> list[int]:
        return self.tok.encode(text).tolist()

    def call_one(self):
        encode = self.tok.encode
        return lambda text: encode(text).tolist()

    def call_many(self, threads: int):
        return functools.partial(self.tok.encode_batch, parallel=threads > 1)

    def flat(self, batch):
        import awkward

        return awkward.to_numpy(awkward.flatten(batch))

    def decode(self, ids) -> bytes:
        return self.tok.decode(ids)


ADAPTER = Gigatoken
