"""``bukva.compat.tiktoken`` against tiktoken: every method, on a small encoding and on the rank files of OpenAI."""

from __future__ import annotations

import inspect
import pickle
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import tiktoken
from tiktoken.load import load_tiktoken_bpe

import bukva
from bukva.compat import tiktoken as compat

from .nasty_texts import TEXTS
from .openai_encodings import CL100K, ENCODINGS, O200K, R50K, reference

SPECIAL = {"<|endoftext|>": 900, "<|fim|>": 901}
MIXED = [
    "", "a", "hello fanta", "  !", "a \n", "\n \n", "x\n\n", "a  ", "\t\t", "Привет, ми", "日本", "e\u0301", "🦊🦊",
    "x<|endoftext|>", "x<|endoftext|> y", "<|fim|>", "\u3000", "a\u2028", "1234", "it's", "…\u00a0", "th", "a\r\n",
]  # fmt: skip
SURROGATES = ["a\ud800b", "\udc00", "\ud83d\ude00", "x\ud83d\ude00\ud83d"]


def small(pattern: str) -> tuple[compat.Encoding, tiktoken.Encoding]:
    data = Path(bukva.__file__).with_name("data")
    trainer = bukva.BpeTrainer(num_merges=600, pattern="gpt2")
    tok = bukva.train([data / "sample_ru.txt", data / "sample_en.txt"], trainer)
    facts = {"pat_str": pattern, "mergeable_ranks": dict(tok.vocab), "special_tokens": SPECIAL}
    return compat.Encoding("small", **facts), tiktoken.Encoding("small", **facts)


@pytest.fixture(scope="module", params=["gpt2", "cl100k", "o200k", "own"])
def pair(request: pytest.FixtureRequest) -> tuple[compat.Encoding, tiktoken.Encoding]:
    return small({"gpt2": R50K, "cl100k": CL100K, "o200k": O200K, "own": r"\w+|\s+(?!\S)|\s+|[^\w\s]+"}[request.param])


@pytest.fixture(scope="module", params=["cl100k_base", "o200k_base"])
def real(request: pytest.FixtureRequest, artefact: Callable[[str], Path]) -> tuple[compat.Encoding, tiktoken.Encoding]:
    path = artefact(f"openai/{request.param}.tiktoken")
    return compat.get_encoding(request.param, path=path), reference(request.param, path)


def outcome(call: Callable[[], object]) -> object:
    """The value, or the type of the error that tiktoken documents."""
    try:
        return call()
    except (KeyError, OverflowError, UnicodeError, ValueError, TypeError, AssertionError) as error:
        kinds = (KeyError, OverflowError, UnicodeDecodeError, UnicodeEncodeError, ValueError, TypeError, AssertionError)
        return next(kind for kind in kinds if isinstance(error, kind))


def assert_same(ours: compat.Encoding, theirs: tiktoken.Encoding, texts: list[str]) -> None:
    for text in texts:
        for name in ("encode_ordinary", "encode", "encode_single_token", "_encode_single_piece"):
            if name == "_encode_single_piece" and not text:
                continue  # tiktoken panics
            assert outcome(lambda n=name, t=text: getattr(ours, n)(t)) == outcome(
                lambda n=name, t=text: getattr(theirs, n)(t)
            ), (name, text)
        ids = theirs.encode(text, allowed_special="all")
        assert ours.encode(text, allowed_special="all") == ids
        assert ours.decode(ids) == theirs.decode(ids)
        assert ours.decode_bytes(ids) == theirs.decode_bytes(ids)
        assert ours.decode_tokens_bytes(ids) == theirs.decode_tokens_bytes(ids)
        assert outcome(lambda i=ids: ours.decode_with_offsets(i)) == outcome(
            lambda i=ids: theirs.decode_with_offsets(i)
        )
    plain = [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts]
    assert ours.encode_ordinary_batch(texts, num_threads=2) == theirs.encode_ordinary_batch(texts, num_threads=2)
    assert ours.encode_batch(texts, disallowed_special=()) == theirs.encode_batch(texts, disallowed_special=())
    ids = theirs.encode_ordinary_batch(plain)
    assert ours.decode_batch(ids) == theirs.decode_batch(ids)
    assert ours.decode_bytes_batch(ids) == theirs.decode_bytes_batch(ids)


def assert_unstable(ours: compat.Encoding, theirs: tiktoken.Encoding, texts: list[str]) -> None:
    for text in texts:
        stable, found = ours.encode_with_unstable(text, allowed_special="all")
        expected, completions = theirs.encode_with_unstable(text, allowed_special="all")
        assert stable == expected, text
        assert found == sorted(completions), text


def test_small(pair: tuple) -> None:
    assert_same(*pair, MIXED + SURROGATES + TEXTS)


def test_small_unstable(pair: tuple) -> None:
    drawn = random.Random(3)
    letters = ["a", "th", " ", "\n", "\t", "é", "\u3000", "日", "1", "'", "s", ".", "<|fim|>", "ка", "\r", "\u00a0"]
    mixtures = ["".join(drawn.choices(letters, k=drawn.randint(1, 7))) for _ in range(150)]
    assert_unstable(*pair, MIXED + mixtures)


def test_real(real: tuple, nasty: list[tuple[str, str]]) -> None:
    assert_same(*real, MIXED + SURROGATES + [text for _, text in nasty if len(text) < 20_000])


def test_real_unstable(real: tuple) -> None:
    assert_unstable(*real, [text for text in MIXED if text not in ("a  ", "\t\t", "\n \n", "  !")])


@pytest.mark.heavy
def test_real_unstable_spaces(real: tuple) -> None:
    assert_unstable(*real, ["a  ", "\t\t", "\n \n", "  !", "a \n \n", "x\u3000\u3000", "日本語", "Привет"])


@pytest.mark.parametrize("allowed", ["all", set(), {"<|fim|>"}, {"<|endoftext|>", "unknown"}])
@pytest.mark.parametrize("disallowed", ["all", (), {"<|endoftext|>"}, ["fox"], {"<|fim|>", "ox"}, frozenset()])
def test_policy(pair: tuple, allowed: object, disallowed: object) -> None:
    options = {"allowed_special": allowed, "disallowed_special": disallowed}
    for text in ["fox", "x<|fim|>", "<|endoftext|><|fim|>", "plain", "<|fim|>\ud800"]:
        for name in ("encode", "encode_to_numpy"):
            results = [outcome(lambda e=e, n=name, t=text: _listed(getattr(e, n)(t, **options))) for e in pair]
            assert results[0] == results[1], (name, text)
        results = [outcome(lambda e=e, t=text: e.encode_batch([t], **options)) for e in pair]
        assert results[0] == results[1], text
        if "\ud800" not in text:
            results = [outcome(lambda e=e, t=text: e.encode_with_unstable(t, **options)[0]) for e in pair]
            assert results[0] == results[1], text


def _listed(ids: object) -> object:
    if isinstance(ids, np.ndarray):
        assert ids.dtype == np.uint32
        return ids.tolist()
    return ids


def test_attributes(pair: tuple) -> None:
    ours, theirs = pair
    for name in ("name", "max_token_value", "n_vocab", "eot_token", "special_tokens_set", "_special_tokens",
                 "_mergeable_ranks", "_pat_str"):  # fmt: skip
        assert getattr(ours, name) == getattr(theirs, name), name
    assert repr(ours) == repr(theirs)
    assert ours.token_byte_values() == theirs.token_byte_values()
    for token in [0, 5, 899, 900, 901]:
        assert ours.is_special_token(token) == theirs.is_special_token(token)


@pytest.mark.parametrize("token", [0, 300, 855, 856, 899, 900, 902, 10**6, 2**32, -1, "a", None])
def test_ids_that_are_none(pair: tuple, token: object) -> None:
    for name in ("decode_single_token_bytes", "is_special_token", "encode_single_token"):
        results = [outcome(lambda e=e, n=name: getattr(e, n)(token)) for e in pair]
        assert results[0] == results[1], name
    for name in ("decode", "decode_bytes", "decode_tokens_bytes", "decode_with_offsets"):
        results = [outcome(lambda e=e, n=name: getattr(e, n)([token])) for e in pair]
        assert results[0] == results[1], name


@pytest.mark.parametrize("errors", ["strict", "replace", "ignore", "backslashreplace", "surrogateescape"])
def test_decode_errors(pair: tuple, errors: str) -> None:
    ours, theirs = pair
    ids = [theirs.encode_single_token(bytes([byte])) for byte in b"a\xd0b\xf0\x9f"]
    assert outcome(lambda: ours.decode(ids, errors)) == outcome(lambda: theirs.decode(ids, errors))
    assert outcome(lambda: ours.decode_batch([ids], errors=errors)) == outcome(
        lambda: theirs.decode_batch([ids], errors=errors)
    )


def test_bytes(pair: tuple) -> None:
    ours, theirs = pair
    drawn = random.Random(5)
    parts = [b"hello", b" ", b"\n", b"\xd0", b"\xff", b"\xf0\x9f\xa6", "ка".encode(), b"\x80"]
    for _ in range(300):
        data = b"".join(drawn.choices(parts, k=drawn.randint(0, 8)))
        assert ours._encode_bytes(data) == theirs._encode_bytes(data), data
    assert ours._encode_bytes(b"\xff" * 100_000) == theirs._encode_bytes(b"\xff" * 100_000)


def test_pickle(pair: tuple) -> None:
    ours, _ = pair
    copy = pickle.loads(pickle.dumps(ours))
    assert (repr(copy), copy.encode("hello"), copy._pat_str) == (repr(ours), ours.encode("hello"), ours._pat_str)
    assert copy.special_tokens_set == ours.special_tokens_set


def test_signatures() -> None:
    for name in dir(tiktoken.Encoding):
        theirs = getattr(tiktoken.Encoding, name)
        if name.startswith("__") or not inspect.isfunction(theirs):
            continue
        ours = inspect.signature(getattr(compat.Encoding, name)).parameters
        expected = inspect.signature(theirs).parameters
        assert list(ours) == list(expected), name
        for key, parameter in expected.items():
            assert ours[key].kind == parameter.kind, (name, key)
            assert ours[key].default == parameter.default, (name, key)


def test_models() -> None:
    from tiktoken import model

    names = [*model.MODEL_TO_ENCODING, *(prefix + "x" for prefix in model.MODEL_PREFIX_TO_ENCODING), "gpt-oss-20b"]
    for name in names:
        assert compat.encoding_name_for_model(name) == tiktoken.encoding_name_for_model(name), name
    for name in ["", "gpt", "gpt-4x", "llama"]:
        assert outcome(lambda n=name: compat.encoding_name_for_model(n)) == outcome(
            lambda n=name: tiktoken.encoding_name_for_model(n)
        )
    assert sorted(compat.list_encoding_names()) == sorted(tiktoken.list_encoding_names())


def test_harmony(artefact: Callable[[str], Path]) -> None:
    path = artefact("openai/o200k_base.tiktoken")
    ours = compat.get_encoding("o200k_harmony", path=path.parent)
    assert (ours.n_vocab, len(ours.special_tokens_set)) == (201_088, 1091)
    assert ours.encode("<|start|>user", allowed_special="all")[0] == 200_006
    base = load_tiktoken_bpe(str(path))
    assert ours._mergeable_ranks == base
    assert ENCODINGS["o200k_base"][0] == ours._pat_str
