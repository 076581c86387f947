"""Which model uses which encoding, as tiktoken 0.14 has it."""

from __future__ import annotations

NAMED = {
    "o200k_base": "o1 o3 o4-mini gpt-5 gpt-4.1 gpt-4o",
    "cl100k_base": "gpt-4 gpt-3.5-turbo gpt-3.5 gpt-35-turbo davinci-002 babbage-002 text-embedding-ada-002"
    " text-embedding-3-small text-embedding-3-large",
    "p50k_base": "text-davinci-003 text-davinci-002 code-davinci-002 code-davinci-001 code-cushman-002"
    " code-cushman-001 davinci-codex cushman-codex",
    "p50k_edit": "text-davinci-edit-001 code-davinci-edit-001",
    "r50k_base": "text-davinci-001 text-curie-001 text-babbage-001 text-ada-001 davinci curie babbage ada"
    " text-similarity-davinci-001 text-similarity-curie-001 text-similarity-babbage-001 text-similarity-ada-001"
    " text-search-davinci-doc-001 text-search-curie-doc-001 text-search-babbage-doc-001 text-search-ada-doc-001"
    " code-search-babbage-code-001 code-search-ada-code-001",
    "gpt2": "gpt2 gpt-2",
}
"""Whole names of models, by encoding."""

STARTS = (
    ("o200k_base", "o1- o3- o4-mini- gpt-5 gpt-4.5- gpt-4.1- chatgpt-4o- gpt-4o-"),
    ("cl100k_base", "gpt-4- gpt-3.5-turbo- gpt-35-turbo-"),
    ("o200k_harmony", "gpt-oss-"),
    ("o200k_base", "ft:gpt-4o"),
    ("cl100k_base", "ft:gpt-4 ft:gpt-3.5-turbo ft:davinci-002 ft:babbage-002"),
)
"""Beginnings of names, tried in this order: versions, deployments and fine-tuned models."""

MODELS = {model: encoding for encoding, models in NAMED.items() for model in models.split()}
PREFIXES = [(prefix, encoding) for encoding, prefixes in STARTS for prefix in prefixes.split()]


def encoding_name_for_model(model_name: str) -> str:
    """Name of the encoding that a model uses.

    Raises
    ------
    KeyError
        If neither the name nor its beginning is known.
    """
    if model_name in MODELS:
        return MODELS[model_name]
    for prefix, encoding in PREFIXES:
        if model_name.startswith(prefix):
            return encoding
    raise KeyError(
        f"The model {model_name!r} is not known, so its encoding is not either. Name the encoding: "
        "get_encoding('o200k_base')."
    )
