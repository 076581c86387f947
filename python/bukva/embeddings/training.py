"""Vectors of words from the words around them: a corpus in, :class:`WordVectors` out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .. import _core
from ..checks import check_choice
from ..corpus import Corpus, Invalid, Source, Unit, sources
from ..tokenizer import Tokenizer
from ..trainers import NormalizerName
from ..training import Progress, documents
from .continuing import check_start, merged
from .glove import train_on_counts
from .ngrams import SubwordKind
from .ppmi_svd import factorize
from .reading import distinct
from .training_options import WORD_PATTERN, Method, NegativeSampling, Objective, Sides, VectorOptions, Weighting
from .vectors import WordVectors
from .windows import train_on_windows

if TYPE_CHECKING:
    from typing import Unpack

    from .training_options import VectorKeywords


def train_vectors(
    corpus: Corpus,
    *,
    tokenizer: Tokenizer | None = None,
    word_pattern: str = WORD_PATTERN,
    normalizer: NormalizerName | Sequence[NormalizerName] | None = None,
    method: Method = "skipgram",
    dim: int = 100,
    window: int = 5,
    objective: Objective = "negative_sampling",
    negatives: int = 5,
    negative_sampling: NegativeSampling = "shared",
    noise_exponent: float = 0.75,
    subwords: SubwordKind | None = None,
    minn: int = 3,
    maxn: int = 6,
    bucket: int | None = None,
    hash_count: int | None = None,
    epochs: int | None = None,
    min_count: int = 5,
    sample: float = 1e-3,
    alpha: float = 0.05,
    min_alpha: float = 1e-4,
    weighting: Weighting = "harmonic",
    sides: Sides = "both",
    x_max: float = 100.0,
    weight_exponent: float = 0.75,
    shift: float = 1.0,
    eigenvalue_exponent: float = 0.5,
    seed: int = 0,
    threads: int | None = None,
    deterministic: bool = False,
    start: WordVectors | None = None,
    memory_limit: int | None = None,
    unit: Unit = "line",
    field: str = "text",
    invalid: Invalid = "error",
    progress: Progress | None = None,
) -> WordVectors:
    r"""Trains a vector for each word of a corpus from the words around it.

    Options that a method has no use for must be left out.

    Parameters
    ----------
    corpus : path, or list of paths
        As in :func:`bukva.train`. It is read once; memory is needed for 4 bytes a word, not for the text.
    tokenizer : Tokenizer, optional
        Words are its tokens, rather than what ``word_pattern`` finds. Special tokens are text.
    word_pattern : str
        A regular expression whose matches are the words, or ``"whitespace"`` for all that stands between white space,
        or ``"words"`` for ``\w+|[^\w\s]+``.
    normalizer : str or list of str, optional
        What is done to the text before: ``"lowercase"``, ``"nfc"``, … as in :class:`bukva.BpeTrainer`.
    method : {"skipgram", "cbow", "glove", "ppmi_svd"}
        The first two put words in to find the word in the middle of a window: each word around it by itself, or their
        mean. The first is better for rare words, the second about twice as fast. ``"glove"`` counts pairs first and
        fits products of vectors to the logarithms of the counts. ``"ppmi_svd"`` counts them too, and takes the largest
        singular vectors of the positive mutual information of words and contexts.
    dim : int
        Numbers in a vector.
    window : int
        Words before and after a word that are its context. Skip-gram and CBOW draw a reach from 1 to ``window`` each
        time.
    objective : {"negative_sampling", "hierarchical_softmax"}
        Skip-gram and CBOW: how the word in the middle is found. Told from words drawn at random, or by the decisions on
        its path through Huffman's tree of the words, which a frequent word has few of.
    negatives : int
        Skip-gram and CBOW: words drawn at random for each pair.
    negative_sampling : {"shared", "independent"}
        Skip-gram and CBOW: one draw for all pairs of a window, which is about three times as fast, or one for each
        pair, as in word2vec.
        It changes nothing for CBOW, which has one pair a window.
    noise_exponent : float
        Skip-gram and CBOW: negatives are drawn in proportion to this power of the counts. PPMI-SVD: the shares of
        contexts are in proportion to this power of their sums.
    subwords : {"fasttext", "floret"}, optional
        The vector of a word is the mean of rows: those of the n-grams of its characters and, for ``"fasttext"``, one of
        its own. Words outside the vocabulary then have vectors too. ``"floret"`` hashes each n-gram, and the word, to
        several rows of a small table.
    minn, maxn : int
        Characters of an n-gram; the word stands between ``<`` and ``>``.
    bucket : int, optional
        Rows for n-grams: 2,000,000 for fastText's, 50,000 for floret's where None. Only those that a word uses take
        memory.
    hash_count : int, optional
        Rows of each n-gram of floret's, 1 to 4; 2 where None.
    epochs : int, optional
        Passes over the corpus, or over its counts: 5 where None, and 25 for GloVe. PPMI-SVD: rounds of power
        iteration, each two products with the matrix.
    min_count : int
        Rarer words get no vector and are passed over.
    sample : float
        Skip-gram and CBOW: threshold of subsampling. A word of frequency f is kept with probability √(t/f) + t/f. 0
        keeps all.
    alpha, min_alpha : float
        Learning rate at the start and at the end; it falls in a straight line. GloVe has ``alpha`` only, which AdaGrad
        divides for each number by the root of its squared steps so far.
    weighting : {"harmonic", "flat", "dynamic"}
        GloVe and PPMI-SVD: what a pair at distance d counts: 1/d, 1, or (window - d + 1)/window, the mean of word2vec's
        windows.
    sides : {"both", "left", "right"}
        GloVe and PPMI-SVD: where the context of a word is.
    x_max, weight_exponent : float
        GloVe: a count x weighs min(1, (x/x_max)^weight_exponent).
    shift : float
        PPMI-SVD: k, at least 1; ln k is taken off mutual information. It stands for the number of negatives.
    eigenvalue_exponent : float
        PPMI-SVD: p. Vectors are singular vectors times the singular values to the power of p: 0, 0.5 and 1 are usual.
    seed : int
        Where random numbers start, from 0 to 2⁶⁴ - 1.
    threads : int, optional
        Threads; as many as there are processors where None.
    deterministic : bool
        The same vectors, bit for bit, on every run and for any number of threads: one thread does the training. Without
        it, threads write the tables without waiting for each other, and no run is quite as another.
    start : WordVectors, optional
        Go on from these, which the same method made (skip-gram and CBOW are alike here): known words keep their vectors
        as a start, whatever their count; words that are new start at random; known words that the corpus does not have
        are kept as they are, or made anew of their n-grams.
    memory_limit : int, optional
        Bytes. More is an error after the corpus was read and before the tables are made. GloVe: also while pairs are
        counted.
    unit : {"line", "file"}
        What a document is in a ``.txt`` file. Windows do not reach over its ends.
    field, invalid, progress
        As in :func:`bukva.train`; stages are ``count`` (bytes), ``pair`` (GloVe: pairs) and ``train`` (words, or
        cells).

    Returns
    -------
    WordVectors
        By falling count. ``output`` has the vectors of words as outputs; ``subwords`` the rows of n-grams, a
        :class:`bukva.embeddings.NgramTable`; ``record`` the options, what was read, and for each epoch the mean loss of
        a pair in nats. Hierarchical softmax: rows of ``output`` are nodes of the tree, whose links are
        ``record["tree"]``. GloVe: ``matrix`` is the sum of word and context vectors, ``output`` the context vectors,
        and losses are the mean of a cell. PPMI-SVD: the product of ``matrix`` and ``output`` is about the matrix of
        mutual information; ``record`` has ``singular_values`` and ``explained``, the share of its squares that the
        vectors hold.

    Raises
    ------
    ArgumentError
        If an option has a value that cannot be used.
    CorpusError
        If no word is left, or the corpus is damaged.
    FileError, TextError
        If the corpus cannot be read or is not UTF-8.
    TrainingError
        If memory is short or limited, or the learning rate is so high that vectors grow without end.

    Notes
    -----
    Sources: Mikolov et al., *Distributed Representations of Words and Phrases and their Compositionality*, 2013;
    Bojanowski et al., *Enriching Word Vectors with Subword Information*, 2017;
    Pennington, Socher and Manning, *GloVe: Global Vectors for Word Representation*, 2014; Levy, Goldberg and Dagan,
    *Improving Distributional Similarity with Lessons Learned from Word Embeddings*, 2015; Halko, Martinsson and Tropp,
    *Finding Structure with Randomness*, 2011.
    """
    options = VectorOptions(
        caller="train_vectors",
        tokenizer=tokenizer,
        word_pattern=word_pattern,
        normalizer=normalizer,
        method=method,
        dim=dim,
        window=window,
        objective=objective,
        negatives=negatives,
        negative_sampling=negative_sampling,
        noise_exponent=noise_exponent,
        subwords=subwords,
        minn=minn,
        maxn=maxn,
        bucket=bucket,
        hash_count=hash_count,
        epochs=epochs,
        min_count=min_count,
        sample=sample,
        alpha=alpha,
        min_alpha=min_alpha,
        weighting=weighting,
        sides=sides,
        x_max=x_max,
        weight_exponent=weight_exponent,
        shift=shift,
        eigenvalue_exponent=eigenvalue_exponent,
        seed=seed,
        threads=threads,
        deterministic=deterministic,
        start=start,
        memory_limit=memory_limit,
        progress=progress,
    )
    check_choice("unit", "train_vectors", unit, ("line", "file"))
    listed = sources(corpus, field=field, invalid=invalid, caller="train_vectors")
    return _train(listed, options, unit=unit, invalid=invalid)


def train_vectors_from_iterator(texts: Iterable[str], **options: Unpack[VectorKeywords]) -> WordVectors:
    """Trains vectors on texts in memory; each is a document of its own.

    Parameters
    ----------
    texts : iterable of str
        Read once, never held as a whole.
    **options
        As in :func:`train_vectors`, but for what files need: ``unit``, ``field`` and ``invalid``.
    """
    caller = "train_vectors_from_iterator"
    checked = VectorOptions(caller=caller, **options)
    listed: list[Source] = [documents(texts, caller)]
    return _train(listed, checked, unit="file", invalid="error")


def _train(listed: list[Source], options: VectorOptions, *, unit: Unit, invalid: Invalid) -> WordVectors:
    start = options.start
    if start is not None:
        check_start(start, options.caller, options.dim, options.scheme(), options.objective)
    corpus = _core.read_vector_corpus(listed, unit=unit, invalid=invalid, **options.reading())
    words, counts = distinct(corpus.words(), corpus.token_ids()), corpus.counts()
    record = {**options.record(), "corpus": corpus.facts(), "token_ids": corpus.token_ids()}
    trainers = {"glove": train_on_counts, "ppmi_svd": factorize}
    matrix, output, subwords, run = trainers.get(options.method, train_on_windows)(corpus, words, options)
    # With a tree rows of outputs are nodes, those of words that are only in `start` among them.
    of_words = None if start is not None and options.is_hierarchical else output
    vectors = WordVectors(words, matrix, counts, record | run, output=of_words, subwords=subwords)
    return vectors if start is None else merged(start, vectors, output if of_words is None else None)
