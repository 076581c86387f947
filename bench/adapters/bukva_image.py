"""bukva, loading its own image instead of the file it came from."""

from __future__ import annotations

from bench.adapters.bukva import Bukva
from bench.corpora import CACHE


class BukvaImage(Bukva):
    """The same engine; the image is written once into the cache."""

    name = "bukva_image"
    call = "load('x.bukva')"
    can = frozenset({"startup"})

    def prepare(self, vocabulary: str) -> None:
        """Write the image, outside every measurement."""
        super().load(vocabulary)
        CACHE.mkdir(parents=True, exist_ok=True)
        self.tok.save(CACHE / f"{vocabulary}.bukva")

    def load(self, vocabulary: str = "o200k") -> None:
        import bukva

        self.tok = bukva.load(CACHE / f"{vocabulary}.bukva")


ADAPTER = BukvaImage
