"""The readable reference: BPE by definition in plain Python."""

from __future__ import annotations

from bench.adapters import Adapter
from bench.definitions import COURSE_PATTERN


class Naive(Adapter):
    """It counts all pairs anew before every merge, with no other library than ``regex`` for the pattern."""

    name = "naive"
    package = "bukva"
    module = "regex"
    call = "bukva.reference.bpe.train(chunks, num_merges)"
    can = frozenset({"course"})

    def train(self, path: str, rule):
        import regex

        from bukva.reference import bpe

        with open(path, encoding="utf-8", newline="") as file:
            chunks = [chunk.encode() for chunk in regex.findall(COURSE_PATTERN, file.read())]
        return bpe.train(chunks, rule.merges, rule.tie_break)

    def products(self, trained) -> list[bytes]:
        return [left + right for left, right, _count in trained]


ADAPTER = Naive
