"""Data at the edges: scores that are right and ordinary to somebody, and that break arithmetic done in passing.

A case carries what is given (text as in a file, or doubles) beside what is meant (Fractions), so that an oracle can
answer for the data and not for their rounding.
"""

from __future__ import annotations

import csv
import os
import random
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.align import as_sample
from nofluke.types import Sample

_FOLDER = Path(tempfile.gettempdir()) / f"nofluke-extremes-{os.getpid()}"

# A few examples always, many with `-m slow`; only those are also made small, which takes longest where much fails.
FEW, MANY = 6, 400
effort = pytest.mark.parametrize("examples", [FEW, pytest.param(MANY, marks=pytest.mark.slow)], ids=["few", "many"])


def for_all(strategy: st.SearchStrategy[Any], holds: Callable[[Any], bool | None], examples: int) -> int:
    """Check a property on so many examples, the same ones in every run; say how many had something to check.

    `holds` asserts, and returns False where an example has nothing to check, such as data that are refused.
    """
    checked = 0
    calm = settings(
        deadline=None,
        derandomize=True,
        database=None,
        max_examples=max(examples, 2),
        phases=[Phase.generate, *([Phase.shrink] if examples >= MANY // 3 else [])],
        suppress_health_check=list(HealthCheck),
    )

    @calm
    @given(strategy)
    def one(example: Any) -> None:
        nonlocal checked
        checked += holds(example) is not False

    one()
    return checked


@dataclass(frozen=True)
class Case:
    """Scores of A and B as given, what they mean, and the clusters of the items if there are any."""

    kind: str
    a: tuple[Any, ...]
    b: tuple[Any, ...]
    means_a: tuple[Fraction, ...]
    means_b: tuple[Fraction, ...]
    clusters: tuple[str, ...] | None = None

    @property
    def d(self) -> list[Fraction]:
        return [x - y for x, y in zip(self.means_a, self.means_b, strict=True)]

    @property
    def is_text(self) -> bool:
        return isinstance(self.a[0], str)

    def sample(self) -> Sample:
        """Text goes through a file, as it does for users; doubles are given as they are."""
        if not self.is_text:
            return as_sample(self.a, self.b, clusters=self.clusters)
        return self.scores().pair("A", "B")

    def scores(self) -> Any:
        """The same before its systems are paired."""
        if not self.is_text:
            return {"A": self.a, "B": self.b}
        return read_as_text(self.a, self.b, self.clusters)

    def swapped(self) -> Case:
        return replace(self, a=self.b, b=self.a, means_a=self.means_b, means_b=self.means_a)

    def shuffled(self, seed: int) -> Case:
        order = random.Random(seed).sample(range(len(self.a)), len(self.a))
        a, b, means_a, means_b = (
            tuple(column[i] for i in order) for column in (self.a, self.b, self.means_a, self.means_b)
        )
        clusters = None if self.clusters is None else tuple(self.clusters[i] for i in order)
        return Case(self.kind, a, b, means_a, means_b, clusters)


def read_as_text(a: tuple[str, ...], b: tuple[str, ...], clusters: tuple[str, ...] | None = None) -> nf.Scores:
    _FOLDER.mkdir(exist_ok=True)
    path = _FOLDER / "scores.csv"
    columns = [[f"i{number}" for number in range(len(a))], a, b, *([clusters] if clusters else [])]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["item", "A", "B", *(["cluster"] if clusters else [])])
        writer.writerows(zip(*columns, strict=True))
    scores = nf.read(path)
    shutil.rmtree(_FOLDER)
    return scores


def decimals(kind: str, a: list[str], b: list[str], clusters: list[str] | None = None) -> Case:
    """Text that means what it says."""
    meant = [tuple(map(Fraction, column)) for column in (a, b)]
    return Case(kind, tuple(a), tuple(b), *meant, None if clusters is None else tuple(clusters))


def pairs_of(element: st.SearchStrategy[Any], least: int = 2, most: int = 10) -> st.SearchStrategy[Any]:
    return st.lists(st.tuples(element, element), min_size=least, max_size=most).map(
        lambda rows: tuple(map(list, zip(*rows, strict=True)))
    )


def fixed(number: int, places: int) -> str:
    """A whole number of steps of 10^-places, written out."""
    sign, digits = "-" if number < 0 else "", str(abs(number)).zfill(places + 1)
    return f"{sign}{digits[:-places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def fifteen_digits() -> st.SearchStrategy[Case]:
    score = st.integers(0, 10**15 - 1).map(lambda k: fixed(k, 15))
    return pairs_of(score).map(lambda ab: decimals("fifteen digits", *ab))


def one_huge() -> st.SearchStrategy[Case]:
    """Scores in hundredths, and a single one that is a million to a trillion times larger."""
    score = st.integers(0, 100).map(lambda k: fixed(k, 2))

    def with_huge(ab: tuple[list[str], list[str]], power: int) -> Case:
        a, b = ab
        return decimals("one huge score", [f"1{'0' * power}.00", *a], ["0.00", *b])

    return st.builds(with_huge, pairs_of(score, 2, 9), st.integers(6, 12))


def near_constant() -> st.SearchStrategy[Case]:
    """Scores that differ behind the eighth digit only: time stamps, likelihoods of long texts."""
    score = st.integers(0, 50).map(lambda k: fixed(10**14 + k, 6))
    return pairs_of(score).map(lambda ab: decimals("near constant", *ab))


def longer_than_doubles() -> st.SearchStrategy[Case]:
    """The same with more digits than a double keeps: they are read in full, or refused, and never taken for ties."""
    score = st.integers(0, 50).map(lambda k: fixed(10**16 + k, 8))
    return pairs_of(score).map(lambda ab: decimals("longer than doubles", *ab))


def mostly_ties() -> st.SearchStrategy[Case]:
    """Up to six items that differ among many that do not."""
    score = st.integers(0, 20).map(lambda k: fixed(k, 1))

    def padded(ab: tuple[list[str], list[str]], ties: int) -> Case:
        a, b = ab
        return decimals("mostly ties", a + ["0.7"] * ties, b + ["0.7"] * ties)

    return st.builds(padded, pairs_of(score, 1, 6), st.integers(10, 60))


DENOMINATORS = (3, 7, 13, 30, 97, 1000, 1013, 4999)


def fractions_as_doubles() -> st.SearchStrategy[Case]:
    """k/m as Python divides it: F1 of an item, means of runs."""

    def build(m: int, numerators: tuple[list[int], list[int]]) -> Case:
        a, b = ([k % (m + 1) for k in column] for column in numerators)
        meant = [tuple(Fraction(k, m) for k in column) for column in (a, b)]
        return Case(f"k/{m} as doubles", tuple(k / m for k in a), tuple(k / m for k in b), *meant)

    return st.builds(build, st.sampled_from(DENOMINATORS), pairs_of(st.integers(0, 5000), 3, 9))


def fractions_as_text() -> st.SearchStrategy[Case]:
    """k/m as Python prints it: the text of a double next to the fraction."""
    return fractions_as_doubles().map(
        lambda case: replace(case, kind=case.kind + " printed", a=tuple(map(repr, case.a)), b=tuple(map(repr, case.b)))
    )


def far_scales() -> st.SearchStrategy[Case]:
    def build(ab: tuple[list[int], list[int]], power: int) -> Case:
        a, b = ab
        meant = [tuple(k * Fraction(10) ** power for k in column) for column in (a, b)]
        given = [tuple(float(f"{k}e{power}") for k in column) for column in (a, b)]
        return Case(f"times 1e{power}", *given, *meant)

    return st.builds(build, pairs_of(st.integers(0, 30)), st.sampled_from([90, -90, 30, -30]))


def unequal_clusters() -> st.SearchStrategy[Case]:
    """Clusters of one to seven items."""
    score = st.integers(0, 10).map(lambda k: fixed(k, 1))

    def build(sizes: list[int], scores: list[tuple[str, str]]) -> Case:
        labels = [f"c{number}" for number, size in enumerate(sizes) for _ in range(size)]
        rows = [scores[i % len(scores)] for i in range(len(labels))]
        a, b = ([row[side] for row in rows] for side in (0, 1))
        return decimals("unequal clusters", a, b, labels)

    sizes = st.lists(st.integers(1, 7), min_size=2, max_size=8)
    return st.builds(build, sizes, st.lists(st.tuples(score, score), min_size=2, max_size=40))


def few_discordant() -> st.SearchStrategy[Case]:
    """0/1 scores with up to eight items that only one system gets right."""

    def build(wins: int, losses: int, both: int, neither: int) -> Case:
        a = [1] * wins + [0] * losses + [1] * both + [0] * neither
        b = [0] * wins + [1] * losses + [1] * both + [0] * neither
        return decimals("few discordant", list(map(str, a)), list(map(str, b)))

    return st.builds(build, st.integers(0, 5), st.integers(0, 3), st.integers(0, 40), st.integers(1, 40))


def beyond_doubles() -> st.SearchStrategy[Case]:
    """Whole numbers that no double holds: token counts times prices, hashes of scores."""
    score = st.integers(2**53, 2**53 + 40).map(str)
    return pairs_of(score).map(lambda ab: decimals("whole numbers beyond 2^53", *ab))


FAMILIES: dict[str, Callable[[], st.SearchStrategy[Case]]] = {
    "fifteen digits": fifteen_digits,
    "one huge score": one_huge,
    "near constant": near_constant,
    "longer than doubles": longer_than_doubles,
    "mostly ties": mostly_ties,
    "fractions as doubles": fractions_as_doubles,
    "fractions as text": fractions_as_text,
    "far scales": far_scales,
    "few discordant": few_discordant,
    "beyond doubles": beyond_doubles,
}


each_family = pytest.mark.parametrize("family", FAMILIES)
# Scores in more digits than doubles keep are refused unless all are the same: there are no figures to check.
BEYOND_DOUBLES = ("longer than doubles", "beyond doubles")


def each_family_but(*left_out: str) -> Any:
    """The families that have something to check."""
    return pytest.mark.parametrize("family", [name for name in FAMILIES if name not in left_out])


def asked_for(method: str, case: Case) -> dict[str, float]:
    """What a test of pairs cannot do without: it would refuse every example."""
    scores = [float(score) for score in (*case.a, *case.b)]
    needed = {"corrected_resampled_t": {"rho": 0.1}, "one_lost_item": {"low": min(scores), "high": max(scores)}}
    return needed.get(method, {})


def deltas() -> st.SearchStrategy[float]:
    """Differences to test against: round ones, thirds, and some with as many digits as a double has."""
    return st.one_of(
        st.integers(-9, 9).map(lambda k: k / 10),
        st.sampled_from([1 / 3, -2 / 7, 0.1 + 0.2, 1e-12, -1e-15]),
        st.integers(-(10**15), 10**15).map(lambda k: k / 10**15),
    )
