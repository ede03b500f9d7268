"""The designs of the sample-size study, and what it says in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nofluke.studies.recording import rate
from nofluke.studies.sample_size.laws import Law
from nofluke.types import FloatArray
from nofluke.words.numbers import hundredths

TESTS = ("paired_t", "wilcoxon")
LABELS = {"paired_t": "paired t-test", "wilcoxon": "Wilcoxon signed-rank test"}
CITES = {"paired_t": "Student 1908", "wilcoxon": "Wilcoxon 1945"}
# Figure 5, (a) to (d); with H0 true, the two laws of (c) are the same, here the second of (d).
FIGURE_5 = (
    ("normal(0,1)", "normal(0,1)", "paired_t"),
    ("normal(0.05,1)", "normal(0,1)", "paired_t"),
    ("beta(1,5)", "beta(1,5)", "wilcoxon"),
    ("beta(1,4)", "beta(1,5)", "wilcoxon"),
)


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
        """What is true of A and B, in words."""
        if self.a == self.b:
            return "A and B are alike"
        what = "the mean" if self.test == "paired_t" else "what is tested"
        return f"A and B differ, but not in {what}" if self.null else "A and B differ"

    def __str__(self) -> str:
        return f"{self.a} vs {self.b}"


def headline(
    plans: Sequence[Design], sizes: Sequence[int], found: dict[tuple[int, int], FloatArray], alpha: float
) -> str:
    """Say what more items do."""
    differing = [index for index, plan in enumerate(plans) if not plan.null]
    alike = [index for index, plan in enumerate(plans) if plan.null]
    parts = []
    if differing:
        last = np.concatenate([found[index, sizes[-1]] for index in differing])
        share = hundredths(float(np.mean(last <= alpha)))
        parts.append(
            f"with a true difference p shrinks as the test set grows ({share}% significant at {sizes[-1]:,} items)"
        )
    if alike:
        every = np.concatenate([found[index, size] for index in alike for size in sizes])
        without = "without one" if differing else "without a true difference"
        share = hundredths(float(np.mean(every <= alpha)), 1)
        parts.append(f"{without} p stays anywhere between 0 and 1 ({share}% significant over all sizes)")
    return f"{parts[0][0].upper()}{'; '.join(parts)[1:]}."


def sentences(
    plans: Sequence[Design], sizes: Sequence[int], found: dict[tuple[int, int], FloatArray], alpha: float
) -> tuple[str, ...]:
    """Say of each design what came out."""
    lines = []
    for index, plan in enumerate(plans):
        if plan.null:
            every = np.concatenate([found[index, size] for size in sizes])
            count = int(np.sum(every <= alpha))
            band = rate(count, len(every))
            lines.append(
                f"{plan}, {LABELS[plan.test]}: {plan.truth}, and {count:,} of {len(every):,} test sets were "
                f"significant (95% range of the rate {band.low:.1%} to {band.high:.1%}, promised {alpha:.1%}); the "
                f"mean p is {every.mean():.2f}."
            )
            continue
        text = _reached(sizes, [bool(found[index, size].max() <= alpha) for size in sizes])
        lines.append(f"{plan}, {LABELS[plan.test]}: A and B differ, and {text}.")
    return tuple(lines)


def _reached(sizes: Sequence[int], everywhere: Sequence[bool]) -> str:
    """Say from which size on all test sets were significant; `everywhere` says whether all of a size were.

    >>> _reached((100, 200, 400, 800), (False, True, False, True)), _reached((100, 200), (True, False))
    ('all test sets were significant at 800 items', 'at 200 items not all test sets were significant')
    """
    reached = len(sizes)
    while reached and everywhere[reached - 1]:
        reached -= 1
    if reached == len(sizes):
        return f"at {sizes[-1]:,} items not all test sets were significant"
    where = f"at {sizes[-1]:,} items" if reached == len(sizes) - 1 else f"from {sizes[reached]:,} items on"
    return f"all test sets were significant {where}"


def notes(plans: Sequence[Design]) -> tuple[str, ...]:
    """Say where the designs come from, and what a small p is not."""
    found = []
    if [(str(plan.a), str(plan.b), plan.test) for plan in plans] == [tuple(design) for design in FIGURE_5]:
        found.append(
            "The designs are those of Figure 5 of Zhu et al. (2020); panel (c) takes Beta(1,5), the second law of "
            "panel (d), for both systems."
        )
    if any(not plan.null for plan in plans):
        found.append(
            "With enough items any true difference, however small, becomes significant: a small p is not a large "
            "difference. Report the difference and its interval as well."
        )
    return tuple(found)
