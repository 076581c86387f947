"""The sizes of a vocabulary beside those of the model that uses it, from the model's ``config.json``."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import FileError, FormatError
from ..vocab import Sizes

if TYPE_CHECKING:
    from ..tokenizer import Tokenizer

NESTED = ("text_config", "llm_config", "language_config", "text_model_config", "decoder", "thinker_config")
"""Where a model of several parts keeps the facts of its language model."""
WIDTHS = ("embedding_size", "word_embed_proj_dim", "hidden_size", "n_embd", "d_model", "dim")
HIDDEN = ("hidden_size", "n_embd", "d_model", "dim")
BYTES = {"float64": 8, "float32": 4, "bfloat16": 2, "float16": 2, "half": 2, "float": 4}
BYTES |= {"float8_e4m3fn": 1, "float8_e5m2": 1, "int8": 1, "uint8": 1}

# What the classes of transformers 5 assume where a file is silent; files leave out what equals the default.
TIED = frozenset(
    [
        *("gemma", "gemma2", "gemma3", "gemma3_text", "gemma3n", "gemma3n_text", "paligemma", "gpt2"),
        *("gpt_neo", "bert", "roberta", "xlm-roberta", "albert", "electra", "distilbert", "modernbert"),
        *("deberta-v2", "falcon", "bloom", "opt", "mpt", "t5", "mt5", "bart", "mbart", "whisper", "cohere"),
        *("cohere2", "starcoder2", "smollm3", "xlnet", "mamba", "ernie4_5"),
    ]
)
UNTIED = frozenset(
    [
        *("llama", "llama4", "llama4_text", "mistral", "ministral", "mixtral", "qwen2", "qwen2_moe"),
        *("qwen2_vl", "qwen2_5_vl", "qwen3", "qwen3_moe", "qwen3_next", "qwen3_vl", "gptj", "gpt_neox"),
        *("gpt_oss", "deepseek_v2", "deepseek_v3", "olmo", "olmo2", "olmo3", "phi", "phi3", "stablelm"),
        *("granite", "glm", "glm4", "glm4_moe", "exaone4", "minimax", "hunyuan_v1_dense", "nemotron"),
        *("jamba", "bitnet", "llava", "smolvlm", "idefics3"),
    ]
)


@dataclass(frozen=True, kw_only=True)
class ModelSizes:
    """Sizes of a vocabulary and of the tables of a model. None is what the file does not say.

    Attributes
    ----------
    sizes : Sizes
        The vocabulary's: |I| is ``sizes.defined``, R is ``sizes.id_range``.
    rows : int or None
        V, the rows of the table of embeddings.
    rows_beyond : int or None
        Rows above the highest defined id, V - R; negative where the table is too small for the vocabulary.
    rows_unused : int or None
        Rows that no id stands for, V - |I|: holes included.
    width : int or None
        Numbers in a row of the embeddings.
    hidden : int or None
        Numbers in a row of the output head.
    tied : bool or None
        Whether the head is the table of embeddings.
    tied_from : str
        ``file``, ``default of MODEL`` or ``unknown``.
    dtype : str or None
        Type of the numbers.
    embedding_bytes, head_bytes : int or None
        Memory of the two tables; a tied head takes none.
    """

    sizes: Sizes
    rows: int | None
    rows_beyond: int | None
    rows_unused: int | None
    width: int | None
    hidden: int | None
    tied: bool | None
    tied_from: str
    dtype: str | None
    embedding_bytes: int | None
    head_bytes: int | None


def model_sizes(tok: Tokenizer, config: str | os.PathLike[str] | Mapping[str, Any]) -> ModelSizes:
    """The sizes of a vocabulary and of the model that uses it.

    Parameters
    ----------
    tok : Tokenizer
    config : str, os.PathLike or mapping
        A ``config.json``, the folder that holds it, or its contents.

    Raises
    ------
    FileError
        If the file cannot be read.
    FormatError
        If it is not JSON, or a size in it is no positive whole number.
    """
    outer, source = (dict(config), "config") if isinstance(config, Mapping) else _read(Path(config))
    inner = _language_model(outer, source)
    layers = [inner, outer]
    sizes, rows = tok.sizes, _number(layers, ["vocab_size"], source)
    width, hidden = _number(layers, WIDTHS, source), _number(layers, HIDDEN, source)
    tied, tied_from = _tied(outer, inner)
    dtype = next((layer[key] for layer in layers for key in ("dtype", "torch_dtype") if _text(layer.get(key))), None)
    name = None if dtype is None else str(dtype).removeprefix("torch.")
    unit = BYTES.get(name or "")
    return ModelSizes(
        sizes=sizes,
        rows=rows,
        rows_beyond=None if rows is None else rows - sizes.id_range,
        rows_unused=None if rows is None else rows - sizes.defined,
        width=width,
        hidden=hidden,
        tied=tied,
        tied_from=tied_from,
        dtype=name,
        embedding_bytes=_product(rows, width, unit),
        head_bytes=None if tied is None else 0 if tied else _product(rows, hidden, unit),
    )


def _read(path: Path) -> tuple[dict[str, Any], str]:
    path = path / "config.json" if path.is_dir() else path
    try:
        data = json.loads(path.read_bytes())
    except OSError as error:
        raise FileError(f"The file {str(path)!r} cannot be read: {error.strerror}.") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"The file is not JSON: {error}.", str(path)) from None
    if not isinstance(data, dict):
        raise FormatError("The file is not a JSON object.", str(path))
    return data, str(path)


def _language_model(config: dict[str, Any], source: str) -> dict[str, Any]:
    """The part of the configuration that has ``vocab_size``: the whole, or the one part that has it."""
    if config.get("vocab_size") is not None:
        return config
    parts = [value for key in NESTED if isinstance(value := config.get(key), dict)]
    parts = [_language_model(part, source) for part in parts]
    found = [part for part in parts if part.get("vocab_size") is not None]
    if len({str(part["vocab_size"]) for part in found}) > 1:
        listed = ", ".join(str(part["vocab_size"]) for part in found)
        raise FormatError(f"vocab_size is stated more than once: {listed}. Give the part that is meant.", source)
    return found[0] if found else config


def _number(layers: list[dict[str, Any]], names: list[str] | tuple[str, ...], source: str) -> int | None:
    for layer in layers:
        for name in names:
            if (value := layer.get(name)) is not None:
                if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 2**32:
                    raise FormatError(f"{name} must be a whole number from 1 to {2**32 - 1}. Got {value!r}.", source)
                return value
    return None


def _tied(outer: dict[str, Any], inner: dict[str, Any]) -> tuple[bool | None, str]:
    """Whether the head is tied, and how that is known."""
    for layer in (outer, inner):
        if isinstance(value := layer.get("tie_word_embeddings"), bool):
            return value, "file"
    for layer in (outer, inner):
        model = layer.get("model_type")
        if isinstance(model, str) and model in TIED | UNTIED:
            return model in TIED, f"default of {model}"
    return None, "unknown"


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _product(rows: int | None, width: int | None, unit: int | None) -> int | None:
    return None if rows is None or width is None or unit is None else rows * width * unit
