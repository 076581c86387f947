"""The texts that every vocabulary is tried on: corpora line by line, and sets of nasty strings."""

from __future__ import annotations

import lzma
import random
import runpy
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pyarrow

from ..nasty_texts import TEXTS

CORPORA = ("en_prose", "ru_prose", "zh_ja", "code", "mixed")
# Planes with assigned characters; the private ones beyond are all alike.
_CODE_POINTS = [*range(0xD800), *range(0xE000, 0x40000), *range(0xE0000, 0xE0200), 0xF0000, 0xFFFFD, 0x10FFFF]
_WHITE_SPACE = [chr(c) for c in (*range(9, 14), 0x1C, 0x1D, 0x1E, 0x1F, 0x20, 0x85, 0xA0, 0x1680, 0x180E)]
_WHITE_SPACE += [chr(c) for c in (*range(0x2000, 0x200E), 0x2028, 0x2029, 0x202F, 0x205F, 0x2060, 0x3000, 0xFEFF)]


def text_sets(shared: Path, tokens: Sequence[str], limit: int | None) -> Iterator[tuple[str, Callable[[], list[str]]]]:
    """Names and texts. ``tokens`` are the added tokens; ``limit`` is the bytes of each corpus, None for all of it."""
    for name in CORPORA:
        yield name, lambda name=name: corpus_lines(shared, name, limit)
    yield "nasty", lambda: nasty(shared)
    yield "code points", lambda: code_points(limit)
    yield "white space", white_space
    yield "added tokens", lambda: around(tokens)
    yield "mixtures", lambda: mixtures(tokens)


def corpus_lines(shared: Path, name: str, limit: int | None) -> list[str]:
    with pyarrow.input_stream(str(shared / "corpora" / f"{name}.txt.zst"), compression="zstd") as stream:
        data = stream.read() if limit is None else stream.read(limit)
    return data[: data.rindex(b"\n") + 1].decode("utf-8").split("\n")


def pages(lines: Sequence[str], number: int = 16) -> list[str]:
    """So many lines at a time."""
    return ["\n".join(lines[start : start + number]) for start in range(0, len(lines), number)]


def nasty(shared: Path) -> list[str]:
    return [*TEXTS, *(text for _, text in runpy.run_path(str(shared / "golden" / "nasty.py"))["NASTY"])]


def code_points(limit: int | None) -> list[str]:
    """Every code point of the used planes alone and between letters; a sample where corpora are cut too."""
    step = 1 if limit is None else 37
    return [text for c in _CODE_POINTS[::step] for text in (chr(c), f"a{chr(c)}b")]


def white_space() -> list[str]:
    forms = ("{0}", "{0}{0}", "a{0}", "{0}a", "a{0}b", "a{0}{0}b", "{0}a{0}", "a{0} b", "a {0}b", "\n{0}\n", "1{0}.")
    return [form.format(space) for space in _WHITE_SPACE for form in forms]


def around(tokens: Sequence[str], most: int = 300) -> list[str]:
    """Added tokens at edges, inside words, repeated, beside spaces and each other."""
    forms = ("{0}", "{0}{0}", "x{0}", "{0}x", "x{0}y", " {0} ", "a {0} b", "{0}\n{0}", "é{0}é", "a  {0}  b", "_{0}-")
    chosen = tokens if len(tokens) <= most else random.Random(1).sample(list(tokens), most)
    texts = [form.format(token) for token in chosen for form in forms]
    pairs = random.Random(2)
    texts += [
        pairs.choice(chosen) + pairs.choice(("", " ", "a")) + pairs.choice(chosen) for _ in range(200 if chosen else 0)
    ]
    return texts + [token[:-1] for token in chosen] + [token.upper() for token in chosen]


def mixtures(tokens: Sequence[str], number: int = 2000) -> list[str]:
    """Random strings of letters, marks, spaces, digits, punctuation, added tokens and rare characters."""
    source = random.Random(7)
    rare = [chr(c) for c in range(0x20000) if unicodedata.category(chr(c))[0] in "LMNPSZ"]
    pieces = [
        *" \n\t'.,!-_/",
        "  ",
        "the",
        "Hello",
        "мир",
        "中文",
        "e\u0301",
        "ﬁ",
        "Å",
        "한",
        "가",
        "123",
        "4",
        "'s",
        "'LL",
    ]
    pieces += ["\u2581", "##a", "<0x41>", "</w>", "\u0120", "\u200d", "😀", "🏽", "\r\n", "\u00a0", "\ufffd", "ǅ", "İ"]
    pieces += list(tokens)[:20]

    def one() -> str:
        chosen = source.choices(pieces, k=source.randrange(1, 30))
        return "".join(source.choice(rare) if source.random() < 0.15 else piece for piece in chosen)

    return [one() for _ in range(number)]


def unpacked(shared: Path, name: str, folder: Path) -> Path:
    """The file of ``artefacts/`` with this name, unpacked into ``folder``."""
    target = folder / name
    if not target.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(lzma.decompress((shared / "artefacts" / f"{name}.xz").read_bytes()))
    return target
