"""bukva's training of word vectors, negatives drawn for each pair."""

from __future__ import annotations

from typing import ClassVar

from bench.adapters.bukva_training import BukvaTraining


class BukvaIndependent(BukvaTraining):
    """As the default, but for the negatives."""

    name = "bukva_independent"
    options: ClassVar[dict[str, object]] = {"alpha": 0.025, "negative_sampling": "independent"}
    call = 'as bukva, negative_sampling="independent"'


ADAPTER = BukvaIndependent
