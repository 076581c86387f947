"""What is computed: the vocabularies and the training rules. Peers are compared where they compute the same."""

from __future__ import annotations

from dataclasses import dataclass

# The pattern strings of tiktoken 0.14 (MIT), which are part of the definition of its encodings.
O200K_PATTERN = "|".join(
    [
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)
O200K_SPECIALS = {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}
CL100K_PATTERN = "|".join(
    [
        r"'(?i:[sdmt]|ll|ve|re)",
        r"[^\r\n\p{L}\p{N}]?+\p{L}++",
        r"\p{N}{1,3}+",
        r" ?[^\s\p{L}\p{N}]++[\r\n]*+",
        r"\s++$",
        r"\s*[\r\n]",
        r"\s+(?!\S)",
        r"\s",
    ]
)
CL100K_SPECIALS = {
    "<|endoftext|>": 100257,
    "<|fim_prefix|>": 100258,
    "<|fim_middle|>": 100259,
    "<|fim_suffix|>": 100260,
    "<|endofprompt|>": 100276,
}
O200K_HF = "gptoss/tokenizer.json"  # the same ranks and pattern, as tokenizer.json


@dataclass(frozen=True, kw_only=True)
class Vocabulary:
    """A real vocabulary of ``artefacts/`` in the file that its reference library reads."""

    name: str
    what: str
    file: str
    reference: str  # the adapter that says what the right ids are
    encoding: str | None = None  # what bukva adds to a rank file: the name of the encoding
    pattern: str | None = None  # what the libraries of the others add: the pattern of the encoding,
    specials: dict[str, int] | None = None  # and its special tokens
    in_models: bool = True  # whether the suite of other models encodes with it
    in_loads: bool = True  # whether loading it is measured


VOCABULARIES = {
    vocabulary.name: vocabulary
    for vocabulary in (
        Vocabulary(
            name="o200k",
            what="byte BPE by rank",
            file="openai/o200k_base.tiktoken",
            reference="tiktoken",
            encoding="o200k_base",
            pattern=O200K_PATTERN,
            specials=O200K_SPECIALS,
            in_models=False,
        ),
        Vocabulary(
            name="cl100k",
            what="byte BPE by rank",
            file="openai/cl100k_base.tiktoken",
            reference="tiktoken",
            encoding="cl100k_base",
            pattern=CL100K_PATTERN,
            specials=CL100K_SPECIALS,
            in_models=False,
            in_loads=False,
        ),
        Vocabulary(name="bert", what="WordPiece", file="bert/tokenizer.json", reference="hf"),
        Vocabulary(name="xlnet", what="Unigram", file="xlnet/tokenizer.json", reference="hf"),
        Vocabulary(name="gemma3", what="BPE as SentencePiece's", file="gemma3/tokenizer.json", reference="hf"),
        Vocabulary(name="mistral03", what="BPE as SentencePiece's", file="mistral03/tokenizer.json", reference="hf"),
        Vocabulary(name="llama3", what="byte BPE by merges", file="llama3_1/tokenizer.json", reference="hf"),
        Vocabulary(name="xlnet.model", what="Unigram", file="xlnet/xlnet_base_cased.model", reference="sentencepiece"),
        Vocabulary(name="llama2.model", what="BPE", file="llama2/llama2.model", reference="sentencepiece"),
        *(
            Vocabulary(name=name, what=what, file=f"{name}/tokenizer.json", reference="hf", in_models=False)
            for name, what in (
                ("gptoss", "byte BPE by merges"),
                ("qwen3", "byte BPE by merges"),
                ("deepseek_v3", "byte BPE by merges"),
                ("gpt_neox", "byte BPE by merges"),
                ("clip", "BPE with an end-of-word marker"),
            )
        ),
    )
}

#: The vocabularies of the targets of encoding.
FIVE = ("o200k", "cl100k", "llama3", "qwen3", "deepseek_v3")

GPT2_PATTERN = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
COURSE_PATTERN = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+"
)


@dataclass(frozen=True, kw_only=True)
class Training:
    """A training rule. ``unit``: a document is the file or one line with its line feed."""

    name: str
    what: str
    merges: int
    pattern: str
    tie_break: str
    unit: str


TRAININGS = {
    rule.name: rule
    for rule in (
        Training(
            name="huggingface",
            what="bytes, GPT-2 pattern, line by line, ties by smallest ids in byte-level order, 31,744 merges",
            merges=31_744,
            pattern="gpt2",
            tie_break="huggingface",
            unit="line",
        ),
        Training(
            name="raw_bytes",
            what="bytes, GPT-2 pattern, line by line, ties by smallest ids in byte order, 31,744 merges",
            merges=31_744,
            pattern="gpt2",
            tie_break="raw_bytes",
            unit="line",
        ),
        Training(
            name="sentencepiece",
            what="characters, SentencePiece's own word splitting and ties, coverage 1, 32,000 pieces",
            merges=32_000,
            pattern="sentencepiece",
            tie_break="sentencepiece",
            unit="line",
        ),
        Training(
            name="course",
            what="bytes, the course pattern, the whole file, ties by first occurrence, 4,096 merges",
            merges=4096,
            pattern="course",
            tie_break="first_seen",
            unit="file",
        ),
    )
}


@dataclass(frozen=True, kw_only=True)
class Rows:
    """A table and how many ids look rows up in it, drawn evenly."""

    n_rows: int
    n_ids: int = 32_768
    dim: int = 256


ROWS = {f"rows_{n}": Rows(n_rows=n) for n in (1_000, 32_768, 128_256)}
