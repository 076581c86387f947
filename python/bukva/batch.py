"""Many texts as ids: one flat array and where each text begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, overload

from .checks import check_choice, check_integer, wrong
from .errors import ArgumentError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Side = Literal["right", "left"]


class Batch:
    """Ids of many texts. ``batch[i]`` is a view of the ids of text ``i``; ``batch[a:b]`` is a batch.

    Attributes
    ----------
    ids : ndarray of uint32, shape (n_tokens,)
        Ids of all texts, one after another.
    offsets : ndarray of int64, shape (n_texts + 1,)
        Text ``i`` is ``ids[offsets[i]:offsets[i + 1]]``.
    """

    __slots__ = ("_pad_id", "ids", "offsets")

    def __init__(self, ids: NDArray[np.uint32], offsets: NDArray[np.int64], pad_id: int | None = None) -> None:
        self.ids = ids
        self.offsets = offsets
        self._pad_id = pad_id

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> NDArray[np.uint32]: ...
    @overload
    def __getitem__(self, index: slice) -> Batch: ...
    def __getitem__(self, index: int | slice) -> NDArray[np.uint32] | Batch:
        if isinstance(index, slice):
            return self._slice(index)
        if not -len(self) <= index < len(self):
            raise IndexError(f"text {index} of a batch of {len(self)}")
        at = index % len(self)
        return self.ids[self.offsets[at] : self.offsets[at + 1]]

    def __iter__(self) -> Iterator[NDArray[np.uint32]]:
        return (self[n] for n in range(len(self)))

    def _slice(self, index: slice) -> Batch:
        first, last, step = index.indices(len(self))
        if step != 1:
            raise ArgumentError(f"A batch is cut in steps of 1. Got a slice with step {step} instead.")
        offsets = self.offsets[first : max(first, last) + 1]
        return Batch(self.ids[offsets[0] : offsets[-1]], offsets - offsets[0], self._pad_id)

    def to_list(self) -> list[list[int]]:
        """Ids as lists of int, one a text."""
        return [ids.tolist() for ids in self]

    def lengths(self) -> NDArray[np.int64]:
        """Tokens of each text."""
        return self.offsets[1:] - self.offsets[:-1]

    def pad(
        self,
        length: int | None = None,
        side: Side = "right",
        multiple_of: int | None = None,
        pad_id: int | None = None,
    ) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]:
        """All texts as one rectangle.

        Parameters
        ----------
        length : int, optional
            Width; the longest text where left out. A longer text is an error: nothing is cut off.
        side : {"right", "left"}
            Where the padding goes.
        multiple_of : int, optional
            The width is rounded up to a multiple of it.
        pad_id : int, optional
            Id of the padding; the one the tokenizer's file states where left out.

        Returns
        -------
        ids : ndarray of uint32, shape (n_texts, width)
        mask : ndarray of bool, shape (n_texts, width)
            True where a token stands, False where padding does.

        Raises
        ------
        ArgumentError
            If a text is longer than ``length``, or neither the caller nor the file names a pad id.
        """
        import numpy as np

        check_choice("side", "pad", side, ("right", "left"))
        padding, lengths = self._padding(pad_id), self.lengths()
        columns = np.arange(self._width(length, multiple_of, lengths))
        if side == "right":
            mask = columns < lengths[:, None]
        else:
            mask = columns >= len(columns) - lengths[:, None]
        rows = np.full(mask.shape, padding, dtype=np.uint32)
        rows[mask] = self.ids
        return rows, mask

    def _padding(self, pad_id: int | None) -> int:
        check_integer("pad_id", "pad", pad_id, 0, optional=True)
        chosen = self._pad_id if pad_id is None else pad_id
        if chosen is None:
            raise wrong("pad_id", "pad", "given, because the tokenizer's file names none", None)
        return chosen

    def _width(self, length: int | None, multiple_of: int | None, lengths: NDArray[np.int64]) -> int:
        check_integer("length", "pad", length, 0, optional=True)
        check_integer("multiple_of", "pad", multiple_of, 1, optional=True)
        longest = int(lengths.max(initial=0))
        width = longest if length is None else length
        if width < longest:
            expected = f"at least {longest}, the length of the longest text"
            raise wrong("length", "pad", expected, length, "Cut the ids first: nothing is cut here.")
        return width if multiple_of is None else -(-width // multiple_of) * multiple_of

    def __reduce__(self) -> tuple[object, ...]:
        return Batch, (self.ids, self.offsets, self._pad_id)

    def __repr__(self) -> str:
        return f"Batch({len(self)} texts, {len(self.ids)} tokens)"
