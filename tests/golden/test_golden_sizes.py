"""What the numbers of a vocabulary mean: the size arithmetic of o200k."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import bukva


@pytest.fixture(scope="module")
def path(artefact: Callable[[str], Path]) -> Path:
    return artefact("openai/o200k_base.tiktoken")


def test_o200k_base(path: Path, golden: dict) -> None:
    facts = golden["vocabulary_sizes"]["o200k_base"]
    tok = bukva.load(path, encoding="o200k_base")
    sizes = tok.sizes
    assert sizes.ordinary == facts["ordinary_ids"] == 199_998
    assert [min(tok.vocab.values()), max(tok.vocab.values())] == facts["ordinary_range"]
    assert tok.special_tokens == facts["special"]
    assert sizes.defined == facts["defined_ids"] == sizes.ordinary + sizes.special_ids
    assert sizes.id_range == facts["range_R"]
    assert sizes.holes == facts["holes"] == sizes.id_range - sizes.defined
    assert (sizes.special_names, sizes.aliases) == (2, 0)


def test_o200k_harmony(path: Path, golden: dict) -> None:
    facts = golden["vocabulary_sizes"]["o200k_harmony"]
    tok = bukva.load(path, encoding="o200k_harmony")
    sizes = tok.sizes
    assert sizes.ordinary == facts["ordinary_ids"]
    assert sizes.special_names == facts["special_names"] == facts["protocol_names"] + facts["reserved_names"]
    assert sizes.special_ids == facts["unique_special_ids"]
    assert sizes.aliases == sizes.special_names - sizes.special_ids == 1
    assert {number: sorted(names) for number, names in sizes.alias_names.items()} == {
        int(number): sorted(names) for number, names in facts["aliases"].items()
    }
    assert sizes.defined == facts["defined_ids"]
