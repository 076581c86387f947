"""Places of pieces in the original text: SentencePiece's own, through every switch of its normalizer."""

import io
from pathlib import Path

import pytest
import sentencepiece

import bukva

from .suite.compare import compare
from .suite.pairs import pair_of

SAMPLE = Path(bukva.__file__).with_name("data") / "sample_ru.txt"
TEXTS = [
    "буква",
    "  две  буквы  ",
    "ﬁ ① ㎏ ﬃ…",
    "x¨ y¨",
    "カ゛ガ",
    "e\u0301 é\u0323\u0307",
    "q\u0307\u0323",
    "a\u00a0\u3000b\u200b c",
    "ﷺ",
    " ",
    "",
    "\u00a8",
    "½²",
    "ab ",
    " ﬁ",
]


@pytest.mark.parametrize("kind", ["unigram", "bpe", "char"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"remove_extra_whitespaces": False},
        {"add_dummy_prefix": False},
        {"treat_whitespace_as_suffix": True},
        {"normalization_rule_name": "nfkc_cf"},
        {"byte_fallback": True, "normalization_rule_name": "nmt_nfkc"},
        {"user_defined_symbols": ["ﬁ", "кв"]},
        {"normalization_rule_name": "identity", "remove_extra_whitespaces": False},
    ],
    ids=str,
)
def test_spans_are_those_of_sentencepiece(kind: str, options: dict[str, object], tmp_path: Path) -> None:
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()[:60]
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([*lines, *TEXTS]),
        model_writer=model,
        model_type=kind,
        vocab_size=400,
        hard_vocab_limit=False,
        minloglevel=2,
        character_coverage=0.985 if options else 1.0,
        **options,
    )
    path = tmp_path / "x.model"
    path.write_bytes(model.getvalue())
    outcome = compare(pair_of(path, "sentencepiece"), [*TEXTS, *(a + b for a in TEXTS for b in TEXTS)])
    assert not outcome.different, outcome.examples
    assert outcome.texts == len(TEXTS) * (len(TEXTS) + 1)
