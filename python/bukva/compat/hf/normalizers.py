"""``tokenizers.normalizers``: text to text before anything else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence as Listed

from .parts import Part, Regex, engine, file_of, pattern, state_of, words


class Normalizer(Part):
    """Any normalizer."""

    def normalize_str(self, sequence: str) -> str:
        """The normalized text."""
        return engine(file_of(words({}), normalizer=self._state)).normalize(sequence)


class BertNormalizer(Normalizer):
    """BERT's: control characters out, spaces around Chinese characters, accents out, lower case."""

    def __init__(
        self,
        clean_text: bool = True,
        handle_chinese_chars: bool = True,
        strip_accents: bool | None = None,
        lowercase: bool = True,
    ) -> None:
        self._state = {
            "type": "BertNormalizer",
            "clean_text": clean_text,
            "handle_chinese_chars": handle_chinese_chars,
            "strip_accents": strip_accents,
            "lowercase": lowercase,
        }


class _Plain(Normalizer):
    def __init__(self) -> None:
        self._state = {"type": type(self).__name__}


class ByteLevel(_Plain):
    """Bytes as the characters of GPT-2's map."""


class Lowercase(_Plain):
    """Lower case."""


class NFC(_Plain):
    """Canonical composition."""


class NFD(_Plain):
    """Canonical decomposition."""


class NFKC(_Plain):
    """Compatibility composition."""


class NFKD(_Plain):
    """Compatibility decomposition."""


class Nmt(_Plain):
    """Control characters and spaces as in the toolkit of that name."""


class StripAccents(_Plain):
    """Marks out."""


class Precompiled(Normalizer):
    """A character map of SentencePiece."""

    def __init__(self, precompiled_charsmap: bytes) -> None:
        self._state = {"type": "Precompiled", "precompiled_charsmap": b64encode(precompiled_charsmap).decode()}


class Prepend(Normalizer):
    """Puts a text first."""

    def __init__(self, prepend: str = "▁") -> None:
        self._state = {"type": "Prepend", "prepend": prepend}


class Replace(Normalizer):
    """Puts a text for every match."""

    def __init__(self, pattern: str | Regex, content: str) -> None:
        self._state = {"type": "Replace", "pattern": _pattern(pattern), "content": content}


class Strip(Normalizer):
    """White space at the ends out."""

    def __init__(self, left: bool = True, right: bool = True) -> None:
        self._state = {"type": "Strip", "strip_left": left, "strip_right": right}


class Sequence(Normalizer):
    """One after the other."""

    def __init__(self, normalizers: Listed[object]) -> None:
        self._state = {"type": "Sequence", "normalizers": [state_of(Normalizer, each) for each in normalizers]}

    def __getitem__(self, index: int) -> Normalizer:
        return Normalizer._of_state(self._state["normalizers"][index])

    def __len__(self) -> int:
        return len(self._state["normalizers"])


_pattern = pattern
