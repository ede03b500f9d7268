"""The results: intervals, estimates, test results, and the comparison made of them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from nofluke.types.base import Drawable, FloatArray, Value
from nofluke.types.call import Call
from nofluke.types.data import Alignment
from nofluke.types.notes import Note
from nofluke.types.profile import Choices, Profile

if TYPE_CHECKING:
    from nofluke.types.posterior import Posterior


@dataclass(frozen=True, slots=True)
class Interval(Value):
    """A confidence interval; `level` is the level asked for, `achieved` what a discrete method really reaches.

    `extended` says that it was drawn out to the null value, which the p-value does not reject.
    """

    low: float
    high: float
    level: float
    method: str
    achieved: float = math.nan
    extended: bool = False

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Estimate(Value):
    """An effect size with its interval; magnitude is a word only where a named rule gave it.

    `systems` are the two that were compared: values beyond that of no difference favour the first.
    """

    name: str
    value: float
    interval: Interval | None = None
    standard_error: float = math.nan
    magnitude: str = ""
    rule: str = ""
    notes: tuple[Note, ...] = ()
    signature: str = ""
    systems: tuple[str, ...] = ("A", "B")
    n: int | None = None
    call: Call | None = None


@dataclass(frozen=True, slots=True)
class SystemScore(Estimate):
    """What one system scores, with its interval; where there is a number to test `against`, whether it is beyond it.

    `systems` names it alone. `verdict` is better, worse, inconclusive or undefined, as seen from the system; "" where
    nothing was tested. `test` is binomial, t, delta or bootstrap: what gave the p-value. `weighting` is that of
    datasets, where there are several; `runs` counts runs that the claim is about, and is 0 where it is about one
    checkpoint.
    """

    metric: str = "score"
    higher_is_better: bool = True
    dataset: str = ""
    n_datasets: int = 0
    weighting: str = ""
    clusters: int = 0
    runs: int = 0
    df: float = math.nan
    against: float | None = None
    alternative: str = "two-sided"
    p_value: float = math.nan
    test: str = ""
    alpha: float = 0.05
    verdict: str = ""


@dataclass(frozen=True, slots=True)
class Computed(Value):
    """How a p-value was obtained, with the error of the number itself.

    exact: without random draws (an asymptotic tail is computed exactly too; `validity` says what it promises);
    approximate: without draws, but its computed error bound is not below 1e-9; monte-carlo: `error` is the standard
    error, and `interval` says where the p-value would settle with ever more draws; linear+correction: the p-value is an
    upper bound that holds with 95 % confidence, and `error` is how much lower the estimate is; bound: larger than the
    test's own p-value, for the reason in `detail`; decision: draws ended once it was clear on which side of a level the
    p-value is. `detail` says which way the number was computed, where there are several.
    """

    how: str
    error: float = 0.0
    resamples: int = 0
    seed: int | None = None
    detail: Note | None = None
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class TestResult(Value):
    """One significance test. A method fills the numbers; nofluke.test adds name, null, estimand and signature.

    `direction` is 1 where the evidence leans to A and -1 where it leans to B, whatever the estimate says: on tied data
    a pseudo-median can be 0 although the ranks clearly favour one system. `about` is mean, median, items, ranks or
    correlation. `kind` is the registry the method is from, `validity` one of VALIDITIES. `unit` is what n counts: item,
    unit (of several items), split, score (of one of two groups) or dataset. `alpha` decides the words, never a number.
    `null` and `estimand` are what the registry says, with {a} and {b} for the systems; `metric` is named where only
    all items together have a score. Of an average of datasets `n_datasets` is their number, `weighting` equal, items or
    given, and `noun` what the user calls one.
    """

    __test__ = False  # not a test class for pytest

    statistic: float
    p_value: float
    log_p_value: float
    alternative: str
    n: int
    computed: Computed
    validity: str
    estimate: float = math.nan
    direction: int = 0
    z_score: float = math.nan
    delta: float = 0.0
    interval: Interval | None = None
    details: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    method: str = ""
    label: str = ""
    null: str = ""
    estimand: str = ""
    about: str = ""
    signature: str = ""
    systems: tuple[str, str] = ("A", "B")
    kind: str = "test"
    unit: str = "item"
    clusters: int = 0
    higher_is_better: bool = True
    alpha: float = 0.05
    metric: str = ""
    left_out: bool = False
    scored_by: str = ""
    n_datasets: int = 0
    weighting: str = ""
    noun: str = "dataset"
    call: Call | None = None


# What a p-value promises, as TestResult.validity says it; words/computed.py has it in English.
VALIDITIES = (
    "exact",
    "exact_if_swappable",
    "exact_if_swappable_metric",
    "nearly_exact_if_swappable_metric",
    "swappable_on_one_scale",
    "bounded_scores",
    "normal_differences",
    "normal_equal_variances",
    "normal_columns",
    "welch",
    "mid_p",
    "split_correlation",
    "normal_correlations",
    "asymptotic",
)


@dataclass(frozen=True, slots=True)
class Detectable(Value):
    """The true difference a test set of this size would find with the given power, and where significance begins.

    nan, with the reason, where that cannot be said.
    """

    difference: float
    threshold: float
    standard_error: float
    power: float
    reason: Note | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Distribution(Value):
    """A distribution to look at: probabilities of single values (`atoms`), or a density on a grid.

    `how` is exact, smoothed (far frequencies left out) or normal (the approximation for very many items).
    """

    grid: FloatArray
    density: FloatArray
    atoms: bool
    how: str


@dataclass(frozen=True, slots=True)
class Task(Value):
    """One dataset of several: the scores of A and B there, and whether one of them is shown to be better.

    `difference` is positive where A is better. `p_value` is that of the dataset alone, `adjusted` after Holm's
    correction over all datasets, which `verdict` (better, worse or inconclusive, as seen from A) is read from.
    """

    dataset: str
    n: int
    weight: float
    scores: tuple[float, float]
    difference: float
    interval: Interval | None
    p_value: float
    adjusted: float
    verdict: str
    method: str


@dataclass(frozen=True, slots=True)
class Average(Value):
    """How datasets were averaged, and on how many of them A is shown to be better or worse.

    `weighting` is equal, items or given. `effective_n` items of one dataset would say as much. `joint` says that single
    datasets were judged only where the average was decided. `shared` counts items that several datasets have, `noun` is
    what the user calls a dataset. The
    other usual weighting is told beside the verdict, never as it; `other_p_value` is nan where it was not tested.
    """

    weighting: str
    effective_n: float
    better: int
    worse: int
    joint: bool = False
    shared: int = 0
    noun: str = "dataset"
    other_weighting: str = ""
    other_scores: tuple[float, float] | None = None
    other_p_value: float = math.nan


@dataclass(frozen=True, slots=True)
class Noise(Value):
    """Where the uncertainty of a difference comes from: which items were scored, and how each training run fell.

    `items` is the variance of the difference from items, `runs` the variance between the runs of each system without
    what items explain; `n_runs` counts them. The standard errors are those of this many items and runs, of twice as
    many items, and of twice as many runs of each system. The standard deviations are what a plan of other numbers
    takes (`sample_size`): of the differences of items, of runs, and of one item's scores in several runs.
    """

    items: float
    runs: tuple[float, float]
    n_runs: tuple[int, int]
    standard_error: float
    twice_items: float
    twice_runs: float
    sd: float = math.nan
    run_sd: float = math.nan
    answer_sd: float = math.nan


@dataclass(frozen=True, slots=True)
class Comparison(Drawable):
    """Everything nofluke knows about A against B on one metric, as facts; words/ says it in English.

    On one dataset, or on the average of several: then `tasks` has a row for each, and `average` says how they were
    averaged. Where the claim is about training, `noise` says what comes from items and what from runs.

    `verdict` is better, worse, inconclusive or undefined, as seen from A; `margin_verdict` is better, worse,
    equivalent, not worse, not better or undecided, read from `margin_interval`. `repeated` tells of tests that were run
    again with the rounding of printed scores undone. `also_run` holds the other tests that were run on the same data,
    where that is known (the app remembers them).
    """

    systems: tuple[str, str]
    metric: str
    dataset: str
    higher_is_better: bool
    scores: tuple[float, float]
    n: int
    unit_size: int
    clusters: int
    alignment: Alignment
    alpha: float
    verdict: str
    profile: Profile
    choices: Choices
    test: TestResult
    effects: Mapping[str, Estimate]
    detectable: Detectable
    margin: float | None
    margin_verdict: str
    margin_test: TestResult | None
    tests_run: tuple[str, ...]
    notes: tuple[Note, ...]
    signature: str
    unit_statistic: str = "mean"
    margin_interval: Interval | None = None
    repeated: tuple[Note, ...] = ()
    distribution: Distribution | None = None
    posterior: Posterior | None = None
    also_run: tuple[TestResult, ...] = ()
    scored_by: str = ""
    call: Call | None = None
    tasks: tuple[Task, ...] = ()
    average: Average | None = None
    noise: Noise | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give a JSON-safe dictionary; other tests, and datasets, are spoken of only where there were several."""
        found = Drawable.to_dict(self)
        for name in ("also_run", "tasks", "average", "noise"):
            if not getattr(self, name):
                del found[name]
        return found


@dataclass(frozen=True, slots=True)
class MetricsComparison(Value):
    """A against B by several metrics, which are one family: what is claimed of one holds beside the others.

    `adjusted` are the p-values after Holm's correction over the metrics, `verdicts` what they show (better, worse,
    inconclusive or undefined, as seen from A). Each Comparison is that of its metric alone.
    """

    systems: tuple[str, str]
    by_metric: Mapping[str, Comparison]
    adjusted: Mapping[str, float]
    verdicts: Mapping[str, str]
    alpha: float
    notes: tuple[Note, ...]
    signature: str
    call: Call | None = None
