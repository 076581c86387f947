"""One adapter a peer. An adapter says how the peer is called, and nothing about how it is measured."""

from __future__ import annotations

import importlib
from importlib.metadata import PackageNotFoundError, version


class Adapter:
    """A peer. ``call`` names the calls that are measured; ``can`` the tasks and training rules it knows."""

    name: str
    package: str  # distribution, for the version
    module: str  # what ``import`` takes
    call: str
    can: frozenset[str]
    # Whether training takes a seed.
    seeded: bool = True

    def version(self) -> str:
        """Version of the installed distribution."""
        return version(self.package)

    def _cannot(self, task: str) -> TypeError:
        return TypeError(f"{self.name} cannot {task}; it can {', '.join(sorted(self.can))}")

    def load(self, vocabulary: str = "o200k") -> None:
        """Load a vocabulary of :data:`bench.definitions.VOCABULARIES` from its file."""
        raise self._cannot("load")

    def encode(self, text: str):
        """Ids in the peer's cheapest container with a length."""
        raise self._cannot("encode")

    def encode_list(self, text: str) -> list[int]:
        """Ids as a Python list."""
        return list(self.encode(text))

    def call_one(self):
        """The function that gives the ids of one short text as a list, without a layer of ours where there is none."""
        return self.encode_list

    def call_many(self, threads: int):
        """The function that encodes a list of texts into the peer's cheapest container, without control tokens.

        A peer that takes its number of threads from the environment finds it there.
        """
        raise self._cannot("encode many texts")

    def call_batch(self):
        """As :meth:`call_many`, for a batch of one text."""
        return self.call_many(1)

    def call_count(self):
        """The function that counts the ids of one short text."""
        return self.count

    def flat(self, batch):
        """Ids of all texts, one after the other, of what :meth:`call_many` returns; outside the measured time."""
        return [number for ids in batch for number in ids]

    def encode_lines(self, lines: list[str]):
        """Ids of every line, one after the other, without control tokens, on one thread."""
        return self.flat(self.call_many(1)(lines))

    def count(self, text: str) -> int:
        """Number of ids, by the peer's own way to count where it has one."""
        return len(self.encode(text))

    def decode(self, ids) -> str | bytes:
        """Text of the ids, given in the container that :meth:`encode` returns."""
        raise self._cannot("decode")

    def decode_bytes(self, ids) -> bytes:
        """The same without making text of the bytes, where the peer can."""
        return self.decode(ids)

    def train(self, path: str, rule) -> list[bytes]:
        """Train by ``rule`` (see :mod:`bench.definitions`) and return the trained model, whatever it is."""
        raise self._cannot("train")

    def train_vectors(self, path: str, method: str, seed: int):
        """Words and vectors, one thread, one pass: 100 numbers, window 5, 5 negatives, counts of 5 and more."""
        raise self._cannot("train vectors")

    def read_vectors(self, path: str, binary: bool):
        """Word vectors of a file of word2vec's, text or binary, in memory."""
        raise self._cannot("read vectors")

    def table(self, vectors):
        """Words and numbers of vectors, to check them by; outside the measured time."""
        raise self._cannot("show vectors")

    def nearest(self, vectors, word: str) -> list[str]:
        """The 10 words nearest to a word by cosine."""
        raise self._cannot("find neighbours")

    def nearest_to_all(self, vectors, words: list[str]) -> list[list[str]]:
        """The same for many words, in one call where the peer has one."""
        return [self.nearest(vectors, word) for word in words]

    def products(self, trained) -> list[bytes]:
        """Merge products of a trained model in order of rank, to check it by; outside the measured time."""
        raise self._cannot("products")

    def take(self, table) -> None:
        """Take a table of float32 to look rows up in."""
        raise self._cannot("look rows up")

    def gather(self, ids):
        """Rows of ids."""
        raise self._cannot("look rows up")

    def scatter_add(self, ids, gradients):
        """The gradient of the table, whatever it is."""
        raise self._cannot("add rows up")

    def dense(self, gradient):
        """A gradient as an array with all rows, to check it by; outside the measured time."""
        return gradient


def adapter(name: str) -> Adapter:
    """The adapter of a peer by its name."""
    return importlib.import_module(f"bench.adapters.{name}").ADAPTER()


def installed(name: str) -> bool:
    """Whether the peer is installed."""
    try:
        adapter(name).version()
    except PackageNotFoundError:
        return False
    return True
