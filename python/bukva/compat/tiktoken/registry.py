"""Encodings by name: which rank file each needs, and where it may lie. Never the network."""

from __future__ import annotations

import functools
import hashlib
import os
import tempfile
import threading
from pathlib import Path

from ... import _core
from .encoding import Encoding
from .models import encoding_name_for_model

RANKS = {
    "gpt2": "r50k_base",
    "r50k_base": "r50k_base",
    "p50k_base": "p50k_base",
    "p50k_edit": "p50k_base",
    "cl100k_base": "cl100k_base",
    "o200k_base": "o200k_base",
    "o200k_harmony": "o200k_base",
}
"""The rank file of each encoding; gpt2 has the ranks of r50k_base."""

DIGESTS = {
    "r50k_base": "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
    "p50k_base": "94b5ca7dff4d00767bc256fdd1b27e5b17361d7b8a5f968547f9f23eb70d2069",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}
"""SHA-256 of each rank file as published."""

# tiktoken names a cached file by the SHA-1 of where it came from. The text is a key here, it is never opened.
ORIGIN = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
ENVIRONMENT = "BUKVA_ENCODINGS"

_lock = threading.Lock()
_loaded: dict[str, Encoding] = {}


def list_encoding_names() -> list[str]:
    """Names that :func:`get_encoding` knows."""
    return list(RANKS)


def encoding_for_model(model_name: str, path: str | os.PathLike[str] | None = None) -> Encoding:
    """The encoding that a model uses.

    Raises
    ------
    KeyError
        If the model is not known.
    ValueError
        If the rank file is not found; see :func:`get_encoding`.
    """
    return get_encoding(encoding_name_for_model(model_name), path)


def get_encoding(encoding_name: str, path: str | os.PathLike[str] | None = None) -> Encoding:
    """The encoding of that name, from a rank file on this machine.

    Parameters
    ----------
    encoding_name : str
        One of :func:`list_encoding_names`.
    path : str or os.PathLike, optional
        The rank file, or a folder that holds it under its own name (``o200k_base.tiktoken``). Without it the folder of
        the environment variable ``BUKVA_ENCODINGS`` is searched, then the cache folder of tiktoken
        (``TIKTOKEN_CACHE_DIR``, ``DATA_GYM_CACHE_DIR``, or ``data-gym-cache`` among the temporary files). A file of the
        cache must have the published SHA-256; a file that you name is taken as it is.

    Raises
    ------
    ValueError
        If the name is unknown, or no file is found.
    """
    if not isinstance(encoding_name, str):
        raise ValueError(f"The encoding's name must be a string. Got {type(encoding_name)} instead.")
    if encoding_name not in RANKS:
        raise ValueError(f"Unknown encoding {encoding_name}. The names are {', '.join(RANKS)}.")
    if path is not None:
        return _read(encoding_name, _in_folder(Path(path), RANKS[encoding_name]))
    with _lock:
        if encoding_name not in _loaded:
            _loaded[encoding_name] = _read(encoding_name, _find(RANKS[encoding_name]))
        return _loaded[encoding_name]


def _read(name: str, path: Path) -> Encoding:
    return Encoding._of(name, _core.load(str(path), name, None, None))


def _in_folder(path: Path, ranks: str) -> Path:
    return path / f"{ranks}.tiktoken" if path.is_dir() else path


def _find(ranks: str) -> Path:
    """Where the rank file lies."""
    tried = []
    if folder := os.environ.get(ENVIRONMENT):
        tried.append(_in_folder(Path(folder), ranks))
        if tried[0].is_file():
            return tried[0]
    cache = _cache_folder()
    if cache:
        tried.append(cache / hashlib.sha1(ORIGIN.format(ranks).encode(), usedforsecurity=False).hexdigest())
        if tried[-1].is_file():
            return _checked(tried[-1], ranks)
    raise ValueError(
        f"The rank file {ranks}.tiktoken was not found, and bukva fetches nothing. Give it by path=, or set "
        f"{ENVIRONMENT} to the folder that holds it. Looked for: {', '.join(map(str, tried)) or 'nothing'}."
    )


def _cache_folder() -> Path | None:
    """The folder that tiktoken uses; None where its variable is set to nothing."""
    for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        if variable in os.environ:
            return Path(os.environ[variable]) if os.environ[variable] else None
    return Path(tempfile.gettempdir()) / "data-gym-cache"


@functools.cache
def _checked(path: Path, ranks: str) -> Path:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != DIGESTS[ranks]:
        raise ValueError(
            f"The cached file {path} is not {ranks}.tiktoken as published: SHA-256 {digest} instead of "
            f"{DIGESTS[ranks]}. Remove it, or give another file by path=."
        )
    return path
