"""``bukva demo``: trains on the package's sample and shows everything once."""

from __future__ import annotations

import json
import os
import warnings
from importlib import resources

import click

from ..audit import compression_curve, measure
from ..corpus import iter_texts
from ..errors import BukvaWarning, FileError
from ..report.explain import explain_lines
from ..report.plot import plot_lines
from ..report.tables import curve_lines, measures_lines, merges_lines
from ..tokenizer import Tokenizer
from ..trainers import BpeTrainer
from ..training import train_from_iterator

FOLDER = "bukva-demo"
SENTENCE = {"ru": "Буква «ё» моложе остальных.", "en": "The letters wait."}


@click.command("demo")
@click.argument("corpus", nargs=-1)
@click.option("-o", "--output", default=FOLDER, show_default=True, metavar="FOLDER", help="Where the files go.")
@click.option("--num-merges", type=int, default=2000, show_default=True, metavar="N")
@click.option("--sentence", metavar="TEXT", help="The sentence that is explained.")
def command(corpus: tuple[str, ...], output: str, num_merges: int, sentence: str | None) -> None:
    """Train, encode, measure and explain on CORPUS, or on a small Russian and English sample."""
    warnings.simplefilter("ignore", BukvaWarning)
    texts = {"corpus": "".join(iter_texts(corpus, caller="bukva demo"))} if corpus else samples()
    trained = {name: train_on(text, num_merges) for name, text in texts.items()}
    first = next(iter(trained))
    _say(f"First merges, trained on {first}", merges_lines(trained[first], 15))
    for name, tok in trained.items():
        curve = compression_curve(tok, {key: [text] for key, text in texts.items()})
        _say(f"Compression, trained on {name}", [*plot_lines(curve), "", *curve_lines(curve)])
        measures = {key: measure(tok, [text]) for key, text in texts.items()}
        _say(f"Measures, trained on {name}", measures_lines(measures))
    chosen = sentence or SENTENCE.get(first, texts[first].strip().split("\n")[0][:60])
    _say("One sentence, step by step", explain_lines(trained[first].explain(chosen, disallowed_special=())))
    _say("Files", write_files(output, trained, texts))


def samples() -> dict[str, str]:
    """The package's sample: the same 200 sentences in Russian and English."""
    folder = resources.files("bukva") / "data"
    return {name: (folder / f"sample_{name}.txt").read_text(encoding="utf-8") for name in ("ru", "en")}


def train_on(text: str, num_merges: int) -> Tokenizer:
    """The demo's tokenizer."""
    return train_from_iterator([text], BpeTrainer(num_merges=num_merges, pattern="o200k", tie_break="first_seen"))


def write_files(folder: str, trained: dict[str, Tokenizer], texts: dict[str, str]) -> list[str]:
    """Writes the texts, each tokenizer in three formats, and the curves as JSON; returns the paths."""
    curves = {
        name: compression_curve(tok, {key: [text] for key, text in texts.items()}, steps=50).to_dict()
        for name, tok in trained.items()
    }
    contents = {f"{name}.txt": text for name, text in texts.items()}
    contents["curves.json"] = json.dumps(curves, ensure_ascii=False)
    try:
        paths = [_write(folder, name, content) for name, content in contents.items()]
    except OSError as error:
        raise FileError(f"The folder {folder!r} cannot be written: {error.strerror}. Name another with -o.") from error
    for name, tok in trained.items():
        for path in (
            os.path.join(folder, name),
            *(os.path.join(folder, name + end) for end in (".tiktoken", ".bukva")),
        ):
            tok.save(path, allow_loss=True)
            paths.append(path)
    return paths


def _write(folder: str, name: str, content: str) -> str:
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(content)
    return path


def _say(title: str, lines: list[str]) -> None:
    click.echo("\n".join([title, "─" * len(title), *lines, ""]))
