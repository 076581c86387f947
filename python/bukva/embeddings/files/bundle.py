"""bukva's own files of vectors: everything there is, in one safetensors file. See ``docs/formats/vectors.md``."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ArgumentError, FormatError
from ..ngrams import NgramScheme, NgramTable
from .parts import Losses, Parts, losses_of_subwords
from .safetensors import Tensor, TensorFile, tensor_of, write_tensors

if TYPE_CHECKING:
    from ..vectors import WordVectors

FORMAT = "bukva.vectors"
VERSION = "1"


def read(path: Path) -> Parts:
    """Words and vectors; tables of float32 stay in the mapped file."""
    file = TensorFile(path)
    if file.metadata.get("format") != FORMAT:
        listed = ", ".join(f"{name!r} {list(entry.shape)}" for name, entry in list(file.entries.items())[:4])
        raise FormatError(
            f"The file holds tensors ({listed}), but no words. For a table of a model's tokens use "
            "bukva.WordVectors(words, table).",
            str(path),
        )
    if file.metadata.get("version") != VERSION:
        raise FormatError(f"Version {file.metadata.get('version')!r} is not known; this is {VERSION!r}.", str(path))
    names = file.entries
    return Parts(
        words=_words(file),
        matrix=file.array("vectors"),
        counts=file.array("counts") if "counts" in names else None,
        output=file.array("output") if "output" in names else None,
        record=_record(file),
        subwords=_ngrams(file) if "ngram_rows" in names else None,
    )


def _words(file: TensorFile) -> list[str]:
    blob, ends = file.array("words"), file.array("word_ends")
    if blob.dtype != np.uint8 or ends.dtype != np.int64 or ends.ndim != 1 or not _rises(ends, blob.size):
        raise FormatError("'word_ends' are not rising places in 'words'.", str(file.path))
    data, starts = blob.tobytes(), [0, *ends[:-1].tolist()]
    try:
        return [data[start:end].decode() for start, end in zip(starts, ends.tolist(), strict=True)]
    except UnicodeDecodeError as error:
        raise FormatError(f"The word {error.object!r} is not UTF-8.", str(file.path)) from None


def _rises(ends: NDArray[Any], size: int) -> bool:
    return len(ends) > 0 and ends[0] >= 0 and bool((np.diff(ends) >= 0).all()) and ends[-1] == size


def _record(file: TensorFile) -> dict[str, Any]:
    try:
        record = json.loads(file.metadata.get("record", "{}"))
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise FormatError("The record is not a JSON object.", str(file.path))
    return record


def _ngrams(file: TensorFile) -> NgramTable:
    """The rows of n-grams, which stay in the mapped file."""
    word_rows = file.array("ngram_word_rows") if "ngram_word_rows" in file.entries else None
    shape = file.entry("vectors").shape
    try:
        scheme = NgramScheme(**json.loads(file.metadata.get("ngrams", "")))
        table = NgramTable(scheme, file.array("ngram_rows"), file.array("ngram_buckets"), word_rows)
    except (ValueError, TypeError, RecursionError, ArgumentError) as error:
        raise FormatError(f"The n-grams are damaged: {error}", str(file.path)) from None
    if table.dim != shape[-1] or (word_rows is not None and word_rows.shape != shape):
        sizes = f"{list(table.rows.shape)}" + ("" if word_rows is None else f" and {list(word_rows.shape)}")
        raise FormatError(f"The rows of n-grams, {sizes}, do not fit vectors of {list(shape)}.", str(file.path))
    return table


def losses(vectors: WordVectors) -> Losses:
    """Only subwords of another kind than bukva's own are not held."""
    return [] if isinstance(vectors.subwords, NgramTable) else losses_of_subwords(vectors)


def write(vectors: WordVectors, path: Path) -> None:
    """Writes everything."""
    encoded = [word.encode() for word in vectors.words]
    tensors: dict[str, Tensor] = {"word_ends": tensor_of(np.cumsum([len(word) for word in encoded], dtype=np.int64))}
    if vectors.counts is not None:
        tensors["counts"] = tensor_of(vectors.counts)
    tensors["vectors"] = tensor_of(vectors.matrix)
    if vectors.output is not None:
        tensors["output"] = tensor_of(vectors.output)
    metadata = {"format": FORMAT, "version": VERSION, "record": json.dumps(vectors.record, ensure_ascii=False)}
    if isinstance(vectors.subwords, NgramTable):
        tensors |= _tensors_of_ngrams(vectors.subwords)
        metadata["ngrams"] = json.dumps(asdict(vectors.subwords.scheme))
    tensors["words"] = tensor_of(np.frombuffer(b"".join(encoded), np.uint8))
    write_tensors(path, tensors, metadata)


def _tensors_of_ngrams(table: NgramTable) -> dict[str, Tensor]:
    tensors = {"ngram_rows": tensor_of(table.rows), "ngram_buckets": tensor_of(table.buckets)}
    return tensors if table.word_rows is None else tensors | {"ngram_word_rows": tensor_of(table.word_rows)}
