"""Which encoding a model has."""

from __future__ import annotations

import base64

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
        ("openai/whisper-medium.en", "whisper_english"),
    ],
)
def test_open_models(model, encoding):
    assert bukva.encoding_for_model(model) == encoding


def test_an_unknown_name_is_an_error_that_names_the_nearest():
    with pytest.raises(bukva.ArgumentError, match=r"nearest names are gpt-4o"):
        bukva.encoding_for_model("gtp-4o")
    with pytest.raises(bukva.ArgumentError):
        bukva.encoding_for_model(None)


def test_the_only_rank_file_of_a_folder_asks_for_its_encoding(tmp_path):
    ranks = b"".join(b"%s %d\n" % (base64.b64encode(bytes([byte])), byte) for byte in range(256))
    (tmp_path / "qwen.tiktoken").write_bytes(ranks)
    with pytest.raises(bukva.ArgumentError, match="name an encoding"):
        bukva.load(tmp_path)
    assert bukva.load(tmp_path, encoding="qwen").encode("ab") == [97, 98]
    (tmp_path / "other.tiktoken").write_bytes(ranks)
    with pytest.raises(bukva.ArgumentError, match=r"other\.tiktoken, qwen\.tiktoken"):
        bukva.load(tmp_path, encoding="qwen")


def test_additional_chat_templates_are_kept_and_used(tmp_path):
    tok = bukva.train_from_iterator(["a b"], bukva.WordLevelTrainer())
    tok.save(tmp_path / "one")
    (tmp_path / "one" / "chat_template.jinja").write_text("a", encoding="utf-8")
    folder = tmp_path / "one" / "additional_chat_templates"
    folder.mkdir()
    (folder / "rag.jinja").write_text("{{ messages[0].content }} b", encoding="utf-8")
    (folder / "note.txt").write_text("no template", encoding="utf-8")
    loaded = bukva.load(tmp_path / "one")
    message = [{"role": "user", "content": "b"}]
    assert (loaded.chat(message).text, loaded.chat(message, template="rag").text) == ("a", "b b")
    loaded.save(tmp_path / "two")
    names = sorted(path.name for path in (tmp_path / "two" / "additional_chat_templates").iterdir())
    assert names == ["rag.jinja"]
    assert bukva.load(tmp_path / "two").chat(message, template="rag").ids == loaded.chat(message, template="rag").ids
    loaded.save(tmp_path / "x.bukva", allow_loss=True)
    assert bukva.load(tmp_path / "x.bukva").chat(message, template="rag").text == "b b"
