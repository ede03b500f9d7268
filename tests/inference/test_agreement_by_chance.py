"""The test of agreement by chance: right for few items and rare labels, exact where it says so, and repeatable."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import nofluke as nf
from nofluke.inference.agreement import chance_test
from nofluke.inference.agreement.chance_test import with_chance_test
from nofluke.inference.agreement.measured import HALVES
from nofluke.inference.agreement.tally import pairs_of, tally
from nofluke.readers.rating_labels import Coded, in_a_row, with_categories
from nofluke.readers.ratings import as_ratings
from nofluke.registry import AGREEMENT
from nofluke.types import Coefficient, Ratings, frozen, note
from nofluke.words.agreement import p_value, sentences

_SOME = as_ratings([[1, 1], [2, 2], [3, 3], [1, 2], [3, 2]])


def is_shuffled(name: str) -> bool:
    """Whether a coefficient says how it is computed from shuffled ratings; it need not."""
    return name != "krippendorff_alpha" and HALVES[name].measure(_SOME).shuffled() is not None


VARIANTS = (
    *((name, "none") for name in AGREEMENT.names() if is_shuffled(name)),
    *(("krippendorff_alpha", level) for level in ("nominal", "ordinal", "interval", "ratio")),
    ("cohen_kappa", "linear"),
    ("cohen_kappa", "quadratic"),
)


def exceeds(number: int, repetitions: int, level: float) -> bool:
    """Whether so many rejections are too many for this level, one-sided at 99.9 %, by the binomial distribution."""
    return bool(binom.sf(number - 1, repetitions, level) < 0.001)


def options_of(name: str, kind: str) -> dict[str, Any]:
    if kind == "none":
        return {}
    return {"level" if name == "krippendorff_alpha" else "weights": kind}


def guessed(rng: np.random.Generator, n: int, raters: int, shares: tuple[float, ...]) -> Ratings:
    codes = np.searchsorted(np.cumsum(shares)[:-1], rng.random((n, raters)))
    k = len(shares)
    values = frozen(np.arange(k, dtype=np.float64))
    coded = Coded(frozen(codes.ravel(), np.int64), tuple(map(str, range(k))), values, True)
    return coded.ratings(list(map(str, range(n))), list(map(str, range(raters))), in_a_row(n, raters))


def rejected(name: str, n: int, shares: tuple[float, ...], repetitions: int) -> dict[float, int]:
    rng, p_values = np.random.default_rng(5), []
    for _ in range(repetitions):
        ratings = guessed(rng, n, 2, shares)
        measure, chance = HALVES[name].measure, AGREEMENT[name].facts["chance"]
        measured = measure(ratings)
        found = HALVES[name].finish(measured)
        p_values.append(with_chance_test(measure, measured, chance, found, 0, draws=199).p_value)
    known = np.array([p for p in p_values if not math.isnan(p)])
    return {level: int((known <= level).sum()) for level in (0.01, 0.05)}


@pytest.mark.parametrize("n", [10, 20])
@pytest.mark.parametrize("name", ["krippendorff_alpha", "conger_kappa", "gwet_ac1", "brennan_prediger"])
def test_chance_is_not_called_agreement_more_often_than_the_level_says(name: str, n: int) -> None:
    for level, number in rejected(name, n, (0.2,) * 5, 800).items():
        assert not exceeds(number, 800, level), (level, number)


@pytest.mark.parametrize("name", ["krippendorff_alpha", "conger_kappa"])
def test_beyond_the_shuffled_sizes_a_rare_label_does_no_harm(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chance_test, "MOST_SHUFFLED", 100)
    monkeypatch.setattr(chance_test, "_MOST_OF_SPREAD", 1_500)
    number = rejected(name, 1_000, (0.9, 0.1), 200)[0.05]
    assert not exceeds(number, 200, 0.07), number


def test_four_items_are_counted_out() -> None:
    found = nf.agree([[1, 1], [1, 1], [2, 2], [3, 3]])
    # 8 ratings make 105 sets of pairs; the four ones of label 1 can be paired in 3 ways.
    assert found.p_value == pytest.approx(3 / 105, abs=1e-15)
    assert found.log_p_value == pytest.approx(math.log(3 / 105))
    assert found.test == note("agree.test_all", tables=420, scheme="pooled")
    assert "exact, all 420 possible tables, all ratings shuffled over all items" in " ".join(sentences(found))


def by_hand(data: list[list[Any]], compute: Callable[[list[list[Any]]], float], scheme: str) -> float:
    """Write out all tables, with equal ones as often as they come up."""
    cells = [(i, j) for i, row in enumerate(data) for j, x in enumerate(row) if x is not None]
    labels = [data[i][j] for i, j in cells]
    if scheme == "own":
        columns = [[position for position, (_, j) in enumerate(cells) if j == who] for who in range(len(data[0]))]
        orders = itertools.product(*(itertools.permutations([labels[p] for p in column]) for column in columns))
        places = [position for column in columns for position in column]
        tables = ([label for _, label in sorted(zip(places, itertools.chain(*order), strict=True))] for order in orders)
    elif scheme == "even":
        tables = (list(table) for table in itertools.product(sorted(set(labels)), repeat=len(labels)))
    else:
        tables = (list(table) for table in itertools.permutations(labels))
    size, hits, number = abs(compute(data)), 0, 0
    for table in tables:
        moved: list[list[Any]] = [[None] * len(row) for row in data]
        for (i, j), label in zip(cells, table, strict=True):
            moved[i][j] = label
        value = abs(compute(moved))
        hits += not value < size - 1e-10
        number += 1
    return hits / number


@pytest.mark.parametrize("name", ["krippendorff_alpha", "fleiss_kappa", "conger_kappa", "light_kappa", "gwet_ac1"])
def test_exact_is_what_writing_out_all_tables_gives(name: str) -> None:
    data: list[list[Any]] = [[1, 1, None], [2, 2, 1], [1, None, 1]]
    even = AGREEMENT[name].facts["chance"] == "even"

    def compute(table: list[list[Any]]) -> float:
        ratings = as_ratings(table)
        if even:
            ratings = with_categories(ratings, [1, 2])
        found: Coefficient = AGREEMENT[name].function(ratings)
        return found.value

    found = nf.agree(data, name)
    assert found.test is not None
    assert found.test.code == "agree.test_all"
    assert found.p_value == pytest.approx(by_hand(data, compute, AGREEMENT[name].facts["chance"]))


@pytest.mark.parametrize(("name", "kind"), VARIANTS)
def test_many_tables_at_once_are_the_coefficient_of_each(name: str, kind: str) -> None:
    rng = np.random.default_rng(8)
    two = AGREEMENT[name].facts["needs"] == "two annotators"
    data = rng.integers(1, 4, (14, 2 if two else 3)).astype(float)
    if not two:
        data[[0, 5, 7], [1, 2, 0]] = np.nan
    ratings = as_ratings(data)
    t = tally(ratings)
    labels = np.array([rng.permutation(t.label) for _ in range(6)])
    if name == "conger_kappa":
        # Its chance agreement is fixed only while annotators keep their labels.
        labels = next(chance_test.shuffled_labels(t, "own", 6, 1))
    values = HALVES[name].measure(ratings, **options_of(name, kind)).shuffled().values(pairs_of(t))(labels)
    for row, value in zip(labels, values, strict=True):
        moved = data.copy()
        moved[t.item, t.annotator] = row + 1
        again = nf.agree(moved, name, categories=[1, 2, 3], disputed=0, **options_of(name, kind)).value
        assert value == pytest.approx(again, abs=1e-12)


@pytest.mark.parametrize("scheme", ["pooled", "own"])
def test_shuffles_keep_what_they_must_and_do_not_depend_on_the_room(
    scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    t = tally(guessed(rng, 40, 3, (0.5, 0.3, 0.2)))
    whole = np.concatenate(list(chance_test.shuffled_labels(t, scheme, 300, 7)))
    monkeypatch.setattr(chance_test, "_BLOCK", 500)
    assert np.array_equal(whole, np.concatenate(list(chance_test.shuffled_labels(t, scheme, 300, 7))))
    assert (np.sort(whole, axis=1) == np.sort(t.label)).all()
    if scheme == "own":
        for who in range(3):
            mine = t.annotator == who
            assert (np.sort(whole[:, mine], axis=1) == np.sort(t.label[mine])).all()
    # Every place is as likely as any other to hold label 0: 3,000 draws within 4.5 standard deviations.
    many = np.concatenate(list(chance_test.shuffled_labels(t, "pooled", 3_000, 7))) == 0
    share = (t.label == 0).mean()
    assert np.abs(many.mean(axis=0) - share).max() < 4.5 * math.sqrt(share * (1 - share) / 3_000)


def test_the_same_seed_gives_the_same_p_value_and_is_named() -> None:
    data = np.random.default_rng(1).integers(1, 4, (30, 2))
    first, again, other = (nf.agree(data, seed=seed) for seed in (3, 3, 4))
    assert first.p_value == again.p_value != other.p_value
    assert abs(first.p_value - other.p_value) < 0.03
    assert first.test is not None
    assert (first.test["draws"], first.test["seed"]) == (9_999, 3)
    assert "seed:3" in first.signature
    assert first.p_value * 10_000 == pytest.approx(round(first.p_value * 10_000), abs=1e-6)


def test_many_items_use_the_standard_error_under_chance() -> None:
    data = np.random.default_rng(2).integers(1, 4, (4_000, 2))
    alpha, cohen = nf.agree(data), nf.agree(data, "cohen_kappa")
    assert alpha.test == note("agree.test_spread", draws=200, items=None, seed=0, scheme="pooled")
    assert cohen.test == note("agree.test_normal")
    assert alpha.p_value == pytest.approx(cohen.p_value, abs=0.1)


@pytest.mark.parametrize("name", ["fleiss_kappa", "conger_kappa", "brennan_prediger"])
def test_standard_errors_with_single_ratings_are_those_of_the_jackknife(name: str) -> None:
    """Gwet's printed formula takes the number of items with two ratings as fixed, which makes it larger."""
    rng = np.random.default_rng(4)
    truth = rng.integers(1, 4, (150, 1))
    data = np.where(rng.random((150, 3)) < 0.6, truth, rng.integers(1, 4, (150, 3))).astype(float)
    data[rng.random((150, 3)) < 0.35] = np.nan
    data = data[~np.isnan(data).all(axis=1)]
    assert (np.isfinite(data).sum(axis=1) == 1).sum() > 10

    def value(table: np.ndarray) -> float:
        found: Coefficient = AGREEMENT[name].function(as_ratings(table))
        return found.value

    without = np.array([value(np.delete(data, item, axis=0)) for item in range(len(data))])
    n = len(data)
    jackknife = math.sqrt((n - 1) / n * float(((without - without.mean()) ** 2).sum()))
    assert AGREEMENT[name].function(as_ratings(data)).standard_error == pytest.approx(jackknife, rel=0.006)


def test_draws_that_never_come_as_far_are_said_to_be_none() -> None:
    agreeing = nf.agree([[1, 1], [2, 2], [3, 3], [1, 2]] * 6)
    assert agreeing.p_value == 1e-4
    assert agreeing.test is not None
    assert agreeing.test["as_far"] == 0
    assert p_value(agreeing) == "p <= 0.00010"
    guessing = nf.agree(np.random.default_rng(1).integers(1, 4, (30, 2)))
    assert guessing.test is not None
    assert guessing.test["as_far"] == round(guessing.p_value * 10_000) - 1 > 0
    assert p_value(guessing).startswith("p = ")


@pytest.mark.parametrize("name", ["krippendorff_alpha", "conger_kappa", "gwet_ac1"])
def test_few_items_with_very_many_ratings(name: str) -> None:
    rng = np.random.default_rng(6)
    guessed_, seen = rng.integers(1, 4, (8, 150)), rng.integers(1, 4, (8, 1))
    agreeing = np.where(rng.random((8, 150)) < 0.4, seen, guessed_)
    chance, found = nf.agree(guessed_, name), nf.agree(agreeing, name)
    assert found.test is not None
    assert (found.test.code, found.test["draws"]) == ("agree.test_spread", 200)
    assert 0.001 < chance.p_value <= 1
    assert found.p_value < 1e-6
