"""A language model in a safetensors file: the table, the head where it is not tied, and whose ids they are for."""

from __future__ import annotations

import os
from pathlib import Path

from ..checks import wrong
from ..errors import FormatError
from ..tokenizer import Tokenizer
from .files.safetensors import TensorFile, tensor_of, write_tensors
from .head import OutputHead
from .language_model import LanguageModel
from .table import Embedding

TABLE, HEAD, BIAS = "embed_tokens.weight", "lm_head.weight", "lm_head.bias"
KIND = "bukva bigram language model"


def save_language_model(model: LanguageModel, path: str | os.PathLike[str]) -> None:
    """Writes table and head as ``x.safetensors``, whole or not at all. The tokenizer is named, not stored.

    Raises
    ------
    FileError
        If the file cannot be written.
    """
    arrays = {TABLE: model.table.weight}
    if not model.head.tied:
        arrays[HEAD] = model.head.weight
    if model.head.bias is not None:
        arrays[BIAS] = model.head.bias
    metadata = {"kind": KIND, "tokenizer": model.tok.fingerprint}
    write_tensors(_path(path, "save_language_model"), {name: tensor_of(one) for name, one in arrays.items()}, metadata)


def load_language_model(path: str | os.PathLike[str], tok: Tokenizer) -> LanguageModel:
    """Reads a model that :func:`save_language_model` wrote.

    Parameters
    ----------
    path : str or os.PathLike
    tok : Tokenizer
        The one of its training.

    Raises
    ------
    FileError
        If the file cannot be read.
    FormatError
        If it is damaged, is no such model, or belongs to another tokenizer.
    """
    file = TensorFile(_path(path, "load_language_model"))
    source = str(file.path)
    if file.metadata.get("kind") != KIND:
        raise FormatError(f"The file is no {KIND}. Write one with save_language_model.", source)
    if file.metadata.get("tokenizer") != tok.fingerprint:
        raise FormatError("The model belongs to another tokenizer: the fingerprints differ.", source)
    table = Embedding.from_weight(file.array(TABLE).copy())
    if table.vocab_size != tok.sizes.id_range + 1:
        raise FormatError(f"The table has {table.vocab_size} rows, expected {tok.sizes.id_range + 1}.", source)
    own = file.array(HEAD) if HEAD in file.entries else None
    if own is not None and own.shape != table.weight.shape:
        raise FormatError(f"{HEAD} has shape {own.shape}, {TABLE} {table.weight.shape}.", source)
    bias = file.array(BIAS).copy() if BIAS in file.entries else None
    head = OutputHead(table, bias) if own is None else OutputHead(own.copy(), bias, layout="rows")
    return LanguageModel(tok, table, head)


def _path(path: str | os.PathLike[str], caller: str) -> Path:
    if not isinstance(path, (str, os.PathLike)) or Path(path).suffix != ".safetensors":
        raise wrong("path", caller, "a path that ends in .safetensors", path)
    return Path(path)
