"""Pre-tokens identical to the reference libraries', for every named pattern and every code point.

tiktoken does not show its pre-tokens, but it takes a pre-token that is in the vocabulary as it is. So the pre-tokens of
ours become a vocabulary, together with the pair of bytes around each of our cuts, which merges first. If tiktoken cuts
anywhere else, either a token lies across one of our cuts or a cut lies inside one of our pre-tokens.
"""

from __future__ import annotations

from itertools import accumulate, pairwise

import pytest
from tokenizers import pre_tokenizers

from bukva._core import pretokenize

from .nasty_texts import TEXTS
from .openai_encodings import PATTERNS, from_ranks

CODE_POINTS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
PLANES = [range(0x10000), range(0x10000, 0x20000), range(0x2F000, 0x32400), range(0xE0000, 0xE1000)]
CONTEXTS = (" x{0}X", "{0} {0}1{0}.", "\n{0}'s{0}\n", "'{0} a'{0}B  {0}")


def reference_pretokens(text: str, pattern: str, ours: list[bytes]) -> list[bytes]:
    """Pre-tokens of tiktoken where they are ours, and something else where they are not."""
    around_cuts = sorted({left[-1:] + right[:1] for left, right in pairwise(ours)})
    tokens = dict.fromkeys([*(bytes([byte]) for byte in range(256)), *around_cuts, *ours])
    encoding = from_ranks({token: rank for rank, token in enumerate(tokens)}, pattern)
    return [encoding.decode_single_token_bytes(number) for number in encoding.encode_ordinary(text)]


def assert_same_splits(text: str, name: str) -> None:
    ours = [pretoken.encode() for pretoken in pretokenize(text, name)]
    theirs = reference_pretokens(text, PATTERNS[name], ours)
    if ours != theirs:
        cuts = [set(accumulate(map(len, pieces))) for pieces in (ours, theirs)]
        at = min(cuts[0] ^ cuts[1])
        around = text.encode()[max(0, at - 20) : at + 20].decode(errors="replace")
        pytest.fail(f"{name}: only {'ours' if at in cuts[0] else 'theirs'} cuts at byte {at}, around {around!r}")


def test_the_oracle_sees_a_missing_and_a_wrong_cut() -> None:
    text, pattern = "ab cd", PATTERNS["gpt2"]
    assert reference_pretokens(text, pattern, [b"ab", b" cd"]) == [b"ab", b" cd"]
    for wrong in ([b"ab cd"], [b"a", b"b", b" cd"], [b"ab ", b"cd"], [b"a", b"b", b" ", b"c", b"d"]):
        assert reference_pretokens(text, pattern, wrong) != wrong


@pytest.mark.parametrize("name", PATTERNS)
def test_own_nasty(name: str) -> None:
    for text in TEXTS:
        assert_same_splits(text, name)


@pytest.mark.parametrize("name", PATTERNS)
def test_nasty(name: str, nasty: list[tuple[str, str]]) -> None:
    for _name, text in nasty:
        if not _name.startswith("allcp"):
            assert_same_splits(text, name)


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k"])
def test_character_classes(name: str, context: str) -> None:
    for plane in PLANES:
        assert_same_splits("".join(context.format(chr(c)) for c in plane if not 0xD800 <= c < 0xE000), name)


@pytest.mark.heavy
@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("name", PATTERNS)
def test_character_classes_of_all_code_points(name: str, context: str) -> None:
    for start in range(0, len(CODE_POINTS), 65536):
        assert_same_splits("".join(context.format(chr(c)) for c in CODE_POINTS[start : start + 65536]), name)


@pytest.mark.parametrize(
    ("name", "reference"), [("whitespace", pre_tokenizers.WhitespaceSplit()), ("words", pre_tokenizers.Whitespace())]
)
def test_word_patterns_are_those_of_tokenizers(name: str, reference: pre_tokenizers.PreTokenizer) -> None:
    every = "".join(f"a{chr(c)}b {chr(c)}. " for plane in PLANES for c in plane if not 0xD800 <= c < 0xE000)
    for text in [*TEXTS, every]:
        assert pretokenize(text, name) == [piece for piece, _ in reference.pre_tokenize_str(text)]


def test_byte_level_is_gpt2() -> None:
    reference = pre_tokenizers.ByteLevel(add_prefix_space=False)
    for text in TEXTS:
        spans = [span for _, span in reference.pre_tokenize_str(text)]
        assert pretokenize(text, "gpt2") == [text[a:b] for a, b in spans]
