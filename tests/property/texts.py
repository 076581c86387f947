"""Hypothesis strategies for texts: any characters, and those that pre-tokenizers and merges trip over."""

from __future__ import annotations

from hypothesis import strategies as st

CHARACTERS = st.characters(exclude_categories=["Cs"])
SNIPPETS = [
    *(" ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u3000", "\0", "a", "the", " the", "The", "привет", " мир"),
    *("中文", "é", "e\u0301", "1", "1234", "'s", "'S", "'ſ", "’t", ".", "...", "//", "😀", "👩\u200d🚀"),
    *("\u0378", "\u2028", "K", "ب", "क्"),
]
texts = st.one_of(
    st.text(CHARACTERS, max_size=60),
    st.lists(st.sampled_from(SNIPPETS), max_size=40).map("".join),
    st.lists(st.one_of(st.sampled_from(SNIPPETS), CHARACTERS), max_size=30).map("".join),
    st.builds(lambda piece, times: piece * times, st.sampled_from(SNIPPETS), st.integers(1, 300)),
)


def corpora(alphabet: str, max_documents: int = 6, max_size: int = 40) -> st.SearchStrategy[list[str]]:
    """Small corpora over few characters, so that ties, overlaps and repetitions are common."""
    return st.lists(st.text(alphabet, max_size=max_size), min_size=1, max_size=max_documents)
