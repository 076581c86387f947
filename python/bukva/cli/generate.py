"""``bukva generate``: the loop closed, from a text through vectors to a text."""

from __future__ import annotations

from typing import Any

import click

from ..corpus import iter_texts
from .options import corpus_options, json_option, open_tokenizer, progress_option, tokenizer_options, write_json
from .progress import progress_bar


@click.command("generate")
@tokenizer_options
@click.argument("corpus", nargs=-1)
@click.option("--prompt", default="", metavar="TEXT", help="The text to go on from.")
@click.option("--length", type=int, default=100, show_default=True, metavar="N", help="Tokens to generate.")
@click.option("--temperature", type=float, default=1.0, show_default=True, metavar="T", help="0 takes the likeliest.")
@click.option("--top-k", type=int, metavar="K", help="Only the K likeliest ids.")
@click.option("--top-p", type=float, metavar="P", help="Only the fewest likeliest ids that together reach P.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="Of training and of drawing.")
@click.option("--dim", type=int, default=64, show_default=True, metavar="N", help="Numbers in a row of the table.")
@click.option("--epochs", type=int, default=5, show_default=True, metavar="N", help="Times through the corpus.")
@click.option("--tied", is_flag=True, help="One table for input and output.")
@click.option("--save", metavar="PATH", help="Write the trained model to x.safetensors.")
@click.option("--load", metavar="PATH", help="Take a model that --save wrote, instead of training one.")
@corpus_options
@progress_option
@json_option
def command(
    tokenizer: str,
    encoding: str | None,
    pattern: str | None,
    corpus: tuple[str, ...],
    prompt: str,
    length: int,
    seed: int,
    save: str | None,
    load: str | None,
    progress: bool | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Train the smallest language model on CORPUS, or --load one, and let it go on from a text.

    The model knows which token follows which, and nothing else: it shows the whole path, it does not write sense.
    """
    from ..embeddings import Sampling, load_language_model, save_language_model, train_language_model

    if bool(corpus) == (load is not None):
        raise click.UsageError("Give either a corpus to train on, or --load with a trained model.")
    tok = open_tokenizer(tokenizer, encoding, pattern)
    sampling = Sampling(**{name: options.pop(name) for name in ("temperature", "top_k", "top_p")})
    tok.encode(prompt)  # A prompt that is refused should be so before the training.
    shape = {name: options.pop(name) for name in ("dim", "epochs", "tied")}
    if load is not None:
        model = load_language_model(load, tok)
    else:
        texts = list(iter_texts(corpus, caller="bukva generate", **options))
        with progress_bar(progress) as report:
            model = train_language_model(texts, tok, seed=seed, progress=report, **shape)
    if save is not None:
        save_language_model(model, save)
    pieces = model.generate(prompt, max_tokens=length, sampling=sampling, seed=seed)
    if as_json:
        write_json({"prompt": prompt, "text": "".join(pieces), "epoch_losses": list(model.losses)})
        return
    click.echo(prompt, nl=False)
    for piece in pieces:
        click.echo(piece, nl=False)
    click.echo()
