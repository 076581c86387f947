"""rs_bpe: an encoder with a bound on the time of long pieces."""

from __future__ import annotations

from bench.adapters import Adapter


class RsBpe(Adapter):
    """The vocabulary o200k is part of the package."""

    name = "rs_bpe"
    package = "rs-bpe"
    module = "rs_bpe"
    call = "encode(text)"
    can = frozenset({"encode"})

    def load(self, vocabulary: str = "o200k") -> None:
        from rs_bpe import openai

        self.tok = {"o200k": openai.o200k_base, "cl100k": openai.cl100k_base}[vocabulary]()

    def encode(self, text: str) -> list[int]:
        return self.tok.encode(text)


ADAPTER = RsBpe
