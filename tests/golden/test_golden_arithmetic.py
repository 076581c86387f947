"""The ``arithmetic`` and ``memory`` of ``golden/course.json``: patches, ids of a codec, parameters."""

from __future__ import annotations

from bukva.embeddings import codec_rate, image_patches, table_size


def test_patches_of_a_picture(golden: dict) -> None:
    facts = golden["arithmetic"]["vit"]
    assert image_patches(facts["image"], facts["patch"]).patches == facts["patches"]


def test_ids_of_a_codec(golden: dict) -> None:
    facts = golden["arithmetic"]["rvq"]
    assert codec_rate(facts["frames_per_s"], facts["codebooks"]).ids_per_s == facts["ids_per_s"]


def test_parameters_of_tables(golden: dict) -> None:
    facts = golden["memory"]["llama_3_1_8b"]
    found = table_size(facts["V"], facts["d"], tied=facts["tables"] == 1)
    assert found.parameters == facts["params"]
    assert found.bytes == 2 * facts["params"]
