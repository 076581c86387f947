import json

import pytest

import bukva
from bukva import Tokenizer
from bukva.report.plot import plot_lines
from bukva.report.tables import CURVE_ROWS


def test_every_prefix_is_a_training_run(ru: str, en: str) -> None:
    def train(merges: int) -> Tokenizer:
        return bukva.train_from_iterator([ru], bukva.BpeTrainer(num_merges=merges, tie_break="first_seen"))

    curve = bukva.compression_curve(train(200), {"ru": [ru], "en": en.splitlines()})
    assert curve.merges == tuple(range(201))
    for merges in (0, 1, 2, 17, 100, 199, 200):
        smaller = train(merges)
        assert curve.n_tokens["ru"][merges] == smaller.count(ru)
        assert curve.n_tokens["en"][merges] == sum(map(smaller.count, en.splitlines()))
    assert curve.bytes_per_token["ru"][0] == 1
    assert curve.chars_per_token["ru"][0] == len(ru) / len(ru.encode())


def test_the_end_of_the_curve_is_the_count(tok: Tokenizer, ru: str) -> None:
    text = ru + "a<|endoftext|>b\r\n\u0301"
    curve = bukva.compression_curve(tok, {"x": [text]})
    assert curve.n_tokens["x"][-1] == tok.count(text, disallowed_special=())


def test_steps(tok: Tokenizer, ru: str) -> None:
    assert bukva.compression_curve(tok, {"ru": ru}, steps=3).merges == (0, 250, 500)
    assert bukva.compression_curve(tok, {"ru": ru}, steps=[7, 0, 500]).merges == (0, 7, 500)
    assert len(bukva.compression_curve(tok, {"ru": ru}, steps=10_000)) == 501
    for steps in (1, 0, "5", [501], [-1]):
        with pytest.raises(bukva.ArgumentError, match="steps"):
            bukva.compression_curve(tok, {"ru": ru}, steps=steps)  # type: ignore[arg-type]


def test_records(tok: Tokenizer, ru: str, en: str) -> None:
    curve = bukva.compression_curve(tok, {"ru": ru, "en": en}, steps=5)
    assert curve.names == ["ru", "en"]
    rows = curve.rows()
    assert len(rows) == 10
    assert rows[-2] == {"merges": 500, "text": "ru", "n_tokens": tok.count(ru),
                        "bytes_per_token": len(ru.encode()) / tok.count(ru)}  # fmt: skip
    assert json.loads(json.dumps(curve.to_dict()))["n_tokens"]["ru"][-1] == tok.count(ru)


def test_rendering(tok: Tokenizer, ru: str, en: str) -> None:
    curve = bukva.compression_curve(tok, {"ru": ru, "en": en})
    assert len(repr(curve).splitlines()) == CURVE_ROWS + 1
    plot = plot_lines(curve, width=40, height=10)
    assert len(plot) == 13
    assert all(len(line) <= 60 for line in plot)
    assert "● ru" in plot[0]
    assert plot[-1].rstrip().endswith("500 merges")


def test_bad_input(tok: Tokenizer) -> None:
    with pytest.raises(bukva.ArgumentError, match="mapping"):
        bukva.compression_curve(tok, ["text"])  # type: ignore[arg-type]
    with pytest.raises(bukva.ArgumentError, match="mapping"):
        bukva.compression_curve(tok, {})
    with pytest.raises(bukva.CorpusError, match="'ru' is empty"):
        bukva.compression_curve(tok, {"ru": []})
    words = bukva.train_from_iterator(["a b"], bukva.WordLevelTrainer())
    with pytest.raises(bukva.UnsupportedError, match="no merges"):
        bukva.compression_curve(words, {"ru": ["a"]})
