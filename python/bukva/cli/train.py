"""``bukva train``: a corpus becomes a tokenizer."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import click

from ..checks import wrong
from ..errors import ArgumentError, FileError
from ..tokenizer import Tokenizer
from ..trainers import ALPHABETS, NORMALIZERS, TIE_BREAKS, UNK, BpeTrainer, CharTrainer, Trainer, WordLevelTrainer
from ..training import train
from .options import corpus_options, json_option, progress_option, threads_option, write_json
from .progress import progress_bar

SUFFIXES = (".json", ".tiktoken", ".bukva")
BPE_ONLY = ("num_merges", "alphabet", "tie_break", "end_of_word", "max_token_length")


@click.command("train")
@click.argument("corpus", nargs=-1, required=True)
@click.option("-o", "--output", required=True, metavar="PATH", help="A folder, tokenizer.json, x.tiktoken or x.bukva.")
@click.option(
    "--model",
    type=click.Choice(["bpe", "chars", "words"]),
    default="bpe",
    show_default=True,
    help="Byte-pair encoding, characters, or whole words.",
)
@click.option("--vocab-size", type=int, metavar="N", help="Size of the vocabulary, special tokens included.")
@click.option("--num-merges", type=int, metavar="N", help="Number of merges, instead of --vocab-size.")
@click.option("--alphabet", type=click.Choice(ALPHABETS), help="What the first symbols are.  [default: bytes]")
@click.option(
    "--pattern",
    metavar="PATTERN",
    help="gpt2, cl100k, o200k, llama3, qwen2, course, words, whitespace, none, or a regular expression."
    "  [default: gpt2; words: whitespace]",
)
@click.option("--normalizer", type=click.Choice(NORMALIZERS), multiple=True, help="Applied in order; may be repeated.")
@click.option(
    "--tie-break",
    type=click.Choice(TIE_BREAKS),
    help="Which of equally frequent pairs is merged.  [default: huggingface]",
)
@click.option("--end-of-word", metavar="TEXT", help="Marker after each pre-token; characters only.")
@click.option("--min-frequency", type=int, metavar="N", help="Rarer pairs or words are left out.  [default: 1]")
@click.option("--special-token", "special_tokens", multiple=True, metavar="TOKEN", help="May be repeated.")
@click.option(
    "--unk-token",
    default=UNK,
    show_default=True,
    metavar="TOKEN",
    help="Stands for what is unknown (characters, words); '' makes that an error.",
)
@click.option("--max-token-length", type=int, metavar="N", help="Longer tokens are not made.")
@corpus_options
@threads_option
@click.option("--allow-loss", is_flag=True, help="Write even where the format cannot hold everything.")
@progress_option
@json_option
def command(corpus: tuple[str, ...], output: str, allow_loss: bool, as_json: bool, **options: Any) -> None:
    """Train a tokenizer on CORPUS (files, globs, folders, or - for standard input) and write it."""
    check_output(output)
    run = {name: options.pop(name) for name in ("unit", "field", "invalid", "threads")}
    wanted = options.pop("progress")
    trainer = make_trainer(**options)
    with progress_bar(wanted) as progress:
        tok = train(corpus, trainer, progress=progress, **run)
    losses = tok.save(output, allow_loss)
    report = summary(tok, output, losses)
    if as_json:
        write_json(report)
    else:
        click.echo("\n".join(summary_lines(report)))


def make_trainer(model: str, **options: Any) -> Trainer:
    """The trainer that the options describe; an option that the model does not have is an error."""
    given = {name: value for name, value in options.items() if value is not None and value != ()}
    unk = given.pop("unk_token")
    given["unk_token"] = unk or None
    if given.get("pattern") == "none":
        given["pattern"] = None
    if model == "bpe":
        return BpeTrainer(**(given | ({} if given.get("alphabet") == "chars" or unk != UNK else {"unk_token": UNK})))
    allowed = {"normalizer", "special_tokens", "unk_token"}
    allowed |= {"vocab_size", "pattern", "min_frequency"} if model == "words" else set()
    extra = sorted(given.keys() - allowed)
    if extra:
        name = "--" + extra[0].replace("_", "-")
        raise ArgumentError(f"The option {name} has no meaning with --model {model}. Leave it out.")
    return CharTrainer(**given) if model == "chars" else WordLevelTrainer(**given)


def check_output(path: str) -> None:
    """Refuses an output that could not be written, before the work is done."""
    suffix = os.path.splitext(path)[1]
    if suffix and suffix not in SUFFIXES and not os.path.isdir(path):
        expected = "a folder (no suffix) or end in " + ", ".join(SUFFIXES)
        raise wrong("--output", "bukva train", expected, path)
    parent = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(parent):
        raise FileError(f"The folder {parent!r} of the output does not exist. Create it first.")


def summary(tok: Tokenizer, output: str, losses: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """What was trained and written, as plain data."""
    record, sizes = tok.training, tok.sizes
    assert record is not None, "train always leaves a record"
    return {
        "output": output,
        "vocabulary": sizes.defined,
        "merges": len(record.merge_counts),
        "special_tokens": tok.special_tokens,
        "documents": record.documents,
        "bytes": record.bytes,
        "replaced_bytes": record.replaced_bytes,
        "pretokens": record.pretokens,
        "pretoken_types": record.pretoken_types,
        "stopped": record.stopped,
        "message": record.message,
        "losses": [list(loss) for loss in losses],
        "fingerprint": tok.fingerprint,
    }


def summary_lines(report: dict[str, Any]) -> list[str]:
    """The summary for people."""
    lines = [
        f"read        {report['documents']:,} documents, {report['bytes']:,} bytes",
        f"pre-tokens  {report['pretokens']:,}, of them {report['pretoken_types']:,} different",
        f"vocabulary  {report['vocabulary']:,} ids, {report['merges']:,} merges: {report['message']}",
        f"wrote       {report['output']}",
    ]
    if report["replaced_bytes"]:
        lines.insert(1, f"replaced    {report['replaced_bytes']:,} bytes that were not UTF-8")
    return [*lines, *(f"lost        {what}: {detail}" for what, detail in report["losses"])]
