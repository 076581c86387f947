"""bukva itself."""

from __future__ import annotations

import functools

from bench.adapters import Adapter
from bench.corpora import artefact_path
from bench.definitions import VOCABULARIES


class Bukva(Adapter):
    """Ids come in a uint32 buffer from ``encode_batch`` of one text, and as a list from ``encode_ordinary``."""

    name = "bukva"
    package = "bukva"
    module = "bukva"
    call = "encode_batch([text], threads=1).ids, encode_ordinary, count, decode, train"
    can = frozenset({"encode", "startup", "huggingface", "raw_bytes", "course", "rows"})

    def load(self, vocabulary: str = "o200k") -> None:
        import bukva

        what = VOCABULARIES[vocabulary]
        self.tok = bukva.load(artefact_path(what.file), encoding=what.encoding)
        # tokenizers recognises special tokens wherever they stand; the other libraries take them as text.
        self.policy = {"allowed_special": "all"} if what.reference == "hf" else {"disallowed_special": ()}

    def encode(self, text: str):
        return self.tok.encode_batch([text], threads=1, **self.policy).ids

    def call_one(self):
        return self.tok.encode

    def call_many(self, threads: int):
        return functools.partial(self.tok.encode_batch, threads=threads, **self.policy)

    def call_batch(self):
        return self.tok.encode_batch

    def call_count(self):
        return self.tok.count

    def flat(self, batch):
        return batch.ids

    def encode_list(self, text: str) -> list[int]:
        return self.tok.encode_ordinary(text)

    def count(self, text: str) -> int:
        return self.tok.count(text, **self.policy)

    def decode(self, ids) -> str:
        return self.tok.decode(ids)

    def decode_bytes(self, ids) -> bytes:
        return self.tok.decode_bytes(ids)

    def train(self, path: str, rule):
        import bukva

        trainer = bukva.BpeTrainer(num_merges=rule.merges, pattern=rule.pattern, tie_break=rule.tie_break)
        return bukva.train(path, trainer, unit=rule.unit, threads=1)

    def take(self, table) -> None:
        import bukva

        self.table = bukva.Embedding.from_weight(table)

    def gather(self, ids):
        return self.table(ids)

    def scatter_add(self, ids, gradients):
        return self.table.gradient(ids, gradients)

    def products(self, trained) -> list[bytes]:
        return [left + right for left, right in trained.merges]


ADAPTER = Bukva
