"""Encoding corpora into folders of shards."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from .. import _core
from ..checks import wrong
from ..corpus import Corpus, Source, list_files, sources
from ..errors import ArgumentError, FileError, FormatError
from .options import ARROW, ShardOptions, listed_inputs
from .place import kept, leftovers, remove_all, remove_parts, whole_size
from .read import Shards, load_shards
from .record import (
    Progress,
    append_entry,
    difference,
    header_of,
    locked,
    read_manifest,
    read_progress,
    write_manifest,
)

if TYPE_CHECKING:
    from .._core import Tokenizer, _ShardFacts
    from ..corpus import CorpusPath

Report = Callable[[str, int, int | None], object]


def encode_files(
    tok: Tokenizer,
    corpus: Corpus,
    output: CorpusPath,
    options: ShardOptions,
    *,
    threads: int | None,
    progress: Report | None,
    resume: bool,
    overwrite: bool,
    caller: str,
) -> Shards:
    """Encodes a corpus into the folder ``output``, or goes on where an earlier run stood; see ``Tokenizer``."""
    if not isinstance(output, (str, os.PathLike)) or not os.fspath(output):
        raise wrong("output", caller, "a path that is not empty", output)
    folder = Path(output)
    names = list_files(corpus, caller)
    header = header_of(tok._fingerprint(), options.to_dict(), listed_inputs(names))
    _check_folder(folder)
    if not overwrite and _is_complete(folder, header, resume):
        return load_shards(folder)
    with locked(folder) as file:
        if overwrite:
            remove_all(folder)
            file.truncate(0)
        elif _is_complete(folder, header, resume):  # Another run has ended meanwhile.
            return load_shards(folder)
        done = Progress() if overwrite else _earlier(folder, header, read_progress(file), resume)
        return _run(tok, names, folder, options, header, file, done, threads, progress, caller)


def _check_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise FileError(f"The output {str(folder)!r} is a file, where a folder was expected. Shards need a folder.")


def _is_complete(folder: Path, header: dict[str, Any], resume: bool) -> bool:
    """Whether the folder holds exactly these shards already. Other shards are an error."""
    manifest = read_manifest(folder)
    if manifest is None:
        return False
    if not resume or _unknown(header) is not None:
        raise FileError(f"The folder {str(folder)!r} holds shards already. Choose another, or pass overwrite=True.")
    _check_same(folder, manifest, header)
    return True


def _earlier(folder: Path, header: dict[str, Any], done: Progress, resume: bool) -> Progress:
    """What an earlier run of the same kind left; nothing where there was none or it finished no shard."""
    if not done.shards:
        if done.header is None and leftovers(folder):
            raise FileError(
                f"The folder {str(folder)!r} holds shards without a record. Choose another, or pass overwrite=True."
            )
        remove_all(folder)
        return Progress()
    if not resume:
        raise FileError(
            f"The folder {str(folder)!r} holds {len(done.shards)} shards of a run that did not end. "
            "Let it go on (resume=True), choose another folder, or pass overwrite=True."
        )
    _check_same(folder, done.header or {}, header)
    if done.next[0] >= len(header["inputs"]):
        raise FormatError("The record of a run is damaged. Encode the corpus again: overwrite=True.", str(folder))
    unknown = _unknown(header)
    if unknown is not None:
        raise FileError(
            f"The input {unknown!r} cannot be read again from where the earlier run stood. Pass overwrite=True to "
            "start over."
        )
    for shard in done.shards:
        whole_size(folder, shard)
    return done


def _unknown(header: dict[str, Any]) -> str | None:
    """An input of which nobody can say whether it is the same as before."""
    return next((entry["path"] for entry in header["inputs"] if entry["bytes"] is None), None)


def _check_same(folder: Path, old: dict[str, Any], new: dict[str, Any]) -> None:
    differs = difference(old, new)
    if differs is not None:
        raise ArgumentError(
            f"The folder {str(folder)!r} holds shards that were made otherwise: {differs}. Choose another folder, or "
            "pass overwrite=True."
        )


def _run(
    tok: Tokenizer,
    names: list[str],
    folder: Path,
    options: ShardOptions,
    header: dict[str, Any],
    file: IO[bytes],
    done: Progress,
    threads: int | None,
    progress: Report | None,
    caller: str,
) -> Shards:
    if done.header is None:
        file.truncate(0)
        append_entry(file, header)
    remove_parts(folder)
    shards = list(done.shards)

    def keep(facts: _ShardFacts) -> None:
        shard = kept(folder, options, facts, first_document=_documents(shards))
        append_entry(file, {"shard": shard, "next": facts["next"]})
        shards.append(shard)

    end = _core.encode_shards(
        tok,
        _sources(names, done.next[0], options, caller),
        names,
        unit=options.unit,
        invalid=options.invalid,
        ordinary=options.ordinary,
        add_special_tokens=options.add_special_tokens,
        allowed_special=options.allowed_special,
        disallowed_special=options.disallowed_special,
        append=options.append,
        folder=str(folder),
        shard_tokens=options.shard_tokens,
        width=2 if options.dtype == "uint16" else 4,
        with_header=options.format == "npy" or options.format in ARROW,
        first_shard=len(shards),
        place=done.next,
        threads=threads,
        progress=progress,
        keep=keep,
    )
    totals = {"documents": _documents(shards), "tokens": sum(shard["tokens"] for shard in shards)}
    totals |= {"text_bytes": end[4], "replaced_bytes": end[5]}
    write_manifest(folder, header | totals | {"shards": shards})
    return load_shards(folder)


def _sources(names: list[str], finished: int, options: ShardOptions, caller: str) -> list[Source]:
    """Sources of all inputs; those that are done are not opened again."""
    rest = sources(names[finished:], field=options.field, invalid=options.invalid, caller=caller)
    return [*(iter(()) for _ in range(finished)), *rest]


def _documents(shards: list[dict[str, Any]]) -> int:
    """Documents that end in the shards."""
    return sum(shard["documents"] - (not shard["ends_document"]) for shard in shards)
