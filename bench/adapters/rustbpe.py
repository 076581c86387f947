"""rustbpe: a trainer that numbers bytes by value."""

from __future__ import annotations

from bench.adapters import Adapter
from bench.definitions import GPT2_PATTERN


class Rustbpe(Adapter):
    """It reads an iterator of strings; here the lines of the file."""

    name = "rustbpe"
    package = "rustbpe"
    module = "rustbpe"
    call = "Tokenizer().train_from_iterator(lines, vocab_size, pattern=GPT-2)"
    can = frozenset({"raw_bytes", "import"})

    def train(self, path: str, rule):
        import rustbpe

        tok = rustbpe.Tokenizer()
        with open(path, encoding="utf-8", newline="\n") as lines:
            tok.train_from_iterator(lines, 256 + rule.merges, pattern=GPT2_PATTERN)
        return tok

    def products(self, trained) -> list[bytes]:
        ranked = sorted((rank, bytes(token)) for token, rank in trained.get_mergeable_ranks())
        return [token for rank, token in ranked if rank >= 256]


ADAPTER = Rustbpe
