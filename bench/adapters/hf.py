"""Hugging Face tokenizers: the reference for training."""

from __future__ import annotations

import functools
import json

from bench.adapters import Adapter
from bench.bytelevel import to_bytes
from bench.corpora import artefact_path
from bench.definitions import O200K_HF, VOCABULARIES


class HuggingFace(Adapter):
    """o200k is read from gpt-oss's ``tokenizer.json``: the same ranks and pattern."""

    name = "hf"
    package = "tokenizers"
    module = "tokenizers"
    call = "encode(text, add_special_tokens=False).ids, decode, train"
    can = frozenset({"encode", "startup", "huggingface"})

    def load(self, vocabulary: str = "o200k") -> None:
        from tokenizers import Tokenizer

        file = O200K_HF if vocabulary == "o200k" else VOCABULARIES[vocabulary].file
        self.tok = Tokenizer.from_file(str(artefact_path(file)))
        self.tok.no_truncation()
        self.tok.no_padding()

    def encode(self, text: str) -> list[int]:
        return self.tok.encode(text, add_special_tokens=False).ids

    def call_many(self, threads: int):
        return functools.partial(self.tok.encode_batch_fast, add_special_tokens=False)

    def flat(self, batch):
        return [number for encoding in batch for number in encoding.ids]

    def decode(self, ids) -> str:
        return self.tok.decode(ids, skip_special_tokens=False)

    def train(self, path: str, rule):
        from tokenizers import Tokenizer, models, pre_tokenizers, trainers

        tok = Tokenizer(models.BPE())
        tok.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        trainer = trainers.BpeTrainer(
            vocab_size=256 + rule.merges,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            special_tokens=[],
            show_progress=False,
        )
        tok.train([path], trainer)
        return tok

    def products(self, trained) -> list[bytes]:
        merges = json.loads(trained.to_str())["model"]["merges"]
        return [to_bytes(left) + to_bytes(right) for left, right in merges]


ADAPTER = HuggingFace
