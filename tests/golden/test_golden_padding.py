"""The padding of ``golden/course.json``: a word-level tokenizer with an opening token, padded to the longest text."""

from __future__ import annotations

import json
from pathlib import Path

import bukva
from bukva.compat import hf


def course_file(vocab: list[str]) -> dict:
    special = [word for word in vocab if word.startswith("[")]
    flags = dict.fromkeys(("special",), True) | dict.fromkeys(("normalized", "lstrip", "rstrip", "single_word"), False)
    cls = vocab.index("[CLS]")
    return {
        "version": "1.0",
        "truncation": None,
        "padding": {
            "strategy": "BatchLongest",
            "direction": "Right",
            "pad_to_multiple_of": None,
            "pad_id": vocab.index("[PAD]"),
            "pad_type_id": 0,
            "pad_token": "[PAD]",
        },
        "added_tokens": [{"id": vocab.index(word), "content": word, **flags} for word in special],
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
            "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [cls], "tokens": ["[CLS]"]}},
        },
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {word: i for i, word in enumerate(vocab)}, "unk_token": "[UNK]"},
    }


def test_padding(golden: dict, tmp_path: Path) -> None:
    facts = golden["padding"]
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(course_file(facts["vocab"]), ensure_ascii=False), encoding="utf-8")
    tok = bukva.load(path)
    batch = tok.encode_batch(facts["texts"], add_special_tokens=True)
    ids, mask = batch.pad()
    assert (ids.tolist(), mask.tolist()) == (facts["ids"], facts["mask"])
    encodings = hf.Tokenizer.from_file(str(path)).encode_batch(facts["texts"])
    assert [encoding.ids for encoding in encodings] == facts["ids"]
    assert [encoding.attention_mask for encoding in encodings] == facts["mask"]
