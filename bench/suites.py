"""Which cases a suite has. A case is one task on one corpus by several peers that all compute the same."""

from __future__ import annotations

from dataclasses import dataclass

from bench.corpora import ENCODING
from bench.definitions import FIVE, ROWS, VOCABULARIES


@dataclass(frozen=True, kw_only=True)
class Case:
    """``op`` is the operation, or the training rule of :mod:`bench.definitions`."""

    task: str
    corpus: str
    op: str
    peers: tuple[str, ...]
    runs: int
    vocabulary: str = "o200k"

    @property
    def key(self) -> str:
        """Name of the case in the records and in ``expected.json``."""
        key = f"{self.task}/{self.corpus}/{self.op}"
        return key if self.vocabulary == "o200k" else f"{key}/{self.vocabulary}"

    @property
    def reference(self) -> str:
        """The peer that says what the right outcome is."""
        return REFERENCES.get(self.op) or VOCABULARIES[self.vocabulary].reference

    @property
    def threads(self) -> int:
        """How many threads a peer may use."""
        return 2 if self.op == "threads_2" else 1

    def cpus(self, last: int) -> list[int]:
        """The CPUs of a measurement: as many as threads, from ``last`` down."""
        return [max(last - n, 0) for n in range(self.threads)]


ENCODERS = ("bukva", "gigatoken", "fastokens", "tiktoken", "hf")


#: Libraries that are the fastest somewhere: on whole texts, and in short calls, decoding and long pieces.
FAST = ("bukva", "gigatoken", "fastokens", "snaptokens")
MORE = (*FAST, "splintr", "tuetoken", "tiktoken")


def _encoding(
    op: str, peers: tuple[str, ...], runs: int, vocabulary: str = "o200k", task: str = "encode"
) -> list[Case]:
    return [Case(task=task, corpus=corpus, op=op, peers=peers, runs=runs, vocabulary=vocabulary) for corpus in ENCODING]


def _five(op: str, runs: int) -> list[Case]:
    """The five vocabularies. snaptokens reads no rank file; of o200k there is a ``tokenizer.json`` too."""
    peers = dict.fromkeys(FIVE, FAST) | {"o200k": (*FAST, "tiktoken"), "cl100k": (*FAST[:3], "tiktoken")}
    return [case for name in FIVE for case in _encoding(op, peers[name], runs, vocabulary=name)]


def _once(task: str, op: str, peers: tuple[str, ...], runs: int) -> Case:
    """A case with a text of its own."""
    return Case(task=task, corpus="none", op=op, peers=peers, runs=runs)


def _training(corpus: str, op: str, peers: tuple[str, ...], runs: int) -> Case:
    return Case(task="train", corpus=corpus, op=op, peers=peers, runs=runs)


def _training_vectors(op: str, peers: tuple[str, ...]) -> Case:
    """One run trains with three seeds."""
    return Case(task="train_vectors", corpus="wiki_en_105m", op=op, peers=peers, runs=1)


def _models(corpus: str, runs: int) -> list[Case]:
    """Every vocabulary, line by line, beside its reference."""
    return [
        Case(
            task="encode",
            corpus=corpus,
            op="encode_lines",
            peers=("bukva", vocabulary.reference),
            runs=runs,
            vocabulary=vocabulary.name,
        )
        for vocabulary in VOCABULARIES.values()
        if vocabulary.in_models
    ]


def _loads(runs: int) -> list[Case]:
    """Every vocabulary from its own file, and from bukva's image, beside all peers that read the file."""
    cases = []
    for vocabulary in (vocabulary for vocabulary in VOCABULARIES.values() if vocabulary.in_loads):
        suffix = vocabulary.file.rpartition(".")[2]
        peers = ("bukva_image", "bukva", *READERS[suffix])
        cases.append(Case(task="startup", corpus="none", op="load", peers=peers, runs=runs, vocabulary=vocabulary.name))
    return cases


# Who reads what, by the suffix of the file; for rank files "hf" reads the same vocabulary as tokenizer.json.
READERS = {
    "tiktoken": ("gigatoken", "fastokens", "tiktoken", "hf"),
    "json": ("gigatoken", "fastokens", "hf"),
    "model": ("gigatoken", "sentencepiece"),
}

# Vocabularies of other kinds, with the libraries that give the same ids.
OTHERS = {
    "gemma3": ("gigatoken", "fastokens", "snaptokens"),
    "bert": ("nanotoken", "tokie"),
    "xlnet": ("hf",),
    "xlnet.model": ("sentencepiece",),
}

VECTORS = ("load_text", "load_binary", "neighbors", "neighbors_many")
ADDERS = ("bukva", "bukva_rows", "scipy_csr", "numpy_sorted", "numpy_add_at")

SUITES: dict[str, list[Case]] = {
    "train": [
        _training("train_300m", "huggingface", ("bukva", "gigabpe", "hf"), 3),
        _training("train_50m", "huggingface", ("bukva", "gigabpe", "hf"), 3),
        _training("train_50m", "raw_bytes", ("bukva", "rustbpe"), 3),
        _training("train_50m", "sentencepiece", ("sentencepiece",), 3),
    ],
    "naive": [_training("pud_ru", "course", ("bukva", "naive"), 3)],
    "encode": _five("encode", 3),
    "lines": _encoding("lines_1000", FAST, 3),
    "calls": [_once("calls", op, (*MORE, "quicktok"), 3) for op in ("one", "batch", "count")],
    "threads": [case for n in (1, 2) for case in _encoding(f"threads_{n}", FAST, 3, task="threads")],
    "others": [
        Case(task="encode", corpus=corpus, op="encode_lines", peers=("bukva", *peers), runs=3, vocabulary=vocabulary)
        for vocabulary, peers in OTHERS.items()
        for corpus in ("en_prose", "mixed")
    ],
    "long_pieces": [
        _once("long_pieces", op, (*MORE, "quicktok", "rs_bpe"), 3) for op in ("one_letter", "random_letters")
    ],
    "memory": [
        _once("startup", "load", ("bukva",), 3),
        _once("memory", "growth", ("bukva", "gigatoken", "fastokens"), 1),
    ],
    "lists": _encoding("encode_list", ENCODERS, 5),
    "count": _encoding("count", ENCODERS, 3),
    "short": _encoding("short", ENCODERS, 5),
    "decode": _encoding("decode", MORE, 3),
    "decode_bytes": _encoding("decode_bytes", ("bukva", "gigatoken", "splintr", "tiktoken"), 3),
    "models": [case for corpus in ("en_prose", "ru_prose", "mixed") for case in _models(corpus, 3)],
    "import": [
        Case(
            task="startup",
            corpus="none",
            op="import",
            peers=("bukva", "gigatoken", "fastokens", "tiktoken", "hf", "gigabpe", "rustbpe", "sentencepiece"),
            runs=11,
        )
    ],
    "load": _loads(5),
    "vectors": [
        Case(task="vectors", corpus="none", op=op, peers=("bukva_vectors", "gensim_vectors"), runs=5) for op in VECTORS
    ],
    "train_vectors": [
        _training_vectors("skipgram", ("bukva_training", "bukva_independent", "gensim_training")),
        _training_vectors("cbow", ("bukva_training", "gensim_training")),
        _training_vectors("skipgram_subwords", ("bukva_subwords", "fasttext_training")),
    ],
    "rows": [Case(task="rows", corpus="none", op=op, peers=ADDERS, runs=5) for op in ROWS],
}
# Who says what the right outcome of a training is, by its rule; and of vectors, by what is done with them.
REFERENCES = {"huggingface": "hf", "raw_bytes": "rustbpe", "sentencepiece": "sentencepiece", "course": "naive"}
REFERENCES |= dict.fromkeys(VECTORS, "gensim_vectors") | dict.fromkeys(("skipgram", "cbow"), "gensim_training")
REFERENCES |= dict.fromkeys(ROWS, "numpy_add_at") | {"skipgram_subwords": "fasttext_training"}
