"""Writes seeds for the reader fuzzers: small tokenizers, trained here, in every format. Usage: seeds.py FOLDER."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import bukva

SAMPLE = Path(bukva.__file__).with_name("data") / "sample_ru.txt"
TRAINERS = (
    bukva.BpeTrainer(num_merges=40, pattern="gpt2", special_tokens=["<s>"]),
    bukva.BpeTrainer(num_merges=40, pattern="cl100k", tie_break="first_seen", normalizer="nfc"),
    bukva.BpeTrainer(num_merges=40, pattern="whitespace", alphabet="chars", end_of_word="_"),
    bukva.WordLevelTrainer(vocab_size=40),
)


def seeds(folder: Path) -> None:
    """One file a tokenizer and format; formats that cannot hold a tokenizer are left out."""
    for number, trainer in enumerate(TRAINERS):
        tok = bukva.train(SAMPLE, trainer)
        for name in ("x.bukva", "x.json", "x.tiktoken", "vocab.json"):
            try:
                with TemporaryDirectory() as scratch:
                    tok.save(Path(scratch) / name, allow_loss=True)
                    content = b"".join(path.read_bytes() for path in sorted(Path(scratch).iterdir(), reverse=True))
            except bukva.BukvaError:
                continue
            (folder / f"{number}-{name}").write_bytes(content)


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.mkdir(parents=True, exist_ok=True)
    seeds(target)
