"""Tables for an edited or replaced vocabulary: kept rows bit by bit, the others by their definitions."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import bukva
from bukva.embeddings import align_vectors, grow_checkpoint, grow_table, token_vectors
from bukva.embeddings.files.safetensors import Tensor, TensorFile, tensor_of, write_tensors
from bukva.embeddings.growing.methods import sparsemax
from bukva.embeddings.growing.rows import narrowed, widened

TEXT = "низко летали ласточки, ласточки летали низко, низко " * 3
OLD = bukva.train_from_iterator([TEXT], bukva.BpeTrainer(num_merges=10, special_tokens=["<s>", "<pad>"]))
GROWN = bukva.train_from_iterator([TEXT], bukva.BpeTrainer(num_merges=25, special_tokens=["<s>", "<pad>", "<tool>"]))
OTHER = bukva.train_from_iterator(
    ["the cat sat on the mat, the cat"], bukva.BpeTrainer(num_merges=12, alphabet="chars")
)
ROWS, DIM = OLD.sizes.id_range, 6
TABLE = np.random.default_rng(0).normal(size=(ROWS + 3, DIM)).astype(np.float32)
HEAD = np.random.default_rng(1).normal(size=(ROWS + 3, DIM)).astype(np.float32)


def token_of(tok: bukva.Tokenizer) -> dict[int, object]:
    names: dict[int, object] = {number: token for token, number in tok.vocab.items()}
    return names | {number: text for text, number in tok.special_tokens.items()}


OLD_ID = {token: number for number, token in token_of(OLD).items()}


def grown_by(method: str, **options: object) -> bukva.embeddings.Grown:
    return grow_table(TABLE, OLD, GROWN, head=HEAD, method=method, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["mean", "subtokens", "normal"])
def test_rows_of_known_tokens_are_copied_wherever_they_move(method: str) -> None:
    found = grown_by(method)
    assert found.embedding.shape == found.head.shape == (GROWN.sizes.id_range, DIM)  # type: ignore[union-attr]
    moved = 0
    for number, token in token_of(GROWN).items():
        if token in OLD_ID:
            moved += number != OLD_ID[token]
            assert found.embedding[number].tobytes() == TABLE[OLD_ID[token]].tobytes()
            assert found.head[number].tobytes() == HEAD[OLD_ID[token]].tobytes()  # type: ignore[index]
            assert found.record.of(number)["how"] == "kept"
    assert moved > 200
    assert found.record.counts["kept"] == ROWS
    assert np.isfinite(found.embedding).all()


def test_the_mean_is_that_of_rows_with_ids() -> None:
    found = grown_by("mean")
    new = [number for number, token in token_of(GROWN).items() if token not in OLD_ID]
    assert len(new) == 16
    for number in new:
        assert found.embedding[number] == pytest.approx(TABLE[:ROWS].mean(axis=0), abs=1e-6)
        assert found.head[number] == pytest.approx(HEAD[:ROWS].mean(axis=0), abs=1e-6)  # type: ignore[index]
    assert found.record.counts == {"kept": ROWS, "mean": 16}


def test_subtokens_are_those_of_the_old_tokenizer() -> None:
    found = grown_by("subtokens")
    for number, token in token_of(GROWN).items():
        if token in OLD_ID:
            continue
        text = token if isinstance(token, str) else token.decode(errors="replace")  # type: ignore[union-attr]
        facts = found.record.of(number)
        if "\ufffd" in text:
            assert facts["how"] == "subtokens"
            ids = [OLD_ID[bytes([byte])] for byte in token]  # type: ignore[union-attr, index]
        else:
            ids = OLD.encode_ordinary(text)
        assert found.embedding[number] == pytest.approx(TABLE[ids].mean(axis=0), abs=1e-6)
        assert sorted(source for source, _ in facts["sources"]) == sorted(ids)[:10]
    tool = GROWN.special_tokens["<tool>"]
    assert found.record.of(tool) | {"sources": 0} == {
        "row": tool,
        "how": "subtokens",
        "sort": "special",
        "token": "<tool>",
        "n_sources": len(OLD.encode_ordinary("<tool>")),
        "sources": 0,
    }


def test_normal_rows_have_the_moments_of_the_table_and_a_seed() -> None:
    big = bukva.train_from_iterator(
        [TEXT], bukva.BpeTrainer(num_merges=10, special_tokens=[f"<{n}>" for n in range(900)])
    )
    found = grow_table(TABLE, OLD, big, method="normal", seed=1)
    rows = found.embedding[[big.special_tokens[f"<{n}>"] for n in range(900)]]
    assert rows.mean(axis=0) == pytest.approx(TABLE[:ROWS].mean(axis=0), abs=0.15)
    assert rows.std(axis=0) == pytest.approx(TABLE[:ROWS].std(axis=0), rel=0.12)
    assert np.array_equal(found.embedding, grow_table(TABLE, OLD, big, method="normal", seed=1).embedding)
    assert not np.array_equal(found.embedding, grow_table(TABLE, OLD, big, method="normal", seed=2).embedding)


def test_padding_stays_padding() -> None:
    more = bukva.train_from_iterator([TEXT], bukva.BpeTrainer(num_merges=11, special_tokens=["<s>", "<pad>"]))
    found = grow_table(TABLE, OLD, more, multiple_of=64)
    assert len(found.embedding) == 320
    assert found.head is None
    assert found.record.tied
    for row in range(more.sizes.id_range, ROWS + 3):
        assert found.embedding[row].tobytes() == TABLE[row].tobytes()
        assert found.record.of(row) == {"row": row, "how": "unused", "old_row": row}
    assert found.embedding[-1] == pytest.approx(TABLE[:ROWS].mean(axis=0), abs=1e-6)
    assert len(grow_table(TABLE, OLD, more, rows=300).embedding) == 300


def test_a_smaller_vocabulary_drops_rows() -> None:
    found = grow_table(TABLE, OLD, OTHER)
    assert len(found.embedding) == OTHER.sizes.id_range < ROWS
    for token, number in OTHER.vocab.items():
        if token in OLD_ID:
            assert found.embedding[number].tobytes() == TABLE[OLD_ID[token]].tobytes()


def test_spaces_and_bytes_are_compared_by_what_they_mean(artefact: Callable[[str], Path]) -> None:
    old = bukva.load(artefact("llama2/llama2.model"))
    new = bukva.load(artefact("mistral03/tokenizer.json"))
    table = np.arange(old.sizes.id_range, dtype=np.float32)[:, None] * np.ones(2, np.float32)
    record = grow_table(table, old, new).record
    for text, byte in (("▁the", None), ("<0x0A>", b"\n")):
        number, source = (tok.vocab.id(text.encode()) for tok in (new, old))
        assert record.of(number) == {  # type: ignore[arg-type]
            "row": number,
            "how": "kept",
            "sort": "ordinary",
            "token": byte.decode() if byte else " the",
            "old_row": source,
        }
    bytes_only = bukva.load(artefact("qwen3/tokenizer.json"))
    found = grow_table(table, old, bytes_only).record
    row = bytes_only.vocab.id(" раз".encode())
    assert row is not None
    assert found.of(row)["old_row"] == old.vocab.id("▁раз".encode())


def test_sparsemax_by_its_definition() -> None:
    scores = np.random.default_rng(0).normal(size=(50, 7))
    weights = sparsemax(scores)
    assert weights.sum(axis=1) == pytest.approx(np.ones(50))
    assert (weights >= 0).all()
    # Nearest point of the simplex: no direction towards a corner lowers the distance.
    corners = ((scores - weights)[:, :, None] * (np.eye(7) - weights[:, :, None])).sum(axis=1)
    assert corners.max() < 1e-9
    assert sparsemax(np.array([[0.0, 0.0], [5.0, 0.0]])).tolist() == [[0.5, 0.5], [1, 0]]


def auxiliary(tok: bukva.Tokenizer, seed: int) -> np.ndarray:
    vectors = np.random.default_rng(seed).normal(size=(tok.sizes.id_range, 5))
    vectors[tok.special_tokens["<s>"]] = 0
    return vectors


def test_focus_mixes_kept_rows_by_sparsemax() -> None:
    vectors = auxiliary(GROWN, 3)
    tool = GROWN.special_tokens["<tool>"]
    vectors[tool] = 0
    found = grown_by("focus", vectors=vectors)
    names = token_of(GROWN)
    overlap = [number for number, token in names.items() if token in OLD_ID and vectors[number].any()]
    units = vectors / np.maximum(np.linalg.norm(vectors, axis=1), 1e-12)[:, None]
    asked = [number for number, token in names.items() if token not in OLD_ID and number != tool]
    for number in asked:
        weights = sparsemax((units[overlap] @ units[number])[None])[0]
        expected = weights @ TABLE[[OLD_ID[names[other]] for other in overlap]]
        assert found.embedding[number] == pytest.approx(expected, abs=1e-5)
        assert found.record.of(number)["n_sources"] == (weights > 0).sum()
    assert found.record.of(tool)["how"] == "normal"
    assert found.record.counts == {"kept": ROWS, "similar": 15, "normal": 1}


def test_wechsel_mixes_ten_neighbors_by_softmax() -> None:
    vectors, old_vectors = auxiliary(GROWN, 3), auxiliary(OLD, 4)
    found = grown_by("wechsel", vectors=vectors, old_vectors=old_vectors, keep="special")
    assert found.record.counts["kept"] == 2
    number = GROWN.special_tokens["<tool>"]
    known = [row for row in range(ROWS) if old_vectors[row].any()]
    cosines = np.array(
        [
            vectors[number] @ old_vectors[row] / np.linalg.norm(vectors[number]) / np.linalg.norm(old_vectors[row])
            for row in known
        ]
    )
    best = np.argsort(-cosines)[:10]
    weights = np.exp(cosines[best] / 0.1)
    expected = weights / weights.sum() @ TABLE[np.array(known)[best]]
    assert found.embedding[number] == pytest.approx(expected, abs=1e-5)
    assert found.record.of(number)["how"] == "similar"


def test_token_vectors_are_means_of_words() -> None:
    words = bukva.WordVectors(["низко", "летали", "xyz"], np.eye(3), counts=[3, 1, 1])
    found = token_vectors(OLD, words)
    assert found.shape == (ROWS, 3)
    spelled = {word: set(OLD.encode_ordinary(" " + word)) for word in words.words}
    for number in range(ROWS):
        counts = [words.counts[row] if number in spelled[word] else 0 for row, word in enumerate(words.words)]  # type: ignore[index]
        total = sum(counts)
        assert found[number] == pytest.approx([count / total if total else 0 for count in counts])


def test_vectors_of_ids_go_to_their_ids() -> None:
    trained = bukva.WordVectors(["a", "b"], [[1.0, 2], [3, 4]], record={"token_ids": [7, 2]})
    found = token_vectors(OLD, trained)
    assert found[[7, 2]].tolist() == [[1, 2], [3, 4]]
    assert np.count_nonzero(found) == 4
    with pytest.raises(bukva.ArgumentError, match="another tokenizer: 2 ids up to 99999"):
        token_vectors(OLD, bukva.WordVectors(["a", "b"], np.ones((2, 2)), record={"token_ids": [7, 99999]}))


def test_spaces_are_laid_over_each_other() -> None:
    rng = np.random.default_rng(0)
    table = rng.normal(size=(30, 5))
    turn = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    source = bukva.WordVectors([f"a{n}" for n in range(30)], table)
    target = bukva.WordVectors([f"b{n}" for n in range(30)], table @ turn * 2)
    found = align_vectors(source, target, [(f"a{n}", f"b{n}") for n in range(8)] + [("x", "b1")])
    assert found.matrix * 2 == pytest.approx(target.matrix, abs=1e-4)
    with pytest.raises(bukva.ArgumentError, match="No pair"):
        align_vectors(source, target, [("x", "y")])
    with pytest.raises(bukva.ArgumentError, match=r"5 numbers.*4 numbers"):
        align_vectors(source, bukva.WordVectors(["b"], np.ones((1, 4))), [])


def test_bfloat16_is_rounded_to_the_nearest_even() -> None:
    numbers = np.array([1.0, 1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-20, -2.5, 0, 3e38])
    expected = [1.0, 1.0, 1 + 2**-6, 1 + 2**-7, -2.5, 0, 3.0041e38]
    assert widened(narrowed(numbers, "BF16"), "BF16") == pytest.approx(expected, rel=1e-3)
    assert widened(narrowed(numbers, "BF16"), "BF16")[:6].tolist() == expected[:6]
    every = np.arange(1 << 16, dtype=np.uint16)
    finite = every[(every & 0x7F80) != 0x7F80]
    assert np.array_equal(narrowed(widened(finite, "BF16"), "BF16"), finite)


KINDS = {"F32": TABLE, "F16": TABLE.astype(np.float16), "BF16": narrowed(TABLE.astype(np.float64), "BF16")}


@pytest.mark.parametrize("dtype", KINDS)
def test_types_are_kept(dtype: str) -> None:
    table = KINDS[dtype]
    found = grow_table(table, OLD, GROWN)
    assert found.embedding.dtype == table.dtype
    assert found.record.tables == {"embedding": dtype}
    wide = widened(table, dtype)
    tool = GROWN.special_tokens["<tool>"]
    mean = wide[OLD.encode_ordinary("<tool>")].mean(axis=0)
    assert np.array_equal(found.embedding[tool], narrowed(mean, dtype))
    assert found.embedding[GROWN.special_tokens["<pad>"]].tobytes() == table[OLD.special_tokens["<pad>"]].tobytes()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "best"}, "'method' parameter of grow_table must be one of 'mean', 'subtokens'"),
        ({"method": "focus"}, "'focus' of grow_table needs 'vectors'"),
        ({"method": "wechsel", "vectors": np.ones((400, 2))}, "needs 'old_vectors'"),
        ({"method": "focus", "vectors": np.ones((3, 2))}, r"ids, d\). Got shape \(3, 2\)"),
        ({"method": "focus", "vectors": np.zeros((400, 2))}, "FOCUS has nothing to mix"),
        ({"method": "wechsel", "vectors": np.ones((400, 2)), "old_vectors": np.ones((400, 3))}, "2 and 3 columns"),
        ({"rows": 5}, r"'rows' parameter of grow_table is 5, but the new vocabulary needs \d+ rows"),
        ({"multiple_of": 0}, "'multiple_of'"),
        ({"keep": "none"}, "'keep'"),
        ({"head": HEAD[:5]}, "head has 5 rows, the embedding"),
        ({"head": [[1.0]]}, "'head' parameter of grow_table must be float32"),
    ],
)
def test_bad_options(options: dict, message: str) -> None:
    with pytest.raises(bukva.ArgumentError, match=message):
        grow_table(TABLE, OLD, GROWN, **options)


def test_bad_tables() -> None:
    with pytest.raises(bukva.ArgumentError, match=r"table has 9 rows, the old vocabulary needs 268"):
        grow_table(TABLE[:9], OLD, GROWN)
    broken = TABLE.copy()
    broken[7, 1] = np.nan
    with pytest.raises(bukva.ArgumentError, match="Row 7 of 'embedding' is not finite"):
        grow_table(broken, OLD, GROWN)


NAMES = ("model.embed_tokens.weight", "lm_head.weight", "lm_head.bias", "model.norm.weight")
OPAQUE = Tensor("F8_E4M3", (8,), [bytes(range(8))], 8)


def write_model(folder: Path, sharded: bool, tied: bool = False) -> None:
    folder.mkdir()
    tables = {
        NAMES[0]: Tensor("BF16", TABLE.shape, [KINDS["BF16"].tobytes()], KINDS["BF16"].nbytes),
        NAMES[1]: tensor_of(HEAD.astype(np.float16)),
        NAMES[2]: tensor_of(np.arange(len(HEAD), dtype=np.float32)),
        NAMES[3]: OPAQUE,
    }
    if tied:
        tables = {name: tables[name] for name in (NAMES[0], NAMES[3])}
    config = {"model_type": "x", "text_config": {"vocab_size": len(TABLE)}, "tie_word_embeddings": tied}
    (folder / "config.json").write_text(json.dumps(config))
    if not sharded:
        write_tensors(folder / "model.safetensors", tables, {"format": "pt"})
        return
    names = {"a.safetensors": NAMES[:1], "b.safetensors": NAMES[1:3], "c.safetensors": NAMES[3:]}
    for file, held in names.items():
        write_tensors(folder / file, {name: tables[name] for name in held}, {"format": "pt"})
    index = {
        "metadata": {"total_size": sum(tensor.n_bytes for tensor in tables.values())},
        "weight_map": {name: file for file, held in names.items() for name in held},
    }
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))


@pytest.mark.parametrize("sharded", [False, True])
def test_checkpoints_are_written_anew(tmp_path: Path, sharded: bool) -> None:
    write_model(tmp_path / "old", sharded)
    record = grow_checkpoint(tmp_path / "old", tmp_path / "new", OLD, GROWN, method="mean", multiple_of=8)
    files = {path.name: TensorFile(path) for path in (tmp_path / "new").glob("*.safetensors")}
    assert set(files) == {path.name for path in (tmp_path / "old").glob("*.safetensors")}
    found = {name: file for file in files.values() for name in file.entries}
    assert all(file.metadata == {"format": "pt"} for file in files.values())
    rows = -(-GROWN.sizes.id_range // 8) * 8
    assert found[NAMES[3]].data[found[NAMES[3]].entry(NAMES[3]).start :][:8] == bytes(range(8))
    for name, old in (
        (NAMES[0], KINDS["BF16"]),
        (NAMES[1], HEAD.astype(np.float16)),
        (NAMES[2], np.arange(len(HEAD), dtype="f")),
    ):
        array = found[name].array(name)
        assert len(array) == rows
        for number, token in token_of(GROWN).items():
            if token in OLD_ID:
                assert array[number].tobytes() == old[OLD_ID[token]].tobytes()
    tool = GROWN.special_tokens["<tool>"]
    assert found[NAMES[2]].array(NAMES[2])[tool] == pytest.approx(np.arange(ROWS).mean())
    assert (record.tied, record.rows, list(record.tables)) == (False, rows, list(NAMES[:3]))
    config = json.loads((tmp_path / "new" / "config.json").read_text())
    assert config["text_config"]["vocab_size"] == rows
    if sharded:
        index = json.loads((tmp_path / "new" / "model.safetensors.index.json").read_text())
        sizes = [entry.end - entry.start for file in files.values() for entry in file.entries.values()]
        assert index["metadata"]["total_size"] == sum(sizes)
    record.save(tmp_path / "record.json")
    facts = json.loads((tmp_path / "record.json").read_text(encoding="utf-8"))
    assert facts["counts"]["mean"] == len(facts["initialised"]) == 16
    moved = next(number for number, token in token_of(GROWN).items() if OLD_ID.get(token, number) != number)
    assert facts["moved"][str(moved)] == OLD_ID[token_of(GROWN)[moved]]


def test_a_tied_model_has_one_table(tmp_path: Path) -> None:
    write_model(tmp_path / "old", False, tied=True)
    record = grow_checkpoint(tmp_path / "old", tmp_path / "new", OLD, GROWN)
    assert record.tied
    assert list(record.tables) == [NAMES[0]]
    record = grow_checkpoint(
        tmp_path / "old/model.safetensors", tmp_path / "one.safetensors", OLD, GROWN, embedding=NAMES[0]
    )
    assert len(TensorFile(tmp_path / "one.safetensors").array(NAMES[0])) == record.rows


def test_bad_checkpoints(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    write_model(old, True)
    with pytest.raises(bukva.ArgumentError, match="another path than the source"):
        grow_checkpoint(old, old, OLD, GROWN)
    with pytest.raises(
        bukva.ArgumentError, match=r"no tensor 'x'. Tensors of two dimensions: 'model.embed_tokens.weight'"
    ):
        grow_checkpoint(old, new, OLD, GROWN, embedding="x")
    with pytest.raises(bukva.ArgumentError, match=r"'model.norm.weight' is F8_E4M3 of shape \[8\]"):
        grow_checkpoint(old, new, OLD, GROWN, also=["model.norm.weight"])
    with pytest.raises(bukva.FileError, match=r"neither model.safetensors nor model.safetensors.index.json"):
        grow_checkpoint(tmp_path, new, OLD, GROWN)
    index = old / "model.safetensors.index.json"
    for content, message in [
        ("[", "not JSON"),
        ("[]", "not a JSON object"),
        ('{"weight_map": {"a": "../a"}}', "no weight_map"),
        ("{}", "no weight_map"),
    ]:
        index.write_text(content)
        with pytest.raises(bukva.FormatError, match=message):
            grow_checkpoint(old, new, OLD, GROWN)
    assert not new.exists()
    model = tmp_path / "m.safetensors"
    write_tensors(model, {"a.wte.weight": tensor_of(TABLE), "b.wte.weight": tensor_of(TABLE)})
    with pytest.raises(bukva.ArgumentError, match=r"Several tensors could be meant: 'a.wte.weight', 'b.wte.weight'"):
        grow_checkpoint(model, new, OLD, GROWN)
    write_tensors(model, {"wte.weight": tensor_of(TABLE), "lm_head.weight": tensor_of(HEAD[1:])})
    with pytest.raises(bukva.ArgumentError, match=r"rows. They need one an id"):
        grow_checkpoint(model, new, OLD, GROWN)
    write_tensors(model, {"t": tensor_of(TABLE)})
    with pytest.raises(bukva.ArgumentError, match=r"No table of embeddings has a usual name.*There are 't'"):
        grow_checkpoint(model, new, OLD, GROWN)


def test_an_untied_model_without_a_head_is_not_guessed(tmp_path: Path) -> None:
    write_model(tmp_path / "old", False, tied=True)
    (tmp_path / "old" / "config.json").write_text('{"tie_word_embeddings": false}')
    with pytest.raises(bukva.ArgumentError, match="head is not tied, but no head has a usual name"):
        grow_checkpoint(tmp_path / "old", tmp_path / "new", OLD, GROWN)
