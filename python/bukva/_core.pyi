"""Types of the native module. It is private: use the package ``bukva``."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Self, TypedDict, final, overload

import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

_Ids = Sequence[int] | NDArray[np.uint32]
_Specials = Literal["all"] | Collection[str]
_Errors = Literal["strict", "replace"]

# (kind, path, field): kind "text" or "jsonl"; path "-" is standard input; field is the JSON Lines field or "".
_FileSource = tuple[str, str, str]
_Source = _FileSource | Iterator[str]
# number of the input, its whole documents before, bytes of the open one, ids of what follows that are written, bytes of
# all texts before, bytes replaced in earlier inputs
_Place = tuple[int, int, int, int, int, int]
# stage ("count", "merge", "encode" or "train"), units done, units in all or None; called at most ten times a second.
_KnownRows = tuple[NDArray[np.bool_], NDArray[np.float32]]
_Progress = Callable[[str, int, int | None], object]

class _ShardFacts(TypedDict):
    number: int
    ids: Path  # the file, complete, under a temporary name
    offsets: Path
    tokens: int
    documents: int
    starts_document: bool
    ends_document: bool
    ids_hash: str
    offsets_hash: str
    next: _Place

class _TrainingFacts(TypedDict):
    documents: int
    bytes: int
    replaced_bytes: int
    pretokens: int
    pretoken_types: int
    merge_counts: list[int]
    stopped: str  # "reached", "no pair left", "below min_frequency", "no word left"
    message: str  # one sentence for people

class _CorpusFacts(TypedDict):
    documents: int
    bytes: int
    replaced_bytes: int
    words: int  # occurrences, rare words among them
    rare_words: int  # words without a vector
    ids: int  # occurrences of words with a vector, and one for each document

class _VectorFacts(TypedDict):
    losses: list[float]  # mean of a pair, in nats, for each epoch
    pairs: list[int]  # for each epoch
    kernel: str  # "avx512", "avx2" or "portable"

class _GloveFacts(TypedDict):
    losses: list[float]  # mean of a cell, for each epoch
    kernel: str  # "avx512", "avx2" or "portable"

class _GloveMemory(TypedDict):
    counts: int
    cells: int
    tables: int
    result: int
    peak: int

class _Memory(TypedDict):
    corpus: int
    tables: int
    probabilities: int
    ngrams: int
    tree: int
    result: int
    peak: int

class _Step(TypedDict):
    rank: int
    left: int
    right: int
    product: int
    position: int  # index of the left symbol among the symbols before the step

class _PretokenFacts(TypedDict):
    span: tuple[int, int]  # bytes of the original text
    text: str  # normalised
    token_range: tuple[int, int]  # indices into ids
    symbols: list[int]  # ids before the first merge
    steps: list[_Step]
    whole: bool  # emitted whole because the model looks a pre-token up before it merges
    added: bool  # an added token

class _ExplainFacts(TypedDict):
    ids: list[int]
    byte_spans: list[tuple[int, int]]
    char_spans: list[tuple[int, int]]
    normalized: str
    edits: list[tuple[int, int, int, int]]  # original start, end, normalised start, end (bytes)
    dropped: list[tuple[int, int]]  # bytes of the original that no token covers
    pretokens: list[_PretokenFacts]

@final
class Batch:
    """Ids of many texts. ``batch[i]`` is a view of the ids of text ``i``; ``batch[a:b]`` is a batch."""

    def __new__(cls, ids: NDArray[np.uint32], offsets: NDArray[np.int64], pad_id: int | None = None) -> Self: ...
    @property
    def ids(self) -> NDArray[np.uint32]: ...
    @property
    def offsets(self) -> NDArray[np.int64]: ...
    @property
    def _pad_id(self) -> int | None: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> NDArray[np.uint32]: ...
    @overload
    def __getitem__(self, index: slice, /) -> Batch: ...
    def __iter__(self) -> Iterator[NDArray[np.uint32]]: ...
    def to_list(self) -> list[list[int]]: ...
    def lengths(self) -> NDArray[np.int64]: ...
    def pad(
        self,
        length: int | None = None,
        side: Literal["right", "left"] = "right",
        multiple_of: int | None = None,
        pad_id: int | None = None,
    ) -> tuple[NDArray[np.uint32], NDArray[np.bool_]]: ...
    def __reduce__(self) -> tuple[object, ...]: ...

@disjoint_base
class Tokenizer:
    """A compiled tokenizer: immutable, shared freely between threads."""

    def __new__(cls, source: Tokenizer, /) -> Self: ...
    def encode(
        self,
        text: str,
        pair: str | None = None,
        *,
        add_special_tokens: bool = False,
        allowed_special: _Specials = (),
        disallowed_special: _Specials = "all",
    ) -> list[int]: ...
    def encode_ordinary(self, text: str) -> list[int]: ...
    def sample(self, text: str, *, alpha: float, seed: int, n_best: int = -1) -> list[int]: ...
    def nbest(self, text: str, n: int) -> list[tuple[list[int], float]]: ...
    def count(
        self,
        text: str,
        *,
        add_special_tokens: bool = False,
        allowed_special: _Specials = (),
        disallowed_special: _Specials = "all",
    ) -> int: ...
    def encode_batch(
        self,
        texts: Iterable[str],
        *,
        threads: int | None = None,
        add_special_tokens: bool = False,
        allowed_special: _Specials = (),
        disallowed_special: _Specials = "all",
    ) -> Batch: ...
    def count_batch(
        self,
        texts: Iterable[str],
        *,
        threads: int | None = None,
        add_special_tokens: bool = False,
        allowed_special: _Specials = (),
        disallowed_special: _Specials = "all",
    ) -> NDArray[np.int64]: ...
    def decode(self, ids: _Ids, errors: _Errors = "strict", skip_special_tokens: bool = False) -> str: ...
    def decode_bytes(self, ids: _Ids, skip_special_tokens: bool = False) -> bytes: ...
    def decode_batch(
        self,
        batch: Batch | Iterable[_Ids],
        errors: _Errors = "strict",
        skip_special_tokens: bool = False,
        *,
        threads: int | None = None,
    ) -> list[str]: ...
    def stream(self, errors: _Errors = "strict", skip_special_tokens: bool = False) -> StreamDecoder: ...
    def _explain(
        self, text: str, *, allowed_special: _Specials = (), disallowed_special: _Specials = "all"
    ) -> _ExplainFacts: ...
    def _pretokenize_hf(self, text: str, with_special: bool = True) -> list[tuple[str, int, int, int | None]]:
        """Text, character offsets as in tokenizers, and the id of an added token, for each piece before the model."""

    def _merge_histogram(self, texts: Iterable[str]) -> tuple[int, NDArray[np.uint64]]:
        """Symbols before the first merge, and the applications that each rank brings: the merges of the first k ranks
        alone leave ``symbols - applied[:k].sum()`` tokens.
        """

    def _token_bytes(self, id: int) -> bytes:
        """Bytes of a token, special and added ones included."""

    def _token_id(self, token: bytes) -> int | None:
        """Id of an ordinary token."""

    def _vocab(self) -> list[tuple[bytes, int]]:
        """Ordinary tokens in id order, special ones left out."""

    def _merges(self) -> list[tuple[int, int, int]]:
        """Left, right and product ids, one merge a product where ranks belong to products, in rank order."""

    def _added_tokens(self) -> list[tuple[str, int, bool]]:
        """Text, id, special."""

    def _id_range(self) -> int: ...
    def _has_cache(self) -> bool: ...
    def _without_cache(self) -> Tokenizer: ...
    def _with_paths(
        self, *, scanner: str = "automatic", cache: bool = True, whole: bool = True, merging: str = "automatic"
    ) -> Tokenizer:
        """The same ids by other ways, for tests; see ``paths.rs`` for the names."""

    def _losses(self) -> list[str]:
        """Why ``decode(encode(s)) == s`` is not promised for every text; empty where it is."""

    def _summary(self) -> dict[str, Any]:
        """Model, alphabet, pattern, normalizer, decoder, scanner ("compiled" or "regex"), unicode."""

    def _fingerprint(self) -> str:
        """Hash of everything that the tokenizer is; made once."""

    def _framed(self, ids: Sequence[int]) -> list[int]:
        """Ids of one text with the control tokens of the template around them."""

    def _pad_id(self) -> int | None:
        """The id to pad with, where the file states one."""

    def _files(self) -> dict[str, str]:
        """Files that lay beside the tokenizer's own, by name."""

    def _to_image(self) -> bytes: ...
    def _save(self, path: str, allow_loss: bool) -> list[tuple[str, str]]:
        """Writes by the path's suffix and returns the losses as (what, detail)."""

@final
class StreamDecoder:
    """Turns ids into text as they come; holds back an incomplete character."""

    def push(self, id: int) -> str: ...
    def finish(self) -> str: ...

# max_length, stride, strategy, direction
_Truncation = tuple[int, int, str, str]
# length, direction, multiple, id, type id, token
_Padding = tuple[int | None, str, int | None, int, int, str]
# id, text, single_word, lstrip, rstrip, normalized, special
_Added = tuple[int, str, bool, bool, bool, bool, bool]

@final
class HfEncoder:
    """A tokenizer with the options that ``tokenizers`` keeps in it. Immutable."""

    def __new__(
        cls,
        tokenizer: Tokenizer,
        truncation: _Truncation | None,
        padding: _Padding | None,
        encode_special_tokens: bool,
    ) -> Self: ...
    def encode(self, sequence: Any, pair: Any | None, is_pretokenized: bool, add_special_tokens: bool) -> Encoding: ...
    def encode_batch(
        self, input: Iterable[Any], is_pretokenized: bool, add_special_tokens: bool, ids_only: bool
    ) -> list[Encoding]: ...
    def post_process(self, encoding: Encoding, pair: Encoding | None, add_special_tokens: bool) -> Encoding: ...
    def decode(self, ids: _Ids, skip_special_tokens: bool) -> str: ...
    def decode_batch(self, sequences: Iterable[_Ids], skip_special_tokens: bool) -> list[str]: ...
    def added_by_template(self, is_pair: bool) -> int: ...
    def id_to_token(self, id: int) -> str | None: ...
    def vocab(self, with_added_tokens: bool) -> dict[str, int]: ...
    def added(self) -> list[_Added]: ...
    def with_added(self, tokens: list[_Added]) -> Tokenizer: ...
    def normalize(self, text: str) -> str: ...
    def pre_tokenize(self, text: str) -> list[tuple[str, tuple[int, int]]]: ...
    def to_json(self) -> str: ...
    def truncation(self) -> _Truncation | None: ...
    def padding(self) -> _Padding | None: ...

@final
class Encoding:
    """What is known of each token of a text or a pair."""

    def __new__(cls) -> Self: ...
    @staticmethod
    def merge(encodings: Sequence[Encoding], growing_offsets: bool = True) -> Encoding: ...
    @property
    def ids(self) -> list[int]: ...
    @property
    def type_ids(self) -> list[int]: ...
    @property
    def tokens(self) -> list[str]: ...
    @property
    def word_ids(self) -> list[int | None]: ...
    @property
    def words(self) -> list[int | None]: ...
    @property
    def sequence_ids(self) -> list[int | None]: ...
    @property
    def offsets(self) -> list[tuple[int, int]]: ...
    @property
    def special_tokens_mask(self) -> list[int]: ...
    @property
    def attention_mask(self) -> list[int]: ...
    @property
    def overflowing(self) -> list[Encoding]: ...
    @property
    def n_sequences(self) -> int: ...
    def set_sequence_id(self, sequence_id: int) -> None: ...
    def char_to_token(self, char_pos: int, sequence_index: int = 0) -> int | None: ...
    def char_to_word(self, char_pos: int, sequence_index: int = 0) -> int | None: ...
    def token_to_chars(self, token_index: int) -> tuple[int, int] | None: ...
    def token_to_sequence(self, token_index: int) -> int | None: ...
    def token_to_word(self, token_index: int) -> int | None: ...
    def word_to_chars(self, word_index: int, sequence_index: int = 0) -> tuple[int, int] | None: ...
    def word_to_tokens(self, word_index: int, sequence_index: int = 0) -> tuple[int, int] | None: ...
    def pad(
        self,
        length: int,
        direction: str = "right",
        pad_id: int = 0,
        pad_type_id: int = 0,
        pad_token: str = "[PAD]",
    ) -> None: ...
    def truncate(self, max_length: int, stride: int = 0, direction: str = "right") -> None: ...
    @staticmethod
    def _of(state: tuple[Any, ...]) -> Encoding: ...
    def __len__(self) -> int: ...

def read_hf_json(data: bytes) -> Tokenizer:
    """The tokenizer of a tokenizer.json in memory."""

def load_image(data: bytes) -> Tokenizer: ...
def load(
    path: str, encoding: str | None, pattern: str | None, special_tokens: Mapping[str, int] | None
) -> Tokenizer: ...
def load_ranks(
    data: bytes, encoding: str | None, pattern: str | None, special_tokens: Mapping[str, int] | None
) -> Tokenizer:
    """The tokenizer of a rank file in memory."""

def iter_documents(sources: Sequence[_Source], *, unit: str, invalid: str) -> Iterator[str]:
    """Documents in order; with unit "line" each line with its LF."""

def encode_shards(
    tokenizer: Tokenizer,
    sources: Sequence[_Source],
    names: Sequence[str],
    *,
    unit: str,
    invalid: str,
    ordinary: bool,
    add_special_tokens: bool,
    allowed_special: _Specials,
    disallowed_special: _Specials,
    append: Sequence[int],
    folder: str,
    shard_tokens: int,
    width: int,
    with_header: bool,
    first_shard: int,
    place: _Place,
    threads: int | None,
    progress: _Progress | None,
    keep: Callable[[_ShardFacts], object],
) -> _Place:
    """Encodes the documents of sources into shards of ids of ``width`` bytes; ``keep`` takes each, and its files are
    removed where it leaves them. Returns the place at the end.
    """

def hash_bytes(data: NDArray[np.uint8], /) -> str:
    """XXH3, 128 bits, of an array of bytes."""

def train_bpe(
    sources: Sequence[_Source],
    *,
    vocab_size: int | None,
    num_merges: int | None,
    alphabet: str,
    pattern: str | None,
    normalizer: Sequence[str],
    tie_break: str,
    end_of_word: str | None,
    min_frequency: int,
    special_tokens: Sequence[str],
    unk_token: str | None,
    max_token_length: int | None,
    unit: str,
    invalid: str,
    threads: int | None,
    progress: _Progress | None,
) -> tuple[Tokenizer, _TrainingFacts]: ...
def train_wordlevel(
    sources: Sequence[_Source],
    *,
    vocab_size: int | None,
    pattern: str | None,
    normalizer: Sequence[str],
    min_frequency: int,
    special_tokens: Sequence[str],
    unk_token: str | None,
    unit: str,
    invalid: str,
    threads: int | None,
    progress: _Progress | None,
) -> tuple[Tokenizer, _TrainingFacts]: ...

@final
class VectorCorpus:
    def words(self) -> list[str]: ...
    def counts(self) -> NDArray[np.int64]: ...
    def token_ids(self) -> list[int] | None: ...
    def facts(self) -> _CorpusFacts: ...

def read_vector_corpus(
    sources: Sequence[_Source],
    *,
    tokenizer: Tokenizer | None,
    word_pattern: str,
    normalizer: Sequence[str],
    min_count: int,
    unit: str,
    invalid: str,
    threads: int | None,
    progress: _Progress | None,
) -> VectorCorpus: ...
def vectors_memory(
    words: int, ids: int, dim: int, ngrams: tuple[int, int] | None = None, tree: tuple[int, int] | None = None
) -> _Memory: ...
def train_vectors(
    corpus: VectorCorpus,
    *,
    method: str,
    dim: int,
    window: int,
    negatives: int,
    negative_sampling: str,
    noise_exponent: float,
    epochs: int,
    sample: float,
    alpha: float,
    min_alpha: float,
    seed: int,
    threads: int | None,
    ngrams: WordNgrams | None,
    tree: WordTree | None,
    start: tuple[_KnownRows, _KnownRows] | None,
    progress: _Progress | None,
) -> tuple[tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]], _VectorFacts]: ...

@final
class WordNgrams:
    """The rows of each word of a vocabulary."""

    def __new__(cls, words: list[str], *, minn: int, maxn: int, bucket: int, hash_count: int) -> WordNgrams: ...
    @property
    def table_rows(self) -> int: ...
    @property
    def references(self) -> int: ...
    def buckets(self) -> NDArray[np.uint32]: ...
    def compose(self, table: NDArray[np.float32]) -> NDArray[np.float32]: ...

@final
class WordTree:
    """The path of each word through the tree of hierarchical softmax."""

    def __new__(cls, words: NDArray[np.int64], nodes: NDArray[np.int64]) -> WordTree: ...
    @property
    def nodes(self) -> int: ...
    @property
    def path_nodes(self) -> int: ...

def grow_tree(
    words: NDArray[np.int64], nodes: NDArray[np.int64], total: int, counts: list[int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...
def ngram_buckets(word: str, *, minn: int, maxn: int, bucket: int, hash_count: int) -> NDArray[np.uint32]:
    """Buckets of a word's n-grams; ``hash_count`` is 0 for fastText's hash."""

@final
class CooccurrenceCounts:
    def sizes(self) -> tuple[int, int]: ...
    def arrays(
        self,
    ) -> tuple[
        NDArray[np.int64], NDArray[np.uint32], NDArray[np.float32], NDArray[np.float64], NDArray[np.float64]
    ]: ...

def count_cooccurrences(
    corpus: VectorCorpus,
    *,
    window: int,
    weighting: str,
    sides: str,
    threads: int | None,
    memory_limit: int | None,
    progress: _Progress | None,
) -> CooccurrenceCounts: ...

@final
class PpmiMatrix:
    def __new__(cls, counts: CooccurrenceCounts, *, shift: float, noise_exponent: float) -> PpmiMatrix: ...
    def sizes(self) -> tuple[int, float]: ...
    def times(self, dense: NDArray[np.float64], *, transposed: bool, threads: int | None) -> NDArray[np.float64]: ...

def glove_memory(words: int, cells: int, dim: int) -> _GloveMemory: ...
def train_glove(
    counts: CooccurrenceCounts,
    *,
    dim: int,
    epochs: int,
    x_max: float,
    weight_exponent: float,
    alpha: float,
    seed: int,
    threads: int | None,
    start: tuple[NDArray[np.bool_], NDArray[np.float32], NDArray[np.float32]] | None,
    progress: _Progress | None,
) -> tuple[tuple[NDArray[np.float32], NDArray[np.float32]], _GloveFacts]: ...
def scatter_add(table: NDArray[np.floating[Any]], ids: NDArray[np.uint32], rows: NDArray[np.floating[Any]]) -> None:
    """Adds row ``i`` of ``rows`` to row ``ids[i]`` of ``table``, in place; both of one type, C-contiguous."""

def pretokenize(text: str, pattern: str | None) -> list[str]:
    """Pre-tokens of a text under a named pattern or a regular expression."""

def find_all(pattern: str, text: str) -> list[str]:
    """Every match of a regular expression, in order."""

def graphemes(text: str) -> list[str]:
    """Extended grapheme clusters, Unicode 16."""

def pattern_names() -> list[tuple[str, str]]:
    """Named patterns with their regular expressions."""

def openai_models() -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Names of OpenAI's models, and beginnings of names, each with its encoding."""

def encoding_for_model(model: str, /) -> str:
    """The name of the encoding of a model."""

def encoding_names() -> list[str]:
    """Named encodings of tiktoken rank files."""

def read_text_vectors(
    source: bytes | str, *, header: bool | None = None, words: bool = True
) -> tuple[list[str], NDArray[np.float32], int]: ...
def write_text_vectors(words: list[str] | None, matrix: NDArray[np.float32], mark: str) -> bytes: ...

@final
class NearCodes:
    """Rows at length 1, a byte a number: a scan finds those that may be among the nearest."""

    def __new__(cls, matrix: NDArray[np.float32]) -> Self: ...
    def candidates(self, query: NDArray[np.float32], k: int, among: int, excluded: list[int]) -> NDArray[np.uint64]:
        """Rows that may be among the ``k`` of greatest cosine; none that is one is missing."""
