"""Rates and sizes that papers state."""

from __future__ import annotations

import math

import pytest

import bukva
from bukva.embeddings import codec_rate, image_patches, table_size


@pytest.mark.parametrize(
    ("frames", "codebooks", "kbit"), [(75, 2, 1.5), (75, 4, 3), (75, 8, 6), (75, 16, 12), (75, 32, 24), (150, 16, 24)]
)
def test_bit_rates_of_encodec(frames: float, codebooks: int, kbit: float) -> None:
    found = codec_rate(frames, codebooks, 1024)
    assert found.bits_per_s == kbit * 1000
    assert (found.bits_per_id, found.ids_per_s) == (10, frames * codebooks)


def test_vit_base() -> None:
    """ViT-B/16: 196 patches and a class token; 590,592 numbers in the map of patches."""
    found = image_patches(224, 16, dim=768, class_token=True)
    assert (found.rows, found.columns, found.patches, found.tokens, found.weights) == (14, 14, 196, 197, 590_592)
    assert image_patches((32, 48), 16, channels=1, dim=2).patches == 6


@pytest.mark.parametrize(
    ("rows", "dim", "tied", "gib"),
    [(128256, 4096, False, 0.979), (151936, 1024, True, 0.290), (262144, 2816, True, 1.375)],
)
def test_memory_of_a_table(rows: int, dim: int, tied: bool, gib: float) -> None:
    found = table_size(rows, dim, tied=tied)
    assert round(found.bytes / (1 if tied else 2) / 2**30, 3) == gib


def test_bad_sizes() -> None:
    with pytest.raises(bukva.ArgumentError, match="a divisor of 30 and 32"):
        image_patches((30, 32), 16)
    with pytest.raises(bukva.ArgumentError, match="'frames_per_s'"):
        codec_rate(math.nan, 8)
    with pytest.raises(bukva.ArgumentError, match="'codebooks'"):
        codec_rate(50, 0)
    with pytest.raises(bukva.ArgumentError, match="'dim'"):
        table_size(5, 0, tied=True)
