"""What becomes of a p-value as the test set grows, with and without a true difference: Zhu et al. 2020, Figure 5."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from nofluke.check import check_count, check_number
from nofluke.engine.randomness import SAMPLE_SIZE, Stream
from nofluke.errors import InputError, unknown
from nofluke.inference.power.curves.rule import t_tails
from nofluke.noting import called
from nofluke.options import LEVEL, Opt, SeedOfDraws
from nofluke.registry import TESTS
from nofluke.studies.recording import rate, recorded
from nofluke.types import FloatArray, Study, frozen
from nofluke.types.study import Series

Progress = Callable[[int, int], None] | None
Table = dict[str, tuple[Any, ...]]

SIZES = (30, *range(1_000, 25_001, 1_000))
CITES = {"paired_t": "Student 1908", "wilcoxon": "Wilcoxon 1945"}
# Figure 5, (a) to (d); with H0 true, the two laws of (c) are the same, here the second of (d).
FIGURE_5 = (
    ("normal(0,1)", "normal(0,1)", "paired_t"),
    ("normal(0.05,1)", "normal(0,1)", "paired_t"),
    ("beta(1,5)", "beta(1,5)", "wilcoxon"),
    ("beta(1,4)", "beta(1,5)", "wilcoxon"),
)

_WRITTEN = re.compile(r"\s*([a-z]+)\s*\(\s*([^,()]+?)\s*,\s*([^,()]+?)\s*\)\s*")


@dataclass(frozen=True, slots=True)
class Design:
    """Two laws that scores of A and B are drawn from, each on its own, and the test that compares them item by item."""

    a: Law
    b: Law
    test: str

    @property
    def null(self) -> bool:
        """Whether the null hypothesis of the test is true: equal means, or differences that are symmetric about 0."""
        if self.test == "paired_t":
            return math.isclose(self.a.mean, self.b.mean, rel_tol=1e-12, abs_tol=1e-15)
        return self.a == self.b or (self.a.symmetric and self.b.symmetric and self.a.mean == self.b.mean)

    @property
    def truth(self) -> str:
        """What is true of A and B: alike, different in what is tested, or in something else."""
        if self.a == self.b:
            return "no difference"
        return "another difference" if self.null else "difference"

    def __str__(self) -> str:
        return f"{self.a} vs {self.b}"


@called("studies.sample_size_study")
def sample_size_study(
    designs: Sequence[tuple[str, str, str]] = FIGURE_5,
    *,
    sizes: Annotated[
        Sequence[int], Opt("Numbers of items with commas between them. Default: 30, 1,000 to 25,000.")
    ] = SIZES,
    iterations: Annotated[int, Opt("Test sets drawn at each size.")] = 20,
    alpha: Annotated[float, Opt("Level of the test.", bounds=LEVEL)] = 0.05,
    seed: SeedOfDraws = 0,
    progress: Progress = None,
) -> Study:
    """What becomes of a p-value as the test set grows, when A and B truly differ and when they do not?

    Zhu et al. (2020), Figure 5: two-sided paired tests on simulated scores, from 30 to 25,000 items, 20 test sets of
    each size. A design is (law of A, law of B, test): laws are "normal(mean,sd)" and "beta(a,b)", tests "paired_t" and
    "wilcoxon" (by its normal approximation). Scores of A and B are drawn independently of each other.

    >>> study = sample_size_study(sizes=[30, 100], iterations=5)
    >>> study.tables["p-values"]["items"][:2]
    (30, 100)
    """
    plans = [_design(*design) for design in designs]
    if not plans:
        raise InputError("no design was given.", fix="give two laws and a test.")
    numbers = sorted({check_count(size, "size", 2, 10_000_000) for size in sizes})
    check_count(iterations, "iterations", 1, 1_000_000)
    check_number(alpha, "alpha", 1e-12, 0.5, closed=True)
    found: dict[tuple[int, int], FloatArray] = {}
    total = len(plans) * sum(numbers)
    done = 0
    for index, plan in enumerate(plans):
        for size in numbers:
            found[index, size] = p_values(plan, index, size, iterations, seed)
            done += size
            if progress is not None:
                progress(done, total)
    table = _table(plans, numbers, found, alpha)
    return recorded(
        "sample-size",
        {
            "designs": tuple(f"{plan} ({plan.test})" for plan in plans),
            "sizes": tuple(numbers),
            "iterations": iterations,
            "alpha": alpha,
            "seed": seed,
        },
        tables={"p-values": table},
        series={"p-values": _series(plans, table, alpha)},
        charts=("p_value_by_size",),
        citations=("Zhu et al. 2020", *dict.fromkeys(CITES[plan.test] for plan in plans)),
        facts={"ranges": tuple(_range(plan, index, found, alpha) for index, plan in enumerate(plans))},
    )


def _range(
    plan: Design, index: int, found: dict[tuple[int, int], FloatArray], alpha: float
) -> tuple[float, float] | None:
    """The 95% range of the rate of significant test sets of all sizes, where the null hypothesis is true."""
    if not plan.null:
        return None
    every = np.concatenate([values for (design, _), values in found.items() if design == index])
    band = rate(int(np.sum(every <= alpha)), len(every))
    return band.low, band.high


def _design(a: str, b: str, test: str) -> Design:
    if test not in CITES:
        raise unknown("test of this study", test, tuple(CITES))
    return Design(law_of(a), law_of(b), test)


def p_values(plan: Design, index: int, size: int, iterations: int, seed: int) -> FloatArray:
    """Draw so many test sets and give their two-sided p-values; a size has streams of its own."""
    found = np.empty(iterations)
    for row in range(iterations):
        stream = Stream(seed, SAMPLE_SIZE, (size * 64 + index) * 2**20 + row)
        d = plan.a.draw(stream, size) - plan.b.draw(stream, size)
        found[row] = _paired_t(d) if plan.test == "paired_t" else _signed_rank(d)
    return found


def _paired_t(d: FloatArray) -> float:
    n = len(d)
    error = math.sqrt(float(np.var(d, ddof=1)) / n)
    if error == 0:
        return 1.0 if not d.any() else math.nan
    tail = t_tails(np.array([float(d.mean()) / error]), np.array([n - 1.0]))[0]
    return min(1.0, 2 * math.exp(tail))


def _signed_rank(d: FloatArray) -> float:
    """Wilcoxon's test by the normal approximation; these laws have no ties and no zeros."""
    from scipy.special import ndtr

    n = len(d)
    order = np.argsort(np.abs(d), kind="stable")
    led = float(np.arange(1, n + 1) @ np.sign(d[order]))
    return min(1.0, 2 * float(ndtr(-abs(led) / math.sqrt(n * (n + 1) * (2 * n + 1) / 6))))


def _table(
    plans: Sequence[Design], sizes: Sequence[int], found: dict[tuple[int, int], FloatArray], alpha: float
) -> Table:
    rows = [
        {
            "laws": str(plan),
            "test": plan.test,
            "truth": plan.truth,
            "items": size,
            "mean p": float(found[index, size].mean()),
            "lowest p": float(found[index, size].min()),
            "highest p": float(found[index, size].max()),
            "significant": float(np.mean(found[index, size] <= alpha)),
        }
        for index, plan in enumerate(plans)
        for size in sizes
    ]
    return {column: tuple(row[column] for row in rows) for column in rows[0]}


def _series(plans: Sequence[Design], table: Table, alpha: float) -> Series:
    numbers = ("items", "mean p", "lowest p", "highest p")
    columns = {name: frozen(table[name]) for name in numbers}
    columns["alpha"] = frozen([alpha] * len(table["items"]))
    per = len(table["items"]) // len(plans)
    panels = [f"{plan}, {TESTS[plan.test].label}" for plan in plans]
    if len(plans) > 1:
        panels = [f"({chr(97 + index % 26)}) {panel}" for index, panel in enumerate(panels)]
    return Series("p-values", columns, {"panel": tuple(panel for panel in panels for _ in range(per))})


@dataclass(frozen=True, slots=True)
class Law:
    """A normal law (mean, standard deviation) or a Beta law (a, b)."""

    name: str
    first: float
    second: float

    @property
    def mean(self) -> float:
        """The expected value."""
        return self.first if self.name == "normal" else self.first / (self.first + self.second)

    @property
    def variance(self) -> float:
        """The expected square of the distance from the mean."""
        if self.name == "normal":
            return self.second**2
        total = self.first + self.second
        return self.first * self.second / (total**2 * (total + 1))

    @property
    def symmetric(self) -> bool:
        """Whether scores lie as often above the mean as below it, equally far."""
        return self.name == "normal" or self.first == self.second

    def draw(self, stream: Stream, size: int) -> FloatArray:
        """Draw so many scores, by the quantile of raw random numbers, so that no version of NumPy changes them."""
        from scipy.special import betaincinv, ndtri

        uniform = stream.uniforms(size)
        if self.name == "normal":
            values: FloatArray = self.first + self.second * ndtri(uniform)
        elif self.first == 1:
            values = -np.expm1(np.log1p(-uniform) / self.second)
        elif self.second == 1:
            values = uniform ** (1 / self.first)
        else:
            values = betaincinv(self.first, self.second, uniform)
        return values

    def __str__(self) -> str:
        return f"{self.name}({self.first:g},{self.second:g})"


def law_of(text: str) -> Law:
    """Read a law.

    >>> law_of("Beta(1, 5)")
    Law(name='beta', first=1.0, second=5.0)
    """
    found = _WRITTEN.fullmatch(text.casefold())
    if found is None or found[1] not in ("normal", "beta"):
        raise InputError(
            f"{text!r} is no law of scores.", fix="write normal(MEAN,SD) or beta(A,B), say normal(0.05,1)."
        )
    try:
        first, second = float(found[2]), float(found[3])
    except ValueError:
        raise InputError(f"{text!r} has no two numbers.", fix="write, say, normal(0.05,1).") from None
    positive = second > 0 and (first > 0 or found[1] == "normal")
    if not (math.isfinite(first) and math.isfinite(second) and positive):
        raise InputError(f"{text!r} is no law of scores.", fix="the sd, and both numbers of beta, are above 0.")
    return Law(found[1], first, second)
