"""bukva's training of word vectors, negatives drawn for each pair."""

from __future__ import annotations

from bench.adapters.bukva_training import BukvaTraining


class BukvaIndependent(BukvaTraining):
    """As the default, but for the negatives."""

    name = "bukva_independent"
    sampling = "independent"
    call = 'as bukva, negative_sampling="independent"'


ADAPTER = BukvaIndependent
