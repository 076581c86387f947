"""bukva, loading its own image instead of the rank file."""

from __future__ import annotations

from bench.adapters.bukva import Bukva
from bench.corpora import CACHE


class BukvaImage(Bukva):
    """The same engine; the image is written once into the cache."""

    name = "bukva_image"
    call = "load('o200k_base.bukva')"
    can = frozenset({"startup"})

    def prepare(self) -> None:
        """Write the image, outside every measurement."""
        super().load()
        CACHE.mkdir(parents=True, exist_ok=True)
        self.tok.save(CACHE / "o200k_base.bukva")

    def load(self, vocabulary: str = "o200k") -> None:
        import bukva

        self.tok = bukva.load(CACHE / "o200k_base.bukva")


ADAPTER = BukvaImage
