"""OpenAI tiktoken: the reference for ids."""

from __future__ import annotations

import functools

from bench.adapters import Adapter
from bench.corpora import artefact_path
from bench.definitions import VOCABULARIES


class Tiktoken(Adapter):
    """``encode_to_numpy`` is slower than ``encode_ordinary``, so the list stands for both."""

    name = "tiktoken"
    package = "tiktoken"
    module = "tiktoken"
    call = "encode_ordinary, decode"
    can = frozenset({"encode", "startup"})

    def load(self, vocabulary: str = "o200k") -> None:
        import tiktoken
        from tiktoken.load import load_tiktoken_bpe

        what = VOCABULARIES[vocabulary]
        ranks = load_tiktoken_bpe(str(artefact_path(what.file)))
        self.enc = tiktoken.Encoding(
            vocabulary, pat_str=what.pattern, mergeable_ranks=ranks, special_tokens=what.specials
        )

    def encode(self, text: str) -> list[int]:
        return self.enc.encode_ordinary(text)

    def encode_list(self, text: str) -> list[int]:
        return self.enc.encode_ordinary(text)

    def call_one(self):
        return self.enc.encode_ordinary

    def call_many(self, threads: int):
        return functools.partial(self.enc.encode_ordinary_batch, num_threads=threads)

    def decode(self, ids) -> str:
        return self.enc.decode(ids)

    def decode_bytes(self, ids) -> bytes:
        return self.enc.decode_bytes(ids)


ADAPTER = Tiktoken
