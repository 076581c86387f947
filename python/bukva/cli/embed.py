"""``bukva embed``: a corpus becomes word vectors."""

from __future__ import annotations

from typing import Any, get_args

import click

from .. import embeddings
from ..embeddings.files import load_vectors
from ..embeddings.files.save import check_target
from ..embeddings.ngrams import KINDS
from ..embeddings.training_options import Method, Objective, Sides, Weighting
from ..embeddings.vectors import WordVectors
from ..errors import LossError
from ..tokenizer import load
from ..trainers import NORMALIZERS
from .options import json_option, line_corpus_options, progress_option, write_json
from .progress import progress_bar


@click.command("embed")
@click.argument("corpus", nargs=-1, required=True)
@click.option("-o", "--output", required=True, metavar="PATH", help="x.safetensors, .txt, .vec, .bin, .npy or .tsv.")
@click.option("--tokenizer", metavar="PATH", help="Vectors for the tokens of a tokenizer rather than for words.")
@click.option("--word-pattern", metavar="PATTERN", help="What a word is: a regular expression, whitespace or words.")
@click.option("--normalizer", type=click.Choice(NORMALIZERS), multiple=True, help="Applied in order; may be repeated.")
@click.option(
    "--method",
    type=click.Choice(get_args(Method)),
    default="skipgram",
    show_default=True,
    help="A word foretells its neighbours, they foretell it, or pairs are counted first.",
)
@click.option("--dim", type=int, default=100, show_default=True, metavar="N", help="Numbers in a vector.")
@click.option("--window", type=int, default=5, show_default=True, metavar="N", help="Words on either side.")
@click.option(
    "--objective",
    type=click.Choice(get_args(Objective)),
    default="negative_sampling",
    show_default=True,
    help="Words are told from random ones, or found through a tree.",
)
@click.option("--negatives", type=int, default=5, show_default=True, metavar="N", help="Random words for each pair.")
@click.option(
    "--negative-sampling",
    type=click.Choice(["shared", "independent"]),
    default="shared",
    show_default=True,
    help="One draw for a window, or one for each pair.",
)
@click.option("--subwords", type=click.Choice(KINDS), help="Make vectors of n-grams, so that any word has one.")
@click.option("--minn", type=int, default=3, show_default=True, metavar="N", help="Characters of an n-gram at least.")
@click.option("--maxn", type=int, default=6, show_default=True, metavar="N", help="And at most.")
@click.option("--bucket", type=int, metavar="N", help="Rows for n-grams.  [default: 2,000,000; floret: 50,000]")
@click.option("--hash-count", type=int, metavar="N", help="Rows of each n-gram of floret.  [default: 2]")
@click.option("--epochs", type=int, metavar="N", help="Passes over the corpus or its counts.  [default: 5; glove: 25]")
@click.option("--min-count", type=int, default=5, show_default=True, metavar="N", help="Rarer words get no vector.")
@click.option("--sample", type=float, default=1e-3, show_default=True, metavar="X", help="Threshold of subsampling.")
@click.option("--alpha", type=float, default=0.05, show_default=True, metavar="X", help="Learning rate at the start.")
@click.option("--min-alpha", type=float, default=1e-4, show_default=True, metavar="X", help="Learning rate at the end.")
@click.option(
    "--weighting",
    type=click.Choice(get_args(Weighting)),
    default="harmonic",
    show_default=True,
    help="glove, ppmi_svd: what a pair counts by its distance.",
)
@click.option(
    "--sides",
    type=click.Choice(get_args(Sides)),
    default="both",
    show_default=True,
    help="glove, ppmi_svd: where the context of a word is.",
)
@click.option("--x-max", type=float, default=100.0, show_default=True, metavar="X", help="glove: counts that weigh 1.")
@click.option(
    "--weight-exponent",
    type=float,
    default=0.75,
    show_default=True,
    metavar="X",
    help="glove: power by which smaller counts weigh less.",
)
@click.option("--shift", type=float, default=1.0, show_default=True, metavar="K", help="ppmi_svd: ln K is taken off.")
@click.option(
    "--eigenvalue-exponent",
    type=float,
    default=0.5,
    show_default=True,
    metavar="X",
    help="ppmi_svd: power of the singular values in vectors.",
)
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Of all that is drawn.")
@click.option("--threads", type=int, metavar="N", help="Threads.  [default: one for each processor]")
@click.option("--deterministic", is_flag=True, help="The same vectors bit for bit on every run.")
@click.option("--start", metavar="PATH", help="Go on from these vectors.")
@click.option("--memory-limit", type=int, metavar="BYTES", help="More is an error before the tables are made.")
@line_corpus_options
@click.option("--allow-loss", is_flag=True, help="Write even where some will read words otherwise.")
@progress_option
@json_option
def command(
    corpus: tuple[str, ...],
    output: str,
    tokenizer: str | None,
    word_pattern: str | None,
    normalizer: tuple[str, ...],
    start: str | None,
    allow_loss: bool,
    progress: bool | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Train vectors for the words of CORPUS (files, globs, folders, or - for standard input) and write them."""
    check_target(output)
    options |= {"normalizer": list(normalizer) or None}
    options |= {} if word_pattern is None else {"word_pattern": word_pattern}
    options |= {} if tokenizer is None else {"tokenizer": load(tokenizer)}
    options |= {} if start is None else {"start": load_vectors(start)}
    with progress_bar(progress) as report:
        vectors = embeddings.train_vectors(list(corpus), progress=report, **options)
    losses = write(vectors, output, allow_loss)
    facts = summary(vectors, output, losses)
    if as_json:
        write_json(facts)
    else:
        click.echo("\n".join(summary_lines(facts)))


def write(vectors: WordVectors, output: str, allow_loss: bool) -> list[tuple[str, str]]:
    """Writes the vectors; those that the format cannot hold at all go to a file beside it, so that nothing is lost."""
    try:
        return vectors.save(output, allow_loss=allow_loss)
    except LossError as error:
        rescued = f"{output}.safetensors"
        vectors.save(rescued)
        raise LossError(f"{error.message} The vectors are in {rescued!r}.") from error


def summary(vectors: WordVectors, output: str, losses: list[tuple[str, str]]) -> dict[str, Any]:
    """What was read, trained and written."""
    return {
        "output": output,
        "vectors": len(vectors),
        "dim": vectors.dim,
        "method": vectors.record["method"],
        "corpus": vectors.record["corpus"],
        "losses": vectors.record.get("losses", []),
        "explained": vectors.record.get("explained"),
        "left_out": [list(loss) for loss in losses],
    }


def summary_lines(facts: dict[str, Any]) -> list[str]:
    """The same for people."""
    corpus = facts["corpus"]
    return [
        f"read        {corpus['documents']:,} documents, {corpus['bytes']:,} bytes, {corpus['words']:,} words",
        *([f"replaced    {corpus['replaced_bytes']:,} bytes that were not UTF-8"] if corpus["replaced_bytes"] else []),
        f"vocabulary  {facts['vectors']:,} words; {corpus['rare_words']:,} rarer ones have no vector",
        f"trained     {facts['dim']} numbers a word; {fit(facts)}",
        f"wrote       {facts['output']}",
        *(f"left out    {what}: {detail}" for what, detail in facts["left_out"]),
    ]


def fit(facts: dict[str, Any]) -> str:
    """How well vectors fit what they were trained on."""
    if facts["explained"] is not None:
        return f"{facts['explained']:.1%} of the squares of mutual information"
    unit = "cell" if facts["method"] == "glove" else "pair"
    return f"loss a {unit} " + " ".join(f"{loss:.3f}" for loss in facts["losses"])
