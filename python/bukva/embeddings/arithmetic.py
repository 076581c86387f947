"""How many ids, numbers and bits things are: tables, pictures cut into patches, sound as codes."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..checks import check_integer, wrong


@dataclass(frozen=True, kw_only=True)
class TableSize:
    """Numbers and bytes of the tables of a vocabulary."""

    parameters: int
    bytes: int


@dataclass(frozen=True, kw_only=True)
class ImagePatches:
    """A picture as patches.

    Attributes
    ----------
    rows, columns, patches : int
    tokens : int
        Patches and the class token, where there is one.
    weights : int
        Numbers of the linear map from the pixels of a patch to a vector, bias included: P² · C · d + d.
    """

    rows: int
    columns: int
    patches: int
    tokens: int
    weights: int


@dataclass(frozen=True, kw_only=True)
class CodecRate:
    """Sound as codes.

    Attributes
    ----------
    ids_per_s : float
        Frames a second · codebooks.
    bits_per_id : float
        log₂ of the codebook's size.
    bits_per_s : float
    """

    ids_per_s: float
    bits_per_id: float
    bits_per_s: float


def table_size(vocab_size: int, dim: int, *, tied: bool, bytes_per_number: int = 2) -> TableSize:
    """The table of embeddings, and the head's own matrix unless it is tied. bfloat16 has 2 bytes a number."""
    for name, value in (("vocab_size", vocab_size), ("dim", dim), ("bytes_per_number", bytes_per_number)):
        check_integer(name, "table_size", value, 1)
    parameters = vocab_size * dim * (1 if tied else 2)
    return TableSize(parameters=parameters, bytes=parameters * bytes_per_number)


def image_patches(
    image: int | tuple[int, int], patch: int, *, channels: int = 3, dim: int = 768, class_token: bool = False
) -> ImagePatches:
    """A picture as a vision transformer reads it: (H / P) · (W / P) patches of P × P pixels.

    Source: Dosovitskiy et al. 2021, *An image is worth 16x16 words*.

    Parameters
    ----------
    image : int or (int, int)
        Side of a square, or height and width, in pixels.
    patch : int
        Side of a patch, P. Must divide both.
    channels, dim : int
        Numbers in a pixel and in a vector.
    class_token : bool
        One token more that stands for the whole.

    Raises
    ------
    ArgumentError
        If the patches do not cover the picture exactly.
    """
    height, width = (image, image) if isinstance(image, int) else image
    for name, value in (("image", height), ("image", width), ("patch", patch), ("channels", channels), ("dim", dim)):
        check_integer(name, "image_patches", value, 1)
    if height % patch or width % patch:
        raise wrong("patch", "image_patches", f"a divisor of {height} and {width}", patch, "Resize the picture.")
    rows, columns = height // patch, width // patch
    return ImagePatches(
        rows=rows,
        columns=columns,
        patches=rows * columns,
        tokens=rows * columns + class_token,
        weights=patch * patch * channels * dim + dim,
    )


def codec_rate(frames_per_s: float, codebooks: int, codebook_size: int = 1024) -> CodecRate:
    """Ids and bits a second of a codec with residual quantisation: f · K and f · K · log₂ size.

    Source: Défossez et al. 2022, *High fidelity neural audio compression*.
    """
    check_integer("codebooks", "codec_rate", codebooks, 1)
    check_integer("codebook_size", "codec_rate", codebook_size, 1)
    if isinstance(frames_per_s, bool) or not isinstance(frames_per_s, (int, float)) or not 0 < frames_per_s < math.inf:
        raise wrong("frames_per_s", "codec_rate", "a number above 0", frames_per_s)
    ids, bits = frames_per_s * codebooks, math.log2(codebook_size)
    return CodecRate(ids_per_s=ids, bits_per_id=bits, bits_per_s=ids * bits)
