"""What the study of sample sizes says: what becomes of p-values with and without a true difference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nofluke.registry import TESTS
from nofluke.types import Study, Table
from nofluke.words.numbers import hundredths, with_article

TITLE = "P-values as the test set grows"
QUESTION = "What becomes of a p-value as the test set grows?"
HEADINGS = {"laws": "simulated scores"}
# What a design's column "truth" says.
_ALIKE, _DIFFERENT, _ELSEWHERE = "no difference", "difference", "another difference"
_TRUTHS = {
    _ALIKE: "the scores do not differ",
    _DIFFERENT: "the scores differ",
    _ELSEWHERE: "the scores differ, but not in what is tested",
}
_FIGURE_5 = (
    "normal(0,1) vs normal(0,1) (paired_t)",
    "normal(0.05,1) vs normal(0,1) (paired_t)",
    "beta(1,5) vs beta(1,5) (wilcoxon)",
    "beta(1,4) vs beta(1,5) (wilcoxon)",
)
_NOT_LARGE = (
    "A small p is not a large difference: with enough items any true difference becomes significant. Report the "
    "difference and its interval as well."
)


@dataclass(frozen=True, slots=True)
class _Design:
    """The rows of one design: a row for each size."""

    laws: str
    test: str
    truth: str
    items: tuple[int, ...]
    mean_p: tuple[float, ...]
    highest_p: tuple[float, ...]
    significant: tuple[float, ...]

    @property
    def is_null(self) -> bool:
        """Whether the null hypothesis of the test is true."""
        return self.truth != _DIFFERENT

    def __str__(self) -> str:
        return f"{self.laws}, {TESTS[self.test].label}"


def _designs(study: Study) -> list[_Design]:
    table: Any = study.tables["p-values"]
    step = len(study.settings["sizes"])
    columns = ("items", "mean p", "highest p", "significant")
    return [
        _Design(
            table["laws"][at], table["test"][at], table["truth"][at], *(table[name][at : at + step] for name in columns)
        )
        for at in range(0, len(table["items"]), step)
    ]


def headline(study: Study) -> str:
    """Say what more items do."""
    differing = [design for design in _designs(study) if not design.is_null]
    alike = [design for design in _designs(study) if design.is_null]
    parts = []
    if differing:
        last = _mean([design.significant[-1] for design in differing])
        parts.append(
            f"With a true difference, p shrinks as the test set grows ({hundredths(last)}% significant at "
            f"{differing[0].items[-1]:,} items)."
        )
    if alike:
        share = _mean([share for design in alike for share in design.significant])
        without = "Without one" if differing else "Without a true difference"
        parts.append(
            f"{without}, p stays anywhere between 0 and 1 ({hundredths(share, 1)}% significant over all sizes)."
        )
    return " ".join(parts)


def _mean(values: Sequence[float]) -> float:
    """All sizes have as many test sets."""
    return sum(values) / len(values)


def sentences(study: Study) -> tuple[str, ...]:
    """Say of each design what came out."""
    return tuple(_of_each(study))


def _of_each(study: Study) -> Iterator[str]:
    iterations, alpha = study.settings["iterations"], study.settings["alpha"]
    ranges = study.facts.get("ranges") or (None,) * len(_designs(study))
    for design, band in zip(_designs(study), ranges, strict=True):
        if not design.is_null:
            everywhere = [highest <= alpha for highest in design.highest_p]
            yield f"{design}: {_TRUTHS[_DIFFERENT]}, and {_reached(design.items, everywhere)}."
            continue
        total = iterations * len(design.items)
        count = round(sum(design.significant) * iterations)
        interval = f" (95% CI {band[0]:.1%} to {band[1]:.1%}, promised {alpha:.1%})" if band else ""
        yield (
            f"{design}: {_TRUTHS[design.truth]}, and {count:,} of {total:,} test sets were significant{interval}; the "
            f"mean p is {_mean(design.mean_p):.2f}."
        )


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


def remarks(study: Study) -> tuple[str, ...]:
    """Say where the designs come from, and what a small p is not."""
    told = []
    if tuple(study.settings["designs"]) == _FIGURE_5:
        told.append(
            "The designs are those of Figure 5 of Zhu et al. (2020); panel (c) takes Beta(1,5), the second law of "
            "panel (d), for both systems."
        )
    if any(not design.is_null for design in _designs(study)):
        told.append(_NOT_LARGE)
    return tuple(told)


def shown(study: Study) -> Table:
    """How often each design is significant on the smallest and on the largest test set."""
    designs = _designs(study)
    ends = (0, -1) if len(designs[0].items) > 1 else (0,)
    # One test for all is named below the table, and leaves its room to the scores.
    tests = [TESTS[design.test].label.removesuffix(" test") for design in designs]
    several = len(set(tests)) > 1
    sizes = tuple(f"{designs[0].items[at]:,} items" for at in ends)
    rows = tuple(
        (design.laws, *((test,) if several else ()), *(f"{hundredths(design.significant[at])}%" for at in ends))
        for design, test in zip(designs, tests, strict=True)
    )
    by = "" if several else f" by {with_article(TESTS[designs[0].test].label)}"
    headings = ("simulated scores", *(("test",) if several else ()), *sizes)
    return Table(headings, rows, caption=f"Share of significant test sets{by}.", figures=sizes)


def points(study: Study) -> tuple[tuple[str, str], ...]:
    """What was simulated."""
    alpha = study.settings["alpha"]
    return (
        (
            "Study",
            f"{study.settings['iterations']:,} simulated test sets of each size, two-sided tests at {alpha:g}.",
        ),
    )


def caveats(study: Study) -> tuple[str, ...]:
    """A small p is not a large difference."""
    return remarks(study)[-1:]


def captions(study: Study) -> dict[str, str]:
    """Say what the table shows."""
    other = any(design.truth == _ELSEWHERE for design in _designs(study))
    return {
        "p-values": f"Two-sided p-values of {study.settings['iterations']:,} simulated test sets of each size; "
        f"significant: share with p <= {study.settings['alpha']:g}."
        + (f" {_ELSEWHERE.capitalize()}: {_TRUTHS[_ELSEWHERE]}." if other else "")
    }
