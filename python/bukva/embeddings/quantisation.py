"""Residual vector quantisation: a vector as a few ids, each correcting what the ids before it left."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..checks import check_choice, check_integer, wrong
from ..errors import ArgumentError, UnsupportedError
from .arithmetic import CodecRate, codec_rate
from .arrays import as_floats, as_ids, as_table, check_finite, check_shape
from .kmeans import kmeans

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from .arrays import FloatArray

BLOCK = 1 << 22
"""Numbers of candidates that are held at a time."""
Engine = Literal["plain", "faiss"]


class ResidualQuantizer:
    """Codebooks, one after another. Immutable.

    Parameters
    ----------
    codebooks : array-like, shape (n_codebooks, size, dim)

    Attributes
    ----------
    codebooks : ndarray of float32
    """

    def __init__(self, codebooks: ArrayLike) -> None:
        books = as_floats(codebooks, "codebooks", "ResidualQuantizer").astype(np.float32)
        if books.ndim != 3 or 0 in books.shape:
            raise wrong("codebooks", "ResidualQuantizer", "of shape (n_codebooks, size, dim)", f"shape {books.shape}")
        check_finite(books.reshape(-1, books.shape[2]), "codebooks", "ResidualQuantizer")
        self.codebooks = books

    @property
    def n_codebooks(self) -> int:
        """Ids of a vector."""
        return int(self.codebooks.shape[0])

    @property
    def size(self) -> int:
        """Entries of a codebook."""
        return int(self.codebooks.shape[1])

    @property
    def dim(self) -> int:
        """Numbers of a vector."""
        return int(self.codebooks.shape[2])

    def encode(self, vectors: ArrayLike, *, n_codebooks: int | None = None, beam: int = 1) -> NDArray[np.uint32]:
        """Ids of vectors.

        Parameters
        ----------
        vectors : array-like, shape (n, dim)
        n_codebooks : int, optional
            Only the first so many.
        beam : int
            Partial codes that are kept at each codebook. 1 takes the nearest entry each time; more find better codes,
            in ``beam`` times the time.

        Returns
        -------
        ndarray of uint32, shape (n, n_codebooks)
        """
        given = as_table(vectors, "vectors", "ResidualQuantizer.encode").astype(np.float32, copy=False)
        check_shape(given.shape[1:], (self.dim,), "vectors", "ResidualQuantizer.encode")
        check_integer("beam", "ResidualQuantizer.encode", beam, 1)
        books = self.codebooks[: self._used(n_codebooks)]
        step = max(1, BLOCK // (beam * max(self.size, self.dim)))
        blocks = [_search(given[at : at + step], books, beam) for at in range(0, len(given), step)]
        return np.concatenate(blocks)

    def decode(self, codes: ArrayLike) -> FloatArray:
        """Vectors of ids: the sum of the entries. The first k ids of a code alone give a coarser vector.

        Parameters
        ----------
        codes : array-like of int, shape (n, k)
            k at most ``n_codebooks``.

        Raises
        ------
        UnknownIdError
            If an id is not below ``size``.
        """
        ids = as_ids(codes, self.size, "ResidualQuantizer.decode")
        if ids.ndim != 2 or ids.shape[1] > self.n_codebooks:
            expected = f"of shape (n, k), k at most {self.n_codebooks}"
            raise wrong("codes", "ResidualQuantizer.decode", expected, f"shape {ids.shape}")
        vectors = np.zeros((len(ids), self.dim), np.float32)
        for number, column in enumerate(ids.T):
            vectors += self.codebooks[number][column]
        return vectors

    def relative_error(self, vectors: ArrayLike, *, n_codebooks: int | None = None, beam: int = 1) -> float:
        """Σ |v - decode(encode(v))|² / Σ |v - mean|²: 0 is exact, 1 no better than the mean of all."""
        given = as_table(vectors, "vectors", "ResidualQuantizer").astype(np.float32, copy=False)
        left = given - self.decode(self.encode(given, n_codebooks=n_codebooks, beam=beam))
        whole = np.square(given - given.mean(axis=0, dtype=np.float64)).sum(dtype=np.float64)
        return float(np.square(left).sum(dtype=np.float64) / whole) if whole else float("nan")

    def rate(self, frames_per_s: float, *, n_codebooks: int | None = None) -> CodecRate:
        """Ids and bits a second where a frame is a vector."""
        return codec_rate(frames_per_s, self._used(n_codebooks), self.size)

    def _used(self, n_codebooks: int | None) -> int:
        check_integer("n_codebooks", "ResidualQuantizer", n_codebooks, 1, optional=True)
        if n_codebooks is not None and n_codebooks > self.n_codebooks:
            raise wrong("n_codebooks", "ResidualQuantizer", f"at most {self.n_codebooks}", n_codebooks)
        return n_codebooks or self.n_codebooks

    def __repr__(self) -> str:
        return f"ResidualQuantizer({self.n_codebooks} codebooks of {self.size}, dim={self.dim})"


def train_residual_quantizer(
    vectors: ArrayLike,
    n_codebooks: int,
    size: int,
    *,
    beam: int = 1,
    iterations: int = 20,
    seed: int = 0,
    engine: Engine = "plain",
) -> ResidualQuantizer:
    """Trains codebooks: each by k-means on what the ones before it leave.

    Sources: Zeghidour et al. 2021, *SoundStream*; Défossez et al. 2022, *High fidelity neural audio compression*;
    beam search as in faiss.

    Parameters
    ----------
    vectors : array-like, shape (n, dim)
    n_codebooks, size : int
    beam : int
        Beam of the search for what is left, see :meth:`ResidualQuantizer.encode`.
    iterations : int
        Rounds of k-means at most.
    seed : int
    engine : {"plain", "faiss"}
        ``faiss`` needs the package faiss-cpu, and a size that is a power of two.

    Raises
    ------
    ArgumentError
        If there are fewer vectors than entries.
    UnsupportedError
        If faiss is asked for and not installed.
    """
    caller = "train_residual_quantizer"
    given = as_table(vectors, "vectors", caller).astype(np.float32, copy=False)
    for name, value in (("n_codebooks", n_codebooks), ("size", size), ("beam", beam), ("iterations", iterations)):
        check_integer(name, caller, value, 1)
    check_integer("seed", caller, seed, 0)
    check_choice("engine", caller, engine, ("plain", "faiss"))
    if size > len(given):
        raise wrong("size", caller, f"at most the number of vectors, {len(given)}", size, "Give more vectors.")
    if engine == "faiss":
        return _train_by_faiss(given, n_codebooks, size, beam, iterations, seed)
    rng = np.random.default_rng(seed)
    books: FloatArray = np.empty((n_codebooks, size, given.shape[1]), np.float32)
    left: FloatArray = given
    for number in range(n_codebooks):
        books[number] = kmeans(left, size, rng, iterations)
        if number + 1 < n_codebooks:
            quantizer = ResidualQuantizer(books[: number + 1])
            left = given - quantizer.decode(quantizer.encode(given, beam=beam))
    return ResidualQuantizer(books)


def _search(vectors: FloatArray, books: FloatArray, beam: int) -> NDArray[np.uint32]:
    """Codes by beam search. The residuals of all partial codes have shape (n, kept, dim)."""
    n, dim = vectors.shape
    left: FloatArray = vectors[:, None, :]
    codes = np.zeros((n, 1, 0), np.uint32)
    for book in books:
        size, kept = len(book), left.shape[1]
        scores = np.einsum("cd,cd->c", book, book) - 2 * (left.reshape(-1, dim) @ book.T).reshape(n, kept, size)
        # |r - c|² = |r|² - 2 r · c + |c|²: the first term matters where partial codes compete.
        scores += np.einsum("nkd,nkd->nk", left, left)[:, :, None]
        flat = scores.reshape(n, -1)
        chosen = _smallest(flat, min(beam, flat.shape[1]))
        parents, entries = chosen // size, chosen % size
        left = np.take_along_axis(left, parents[:, :, None], axis=1) - book[entries]
        before = np.take_along_axis(codes, parents[:, :, None], axis=1)
        codes = np.concatenate([before, entries[:, :, None].astype(np.uint32)], axis=2)
    return codes[:, 0]


def _smallest(scores: FloatArray, n: int) -> NDArray[np.int64]:
    """Columns of the ``n`` smallest scores of each row, in rising order."""
    if n == 1:
        return np.asarray(scores.argmin(axis=1))[:, None]
    if n < scores.shape[1]:
        chosen = np.sort(np.argpartition(scores, n - 1, axis=1)[:, :n], axis=1)
    else:
        chosen = np.tile(np.arange(n), (len(scores), 1))
    order = np.argsort(np.take_along_axis(scores, chosen, axis=1), axis=1, kind="stable")
    return np.asarray(np.take_along_axis(chosen, order, axis=1))


def _train_by_faiss(
    vectors: FloatArray, n_codebooks: int, size: int, beam: int, iterations: int, seed: int
) -> ResidualQuantizer:
    try:
        faiss = importlib.import_module("faiss")
    except ImportError:
        raise UnsupportedError("The engine 'faiss' needs the package faiss-cpu. Install it, or use 'plain'.") from None
    bits = size.bit_length() - 1
    if size != 1 << bits or bits == 0:
        raise ArgumentError(f"The engine 'faiss' needs a size that is a power of two from 2. Got {size} instead.")
    native = faiss.ResidualQuantizer(vectors.shape[1], n_codebooks, bits)
    native.max_beam_size, native.cp.niter, native.cp.seed = beam, iterations, seed
    native.cp.min_points_per_centroid = 1  # faiss would write a warning to standard error for each k-means
    native.train(np.ascontiguousarray(vectors))
    return ResidualQuantizer(faiss.vector_to_array(native.codebooks).reshape(n_codebooks, size, -1))
