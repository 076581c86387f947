"""The small table of ``golden/course.json``: lookup, heads, softmax, one step of gradient descent; memory."""

from __future__ import annotations

import numpy as np
import pytest

import bukva
from bukva.embeddings import SGD, check_gradient, half_squared_error, one_hot, softmax


@pytest.fixture
def facts(golden: dict) -> dict:
    return golden["embeddings"]


def test_lookup(facts: dict) -> None:
    table = bukva.Embedding.from_weight(facts["E"])
    assert table(facts["ids"]).tolist() == facts["lookup"]
    assert (one_hot(facts["ids"], 3) @ table.weight).tolist() == facts["lookup"]


def test_tied_and_untied_heads(facts: dict) -> None:
    head = bukva.OutputHead(bukva.Embedding.from_weight(facts["E"]))
    logits = head(facts["h"])
    assert logits.tolist() == facts["tied_logits"]
    assert softmax(logits).round(4).tolist() == pytest.approx(facts["tied_softmax"], abs=1e-7)
    assert int(logits.argmax()) == facts["argmax"]
    assert bukva.OutputHead(facts["untied_U"])(facts["h"]).tolist() == facts["untied_logits"]


def test_a_step_of_gradient_descent(facts: dict) -> None:
    table = bukva.Embedding.from_weight(facts["E"])
    loss = half_squared_error(table(facts["ids"]), facts["targets"])
    assert loss.value == facts["loss"]
    gradient = table.gradient(facts["ids"], loss.gradient)
    assert gradient.tolist() == facts["gradient"]

    def again(rows: np.ndarray) -> float:
        return half_squared_error(bukva.Embedding.from_weight(rows)(facts["ids"]), np.array(facts["targets"])).value

    assert check_gradient(again, table.weight, gradient).passed
    SGD([table.weight], lr=facts["eta"]).step([gradient])
    assert table.weight == pytest.approx(np.array(facts["E_after"]))
    assert again(table.weight.astype(np.float64)) == pytest.approx(facts["loss_after"])


def test_parameters_of_llama(golden: dict, tok: bukva.Tokenizer) -> None:
    facts = golden["memory"]["llama_3_1_8b"]
    byte_a_number = {"vocab_size": facts["V"], "hidden_size": facts["d"], "dtype": "int8"}
    sizes = bukva.model_sizes(tok, byte_a_number | {"tie_word_embeddings": facts["tables"] == 1})
    assert (sizes.embedding_bytes or 0) + (sizes.head_bytes or 0) == facts["params"]
