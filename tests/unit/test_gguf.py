"""GGUF files: written here with the `gguf` package from tokenizers that were trained here."""

import io
import json
from pathlib import Path

import pytest
import sentencepiece
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

import bukva

gguf = pytest.importorskip("gguf")

SAMPLE = Path(bukva.__file__).with_name("data") / "sample_ru.txt"
TEXTS = (
    "",
    " ",
    "Привет, мир!",
    "  two  spaces\n\n and\ttabs  ",
    "it's 12345 o'clock, IT'S naïve; наё\u0306ж e\u0301",
    "日本語 😀 \u200b ﬁ ＡＢＣ",
    "<s>not a token</s> [PAD]",
)
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = range(1, 7)


def lines() -> list[str]:
    return SAMPLE.read_text(encoding="utf-8").splitlines()


def texts() -> list[str]:
    return [*TEXTS, *lines()[:60]]


def written(path, model, tokens, kinds, *, scores=None, merges=None, more=()):
    """Write a file as llama.cpp's converter does; ``more`` are further calls of the writer."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_block_count(1)
    writer.add_tokenizer_model(model)
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    if scores is not None:
        writer.add_token_scores(scores)
    if merges is not None:
        writer.add_token_merges(merges)
    for name, value in more:
        getattr(writer, f"add_{name}")(value)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    return path


def of_byte_bpe(path, tok: dict, pre: str, more=()):
    """A byte-level ``tokenizer.json`` as a file."""
    vocab = {id_: token for token, id_ in tok["model"]["vocab"].items()}
    kinds = dict.fromkeys(vocab, NORMAL)
    for token in tok["added_tokens"]:
        vocab[token["id"]] = token["content"]
        kinds[token["id"]] = CONTROL if token["special"] else USER_DEFINED
    size = max(vocab) + 3
    tokens = [vocab.get(i, f"[PAD{i}]") for i in range(size)]
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in tok["model"]["merges"]]
    more = (("tokenizer_pre", pre), *more)
    return written(path, "gpt2", tokens, [kinds.get(i, UNUSED) for i in range(size)], merges=merges, more=more)


def fields(message: bytes) -> dict[int, int | bytes]:
    """The last value of each field of a message of Protocol Buffers."""
    found, at = {}, 0

    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        tag = number()
        if tag & 7 == 0:
            found[tag >> 3] = number()
        else:
            size = number() if tag & 7 == 2 else {1: 8, 5: 4}[tag & 7]
            found[tag >> 3] = message[at : at + size]
            at += size
    return found


def of_sentencepiece(path, processor, more=()):
    """A SentencePiece model as a file."""
    tokens, scores, kinds = [], [], []
    for i in range(processor.vocab_size()):
        tokens.append(processor.id_to_piece(i))
        scores.append(processor.get_score(i))
        kind = UNKNOWN if processor.is_unknown(i) else CONTROL if processor.is_control(i) else NORMAL
        kind = BYTE if processor.is_byte(i) else UNUSED if processor.is_unused(i) else kind
        kinds.append(USER_DEFINED if kind == NORMAL and tokens[-1] == "<u>" else kind)
    fillers = range(len(tokens), len(tokens) + 2)
    tokens += [f"[PAD{i}]" for i in fillers]
    proto = fields(processor.serialized_model_proto())
    unigram = fields(proto[2]).get(3, 1) == 1
    rules = fields(proto[3])
    more = (
        ("add_space_prefix", bool(rules.get(3, 1))),
        ("remove_extra_whitespaces", bool(rules.get(4, 1))),
        ("bos_token_id", processor.bos_id()),
        ("eos_token_id", processor.eos_id()),
        *more,
    )
    if rules.get(2):
        more = (("precompiled_charsmap", rules[2]), *more)
    scores, kinds = [*scores, -1000.0, -1000.0], [*kinds, UNUSED, UNUSED]
    return written(path, "t5" if unigram else "llama", tokens, kinds, scores=scores, more=more)


def byte_bpe(pre_tokenizer, normalizer=None) -> Tokenizer:
    tok = Tokenizer(models.BPE())
    tok.decoder = decoders.ByteLevel()
    tok.pre_tokenizer = pre_tokenizer
    tok.normalizer = normalizer
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=["<|bos|>", "<|end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tok.train_from_iterator(lines(), trainer)
    return tok


def split(name: str):
    pattern = Regex(PATTERNS[name])
    return pre_tokenizers.Sequence(
        [pre_tokenizers.Split(pattern, "isolated"), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)]
    )


CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
REST = r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
PATTERNS = {
    "llama-bpe": rf"{CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}{{1,3}}|{REST}",
    "qwen2": rf"{CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?\p{{L}}+|\p{{N}}|{REST}",
}
BYTE_BPE = {
    "gpt-2": (lambda: pre_tokenizers.ByteLevel(add_prefix_space=False), None),
    "starcoder": (
        lambda: pre_tokenizers.Sequence(
            [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
        ),
        None,
    ),
    "llama-bpe": (lambda: split("llama-bpe"), None),
    "qwen2": (lambda: split("qwen2"), normalizers.NFC()),
}


@pytest.mark.parametrize("pre", BYTE_BPE)
def test_byte_bpe_gives_the_ids_of_the_original(tmp_path, pre):
    make, normalizer = BYTE_BPE[pre]
    original = byte_bpe(make(), normalizer)
    more = (("bos_token_id", 0), ("eos_token_id", 1), ("add_bos_token", True), ("chat_template", "{{ bos_token }}!"))
    tok = bukva.load(of_byte_bpe(tmp_path / "m.gguf", json.loads(original.to_str()), pre, more))
    for text in texts():
        ids = original.encode(text, add_special_tokens=False).ids
        assert tok.encode_ordinary(text) == ids
        assert tok.decode(ids) == original.decode(ids)
    original.post_processor = processors.TemplateProcessing("<|bos|> $A", None, [("<|bos|>", 0)])
    assert tok.encode("мир", add_special_tokens=True) == original.encode("мир").ids
    assert tok.encode("<|end|>", allowed_special="all") == [1]


@pytest.mark.parametrize("kind", ["bpe", "unigram"])
@pytest.mark.parametrize("options", [{}, {"byte_fallback": True}, {"normalization_rule_name": "identity"}])
@pytest.mark.parametrize("extra", [True, False])
def test_sentencepiece_gives_the_ids_of_the_original(tmp_path, kind, options, extra):
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines()),
        model_writer=model,
        model_type=kind,
        vocab_size=700,
        user_defined_symbols=["<u>"],
        remove_extra_whitespaces=extra,
        minloglevel=2,
        **options,
    )
    original = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    tok = bukva.load(of_sentencepiece(tmp_path / "m.gguf", original))
    for text in [*texts(), "а<u>б <u>"]:
        ids = original.encode(text)
        assert tok.encode_ordinary(text) == ids
        assert tok.decode(ids) == original.decode(ids)


def test_wordpiece_gives_the_ids_of_the_original(tmp_path):
    original = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    original.normalizer = normalizers.BertNormalizer()
    original.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    trainer = trainers.WordPieceTrainer(vocab_size=700, special_tokens=special, show_progress=False)
    original.train_from_iterator(lines(), trainer)
    tok = bukva.load(of_wordpiece(tmp_path / "m.gguf", original, special))
    for text in texts():
        assert tok.encode(text, allowed_special="all") == original.encode(text, add_special_tokens=False).ids
    ends = [("[CLS]", 2), ("[SEP]", 3)]
    original.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", None, ends)
    assert tok.encode("мир", add_special_tokens=True) == original.encode("мир").ids


def of_wordpiece(path, original, special):
    vocab = sorted(original.get_vocab().items(), key=lambda item: item[1])
    kinds = [CONTROL if token in special else NORMAL for token, _ in vocab]
    tokens = [token if token in special else phantom(token) for token, _ in vocab]
    ids = dict(vocab)
    keys = {"unk": "[UNK]", "sep": "[SEP]", "pad": "[PAD]", "mask": "[MASK]", "bos": "[CLS]"}
    more = tuple((f"{name}_token_id", ids[token]) for name, token in keys.items())
    return written(path, "bert", tokens, kinds, more=more)


def phantom(token: str) -> str:
    return token[2:] if token.startswith("##") else f"\u2581{token}"


def test_the_chat_template_is_found(tmp_path):
    original = byte_bpe(pre_tokenizers.ByteLevel(add_prefix_space=False))
    template = "{{ bos_token }}{% for m in messages %}{{ m['content'] }}<|end|>{% endfor %}"
    more = (("bos_token_id", 0), ("chat_template", template))
    tok = bukva.load(of_byte_bpe(tmp_path / "m.gguf", json.loads(original.to_str()), "gpt-2", more))
    assert tok.chat_template is not None
    assert tok.chat_template.render([{"role": "user", "content": "мир"}]) == "<|bos|>мир<|end|>"


def test_what_is_not_supported_is_named(tmp_path):
    original = json.loads(byte_bpe(pre_tokenizers.ByteLevel(add_prefix_space=False)).to_str())
    path = of_byte_bpe(tmp_path / "m.gguf", original, "no-such")
    with pytest.raises(bukva.BukvaError, match=r"no-such.*llama-bpe"):
        bukva.load(path)
    tok = bukva.load(of_byte_bpe(tmp_path / "n.gguf", original, "gpt-2"))
    with pytest.raises(bukva.BukvaError, match="reads its vocabulary and writes none"):
        tok.save(tmp_path / "o.gguf", allow_loss=True)
    with pytest.raises(bukva.BukvaError, match="leave encoding"):
        bukva.load(tmp_path / "n.gguf", encoding="gpt2")


def test_a_file_cut_short_is_refused(tmp_path):
    original = json.loads(byte_bpe(pre_tokenizers.ByteLevel(add_prefix_space=False)).to_str())
    path = of_byte_bpe(tmp_path / "m.gguf", original, "gpt-2")
    content = path.read_bytes()
    for end in (0, 3, 4, 23, 24, 100, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:end])
        with pytest.raises(bukva.BukvaError):
            bukva.load(path)


@pytest.mark.parametrize(
    ("name", "pre"),
    [
        ("llama3_1/tokenizer.json", "llama-bpe"),
        ("qwen3/tokenizer.json", "qwen2"),
        pytest.param("deepseek_v3/tokenizer.json", "deepseek-v3", marks=pytest.mark.heavy),
        pytest.param("gptoss/tokenizer.json", "gpt-4o", marks=pytest.mark.heavy),
    ],
)
def test_real_byte_bpe(name, pre, artefact, tmp_path):
    original = Tokenizer.from_file(str(artefact(name)))
    more = (("bos_token_id", 0), ("add_bos_token", False))
    path = of_byte_bpe(tmp_path / "m.gguf", json.loads(artefact(name).read_bytes()), pre, more)
    tok = bukva.load(path)
    for text in texts():
        assert tok.encode(text, allowed_special="all") == original.encode(text, add_special_tokens=False).ids


def test_real_sentencepiece(artefact, tmp_path):
    original = sentencepiece.SentencePieceProcessor(model_file=str(artefact("llama2/llama2.model")))
    tok = bukva.load(of_sentencepiece(tmp_path / "m.gguf", original))
    for text in texts():
        ids = original.encode(text)
        assert tok.encode_ordinary(text) == ids
        assert tok.decode(ids) == original.decode(ids)
    assert tok.encode("мир", add_special_tokens=True) == original.encode("мир", add_bos=True)


def test_real_wordpiece(artefact, tmp_path):
    original = Tokenizer.from_file(str(artefact("bert/tokenizer.json")))
    original.no_padding()
    original.no_truncation()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tok = bukva.load(of_wordpiece(tmp_path / "m.gguf", original, special))
    for text in texts():
        ids = original.encode(text, add_special_tokens=False).ids
        assert tok.encode(text, allowed_special="all") == ids
        assert tok.decode(ids, skip_special_tokens=True) == original.decode(ids)
