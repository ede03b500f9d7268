"""Does a test keep its promise on data like these? Test sets are drawn from items whose true difference is 0."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np

from nofluke.align import as_sample
from nofluke.align.decimals import differences
from nofluke.check import check_count, check_number
from nofluke.errors import Fix, InputError, MethodError, Option, unknown
from nofluke.inference.power.curves.choose import form_of_counts, rule_of
from nofluke.inference.power.curves.draws import Alias, drawn_counts
from nofluke.inference.power.curves.pilot import pilot_of
from nofluke.inference.power.curves.rule import Setting
from nofluke.inference.ranking.panel import units_of
from nofluke.inference.recommend.default import preferred
from nofluke.noting import called
from nofluke.options import LEVEL, Missing, Opt, SeedOfDraws, listed
from nofluke.registry import TESTS, Method
from nofluke.studies.block_p_values import block_p_values
from nofluke.studies.recording import rate, recorded, unit_of
from nofluke.types import MEAN, FloatArray, Grid, Sample, Study, frozen
from nofluke.types.study import Series
from nofluke.verbs.test import test

Progress = Callable[[int, int], None] | None
NoDifference = Literal["auto", "recentred", "reweighted"]
FORMS = ("auto", "recentred", "reweighted")
# Above this share of ties recentring would move too many items off the tie.
_MANY_TIES = 0.05
_LARGEST = 2**50

_STEPS = 20
TOO_OFTEN, KEPT = "too often", "as promised"


@called("studies.audit", "pair", "a", "b")
def audit(
    a: Any,
    b: Any = None,
    methods: Annotated[
        str | Sequence[str], Opt("The tests, with commas between them; auto takes the recommended one.")
    ] = "auto",
    *,
    alpha: Annotated[float, Opt("The promised level.", bounds=LEVEL)] = 0.05,
    size: Annotated[int | None, Opt("Items (or clusters) of a test set. Default: as many as there are.")] = None,
    iterations: Annotated[int, Opt("Test sets drawn.")] = 4_000,
    no_difference: Annotated[
        NoDifference,
        Opt(
            "How the difference is taken out: recentred (moved to a mean of 0), reweighted (items get other weights), "
            "or auto."
        ),
    ] = "auto",
    seed: SeedOfDraws = 0,
    missing: Missing = "refuse",
    progress: Progress = None,
    **options: Any,
) -> Study:
    """Does this test keep its promise on data like these, when A and B do not differ?

    Takes two sequences or one Sample. With no_difference="recentred" the differences are moved so that their mean is 0,
    and test sets of `size` items (default: as many as there are) are drawn from them with replacement, whole clusters
    where there are clusters. A test that keeps its promise is significant in at most alpha of them; both tails are
    counted apart, because a skewed metric breaks them in opposite ways. 0/1 scores, corpus metrics and scores with many
    ties would not survive the move: there the items are reweighted until both systems score the same ("reweighted").
    `methods` are names of tests; "auto" is the recommended one. Further options belong to the tests.

    >>> study = audit([3, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2, 8, 1, 8], "paired_t", iterations=500)
    >>> study.tables["significant"]["promised"]
    (0.05, 0.025, 0.025)
    """
    if isinstance(a, Sample) and b is not None:
        b, methods = None, b
    sample = _of_one_dataset(as_sample(a, b, missing=missing))
    names = tuple(listed(methods))
    chosen = [TESTS[preferred(sample) if name == "auto" else name] for name in names]
    check_number(alpha, "alpha", 1e-6, 0.5, closed=True)
    check_count(iterations, "iterations", 100, 10_000_000)
    if no_difference not in FORMS:
        raise unknown("value of no_difference", str(no_difference), FORMS)
    how = _form_for(sample, chosen, no_difference)
    own = [_own_options(sample, method, options, chosen) for method in chosen]
    material = recentred(sample) if how == "recentred" else sample
    units = units_of(sample)
    size = check_count(units if size is None else size, "size", 2, 10_000_000)
    drawing = Drawing(how, alpha, size, iterations, seed)
    done = [
        _audited(material, method, known, drawing, _progress_of_test(progress, index, chosen))
        for index, (method, known) in enumerate(zip(chosen, own, strict=True))
    ]
    return recorded(
        "audit",
        {
            "methods": tuple(method.name for method in chosen),
            **options,
            "no_difference": how,
            "alpha": alpha,
            "size": size,
            "iterations": iterations,
            "seed": seed,
            "n": sample.n,
            "clusters": units if sample.clusters is not None else None,
        },
        tables={"significant": table_of(done, alpha)},
        series={"p-values": curve_of(done)},
        charts=("audit",),
        citations=tuple(dict.fromkeys(method.cited() for method in chosen)),
        facts={"systems": sample.systems, "unit": unit_of(sample), "units": units},
    )


def _progress_of_test(progress: Progress, index: int, chosen: Sequence[Method]) -> Progress:
    if progress is None:
        return None
    return lambda done, total: progress(index * total + done, len(chosen) * total)


def _of_one_dataset(sample: Sample) -> Sample:
    if sample.strata is None:
        return sample
    raise MethodError(
        f"an audit draws test sets from one dataset, and there are {len(sample.strata.names)}.",
        fix=Fix("choose one: ", Option("dataset", sample.strata.names[0]), "."),
    )


def _own_options(sample: Sample, method: Method, options: dict[str, Any], chosen: Sequence[Method]) -> dict[str, Any]:
    """Give a test the options that it knows; what none of the tests knows, or this one cannot be given, is refused."""
    for name in options:
        if not any(name in other.option_names() for other in chosen):
            method.check_options({name: options[name]})
    own = method.check_options({name: value for name, value in options.items() if name in method.option_names()})
    # The test's own checks of the sample; its answer is not used.
    test(sample, method.name, **own)
    return own


def _audited(
    sample: Sample,
    method: Method,
    options: dict[str, Any],
    drawing: Drawing,
    progress: Progress,
) -> Audited:
    # Half of alpha is the tail in which a two-sided test becomes significant: there tails are most precise.
    setting = Setting("greater", drawing.alpha / 2, 0.0, options)
    pilot = pilot_of(sample, grouped=form_of_counts(sample, method, setting) is not None)
    if not pilot.varies:
        raise InputError(
            "A and B differ by the same on every item, or not at all, so that all test sets would be alike.",
            fix="give systems whose difference varies from item to item.",
        )
    weights = pilot.equal_weights if drawing.how == "recentred" else pilot.weights_for(0.0)
    sides = [rule_of(pilot, method, replace(setting, alternative=side), drawing.seed) for side in ("greater", "less")]
    found: list[list[FloatArray]] = [[], []]
    done = 0
    for counts in drawn_counts(Alias(weights), drawing.size, drawing.iterations, drawing.seed):
        for part, rule in zip(found, sides, strict=True):
            p = block_p_values(rule, counts, pilot, method, options)
            # Without a p-value nothing is claimed.
            part.append(np.where(np.isnan(p), 1.0, p))
        done += len(counts)
        if progress is not None:
            progress(done, drawing.iterations)
    return Audited(method, np.concatenate(found[0]), np.concatenate(found[1]))


def _form_for(sample: Sample, methods: Sequence[Method], form: str) -> str:
    """Recentre where that leaves the scores what they are; otherwise reweight."""
    for method in methods:
        if method.facts["needs"] == "unpaired":
            raise MethodError(
                f"{method.name} compares independent groups, and the audit moves paired differences.",
                fix="audit a paired test, such as 'permutation'.",
            )
        if sample.clusters is not None and not method.facts["clusters"]:
            raise MethodError(
                f"{method.name} takes items as independent, and these come in clusters.",
                fix="audit 'permutation' or 'bootstrap', which keep clusters together.",
            )
    fixed = not sample.aggregate.linear or any(method.facts["needs"] == "binary" for method in methods)
    if form == "recentred" and fixed:
        raise MethodError(
            "corpus metrics and tests of 0/1 scores have no differences that could be moved to a mean of 0.",
            fix=Fix("use ", Option("no_difference", "reweighted"), "."),
        )
    if form != "auto":
        return form
    tied = fixed or float(np.mean(differences(sample).snapped == 0)) > _MANY_TIES
    return "reweighted" if tied else "recentred"


def recentred(sample: Sample) -> Sample:
    """Move the differences so that their mean over items is exactly 0; B then scores 0 on every item."""
    d = differences(sample).snapped
    n, total = len(d), int(d.sum())
    largest = int(np.abs(d).max())
    # Times n the mean is whole. Where that does not fit, half a grid step is far below anything that matters.
    moved = d * n - total if (largest + 1) * n < _LARGEST else d - round(total / n)
    table = np.stack((moved, np.zeros_like(moved)), axis=1)[:, :, None].astype(np.float64)
    return replace(
        sample,
        statistics=frozen(table),
        aggregate=MEAN,
        higher_is_better=True,
        grid=Grid(0, 1, exact=True),
        incomplete=frozen(np.empty((0, 2, 1))),
        notes=(),
    )


@dataclass(frozen=True, slots=True)
class Drawing:
    """How test sets without a difference are made: recentred or reweighted, how large, how many; and the level."""

    how: str
    alpha: float
    size: int
    iterations: int
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Audited:
    """The p-values of one test under no difference: one-sided for each side, and both together."""

    method: Method
    greater: FloatArray
    less: FloatArray

    @property
    def of_the_mean(self) -> bool:
        """Whether equal means, which is what is drawn here, are the test's null hypothesis."""
        return bool(self.method.facts["about"] == "mean")

    @property
    def two_sided(self) -> FloatArray:
        """Twice the smaller one-sided p-value."""
        both: FloatArray = np.minimum(1.0, 2 * np.minimum(self.greater, self.less))
        return both

    @property
    def by_claim(self) -> dict[str, FloatArray]:
        """The p-values of every claim: that there is a difference, that A is better, that B is better."""
        return {"two-sided": self.two_sided, "greater": self.greater, "less": self.less}


def table_of(done: Sequence[Audited], alpha: float) -> dict[str, tuple[Any, ...]]:
    """For every test: both sides together at alpha, each side at half of it."""
    rows = []
    for one in done:
        levels = zip(one.by_claim.items(), (alpha, alpha / 2, alpha / 2), strict=True)
        for (claim, p), level in levels:
            count = int(np.sum(p <= level * (1 + 1e-12)))
            band = rate(count, len(p))
            rows.append(
                {
                    "test": one.method.name,
                    "claim": claim,
                    "promised": level,
                    "found": count / len(p),
                    "from": band.low,
                    "to": band.high,
                    "verdict": _verdict(band.low, band.high, level, of_the_mean=one.of_the_mean),
                }
            )
    return {column: tuple(row[column] for row in rows) for column in rows[0]}


def _verdict(low: float, high: float, level: float, *, of_the_mean: bool) -> str:
    if low > level:
        return TOO_OFTEN if of_the_mean else "no test of the mean"
    return KEPT if high <= level else "no breach seen"


def curve_of(done: Sequence[Audited]) -> Series:
    """The share of test sets with a p-value of at most x, for p-values that matter."""
    grid = np.concatenate(([0.001, 0.0025, 0.005], np.arange(1, _STEPS + 1) * 0.01))
    levels: list[float] = []
    shares: list[float] = []
    labels: list[str] = []
    sides: list[str] = []
    for one in done:
        for side, p in one.by_claim.items():
            levels += grid.tolist()
            shares += [float(np.mean(p <= level * (1 + 1e-12))) for level in grid]
            labels += [one.method.name] * len(grid)
            sides += [side] * len(grid)
    return Series(
        "p-values",
        {"level": frozen(levels), "share": frozen(shares)},
        {"test": tuple(labels), "claim": tuple(sides)},
    )
