"""Which rule computes the p-values of a test inside a power curve.

A rule for blocks of counts where there is one, and a tangent for corpus metrics; any other test is run on every drawn
test set, which is slow and right for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import numpy as np

from nofluke.align.counts import TwoScores, two_scores
from nofluke.errors import MethodError
from nofluke.forms import OF_COUNTS, Form
from nofluke.inference.power.curves.pilot import Pilot
from nofluke.inference.power.curves.rule import (
    TANGENT,
    THE_TEST,
    THE_TEST_OR_SILENT,
    Rule,
    Setting,
)
from nofluke.inference.power.curves.sums_within import (
    SumsPilot,
    average_sums_rule,
    drawn_sums,
    normal_log_p,
    tangent_of,
)
from nofluke.inference.power.curves.within_datasets import AveragePilot, average_flip_rule, drawn_average
from nofluke.registry import TESTS, Method
from nofluke.types import FloatArray, IntArray, Sample, frozen


def keeps_datasets_apart(sample: Sample, method: Method) -> bool:
    """Whether a test set is drawn dataset by dataset, because the test does not take all items as one pool."""
    strata = sample.strata
    return strata is not None and not (strata.one_source if method.facts["within_datasets"] else strata.pooled)


def form_of_counts(sample: Sample, method: Method, setting: Setting) -> Form | None:
    """Give the form that computes p-values of whole blocks; None where the test itself is run on every test set."""
    if method.facts["of_splits"]:
        raise MethodError(
            f"the units of {method.name} are overlapping training sets, which cannot be drawn like items.",
            fix="draw the curve for a test of items, such as 'permutation'.",
        )
    options = dict(setting.options)
    if not sample.aggregate.linear and options.get("form") == "studentized":
        # The tangent of a corpus metric stands for its standard errors as well.
        del options["form"]
    form = OF_COUNTS.of(method.name, options)
    if form is None or (keeps_datasets_apart(sample, method) and not form.facts["averages"]):
        return None
    if form.facts["zero_one"] and two_scores(sample) != TwoScores():
        return None
    return form if sample.aggregate.linear or form.facts["corpus"] else None


def rule_of(pilot: Pilot, method: Method, setting: Setting, seed: int) -> Rule:
    """Give the rule for a pilot, which is grouped where the test has a form of counts."""
    form = form_of_counts(pilot.sample, method, setting)
    if form is None:
        return direct_rule(pilot, method, setting, seed)
    if isinstance(pilot, SumsPilot):
        return average_sums_rule(pilot, setting)
    if isinstance(pilot, AveragePilot):
        return average_flip_rule(pilot, setting)
    if pilot.statistics is not None:
        return corpus_rule(pilot, setting, swaps=method.facts["swaps"])
    rule: Rule = form.function(pilot, setting)
    return rule


def corpus_rule(pilot: Pilot, setting: Setting, *, swaps: bool) -> Rule:
    """Approximate the tail of swapped or resampled metrics by a normal one.

    The difference varies by sqrt(sum psi^2) under swaps (signs, mean not removed) and by the root of the centred sum
    under resampling; psi is what a unit pulls it by along the metric's tangent.
    """
    if pilot.statistics is None:
        raise TypeError("a corpus metric has statistics")
    moments = tangent_of(pilot.statistics, pilot.sample.aggregate)

    def block(counts: FloatArray) -> FloatArray:
        (difference, centred), n = moments(counts)
        return normal_log_p(difference, centred + (difference**2 / n if swaps else 0.0), setting)

    return Rule(block, TANGENT)


def direct_rule(pilot: Pilot, method: Method, setting: Setting, seed: int) -> Rule:
    """Build each test set as a sample and test it."""
    run = log_p_by(method, setting, seed)

    def block(counts: FloatArray) -> FloatArray:
        return np.array([run(drawn_sample(pilot, row.astype(np.int64))) for row in counts])

    return Rule(block, THE_TEST_OR_SILENT if method.facts["where_silent"] and setting.delta else THE_TEST)


class Units(Protocol):
    """A pilot, of which so many units are drawn."""

    @property
    def sample(self) -> Sample: ...

    @property
    def units(self) -> int: ...


def log_p_by(method: Method, setting: Setting, seed: int, monte_carlo: int | None = None) -> Callable[[Sample], float]:
    """Give the log p-value of the registered test as a function of the sample.

    Undefined counts as no evidence; but the bootstrap, where it has none, names sign flips to be used instead. Those
    cannot stand in for a margin: about a delta they refuse ties and corpus metrics.
    """
    names = method.option_names()
    shared = {"alternative": setting.alternative, "delta": setting.delta, "seed": seed}
    settings = {name: value for name, value in shared.items() if name in names and (name != "delta" or value)}
    draws = {} if monte_carlo is None else {"monte_carlo": monte_carlo}
    checked = method.check_options({**settings, **setting.options, **draws})
    instead = "" if setting.delta else method.facts["where_silent"]

    def run(sample: Sample) -> float:
        log_p = float(method.function(sample, **checked).log_p_value)
        if math.isnan(log_p) and instead:
            log_p = float(TESTS[instead].function(sample, **settings).log_p_value)
        return 0.0 if math.isnan(log_p) else log_p

    return run


def drawn_sample(pilot: Units, counts: IntArray) -> Sample:
    """Make the sample that holds each unit of an ungrouped pilot so many times."""
    if isinstance(pilot, SumsPilot):
        return drawn_sums(pilot, counts)
    if isinstance(pilot, AveragePilot):
        return drawn_average(pilot, counts)
    sample = pilot.sample
    units = np.repeat(np.arange(pilot.units), counts)
    if sample.clusters is None:
        return replace(
            sample,
            statistics=frozen(sample.statistics[units]),
            ids=None,
            lengths=(len(units), len(units)),
            clusters=None,
        )
    members = [np.flatnonzero(sample.clusters == label) for label in np.unique(sample.clusters)]
    items = np.concatenate([members[unit] for unit in units])
    labels = np.repeat(np.arange(len(units)), [len(members[unit]) for unit in units])
    return replace(
        sample,
        statistics=frozen(sample.statistics[items]),
        ids=None,
        lengths=(len(items), len(items)),
        clusters=frozen(labels, np.int64),
        cluster_labels=tuple(str(label) for label in range(len(units))),
    )
