"""WordPiece, as it is defined and not as it is made fast.

A pre-token is spelled from left to right, each time with the longest token that fits. A token that does not begin the
pre-token is written with a prefix in the vocabulary (``##``). Where no token fits, the whole pre-token is unknown: what
was found before is thrown away.

>>> vocab = {"un", "##aff", "##able", "##a", "##ble"}
>>> encode("unaffable", vocab)
['un', '##aff', '##able']
>>> encode("unfair", vocab)
['[UNK]']
>>> decode(["un", "##aff", "##able", "un"])
'unaffable un'

Sources: M. Schuster, K. Nakajima, *Japanese and Korean Voice Search*, ICASSP 2012 (the vocabulary). J. Devlin et al.,
*BERT*, 2018, ``WordpieceTokenizer`` (encoding, and the limit on the length of a pre-token).

Cost: O(n x longest token) look-ups for n characters. The engine walks a trie and looks nothing up twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable


def encode(
    pretoken: str, vocab: Collection[str], unk: str = "[UNK]", prefix: str = "##", max_chars: int = 100
) -> list[str]:
    """The tokens of one pre-token; of an empty one none.

    Parameters
    ----------
    vocab
        The tokens, those that continue a word with their prefix.
    max_chars
        Longer pre-tokens are unknown at once.
    """
    if len(pretoken) > max_chars:
        return [unk]
    tokens: list[str] = []
    start = 0
    while start < len(pretoken):
        end = longest(pretoken, start, vocab, prefix)
        if end is None:
            return [unk]
        tokens.append(written(pretoken[start:end], start, prefix))
        start = end
    return tokens


def longest(pretoken: str, start: int, vocab: Collection[str], prefix: str) -> int | None:
    """The end of the longest token that begins at ``start``, or None."""
    for end in range(len(pretoken), start, -1):
        if written(pretoken[start:end], start, prefix) in vocab:
            return end
    return None


def written(text: str, start: int, prefix: str) -> str:
    """How the vocabulary writes a stretch of a pre-token."""
    return prefix + text if start else text


def spans(pretoken: str, tokens: Iterable[str], unk: str = "[UNK]", prefix: str = "##") -> list[tuple[int, int]]:
    """The characters of the pre-token that each token stands for; the unknown token stands for all of them."""
    found: list[tuple[int, int]] = []
    start = 0
    for token in tokens:
        if token == unk:
            return [(0, len(pretoken))]
        end = start + len(token) - (len(prefix) if start else 0)
        found.append((start, end))
        start = end
    return found


def decode(tokens: Iterable[str], prefix: str = "##") -> str:
    """Words with a space between them. Where the words were apart is lost, and so is what was unknown."""
    words: list[str] = []
    for token in tokens:
        if words and token.startswith(prefix):
            words[-1] += token.removeprefix(prefix)
        else:
            words.append(token)
    return " ".join(words)
