"""``tokenizers.pre_tokenizers``: text to pre-tokens."""

from __future__ import annotations

from collections.abc import Sequence as Listed

from .parts import Part, Regex, engine, file_of, pattern, state_of, words


class PreTokenizer(Part):
    """Any pre-tokenizer."""

    def pre_tokenize_str(self, sequence: str) -> list[tuple[str, tuple[int, int]]]:
        """The pre-tokens and their characters: first, and the one behind the last."""
        return engine(file_of(words({}), pre_tokenizer=self._state)).pre_tokenize(sequence)


class _Plain(PreTokenizer):
    def __init__(self) -> None:
        self._state = {"type": type(self).__name__}


class BertPreTokenizer(_Plain):
    """White space out, punctuation apart."""


class UnicodeScripts(_Plain):
    """Cuts where the script changes."""


class Whitespace(_Plain):
    r"""``\w+|[^\w\s]+``."""


class WhitespaceSplit(_Plain):
    """White space out."""


class ByteLevel(PreTokenizer):
    """GPT-2's: its expression, and bytes as the characters of its map."""

    def __init__(self, add_prefix_space: bool = True, trim_offsets: bool = True, use_regex: bool = True) -> None:
        self._state = {
            "type": "ByteLevel",
            "add_prefix_space": add_prefix_space,
            "trim_offsets": trim_offsets,
            "use_regex": use_regex,
        }

    @staticmethod
    def alphabet() -> list[str]:
        """The 256 characters of the map."""
        printed = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
        others = range(0x100, 0x100 + 256 - len(printed))
        return [chr(code) for code in (*printed, *others)]


class CharDelimiterSplit(PreTokenizer):
    """Cuts at a character, which goes."""

    def __init__(self, delimiter: str) -> None:
        self._state = {"type": "CharDelimiterSplit", "delimiter": delimiter}


class Digits(PreTokenizer):
    """Numbers apart, or each digit."""

    def __init__(self, individual_digits: bool = False) -> None:
        self._state = {"type": "Digits", "individual_digits": individual_digits}


class FixedLength(PreTokenizer):
    """Parts of so many characters."""

    def __init__(self, length: int = 5) -> None:
        self._state = {"type": "FixedLength", "length": length}


class Metaspace(PreTokenizer):
    """A mark for every space, and one first."""

    def __init__(self, replacement: str = "▁", prepend_scheme: str = "always", split: bool = True) -> None:
        self._state = {
            "type": "Metaspace",
            "replacement": replacement,
            "prepend_scheme": prepend_scheme,
            "split": split,
        }


class Punctuation(PreTokenizer):
    """Punctuation apart."""

    def __init__(self, behavior: str = "isolated") -> None:
        self._state = {"type": "Punctuation", "behavior": _behavior(behavior)}


class Split(PreTokenizer):
    """Cuts by a pattern."""

    def __init__(self, pattern: str | Regex, behavior: str, invert: bool = False) -> None:
        self._state = {
            "type": "Split",
            "pattern": _pattern(pattern),
            "behavior": _behavior(behavior),
            "invert": invert,
        }


class Sequence(PreTokenizer):
    """One after the other."""

    def __init__(self, pretokenizers: Listed[object]) -> None:
        self._state = {"type": "Sequence", "pretokenizers": [state_of(PreTokenizer, each) for each in pretokenizers]}

    def __getitem__(self, index: int) -> PreTokenizer:
        return PreTokenizer._of_state(self._state["pretokenizers"][index])

    def __len__(self) -> int:
        return len(self._state["pretokenizers"])


BEHAVIORS = ("removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous")


def _behavior(name: str) -> str:
    """The name as the file has it."""
    if name not in BEHAVIORS:
        choices = ", ".join(f"`{known}`" for known in BEHAVIORS)
        raise ValueError(f"Wrong value for SplitDelimiterBehavior, expected one of: {choices}")
    return "".join(word.capitalize() for word in name.split("_"))


_pattern = pattern
