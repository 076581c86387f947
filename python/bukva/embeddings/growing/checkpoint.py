"""Tables in the files of a model: one safetensors file, or shards with an index."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from ...audit.model_sizes import NESTED
from ...checks import wrong
from ...errors import ArgumentError, FileError, FormatError
from ..files.opening import read_whole, replaced
from ..files.safetensors import Tensor, TensorFile, write_tensors
from .plan import Plan
from .record import GrowthRecord
from .rows import FLOATS, Table, blocks
from .table import plan_growth, record_of

if TYPE_CHECKING:
    from ...tokenizer import Tokenizer

CALLER = "grow_checkpoint"
EMBEDDINGS = (
    *("embed_tokens.weight", "wte.weight", "word_embeddings.weight", "tok_embeddings.weight"),
    *("embed_in.weight", "shared.weight", "embedding.weight"),
)
"""How names of embedding tables end in the models of transformers and in others."""
HEADS = ("lm_head.weight", "embed_out.weight", "output.weight", "output_projection.weight")
BIASES = ("lm_head.bias", "embed_out.bias", "output.bias")
INDEX = "model.safetensors.index.json"
SINGLE = "model.safetensors"


def grow_checkpoint(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    old: Tokenizer,
    new: Tokenizer,
    *,
    embedding: str | None = None,
    head: str | None = None,
    also: Sequence[str] = (),
    method: str = "subtokens",
    keep: str = "all",
    vectors: ArrayLike | None = None,
    old_vectors: ArrayLike | None = None,
    rows: int | None = None,
    multiple_of: int | None = None,
    seed: int = 0,
) -> GrowthRecord:
    """Writes a model's weights anew with its tables resized to a new vocabulary.

    Parameters
    ----------
    source : str or os.PathLike
        A ``.safetensors`` file, or a folder with ``model.safetensors`` or with shards and their index. Files are mapped
        and go through memory piece by piece.
    target : str or os.PathLike
        The new file or folder. A folder gets all weights, the index, and ``config.json`` with the new ``vocab_size``;
        save the tokenizer there yourself.
    old, new : Tokenizer
    embedding, head : str, optional
        Names of the tensors; found by their usual names where left out. Without a head the model is tied.
    also : sequence of str
        Further tensors of one row, or one number, an id. A bias of the head is found by its usual name.
    method, keep, vectors, old_vectors, rows, multiple_of, seed
        As in :func:`grow_table`.

    Returns
    -------
    GrowthRecord

    Raises
    ------
    FileError, FormatError
        If a file cannot be read or is damaged.
    ArgumentError
        If the tables are not found, their rows differ, or as in :func:`grow_table`.
    """
    shards = _Shards(Path(source), Path(target))
    names = shards.table_names(embedding, head, also)
    tables = [_table(shards, name) for name in names]
    for table in tables[1:]:
        if len(table.array) != len(tables[0].array):
            sizes = f"{len(table.array)} and {len(tables[0].array)}"
            raise ArgumentError(f"{table.name!r} and {tables[0].name!r} have {sizes} rows. They need one an id.")
    options: dict[str, Any] = {"vectors": vectors, "old_vectors": old_vectors, "rows": rows, "multiple_of": multiple_of}
    plan = plan_growth(CALLER, len(tables[0].array), old, new, method=method, keep=keep, seed=seed, **options)
    shards.write({table.name: _resized(table, plan, seed) for table in tables}, len(plan.how))
    tied = not any(name.endswith(HEADS) or name == head for name in names[1:])
    return record_of(plan, tables, old, new, tied=tied, method=method, keep=keep, seed=seed)


def _table(shards: _Shards, name: str) -> Table:
    file = shards.file_of(name)
    entry = file.entry(name)
    if entry.dtype not in FLOATS or len(entry.shape) not in (1, 2):
        shown = f"{entry.dtype} of shape {list(entry.shape)}"
        raise ArgumentError(f"{name!r} is {shown}; a table of F64, F32, F16 or BF16 with one row an id was expected.")
    return Table(name, entry.dtype, file.array(name))


def _resized(table: Table, plan: Plan, seed: int) -> Tensor:
    shape = (len(plan.how), *table.array.shape[1:])
    n_bytes = table.array.itemsize * len(plan.how) * table.flat.shape[1]
    return Tensor(table.dtype, shape, (block.data.cast("B") for block in blocks(table, plan, seed)), n_bytes)


class _Shards:
    """The files of a model, by the names of their tensors."""

    def __init__(self, source: Path, target: Path) -> None:
        if source.resolve() == target.resolve():
            raise wrong("target", CALLER, "another path than the source", str(target))
        self.folder = source.is_dir()
        self.source, self.target = source, target
        self.index: dict[str, Any] | None = None
        names = [source.name] if not self.folder else self._names()
        self.files = {name: TensorFile((source if self.folder else source.parent) / name) for name in names}

    def _names(self) -> list[str]:
        if (self.source / SINGLE).is_file():
            return [SINGLE]
        path = self.source / INDEX
        if not path.is_file():
            raise FileError(f"The folder {str(self.source)!r} has neither {SINGLE} nor {INDEX}.")
        self.index = _json(path)
        names = self.index.get("weight_map")
        listed = set(names.values()) if isinstance(names, dict) and all(map(_is_name, names.values())) else set()
        if not listed:
            raise FormatError("The index has no weight_map from tensors to files beside it.", str(path))
        return sorted(listed)

    def file_of(self, name: str) -> TensorFile:
        """The file that holds a tensor."""
        for file in self.files.values():
            if name in file.entries:
                return file
        listed = ", ".join(repr(other) for other in self._tables()[:8]) or "none"
        raise ArgumentError(f"There is no tensor {name!r}. Tensors of two dimensions: {listed}.")

    def _tables(self) -> list[str]:
        return [name for file in self.files.values() for name, entry in file.entries.items() if len(entry.shape) == 2]

    def table_names(self, embedding: str | None, head: str | None, also: Iterable[str]) -> list[str]:
        """The tables to resize, the embedding first, each once."""
        first = embedding or self._named(EMBEDDINGS, "embedding")
        if first is None:
            listed = ", ".join(map(repr, self._tables()[:8]))
            raise ArgumentError(f"No table of embeddings has a usual name. Name it: embedding=. There are {listed}.")
        found = [first, head or self._named(HEADS, "head"), self._named(BIASES, "also"), *also]
        if found[1] is None and self._says_untied():
            raise ArgumentError("config.json says that the head is not tied, but no head has a usual name: head=.")
        return list(dict.fromkeys(name for name in found if name is not None))

    def _named(self, ends: tuple[str, ...], option: str) -> str | None:
        names = [name for file in self.files.values() for name in file.entries]
        found = [name for name in names if any(name == end or name.endswith("." + end) for end in ends)]
        if len(found) > 1:
            raise ArgumentError(f"Several tensors could be meant: {', '.join(map(repr, found))}. Name one: {option}=.")
        return found[0] if found else None

    def _says_untied(self) -> bool:
        path = self.source / "config.json"
        return self.folder and path.is_file() and _json(path).get("tie_word_embeddings") is False

    def write(self, tables: dict[str, Tensor], rows: int) -> None:
        """Writes all files; those without a table are copied as they are."""
        if not self.folder:
            _rewrite(next(iter(self.files.values())), self.target, tables)
            return
        try:
            self.target.mkdir(parents=True, exist_ok=True)
            for name, file in self.files.items():
                if tables.keys() & file.entries.keys():
                    _rewrite(file, self.target / name, tables)
                else:
                    shutil.copyfile(file.path, self.target / name)
        except OSError as error:
            if isinstance(error, FileError):
                raise
            raise FileError(f"The folder {str(self.target)!r} cannot be written: {error.strerror}.") from error
        self._write_side_files(tables, rows)

    def _write_side_files(self, tables: dict[str, Tensor], rows: int) -> None:
        if self.index is not None:
            entries = {name: entry for file in self.files.values() for name, entry in file.entries.items()}
            more = sum(tensor.n_bytes - (entries[name].end - entries[name].start) for name, tensor in tables.items())
            metadata = self.index.get("metadata")
            if isinstance(metadata, dict) and isinstance(metadata.get("total_size"), int):
                metadata["total_size"] += more
            _write_json(self.target / INDEX, self.index)
        if (self.source / "config.json").is_file():
            config = _json(self.source / "config.json")
            _set_vocab_size(config, rows)
            _write_json(self.target / "config.json", config)


def _rewrite(file: TensorFile, target: Path, tables: dict[str, Tensor]) -> None:
    in_order = sorted(file.entries, key=lambda name: file.entries[name].start)
    write_tensors(target, {name: tables.get(name) or file.tensor(name) for name in in_order}, file.metadata)


def _set_vocab_size(config: dict[str, Any], rows: int) -> None:
    if isinstance(config.get("vocab_size"), int):
        config["vocab_size"] = rows
    for name in NESTED:
        if isinstance(config.get(name), dict):
            _set_vocab_size(config[name], rows)


def _is_name(name: object) -> bool:
    return isinstance(name, str) and name == os.path.basename(name) and name not in ("", ".", "..")


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(read_whole(path))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"The file is not JSON: {error}.", str(path)) from None
    if not isinstance(found, dict):
        raise FormatError("The file is not a JSON object.", str(path))
    return found


def _write_json(path: Path, value: dict[str, Any]) -> None:
    with replaced(path) as file:
        file.write((json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode())
