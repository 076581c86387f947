"""Ours and the reference side by side, for each format: what is compared of one text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sentencepiece
import tokenizers
from mistral_common.tokens.tokenizers.tekken import SpecialTokenPolicy, Tekkenizer
from tiktoken.load import load_tiktoken_bpe

import bukva
from bukva.compat import hf

from ..openai_encodings import R50K, from_ranks
from ..openai_encodings import reference as openai_reference

Facts = dict[str, Any]


@dataclass
class Pair:
    """Two ways to the same facts of a text; both take a list of texts and give one record for each.

    The fact that ``tokenizer.encode_batch`` gives with ``options`` is called ``fact``.
    """

    ours: Callable[[Sequence[str]], list[Facts]]
    theirs: Callable[[Sequence[str]], list[Facts]]
    added: list[str]
    tokenizer: bukva.Tokenizer
    options: dict[str, Any]
    fact: str = "ids"


def pair_of(path: Path, form: str) -> Pair:
    if form.startswith("hf-json"):
        return _hf(path)
    if form == "tiktoken":
        return _tiktoken(path)
    if form.startswith("sentencepiece"):
        return _sentencepiece(path)
    if form == "tekken-json":
        return _tekken(path)
    raise ValueError(form)


def _hf(path: Path) -> Pair:
    theirs, ours, tok = tokenizers.Tokenizer.from_file(str(path)), hf.Tokenizer.from_file(str(path)), bukva.load(path)
    options: dict[str, Any] = {"allowed_special": "all", "add_special_tokens": True}
    plain = tokenizers.Tokenizer.from_file(str(path))
    plain.no_truncation()
    plain.no_padding()

    def facts(encodings: list[Any], whole: list[list[int]], decode: Callable[..., list[str]]) -> list[Facts]:
        ids = [encoding.ids for encoding in encodings]
        texts = [decode(ids, skip_special_tokens=skip) for skip in (True, False)]
        return [
            {"ids": e.ids, "tokens": e.tokens, "offsets": e.offsets, "whole": w, "text": skipped, "full text": full}
            for e, w, skipped, full in zip(encodings, whole, *texts, strict=True)
        ]

    def of_ours(texts: Sequence[str]) -> list[Facts]:
        whole = tok.encode_batch(texts, **options).to_list()
        return facts(ours.encode_batch(list(texts)), whole, ours.decode_batch)

    def of_theirs(texts: Sequence[str]) -> list[Facts]:
        whole = [encoding.ids for encoding in plain.encode_batch_fast(list(texts))]
        return facts(theirs.encode_batch(list(texts)), whole, theirs.decode_batch)

    added = [token.content for token in theirs.get_added_tokens_decoder().values()]
    return Pair(of_ours, of_theirs, added, tok, options, "whole")


def _tiktoken(path: Path) -> Pair:
    name = path.stem
    if name != "multilingual":
        return _ranks(bukva.load(path, encoding=name), openai_reference(name, path))
    tok = bukva.load(path, encoding="whisper_multilingual")
    return _ranks(tok, from_ranks(load_tiktoken_bpe(str(path)), R50K, tok.special_tokens))


def _ranks(tok: bukva.Tokenizer, encoding: Any) -> Pair:
    def of_ours(texts: Sequence[str]) -> list[Facts]:
        ids = tok.encode_batch(texts, allowed_special="all").to_list()
        plain = tok.encode_batch(texts, disallowed_special=()).to_list()
        return [{"ids": i, "ordinary": p, "text": t} for i, p, t in zip(ids, plain, tok.decode_batch(ids), strict=True)]

    def of_theirs(texts: Sequence[str]) -> list[Facts]:
        ids = encoding.encode_batch(list(texts), allowed_special="all")
        plain = encoding.encode_ordinary_batch(list(texts))
        texts = encoding.decode_batch(ids)
        return [{"ids": i, "ordinary": p, "text": t} for i, p, t in zip(ids, plain, texts, strict=True)]

    return Pair(of_ours, of_theirs, sorted(encoding.special_tokens_set), tok, {"allowed_special": "all"})


def _sentencepiece(path: Path) -> Pair:
    """Offsets are bytes of the text.

    SentencePiece gives the whole of a character that became byte pieces to its last one; here each byte piece has its
    byte. So the byte pieces that follow each other are compared as one. Ours tile the text, SentencePiece's leave out
    the spaces that it drops at the ends: those are given to the first and the last piece before the comparison.
    """
    processor = sentencepiece.SentencePieceProcessor(model_file=str(path))
    tok = bukva.load(path)
    byte_pieces = {i for i in range(len(processor)) if processor.is_byte(i)}

    def joined(ids: Sequence[int], spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        out: list[tuple[int, int]] = []
        for place, (number, (start, end)) in enumerate(zip(ids, spans, strict=True)):
            if place and number in byte_pieces and ids[place - 1] in byte_pieces:
                out[-1] = (out[-1][0], end)
            else:
                out.append((start, end))
        return out

    def tiled(text: str, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
        if spans:
            spans[0] = (0, spans[0][1])
            spans[-1] = (spans[-1][0], len(text.encode()))
        return spans

    def facts(texts: Sequence[str], ids: list[list[int]], spans: list[Any], decoded: list[str]) -> list[Facts]:
        rows = zip(texts, ids, spans, decoded, strict=True)
        return [{"ids": i, "text": d, "offsets": joined(i, tiled(text, s))} for text, i, s, d in rows]

    def of_ours(texts: Sequence[str]) -> list[Facts]:
        ids = tok.encode_batch(texts, disallowed_special=()).to_list()
        spans = [tok._explain(text, disallowed_special=())["byte_spans"] for text in texts]
        return facts(texts, ids, spans, tok.decode_batch(ids))

    def of_theirs(texts: Sequence[str]) -> list[Facts]:
        protos = processor.encode(list(texts), return_type="proto")
        ids = [[piece.id for piece in proto.pieces] for proto in protos]
        spans = [[(piece.begin, piece.end) for piece in proto.pieces] for proto in protos]
        return facts(texts, ids, spans, processor.decode(ids))

    special = [processor.id_to_piece(i) for i in range(len(processor)) if processor.is_control(i)]
    return Pair(of_ours, of_theirs, special, tok, {"disallowed_special": ()})


def _tekken(path: Path) -> Pair:
    theirs, tok = Tekkenizer.from_file(path), bukva.load(path)

    def of_ours(texts: Sequence[str]) -> list[Facts]:
        ids = tok.encode_batch(texts, disallowed_special=()).to_list()
        return [{"ids": i, "text": t} for i, t in zip(ids, tok.decode_batch(ids), strict=True)]

    def of_theirs(texts: Sequence[str]) -> list[Facts]:
        ids = [theirs.encode(text, bos=False, eos=False) for text in texts]
        return [{"ids": i, "text": theirs.decode(i, special_token_policy=SpecialTokenPolicy.KEEP)} for i in ids]

    return Pair(of_ours, of_theirs, list(tok.special_tokens), tok, {"disallowed_special": ()})
