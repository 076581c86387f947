"""Names and places of the files of a shard."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import FileError, FormatError
from .options import ARROW, ShardOptions
from .record import MANIFEST, refused, sync_folder

if TYPE_CHECKING:
    from .._core import _ShardFacts

OURS = re.compile(r"(shard|offsets)-\d{5,}(\.(npy|bin|idx|parquet|arrow))?(\.part)?")


def kept(folder: Path, options: ShardOptions, facts: _ShardFacts, first_document: int) -> dict[str, Any]:
    """Puts the files of a finished shard in their place and gives its entry in the manifest."""
    number = facts["number"]
    suffix = "bin" if options.format == "megatron" else options.format
    name, offsets = f"shard-{number:05}.{suffix}", f"offsets-{number:05}.npy"
    try:
        if options.format in ARROW:
            _write_arrow(folder / name, options, facts, first_document)
        else:
            if options.format == "megatron":
                _write_megatron(folder / f"shard-{number:05}.idx", options, facts)
            os.replace(facts["offsets"], folder / offsets)
            os.replace(facts["ids"], folder / name)
        sync_folder(folder)
    except OSError as error:
        raise refused(folder / name, "be written", error) from error
    entry = {"file": name} | ({} if options.format in ARROW else {"offsets": offsets})
    if options.format == "megatron":
        entry["index"] = f"shard-{number:05}.idx"
    return entry | {
        "tokens": facts["tokens"],
        "documents": facts["documents"],
        "starts_document": facts["starts_document"],
        "ends_document": facts["ends_document"],
        "bytes": os.path.getsize(folder / name),
        "ids_xxh3": facts["ids_hash"],
        "offsets_xxh3": facts["offsets_hash"],
    }


def _write_arrow(path: Path, options: ShardOptions, facts: _ShardFacts, first_document: int) -> None:
    from .arrow import write_table

    scratch = path.with_name(path.name + ".part")
    write_table(scratch, options.format, options.dtype, facts["ids"], facts["offsets"], first_document)
    os.replace(scratch, path)


def _write_megatron(path: Path, options: ShardOptions, facts: _ShardFacts) -> None:
    from .megatron import write_index

    scratch = path.with_name(path.name + ".part")
    write_index(scratch, facts["offsets"], options.dtype)
    os.replace(scratch, path)


def whole_size(folder: Path, shard: dict[str, Any]) -> None:
    """Refuses a shard whose files are not there or have another size than was written."""
    expected = {shard["file"]: shard["bytes"]}
    if "offsets" in shard:
        expected[shard["offsets"]] = 128 + 8 * (shard["documents"] + 1)
    if "index" in shard:
        expected[shard["index"]] = 42 + 20 * shard["documents"]
    for name, size in expected.items():
        try:
            found = os.path.getsize(folder / name)
        except OSError as error:
            raise FileError(f"The file {str(folder / name)!r} of a shard is not there: {error.strerror}.") from error
        if found != size:
            message = f"The file has {found} bytes, {size} were written. Encode the corpus again: overwrite=True."
            raise FormatError(message, str(folder / name))


def leftovers(folder: Path) -> list[str]:
    """Files of shards that are in their place."""
    return [name for name in sorted(os.listdir(folder)) if OURS.fullmatch(name) and not name.endswith(".part")]


def remove_parts(folder: Path) -> None:
    """Removes files that a killed run was writing."""
    _remove(folder, [name for name in os.listdir(folder) if OURS.fullmatch(name) and name.endswith(".part")])


def remove_all(folder: Path) -> None:
    """Removes what encoding wrote: the manifest first, so that nothing looks complete; other files stay."""
    _remove(folder, [MANIFEST])
    _remove(folder, [name for name in os.listdir(folder) if OURS.fullmatch(name)])


def _remove(folder: Path, names: list[str]) -> None:
    try:
        for name in names:
            (folder / name).unlink(missing_ok=True)
        if names:
            sync_folder(folder)
    except OSError as error:
        raise refused(folder, "be emptied", error) from error
