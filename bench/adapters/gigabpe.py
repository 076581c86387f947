"""gigabpe: a trainer with Hugging Face's output."""

from __future__ import annotations

from bench.adapters import Adapter
from bench.bytelevel import to_bytes


class Gigabpe(Adapter):
    """It starts from the bytes that occur and not from 256, so it makes a few merges more; they are not compared."""

    name = "gigabpe"
    package = "gigabpe"
    module = "gigabpe"
    call = "train_bpe(files, vocab_size, pretokenizer='bytelevel', threads=1)"
    can = frozenset({"huggingface", "import"})

    def train(self, path: str, rule):
        import gigabpe

        self.merges = rule.merges
        return gigabpe.train_bpe([path], 256 + rule.merges, special_tokens=[], pretokenizer="bytelevel", threads=1)

    def products(self, trained) -> list[bytes]:
        _vocab, merges = trained
        return [to_bytes(left) + to_bytes(right) for left, right in merges[: self.merges]]


ADAPTER = Gigabpe
