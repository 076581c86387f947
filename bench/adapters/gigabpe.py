"""gigabpe: a trainer with Hugging Face's output."""

from __future__ import annotations

from bench.adapters import Adapter
from bench.bytelevel import to_bytes


class Gigabpe(Adapter):
    """It starts from the bytes that occur, so ``vocab_size`` is found from the number of merges asked for."""

    name = "gigabpe"
    package = "gigabpe"
    module = "gigabpe"
    call = "train_bpe(files, vocab_size, pretokenizer='bytelevel', threads=1)"
    can = frozenset({"huggingface", "import"})

    def train(self, path: str, rule):
        import gigabpe

        return gigabpe.train_bpe([path], 256 + rule.merges, special_tokens=[], pretokenizer="bytelevel", threads=1)

    def products(self, trained) -> list[bytes]:
        _vocab, merges = trained
        return [to_bytes(left) + to_bytes(right) for left, right in merges]


ADAPTER = Gigabpe
