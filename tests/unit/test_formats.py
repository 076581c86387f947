"""Which encoding a model has."""

from __future__ import annotations

import pytest

import bukva


def test_every_name_of_tiktoken_gives_the_same_encoding():
    model = pytest.importorskip("tiktoken.model")
    names = [*model.MODEL_TO_ENCODING, *model.MODEL_PREFIX_TO_ENCODING]
    names += [f"{name}x" for name in model.MODEL_PREFIX_TO_ENCODING]
    for name in names:
        try:
            expected = model.encoding_name_for_model(name)
        except KeyError:
            continue
        assert bukva.encoding_for_model(name) == expected, name


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        ("gpt-oss", "o200k_harmony"),
        ("openai/gpt-oss-120b", "o200k_harmony"),
        ("meta-llama/Llama-4-Scout-17B-16E", "llama4"),
        ("Qwen/Qwen2.5-7B-Instruct", "qwen2.5"),
        ("openai/whisper-tiny", "whisper_multilingual"),
    ],
)
def test_open_models(model, encoding):
    assert bukva.encoding_for_model(model) == encoding


def test_an_unknown_name_is_an_error_that_names_the_nearest():
    with pytest.raises(bukva.ArgumentError, match=r"nearest names are gpt-4o"):
        bukva.encoding_for_model("gtp-4o")
    with pytest.raises(bukva.ArgumentError):
        bukva.encoding_for_model(None)
