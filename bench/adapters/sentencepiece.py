"""SentencePiece: BPE by its own definition, so it is compared by time and not by merges."""

from __future__ import annotations

import functools
import io

from bench.adapters import Adapter
from bench.corpora import artefact_path
from bench.definitions import VOCABULARIES


class SentencePiece(Adapter):
    """One thread, every character kept, every sentence read."""

    name = "sentencepiece"
    package = "sentencepiece"
    module = "sentencepiece"
    call = "SentencePieceTrainer.train(model_type='bpe', num_threads=1), encode(lines, num_threads=1)"
    can = frozenset({"sentencepiece", "import", "encode", "startup"})

    def load(self, vocabulary: str = "o200k") -> None:
        import sentencepiece

        file = artefact_path(VOCABULARIES[vocabulary].file)
        self.processor = sentencepiece.SentencePieceProcessor(model_file=str(file))

    def encode(self, text: str) -> list[int]:
        return self.processor.encode(text)

    def call_many(self, threads: int):
        return functools.partial(self.processor.encode, num_threads=threads)

    def train(self, path: str, rule):
        import sentencepiece

        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            input=path,
            model_writer=model,
            model_type="bpe",
            vocab_size=rule.merges,
            character_coverage=1.0,
            num_threads=1,
            input_sentence_size=0,
            max_sentence_length=10_000_000,
            minloglevel=2,
        )
        return model.getvalue()

    def products(self, trained) -> list[bytes]:
        import sentencepiece

        reader = sentencepiece.SentencePieceProcessor(model_proto=trained)
        return [reader.id_to_piece(i).encode("utf-8") for i in range(reader.get_piece_size())]


ADAPTER = SentencePiece
