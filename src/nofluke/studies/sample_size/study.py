"""What becomes of a p-value as the test set grows, with and without a true difference: Zhu et al. 2020, Figure 5."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nofluke.engine.randomness import SAMPLE_SIZE, Stream
from nofluke.errors import InputError, unknown
from nofluke.inference.power.curves.inner import log_t_tails
from nofluke.studies.recording import check_count, check_number, recorded
from nofluke.studies.sample_size.laws import law_of
from nofluke.studies.sample_size.words import CITES, FIGURE_5, LABELS, TESTS, Design, headline, notes, sentences
from nofluke.types import FloatArray, Study, frozen
from nofluke.types.study import Series

Progress = Callable[[int, int], None] | None
Table = dict[str, tuple[Any, ...]]

SIZES = (30, *range(1_000, 25_001, 1_000))


def sample_size_study(
    designs: Sequence[tuple[str, str, str]] = FIGURE_5,
    *,
    sizes: Sequence[int] = SIZES,
    iterations: int = 20,
    alpha: float = 0.05,
    seed: int = 0,
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
    check_number(alpha, "alpha", 1e-12, 0.5)
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
        title="P-values as the test set grows",
        question="What becomes of a p-value as the test set grows?",
        tables={"p-values": table},
        series={"p-values": _series(plans, table, alpha)},
        charts=("p_value_by_size",),
        headline=headline(plans, numbers, found, alpha),
        sentences=sentences(plans, numbers, found, alpha),
        notes=notes(plans),
        citations=("Zhu et al. 2020", *dict.fromkeys(CITES[plan.test] for plan in plans)),
        captions={
            "p-values": f"Two-sided p-values of {iterations} simulated test sets of each size; significant: share with "
            f"p <= {alpha:g}."
        },
    )


def _design(a: str, b: str, test: str) -> Design:
    if test not in TESTS:
        raise unknown("test of this study", test, TESTS)
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
    tail = log_t_tails(np.array([float(d.mean()) / error]), np.array([n - 1.0]))[0]
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
    panels = [f"{plan}, {LABELS[plan.test]}" for plan in plans]
    if len(plans) > 1:
        panels = [f"({chr(97 + index % 26)}) {panel}" for index, panel in enumerate(panels)]
    return Series("p-values", columns, {"panel": tuple(panel for panel in panels for _ in range(per))})
