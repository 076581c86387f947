"""Any table of words survives every file; any damage is an error of the package or another sound table."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import bukva
from bukva.embeddings import NgramScheme
from bukva.embeddings.files import load_vectors
from bukva.reference.subwords import fasttext_buckets

WORD = st.text(st.characters(exclude_categories=("Cs",)), max_size=6)
FORMS = ("safetensors", "word2vec", "glove", "word2vec_binary", "fasttext", "npy", "projector")
FINITE = st.floats(width=32, allow_nan=False, allow_infinity=False)


@st.composite
def tables(draw: st.DrawFn) -> bukva.WordVectors:
    words = draw(st.lists(WORD, min_size=2, max_size=6, unique=True))
    shape = (len(words), draw(st.integers(2, 4)))
    return bukva.WordVectors(words, draw(arrays.arrays(np.float32, shape, elements=FINITE)))


@given(tables(), st.sampled_from(FORMS))
def test_what_is_written_is_read(vectors: bukva.WordVectors, form: str) -> None:
    with TemporaryDirectory() as scratch:
        path = Path(scratch) / "x.tsv"
        try:
            vectors.save(path, format=form)
        except bukva.LossError:
            assert form != "safetensors"
            assert any(not word or set(word) & set(" \t\r\n\v\f\0") for word in vectors.words)
            return
        found = load_vectors(path, form)
        assert found.words == vectors.words
        assert found.matrix.tobytes() == vectors.matrix.tobytes()


@given(tables(), st.sampled_from(FORMS), st.integers(0, 400), st.binary(max_size=4), st.integers(0, 4))
def test_damage_is_an_error_or_another_table(
    vectors: bukva.WordVectors, form: str, at: int, put: bytes, cut: int
) -> None:
    with TemporaryDirectory() as scratch:
        path = Path(scratch) / "x.tsv"
        try:
            vectors.save(path, format=form)
        except bukva.LossError:
            return
        content = path.read_bytes()
        at %= len(content)
        path.write_bytes(content[:at] + put + content[at + cut :])
        for given_form in (form, None):
            try:
                found = load_vectors(path, given_form)
                assert found.matrix.shape == (len(found.words), found.dim)
                found.neighbors(found.words[0], 2)
            except bukva.BukvaError:
                continue


@given(
    arrays.arrays(np.float32, (30, 5), elements=FINITE),
    st.integers(1, 40),
    st.lists(st.integers(0, 29), max_size=3),
)
def test_the_scan_of_bytes_leaves_no_near_row_out(matrix: np.ndarray, k: int, excluded: list[int]) -> None:
    from bukva import _core
    from bukva.embeddings.neighbors import cosines

    query = matrix[0].astype(np.float64)
    if not query.any():
        with pytest.raises(bukva.ArgumentError, match="all zeros"):
            bukva.WordVectors([str(n) for n in range(30)], matrix).neighbors("0")
        return
    query /= np.linalg.norm(query)
    found = set(_core.NearCodes(matrix).candidates(query.astype(np.float32), k, 30, excluded).tolist())
    vectors = bukva.WordVectors([str(n) for n in range(30)], matrix)
    left = [row for row in range(30) if row not in excluded]
    scores = dict(zip(left, cosines(vectors, query, np.array(left)), strict=True))
    assert set(sorted(left, key=lambda row: (-scores[row], row))[:k]) <= found
    assert found <= set(left)


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=20), st.integers(1, 5), st.integers(0, 5))
def test_ngrams_are_those_of_the_definition(word: str, minn: int, more: int) -> None:
    scheme = NgramScheme("fasttext", minn, minn + more, 1000)
    assert scheme.buckets(word).tolist() == fasttext_buckets(word, minn, minn + more, 1000)
    hashed = NgramScheme("floret", minn, minn + more, 1000, 3).buckets(word)
    assert len(hashed) == 3 * (len(scheme.buckets(word)) + 1)
