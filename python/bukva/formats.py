"""What file formats leave out: the encoding of a model, by the model's name."""

from __future__ import annotations

from . import _core
from .checks import wrong


def encoding_for_model(model: str) -> str:
    """The encoding of a model: what ``load(path, encoding=...)`` needs beside a rank file.

    Parameters
    ----------
    model : str
        A name such as ``gpt-4o``, ``gpt-oss-20b``, ``Llama-3.1-8B`` or ``Qwen/Qwen3-8B``. Names of OpenAI are known as
        in tiktoken 0.14, by the whole name or by its beginning.

    Returns
    -------
    str
        The name of a preset, such as ``o200k_base``.

    Raises
    ------
    ArgumentError
        If the name is not known. The message lists the nearest names.
    """
    if not isinstance(model, str):
        raise wrong("model", "encoding_for_model", "the name of a model", model)
    return _core.encoding_for_model(model)
