"""OpenAI tiktoken: the reference for ids."""

from __future__ import annotations

from bench.adapters import Adapter
from bench.corpora import artefact_path
from bench.definitions import O200K_PATTERN, O200K_RANKS, O200K_SPECIALS


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

        ranks = load_tiktoken_bpe(str(artefact_path(O200K_RANKS)))
        self.enc = tiktoken.Encoding(
            "o200k_base", pat_str=O200K_PATTERN, mergeable_ranks=ranks, special_tokens=O200K_SPECIALS
        )

    def encode(self, text: str) -> list[int]:
        return self.enc.encode_ordinary(text)

    def encode_list(self, text: str) -> list[int]:
        return self.enc.encode_ordinary(text)

    def decode(self, ids) -> str:
        return self.enc.decode(ids)


ADAPTER = Tiktoken
