"""The small experiment of ``golden/course.json``: words of a group end up together, from neighbours alone."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from bukva.embeddings import WordVectors, pca, train_on_neighbors

TEMPLATES = (
    "у окна спит {animals} и видит сны",
    "{animals} ест на кухне {foods} каждое утро",
    "{animals} бежит по двору туда где {animals}",
    "поезд приехал в город {cities} ночью",
    "{cities} это большая столица с метро",
    "летом турист гуляет по улице где {cities}",
    "бабушка режет {foods} тонким ножом",
    "мы купили {foods} в магазине утром",
    "художник взял {colours} карандаш и рисует",
    "на стене висит {colours} флаг страны",
    "мне нравится {colours} цвет машины больше",
)


def sentences(groups: dict[str, list[str]], n: int) -> list[str]:
    rng = np.random.default_rng(0)
    made = []
    for template in rng.choice(TEMPLATES, n):
        words = template.split()
        made.append(" ".join(rng.choice(groups[word[1:-1]]) if word[0] == "{" else word for word in words))
    return made


@pytest.fixture(scope="module")
def groups(golden: dict) -> dict[str, list[str]]:
    return golden["word2vec"]["groups"]


@pytest.fixture(scope="module")
def vectors(golden: dict, groups: dict[str, list[str]]) -> WordVectors:
    facts = golden["word2vec"]
    shape = {name: facts[name] for name in ("dim", "window", "epochs", "batch")}
    return train_on_neighbors(sentences(groups, 3000), lr=0.01, **shape)


def test_neighbours_are_of_the_same_group(vectors: WordVectors, groups: dict[str, list[str]]) -> None:
    exceptions = []
    for words in groups.values():
        for word in words:
            exceptions += [(word, near) for near, _ in vectors.neighbors(word, 3) if near not in words]
    assert len(exceptions) <= 2, exceptions


def test_two_principal_components_separate_the_groups(vectors: WordVectors, groups: dict[str, list[str]]) -> None:
    words = [word for group in groups.values() for word in group]
    points = pca(vectors[words]).reshape(len(groups), -1, 2)
    for one, other in itertools.combinations(points, 2):
        assert separable(one, other)


def separable(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether a line has all points of one set on one side: the perceptron finds it where there is one."""
    points = np.concatenate([one, other])
    points = np.column_stack([points / np.abs(points).max(), np.ones(len(points))])
    points[len(one) :] *= -1
    weights = np.zeros(3)
    for _ in range(20_000):
        wrong = points @ weights <= 0
        if not wrong.any():
            return True
        weights += points[wrong][0]
    return False


def test_the_loss_falls(vectors: WordVectors) -> None:
    losses = vectors.record["losses"]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] < np.log(len(vectors))
