"""Values of logs that are no numbers one can compute with: NaN, numbers beyond floats, odd probabilities."""

from __future__ import annotations

import math
from typing import Any

import pytest

from nofluke.readers.logs import corpus
from nofluke.readers.logs.reading import is_number
from nofluke.readers.logs.record import ERROR, SCORED, SKIPPED, UNSCORED, measured


def test_only_finite_numbers_are_numbers() -> None:
    assert all(map(is_number, (0, 1.5, True, -(10**300))))
    assert not any(map(is_number, (math.nan, math.inf, 10**400, -(10**400), "1", None)))


@pytest.mark.parametrize("kind", ["f1", "mcc"])
@pytest.mark.parametrize("label", [math.nan, math.inf, 0.5])
def test_what_is_no_label_is_refused(kind: str, label: float) -> None:
    assert corpus.of_labels(kind, [[1, 1], [label, 1]]) is None


def test_probabilities_that_are_not_known_are_not_scored() -> None:
    found = corpus.of_brier([[0, [1.0, 0.0]], [1, [math.nan, 0.5]], [0, "[nan 0.5]"], None])
    assert found is not None
    assert found.status.tolist() == [SCORED, UNSCORED, UNSCORED, UNSCORED]
    assert found.parts[0, 0] == 0


@pytest.mark.parametrize("chances", [[1e200, 0.0], [math.inf, 0.0], ["x", 0.0], [10**400, 0]])
def test_what_is_no_probability_is_refused(chances: list[Any]) -> None:
    assert corpus.of_brier([[0, chances]]) is None


def test_sums_beyond_floats_are_refused() -> None:
    assert corpus.of_lists([[1e308, 1e308]]) is None


def test_the_status_follows_from_the_values() -> None:
    found = measured([1.0, None, math.nan, 1.0, None], [SCORED, SCORED, SCORED, ERROR, SKIPPED])
    assert found.status.tolist() == [SCORED, UNSCORED, UNSCORED, ERROR, SKIPPED]
    assert [math.isnan(value) for value in found.parts[:, 0]] == [False, True, True, True, True]
