"""Which model uses which encoding, as tiktoken 0.14 has it."""

from __future__ import annotations

from ... import _core


def encoding_name_for_model(model_name: str) -> str:
    """Name of the encoding that a model uses.

    Raises
    ------
    KeyError
        If neither the name nor its beginning is known.
    """
    models, prefixes = _core.openai_models()
    found = [encoding for model, encoding in models if model == model_name]
    found += [encoding for prefix, encoding in prefixes if model_name.startswith(prefix)]
    if found:
        return found[0]
    raise KeyError(
        f"The model {model_name!r} is not known, so its encoding is not either. Name the encoding: "
        "get_encoding('o200k_base')."
    )
