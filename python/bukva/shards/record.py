"""What is known of a folder of shards: the record of a run under way, and the manifest of a finished one.

``progress.jsonl`` grows while a run is under way: what is encoded and how, then one line for each shard that is in its
place, with where the inputs stood. A last line that a crash cut off is left out. ``manifest.json`` appears last, whole.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, cast

from ..errors import BukvaError, FileError, FormatError

FORMAT = "bukva.shards"
VERSION = 1
MANIFEST = "manifest.json"
PROGRESS = "progress.jsonl"

Place = tuple[int, int, int, int, int, int]
"""Number of the input, its whole documents before, bytes of the open one, ids of what follows that are written, bytes
of all texts before, bytes replaced in earlier inputs: where a run can go on."""
START: Place = (0, 0, 0, 0, 0, 0)
SHARD_KEYS = {"file", "tokens", "documents", "bytes", "starts_document", "ends_document"}
"""What the entry of every shard has."""


@dataclass
class Progress:
    """The record of a run."""

    header: dict[str, Any] | None = None
    shards: list[dict[str, Any]] = field(default_factory=list)
    next: Place = START


def header_of(fingerprint: str, options: dict[str, Any], inputs: list[dict[str, Any]]) -> dict[str, Any]:
    """What decides every byte of the shards."""
    return {"format": FORMAT, "version": VERSION, "tokenizer": fingerprint, "options": options, "inputs": inputs}


def difference(old: dict[str, Any], new: dict[str, Any], *, ended: bool) -> str | None:
    """How two headers differ, for people; None if they do not.

    What a run refused is not in its shards: one that did not end may go on with options that let it pass.
    """
    if old.get("version") != new["version"]:
        return f"version {old.get('version')!r}, now {new['version']!r}"
    if old.get("tokenizer") != new["tokenizer"]:
        return f"the tokenizer {old.get('tokenizer')}, now {new['tokenizer']}"
    before = old.get("options", {})
    refused = set() if ended else _refused(before)
    for name, value in new["options"].items():
        if before.get(name) != value and name not in refused:
            return f"{name}={before.get(name)!r}, now {value!r}"
    if old.get("inputs") != new["inputs"]:
        return f"other inputs: {_first_difference(old.get('inputs', []), new['inputs'])}"
    return None


def _refused(options: dict[str, Any]) -> set[str]:
    """Options that changed nothing yet: they end the work where they would."""
    names = {"invalid"} if options.get("invalid") == "error" else set()
    specials = (options.get("ordinary"), options.get("allowed_special"), options.get("disallowed_special"))
    return names | ({"allowed_special", "disallowed_special"} if specials == (False, [], "all") else set())


def _first_difference(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> str:
    for was, now in zip(old, new, strict=False):
        if was != now:
            return f"{was['path']!r} of {was['bytes']} bytes, now {now['path']!r} of {now['bytes']} bytes"
    return f"{len(old)} files, now {len(new)}"


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest of a finished run, or None where there is none."""
    try:
        data = (folder / MANIFEST).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise refused(folder / MANIFEST, "be read", error) from error
    try:
        manifest = json.loads(data)
    except ValueError as error:
        raise FormatError(f"The manifest is not JSON: {error}.", str(folder / MANIFEST)) from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise FormatError(f"The manifest is not one of bukva: its format is not {FORMAT!r}.", str(folder / MANIFEST))
    return manifest


def read_progress(file: IO[bytes]) -> Progress:
    """What the lines say; a last one that was cut off is removed.

    Raises
    ------
    FormatError
        If a line is not one of a record.
    """
    file.seek(0)
    progress, end = Progress(), 0
    for line in file:
        entry = _entry(line)
        if entry is None:
            break
        _take(progress, entry, file.name)
        end += len(line)
    file.truncate(end)
    file.seek(end)
    return progress


def _take(progress: Progress, entry: dict[str, Any], source: str) -> None:
    if entry.get("format") == FORMAT:
        progress.header = entry
        return
    shard, place = entry.get("shard"), entry.get("next")
    is_place = (
        isinstance(place, list)
        and len(place) == len(START)
        and all(isinstance(n, int) and 0 <= n < 2**63 for n in place)
    )
    if progress.header is None or not is_place or not isinstance(shard, dict) or not shard.keys() >= SHARD_KEYS:
        raise FormatError("The record of a run is damaged. Encode the corpus again: overwrite=True.", source)
    progress.shards.append(shard)
    progress.next = cast(Place, tuple(cast("list[int]", place)))


def _entry(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line) if line.endswith(b"\n") else None
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None


def append_entry(file: IO[bytes], entry: dict[str, Any]) -> None:
    """Adds a line that is on the disk when this returns."""
    file.write(json.dumps(entry).encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def locked(folder: Path) -> Iterator[IO[bytes]]:
    """The record of the run, which this process alone may write. The folder is made where it is missing."""
    path = folder / PROGRESS
    try:
        folder.mkdir(exist_ok=True)
        file = path.open("a+b")
    except FileNotFoundError as error:
        raise FileError(f"The folder {str(folder.parent)!r} of the output does not exist. Create it first.") from error
    except OSError as error:
        raise refused(path, "be written", error) from error
    with file:
        _lock(file, folder)
        try:
            yield file
        except OSError as error:
            raise error if isinstance(error, BukvaError) else refused(path, "be written", error) from error
        finally:
            if not os.fstat(file.fileno()).st_size:
                path.unlink(missing_ok=True)


def _lock(file: IO[bytes], folder: Path) -> None:
    try:
        import fcntl
    except ImportError:  # Not a POSIX system.
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise _busy(folder) from error
    except OSError:
        return  # Some network file systems have no locks.
    try:
        is_it = os.path.samestat(os.fstat(file.fileno()), os.stat(folder / PROGRESS))
    except FileNotFoundError:
        is_it = False
    if not is_it:  # The run that had it ended, and removed it, between the opening and the lock.
        raise _busy(folder)


def _busy(folder: Path) -> FileError:
    return FileError(f"Another run is writing into {str(folder)!r}. Wait for it, or choose another folder.")


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Writes the manifest whole, then removes the record of the run."""
    scratch = folder / f"{MANIFEST}.part"
    try:
        with scratch.open("wb") as file:
            file.write(_text(manifest).encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(scratch, folder / MANIFEST)
        sync_folder(folder)
        (folder / PROGRESS).unlink(missing_ok=True)
    except OSError as error:
        raise refused(folder / MANIFEST, "be written", error) from error


def _text(manifest: dict[str, Any]) -> str:
    """JSON with a line for each key, input and shard."""
    return "{\n" + ",\n".join(f" {json.dumps(key)}: {_lines(value)}" for key, value in manifest.items()) + "\n}\n"


def _lines(value: object) -> str:
    if not isinstance(value, list) or not value:
        return json.dumps(value)
    return "[\n  " + ",\n  ".join(map(json.dumps, value)) + "\n ]"


def sync_folder(folder: Path) -> None:
    """Makes renames survive a power cut; some systems cannot."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def refused(path: Path, what: str, error: OSError) -> FileError:
    """The error of a file that the system does not let be read or written."""
    return FileError(f"The file {str(path)!r} cannot {what}: {error.strerror or error}.")
