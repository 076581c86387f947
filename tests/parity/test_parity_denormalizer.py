"""A SentencePiece model that rewrites decoded text."""

from __future__ import annotations

import io
import itertools
import random
from pathlib import Path

import pytest
import sentencepiece
from sentencepiece import sentencepiece_model_pb2

import bukva

# a → bb, cd → e, " f" → g, é → e´, x → nothing, U+2581 → _
RULES = "61\t62 62\n63 64\t65\n20 66\t67\nE9\t65 301\n78\t\n2581\t5F\n"
WORDS = ["a", "cd", "f", "é", "x", " ", "  ", "▁", "жук", "日本", "g"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    rules, written = tmp_path_factory.mktemp("rules") / "rules.tsv", io.BytesIO()
    rules.write_text(RULES, encoding="ascii")
    sample = random.Random(1)
    lines = [" ".join(sample.choices(["acd", "fed", "жук", "бобр", "xéx", "gagf"], k=6)) for _ in range(200)]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=written,
        vocab_size=310,
        byte_fallback=True,
        hard_vocab_limit=False,
        denormalization_rule_tsv=str(rules),
        minloglevel=2,
    )
    return written.getvalue()


@pytest.mark.parametrize("flags", [None, *itertools.product([False, True], repeat=3)], ids=str)
def test_decoded_text_is_rewritten(model: bytes, flags: tuple[bool, bool, bool] | None, tmp_path: Path) -> None:
    proto = sentencepiece_model_pb2.ModelProto.FromString(model)
    if flags is not None:
        spec = proto.denormalizer_spec
        spec.add_dummy_prefix, spec.remove_extra_whitespaces, spec.escape_whitespaces = flags
    data, path = proto.SerializeToString(), tmp_path / "x.model"
    path.write_bytes(data)
    theirs, tok, sample = sentencepiece.SentencePieceProcessor(model_proto=data), bukva.load(path), random.Random(2)
    for number in range(120):
        ids = theirs.encode("".join(sample.choices(WORDS, k=sample.randrange(8))))
        ids += sample.choices(range(theirs.get_piece_size()), k=number % 5)
        expected = theirs.decode(ids)
        assert tok.decode(ids, errors="replace") == expected, ids
        stream = tok.stream(errors="replace")
        assert "".join([*map(stream.push, ids), stream.finish()]) == expected
    tok.save(tmp_path / "y.model")
    assert (tmp_path / "y.model").read_bytes() == data
    assert bukva.load(tmp_path / "y.model") == tok
    tok.save(tmp_path / "y.bukva")
    assert bukva.load(tmp_path / "y.bukva").decode(ids, errors="replace") == expected


def test_rules_without_a_map_do_nothing(model: bytes, tmp_path: Path) -> None:
    proto = sentencepiece_model_pb2.ModelProto.FromString(model)
    proto.denormalizer_spec.precompiled_charsmap = b""
    proto.denormalizer_spec.add_dummy_prefix = True
    data = proto.SerializeToString()
    (tmp_path / "x.model").write_bytes(data)
    theirs, tok = sentencepiece.SentencePieceProcessor(model_proto=data), bukva.load(tmp_path / "x.model")
    ids = theirs.encode("a cd f  жук")
    assert tok.decode(ids) == theirs.decode(ids)
    tok.save(tmp_path / "y.model")
    assert (tmp_path / "y.model").read_bytes() == data
