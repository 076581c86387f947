"""fastText's models (``.bin``): options, the dictionary, rows of words and of buckets, rows of outputs."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import ArgumentError, FormatError, UnsupportedError
from ..ngrams import NgramScheme, NgramTable
from .opening import map_file, replaced
from .parts import Losses, Parts, losses_of_subwords, losses_of_words, refuse_words

if TYPE_CHECKING:
    from ..checking import Rows
    from ..vectors import WordVectors

MAGIC, VERSION = 793_712_314, 12
HEADER = struct.Struct("<14id")
OPTIONS = (
    *("dim", "window", "epochs", "min_count", "negatives", "word_ngrams", "loss", "model"),
    *("bucket", "minn", "maxn", "update_rate", "sample"),
)
SIZES = struct.Struct("<iiiqq")
ENTRY = struct.Struct("<qb")
SHAPE = struct.Struct("<?qq")
METHODS = {1: "cbow", 2: "skipgram"}
NEGATIVES = 2
"""The loss of negative sampling; that of a tree is 1."""
END_OF_LINE = "</s>"
"""A word of fastText's own, which has no n-grams."""
BUCKETS_AT_ONCE = 1 << 16


@dataclass
class Cursor:
    """A place in the file."""

    data: memoryview
    path: Path
    at: int = 0

    def take(self, form: struct.Struct, what: str) -> tuple[Any, ...]:
        """The next numbers."""
        if self.at + form.size > len(self.data):
            raise FormatError(f"The file stops in the middle of {what}.", str(self.path), None, len(self.data))
        self.at += form.size
        return form.unpack_from(self.data, self.at - form.size)

    def word(self, row: int) -> str:
        """The next word, which ends in a zero."""
        found = bytes(self.data[self.at : self.at + 256])
        end = found.find(b"\0")
        if end < 0:
            found = bytes(self.data[self.at : self.at + (1 << 20)])
            end = found.find(b"\0")
        if end < 0:
            raise FormatError(f"No zero ends the word of row {row}.", str(self.path), None, self.at)
        try:
            word = found[:end].decode()
        except UnicodeDecodeError:
            raise FormatError(f"The word of row {row}, {found[:end][:40]!r}, is not UTF-8.", str(self.path)) from None
        self.at += end + 1
        return word

    def table(self, n_rows: int, dim: int, what: str) -> Rows:
        """The next table, left in the mapped file."""
        quantised, rows, columns = self.take(SHAPE, what)
        if quantised:
            raise UnsupportedError("A quantised model of fastText (.ftz) is not read.", str(self.path))
        if (rows, columns) != (n_rows, dim):
            message = f"{what} must be of {n_rows} rows of {dim} numbers, and are {rows} of {columns}"
            raise FormatError(f"{message}; the file is damaged.", str(self.path), None, self.at)
        if 4 * rows * columns > len(self.data) - self.at:
            row = (len(self.data) - self.at) // (4 * columns)
            raise FormatError(f"The file stops in row {row} of {what}.", str(self.path), None, len(self.data))
        found: Rows = np.frombuffer(self.data, "<f4", rows * columns, self.at).reshape(rows, columns)
        self.at += 4 * rows * columns
        return found


def read(path: Path) -> Parts:
    """Words with the means of their rows; rows of buckets stay in the mapped file."""
    cursor = Cursor(map_file(path), path)
    magic, version, *numbers = cursor.take(HEADER, "the options")
    options = dict(zip(OPTIONS, numbers, strict=True))
    if magic != MAGIC or version != VERSION:
        raise FormatError(f"A model of fastText begins with {MAGIC}, {VERSION}, not {magic}, {version}.", str(path))
    _check(options, path)
    words, counts = _dictionary(cursor)
    dim, bucket = options["dim"], options["bucket"]
    inputs = cursor.table(len(words) + bucket, dim, "the rows of inputs")
    outputs = cursor.table(len(words), dim, "the rows of outputs")
    if cursor.at != len(cursor.data):
        raise FormatError("More bytes follow the rows of outputs; the file is damaged.", str(path), None, cursor.at)
    word_rows = np.array(inputs[: len(words)])
    matrix, subwords = word_rows, None
    if options["maxn"] > 0 and bucket > 0:
        scheme = _scheme(options, path)
        subwords = NgramTable(scheme, inputs[len(words) :], None, word_rows)
        matrix = subwords.compose(words, word_rows)
        if END_OF_LINE in words:
            matrix[words.index(END_OF_LINE)] = word_rows[words.index(END_OF_LINE)]
    return Parts(
        words=words,
        matrix=matrix,
        counts=counts,
        output=np.array(outputs) if options["loss"] == NEGATIVES else None,
        record={"program": "fasttext", **options, "method": METHODS[options["model"]]},
        subwords=subwords,
    )


def _check(options: dict[str, Any], path: Path) -> None:
    if options["model"] not in METHODS:
        raise UnsupportedError("A classifier of fastText is not read: its vectors are of labels.", str(path))
    if options["dim"] <= 0 or options["bucket"] < 0:
        raise FormatError(f"dim {options['dim']} and bucket {options['bucket']} are no sizes.", str(path))


def _scheme(options: dict[str, Any], path: Path) -> NgramScheme:
    try:
        # N-grams of no characters are none.
        return NgramScheme("fasttext", max(options["minn"], 1), options["maxn"], options["bucket"])
    except ArgumentError as error:
        raise FormatError(f"The n-grams cannot be used: {error}", str(path)) from None


def _dictionary(cursor: Cursor) -> tuple[list[str], list[int]]:
    size, n_words, n_labels, _, pruned = cursor.take(SIZES, "the sizes of the dictionary")
    if size != n_words or n_labels or size < 1 or size > len(cursor.data):
        message = f"The dictionary has {size} entries, {n_words} words and {n_labels} labels; expected words only."
        raise FormatError(message, str(cursor.path), None, cursor.at)
    if pruned > 0:
        raise UnsupportedError("A pruned model of fastText is not read.", str(cursor.path))
    words, counts = [], []
    for row in range(size):
        words.append(cursor.word(row))
        counts.append(max(cursor.take(ENTRY, f"the entry of row {row}")[0], 0))
    return words, counts


def losses(vectors: WordVectors) -> Losses:
    """What a model leaves out."""
    refuse_words(vectors, "\0", "a zero ends a word in fastText's models")
    lost = [] if _is_held(vectors) else losses_of_subwords(vectors)
    return lost + losses_of_words(vectors, " \t\n\v\f\r", "fastText and others")


def left_out(vectors: WordVectors) -> Losses:
    """What training gave and a model does not hold."""
    left = [("record", "how the vectors were made is left out, but for the options that fastText has")]
    if vectors.output is not None and not _has_outputs(vectors):
        left.append(("output", "the rows of a tree, which continued training needs, are left out"))
    return left if vectors.record or len(left) > 1 else []


def _is_held(vectors: WordVectors) -> bool:
    table = vectors.subwords
    return isinstance(table, NgramTable) and table.scheme.kind == "fasttext" and table.word_rows is not None


def _has_outputs(vectors: WordVectors) -> bool:
    objective = vectors.record.get("objective", "negative_sampling")
    return vectors.output is not None and objective == "negative_sampling"


def write(vectors: WordVectors, path: Path) -> None:
    """Writes a model that fastText reads: a row for each bucket, those that no word uses of zeros."""
    table = vectors.subwords if _is_held(vectors) and isinstance(vectors.subwords, NgramTable) else None
    word_rows = vectors.matrix if table is None or table.word_rows is None else table.word_rows
    bucket = 0 if table is None else table.scheme.bucket
    counts = [1] * len(vectors) if vectors.counts is None else vectors.counts.tolist()
    with replaced(path) as file:
        file.write(HEADER.pack(MAGIC, VERSION, *_options(vectors, table)))
        file.write(SIZES.pack(len(vectors), len(vectors), 0, sum(counts), -1))
        for word, count in zip(vectors.words, counts, strict=True):
            file.write(word.encode() + b"\0" + ENTRY.pack(count, 0))
        file.write(SHAPE.pack(False, len(vectors) + bucket, vectors.dim))
        file.write(_bytes(word_rows))
        for rows in _bucket_rows(table) if table is not None else ():
            file.write(_bytes(rows))
        file.write(SHAPE.pack(False, len(vectors), vectors.dim))
        outputs = vectors.output if _has_outputs(vectors) else None
        file.write(_bytes(np.zeros_like(vectors.matrix) if outputs is None else outputs))


def _bytes(rows: Rows) -> memoryview:
    return np.ascontiguousarray(rows, "<f4").data.cast("B")


def _options(vectors: WordVectors, table: NgramTable | None) -> list[Any]:
    given = vectors.record.get

    def number(name: str, default: int) -> int:
        value = given(name, default)
        return value if isinstance(value, int) and 0 <= value < 2**31 else default

    sample = given("sample", 1e-4)
    return [
        vectors.dim,
        *(number("window", 5), number("epochs", 5), number("min_count", 1), number("negatives", 5), 1, NEGATIVES),
        1 if given("method") == "cbow" else 2,
        *((0, 0, 0) if table is None else (table.scheme.bucket, table.scheme.minn, table.scheme.maxn)),
        100,
        float(sample) if isinstance(sample, (int, float)) else 1e-4,
    ]


def _bucket_rows(table: NgramTable) -> Iterator[Rows]:
    """The rows of all buckets, some thousands at once."""
    for start in range(0, table.scheme.bucket, BUCKETS_AT_ONCE):
        buckets = np.arange(start, min(start + BUCKETS_AT_ONCE, table.scheme.bucket), dtype=np.uint32)
        places = table.find(buckets)
        rows = np.zeros((len(buckets), table.dim), dtype=np.float32)
        rows[places >= 0] = table.rows[places[places >= 0]]
        yield rows
