"""Reading folders of shards."""

from __future__ import annotations

import mmap
import os
import sys
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from .. import _core
from ..checks import wrong
from ..errors import FileError, FormatError
from .options import ARROW, FORMATS
from .place import whole_size
from .record import MANIFEST, PROGRESS, VERSION, read_manifest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OPEN = 256
"""Shards that stay open at most: each may hold two handles of files."""


class Shards:
    """Documents as ids in the files of a folder: ``shards[i]`` is document ``i``, ``shards[a:b]`` a list of several.

    Files of ids are mapped: what is not used is not read. Parquet is unpacked, one shard at a time.

    Attributes
    ----------
    folder : Path
    manifest : dict
        All that ``manifest.json`` says: options, inputs, totals, shards.
    """

    def __init__(self, folder: Path, manifest: dict[str, Any]) -> None:
        self.folder = folder
        self.manifest = manifest
        self._shards: list[dict[str, Any]] = manifest["shards"]
        self._format: str = manifest["options"]["format"]
        ends = accumulate(shard["documents"] - (not shard["ends_document"]) for shard in self._shards)
        self._first: list[int] = [0, *ends]
        """The document of which each shard's first entry is, or a part."""
        self._open: dict[int, tuple[NDArray[Any], NDArray[np.int64]]] = {}

    def __len__(self) -> int:
        return self._first[-1]

    @property
    def n_tokens(self) -> int:
        """Ids of all documents."""
        return int(self.manifest["tokens"])

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the ids: ``uint16`` or ``uint32``."""
        import numpy as np

        dtype: np.dtype[Any] = np.dtype(self.manifest["options"]["dtype"])
        return dtype

    @property
    def ids(self) -> list[NDArray[Any]]:
        """The ids of each shard, shape (n_tokens of the shard,). Of Parquet all are unpacked."""
        return [self._arrays(number)[0] for number in range(len(self._shards))]

    @property
    def offsets(self) -> list[NDArray[np.int64]]:
        """Where the documents of each shard begin, shape (n_documents of the shard + 1,); the last is the end."""
        return [self._arrays(number)[1] for number in range(len(self._shards))]

    @overload
    def __getitem__(self, index: int) -> NDArray[Any]: ...
    @overload
    def __getitem__(self, index: slice) -> list[NDArray[Any]]: ...
    def __getitem__(self, index: int | slice) -> NDArray[Any] | list[NDArray[Any]]:
        if isinstance(index, slice):
            return [self[n] for n in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"document {index} of {len(self)}")
        document = index % len(self)
        number = self._shard_of(document)
        parts = [self._entry(number, document - self._first[number])]
        while not self._ends(number, document):
            number += 1
            parts.append(self._entry(number, 0))
        return parts[0] if len(parts) == 1 else _joined(parts)

    def __iter__(self) -> Iterator[NDArray[Any]]:
        return (self[n] for n in range(len(self)))

    def _shard_of(self, document: int) -> int:
        """The first shard that holds a part of a document."""
        number = bisect_right(self._first, document) - 1
        while number and not self._shards[number]["starts_document"] and self._first[number] == document:
            number -= 1
        return number

    def _ends(self, number: int, document: int) -> bool:
        """Whether a document that lies in a shard ends there."""
        shard = self._shards[number]
        return bool(shard["ends_document"]) or document - self._first[number] < shard["documents"] - 1

    def _entry(self, number: int, entry: int) -> NDArray[Any]:
        ids, offsets = self._arrays(number)
        return ids[offsets[entry] : offsets[entry + 1]]

    def _arrays(self, number: int) -> tuple[NDArray[Any], NDArray[np.int64]]:
        if number not in self._open:
            if len(self._open) >= (1 if self._format == "parquet" else OPEN):
                self._open.pop(next(iter(self._open)))
            self._open[number] = self._read(self._shards[number])
        return self._open[number]

    def _read(self, shard: dict[str, Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
        path = self.folder / shard["file"]
        if self._format in ARROW:
            from .arrow import read_table

            ids, offsets = read_table(path, self._format)
        else:
            ids = _mapped(path, self.dtype.newbyteorder("<"), 128 if self._format == "npy" else 0, shard["tokens"])
            offsets = _mapped(self.folder / shard["offsets"], "<i8", 128, shard["documents"] + 1)
        if len(ids) != shard["tokens"] or len(offsets) != shard["documents"] + 1 or offsets[-1] != len(ids):
            raise FormatError(
                f"{len(ids)} ids of {len(offsets) - 1} documents do not fit the manifest, which has {shard['tokens']} "
                f"of {shard['documents']}.",
                str(path),
            )
        return ids, offsets

    def verify(self) -> None:
        """Reads everything and compares it with the hashes of the manifest.

        Raises
        ------
        FormatError
            If a file is not as it was written.
        """
        import numpy as np

        for number, shard in enumerate(self._shards):
            whole_size(self.folder, shard)
            ids, offsets = self._arrays(number)
            for name, array in (("ids", ids), ("offsets", offsets)):
                if _core.hash_bytes(np.ascontiguousarray(array).view(np.uint8)) != shard[f"{name}_xxh3"]:
                    message = f"The {name} are not those that were written. Encode the corpus again: overwrite=True."
                    raise FormatError(message, str(self.folder / shard["file"]))

    def __reduce__(self) -> tuple[Any, ...]:
        return load_shards, (self.folder,)

    def __repr__(self) -> str:
        return f"Shards({len(self)} documents, {self.n_tokens} tokens, {len(self._shards)} shards of {self._format})"


def load_shards(folder: str | os.PathLike[str]) -> Shards:
    """Opens a folder that ``Tokenizer.encode_files`` wrote.

    Parameters
    ----------
    folder : str or os.PathLike

    Raises
    ------
    FileError
        If there is no such folder, or a file of a shard is missing.
    FormatError
        If the run that writes the folder did not end, or a file has not the size that was written. ``Shards.verify``
        looks at every byte.
    """
    if not isinstance(folder, (str, os.PathLike)) or not os.fspath(folder):
        raise wrong("folder", "load_shards", "a path that is not empty", folder)
    path = Path(folder)
    if not path.is_dir():
        raise FileError(f"The folder {str(path)!r} of shards does not exist.")
    manifest = read_manifest(path)
    if manifest is None:
        raise FormatError(_unfinished(path), str(path))
    _check(manifest, str(path / MANIFEST))
    for shard in manifest["shards"]:
        whole_size(path, shard)
    return Shards(path, manifest)


def _unfinished(path: Path) -> str:
    if (path / PROGRESS).exists():
        return (
            "The run that writes these shards did not end. Call encode_files again with the same arguments: it goes on."
        )
    return f"The folder has no {MANIFEST}: it holds no shards of bukva."


def _check(manifest: dict[str, Any], source: str) -> None:
    if manifest.get("version") != VERSION:
        raise FormatError(f"Version {manifest.get('version')!r} is not known; this is {VERSION!r}.", source)
    try:
        known = manifest["options"]["format"] in FORMATS and manifest["options"]["dtype"] in ("uint16", "uint32")
        numbers = [manifest["tokens"], *(shard[key] for shard in manifest["shards"] for key in _NUMBERS)]
        names = [shard[key] for shard in manifest["shards"] for key in _files(manifest["options"]["format"])]
        hashes = [shard[key] for shard in manifest["shards"] for key in ("ids_xxh3", "offsets_xxh3")]
        flags = [shard[key] for shard in manifest["shards"] for key in ("starts_document", "ends_document")]
    except (KeyError, TypeError) as error:
        raise FormatError(f"The manifest lacks something: {error!r}.", source) from None
    right = all(isinstance(n, int) and n >= 0 for n in numbers) and all(isinstance(flag, bool) for flag in flags)
    right = right and all(isinstance(text, str) for text in (*names, *hashes))
    if not known or not right or not all(os.path.basename(name) == name for name in names):
        raise FormatError("The manifest has a value of another kind than encode_files writes.", source)
    if not _adds_up(manifest):
        raise FormatError("The manifest contradicts itself: its shards are not those of its totals.", source)


def _adds_up(manifest: dict[str, Any]) -> bool:
    """Whether the shards follow each other, and have as many ids and documents as all together."""
    shards = manifest["shards"]
    documents = sum(shard["documents"] - (not shard["ends_document"]) for shard in shards)
    whole = [True, *(shard["ends_document"] for shard in shards)]
    return (
        sum(shard["tokens"] for shard in shards) == manifest["tokens"]
        and documents == manifest.get("documents")
        and whole == [*(shard["starts_document"] for shard in shards), True]
    )


_NUMBERS = ("tokens", "documents", "bytes")


def _files(format: str) -> tuple[str, ...]:
    """Keys of a shard's entry that name its files."""
    more = ("offsets", "index") if format == "megatron" else ("offsets",)
    return ("file",) if format in ARROW else ("file", *more)


def _mapped(path: Path, dtype: Any, start: int, items: int) -> NDArray[Any]:
    import numpy as np

    if not items:
        return np.zeros(0, dtype)
    try:
        with path.open("rb") as file:
            # Otherwise every mapped file would hold a handle, of which a process has few.
            if sys.version_info >= (3, 13) and os.name == "posix":
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ, trackfd=False)
            else:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return np.frombuffer(data, dtype, items, start)
    except (OSError, ValueError) as error:
        raise FileError(f"The file {str(path)!r} cannot be mapped: {error}.") from error


def _joined(parts: list[NDArray[Any]]) -> NDArray[Any]:
    import numpy as np

    return np.concatenate(parts)
