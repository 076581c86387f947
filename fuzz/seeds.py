"""Writes seeds for the reader fuzzers: small tokenizers, trained here, in every format. Usage: seeds.py FOLDER.

Each target has a folder of its own, as cargo-fuzz wants it.
"""

import base64
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import gguf
import sentencepiece
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

import bukva

SAMPLE = Path(bukva.__file__).with_name("data") / "sample_ru.txt"
TRAINERS = (
    bukva.BpeTrainer(num_merges=40, pattern="gpt2", special_tokens=["<s>"]),
    bukva.BpeTrainer(num_merges=40, pattern="cl100k", tie_break="first_seen", normalizer="nfc"),
    bukva.BpeTrainer(num_merges=40, pattern="whitespace", alphabet="chars", end_of_word="_"),
    bukva.WordLevelTrainer(vocab_size=40),
)
# The name to save under, which chooses the format, and the target that reads it.
FORMATS = {
    "x.bukva": "read_image",
    "x.json": "read_tokenizer_json",
    "x.tiktoken": "read_tiktoken",
    "vocab.json": "read_vocab_merges",
}


def trained() -> Iterator[tuple[str, bytes]]:
    """Target and content; formats that cannot hold a tokenizer are left out."""
    for trainer in TRAINERS:
        tok = bukva.train(SAMPLE, trainer)
        for name, target in FORMATS.items():
            try:
                with TemporaryDirectory() as scratch:
                    tok.save(Path(scratch) / name, allow_loss=True)
                    content = b"\n".join(path.read_bytes() for path in sorted(Path(scratch).iterdir(), reverse=True))
            except bukva.BukvaError:
                continue
            yield target, content


def sentencepiece_models() -> Iterator[tuple[str, bytes]]:
    """A model of each kind."""
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()[:40]
    for kind in ("bpe", "unigram", "char", "word"):
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(lines),
            model_writer=model,
            model_type=kind,
            vocab_size=120 if kind in ("bpe", "unigram") else 60,
            hard_vocab_limit=False,
            user_defined_symbols=["<u>"],
            byte_fallback=False,
            minloglevel=2,
        )
        yield "read_sentencepiece", model.getvalue()


def gguf_models() -> Iterator[tuple[str, bytes]]:
    """A vocabulary of each kind."""
    bytes_ = [*map(chr, [*range(33, 127), *range(161, 173), *range(174, 256), *range(256, 324)])]
    words = ["<unk>", "<s>", "</s>", "\u2581", "a", "b", "\u2581a", "ab"]
    tables = [
        ("gpt2", [*bytes_, "ab", "<s>", "<u>"], [*[1] * 257, 3, 4]),
        ("llama", words, [2, 3, 3, 1, 1, 1, 1, 1]),
        ("t5", words, [2, 3, 3, 1, 1, 1, 1, 1]),
        ("bert", ["[UNK]", "[CLS]", "[SEP]", "\u2581a", "b"], [2, 3, 3, 1, 1]),
    ]
    for kind, tokens, types in tables:
        with TemporaryDirectory() as scratch:
            path = Path(scratch) / "x.gguf"
            writer = gguf.GGUFWriter(path, "llama")
            writer.add_tokenizer_model(kind)
            writer.add_tokenizer_pre("llama-bpe")
            writer.add_token_list(tokens)
            writer.add_token_types(types)
            writer.add_token_scores([-float(i) for i in range(len(tokens))])
            writer.add_token_merges(["a b"])
            writer.add_bos_token_id(1)
            writer.add_eos_token_id(2)
            writer.add_unk_token_id(0)
            writer.add_chat_template("{{ bos_token }}")
            writer.write_header_to_file()
            writer.write_kv_data_to_file()
            writer.close()
            yield "read_gguf", path.read_bytes()


def pipelines() -> Iterator[tuple[str, bytes]]:
    """Files of the tokenizers library with every kind of stage and model."""
    vocab = {token: i for i, token in enumerate(["[UNK]", "a", "b", "##b", "ab", "\u2581", "<0x41>"])}
    stages = [
        normalizers.BertNormalizer(),
        normalizers.Sequence([normalizers.NFKC(), normalizers.Replace("a", "b"), normalizers.Prepend("_")]),
        normalizers.ByteLevel(),
    ]
    splits = [
        pre_tokenizers.BertPreTokenizer(),
        pre_tokenizers.Metaspace(),
        pre_tokenizers.Sequence([pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel()]),
    ]
    tables = [
        models.WordPiece(vocab, unk_token="[UNK]"),
        models.Unigram([("[UNK]", 0.0), ("a", -1.0), ("b", -2.0), ("ab", -1.5)], 0, False),
        models.WordLevel(vocab, "[UNK]"),
        models.BPE(vocab, [("a", "b")], unk_token="[UNK]", byte_fallback=True),
    ]
    ends = [decoders.WordPiece(), decoders.Metaspace(), decoders.CTC()]
    for number, model in enumerate(tables):
        tok = Tokenizer(model)
        tok.normalizer, tok.pre_tokenizer = stages[number % 3], splits[number % 3]
        tok.decoder = ends[number % 3]
        tok.post_processor = processors.TemplateProcessing("[UNK] $A", "$A $B:1", [("[UNK]", 0)])
        tok.add_special_tokens(["<s>"])
        tok.enable_truncation(8)
        tok.enable_padding()
        yield "read_tokenizer_json", tok.to_str().encode()


def vocabularies() -> Iterator[tuple[str, bytes]]:
    """A vocabulary of BERT, and a file of Mistral."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    yield "read_vocab_txt", "\n".join([*special, "a", "b", "##b", "мир", "##ир", ","]).encode()
    tokens = [bytes([byte]) for byte in range(256)] + [b"ab", b" a", "м".encode()]
    vocab = [{"rank": i, "token_bytes": base64.b64encode(token).decode()} for i, token in enumerate(tokens)]
    config = {
        "pattern": r"\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+",
        "num_vocab_tokens": len(vocab),
        "default_vocab_size": len(vocab) + 4,
        "default_num_special_tokens": 4,
        "version": "v7",
    }
    named = [{"rank": i, "token_str": f"<{i}>", "is_control": True} for i in range(3)]
    yield "read_tekken", json.dumps({"config": config, "vocab": vocab, "special_tokens": named}).encode()


def vectors() -> Iterator[tuple[str, bytes]]:
    """Words and numbers with a header and without, and numbers alone."""
    table = bukva.WordVectors(["а", "new york", "c"], [[0.5, -1e-30, 3], [1, 2, 3], [0, 0, 0]])
    for form in ("word2vec", "glove", "projector"):
        with TemporaryDirectory() as scratch:
            table.save(Path(scratch) / "x.tsv", format=form, allow_loss=True)
            yield "read_vectors", (Path(scratch) / "x.tsv").read_bytes()


def main(folder: Path) -> None:
    """Write every seed into the folder of its target."""
    readers = (*trained(), *sentencepiece_models(), *gguf_models(), *pipelines(), *vocabularies(), *vectors())
    for number, (target, content) in enumerate(readers):
        (folder / target).mkdir(parents=True, exist_ok=True)
        (folder / target / f"seed-{number}").write_bytes(content)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
