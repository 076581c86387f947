"""Encoding corpora into folders of shards."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
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
    folder, names = Path(output), list_files(corpus, caller)
    if folder.exists() and not folder.is_dir():
        raise FileError(f"The output {str(folder)!r} is a file, where a folder was expected. Shards need a folder.")
    header = header_of(tok._fingerprint(), options.to_dict(), listed_inputs(names))
    run = _Run(tok, names, folder, options, header, threads, progress, caller)
    if not overwrite and _is_complete(folder, header, resume):
        return load_shards(folder)
    with locked(folder) as file:
        if overwrite:
            remove_all(folder)
            file.truncate(0)
        elif _is_complete(folder, header, resume):  # Another run has ended meanwhile.
            return load_shards(folder)
        run.go_on(file, Progress() if overwrite else _earlier(folder, header, read_progress(file), resume))
    return load_shards(folder)


def _is_complete(folder: Path, header: dict[str, Any], resume: bool) -> bool:
    """Whether the folder holds exactly these shards already. Other shards are an error."""
    manifest = read_manifest(folder)
    if manifest is None:
        return False
    if not resume or _unknown(header) is not None:
        raise FileError(f"The folder {str(folder)!r} holds shards already. Choose another, or pass overwrite=True.")
    _check_same(folder, manifest, header, ended=True)
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
    _check_same(folder, done.header or {}, header, ended=False)
    _check_place(folder, header, done)
    for shard in done.shards:
        whole_size(folder, shard)
    return done


def _check_same(folder: Path, old: dict[str, Any], new: dict[str, Any], *, ended: bool) -> None:
    differs = difference(old, new, ended=ended)
    if differs is not None:
        raise ArgumentError(
            f"The folder {str(folder)!r} holds shards that were made otherwise: {differs}. Choose another folder, or "
            "pass overwrite=True."
        )


def _check_place(folder: Path, header: dict[str, Any], done: Progress) -> None:
    """Refuses inputs that cannot be read again from where the earlier run stood."""
    if done.next[0] >= len(header["inputs"]):
        raise FormatError("The record of a run is damaged. Encode the corpus again: overwrite=True.", str(folder))
    unknown = _unknown(header)
    if unknown is not None:
        raise FileError(
            f"The input {unknown!r} cannot be read again from where the earlier run stood. Pass overwrite=True to "
            "start over."
        )


def _unknown(header: dict[str, Any]) -> str | None:
    """An input of which nobody can say whether it is the same as before."""
    return next((entry["path"] for entry in header["inputs"] if entry["bytes"] is None), None)


@dataclass(frozen=True)
class _Run:
    tok: Tokenizer
    names: list[str]
    folder: Path
    options: ShardOptions
    header: dict[str, Any]
    threads: int | None
    progress: Report | None
    caller: str

    def go_on(self, file: IO[bytes], done: Progress) -> None:
        """Writes the shards behind those that are done, their record as they come, and at last the manifest."""
        if done.header is None:
            file.truncate(0)
        if done.header != self.header:
            append_entry(file, self.header)
        remove_parts(self.folder)
        shards = list(done.shards)

        def keep(facts: _ShardFacts) -> None:
            shard = kept(self.folder, self.options, facts, first_document=_documents(shards))
            append_entry(file, {"shard": shard, "next": facts["next"]})
            shards.append(shard)

        end = self._encode(done, keep)
        totals = {"documents": _documents(shards), "tokens": sum(shard["tokens"] for shard in shards)}
        totals |= {"text_bytes": end[4], "replaced_bytes": end[5]}
        write_manifest(self.folder, self.header | totals | {"shards": shards})

    def _encode(self, done: Progress, keep: Callable[[_ShardFacts], object]) -> tuple[int, ...]:
        options = self.options
        return _core.encode_shards(
            self.tok,
            self._sources(done.next[0]),
            self.names,
            unit=options.unit,
            invalid=options.invalid,
            ordinary=options.ordinary,
            add_special_tokens=options.add_special_tokens,
            allowed_special=options.allowed_special,
            disallowed_special=options.disallowed_special,
            append=options.append,
            folder=str(self.folder),
            shard_tokens=options.shard_tokens,
            width=2 if options.dtype == "uint16" else 4,
            with_header=options.format == "npy" or options.format in ARROW,
            first_shard=len(done.shards),
            place=done.next,
            threads=self.threads,
            progress=self._report(done.next[0]),
            keep=keep,
        )

    def _report(self, finished: int) -> Report | None:
        """Reports of the inputs that are left as reports of all, where their size is known."""
        report, before = self.progress, sum(entry["bytes"] or 0 for entry in self.header["inputs"][:finished])
        if report is None or not before:
            return report
        return lambda stage, done, total: report(
            stage, *((done, None) if total is None else (done + before, total + before))
        )

    def _sources(self, finished: int) -> list[Source]:
        """Sources of all inputs; those that are done are not opened again."""
        field, invalid = self.options.field, self.options.invalid
        rest = sources(self.names[finished:], field=field, invalid=invalid, caller=self.caller)
        return [*(iter(()) for _ in range(finished)), *rest]


def _documents(shards: list[dict[str, Any]]) -> int:
    """Documents that end in the shards."""
    return sum(shard["documents"] - (not shard["ends_document"]) for shard in shards)
