"""Which rule computes the p-values of a test inside a power curve.

A rule for blocks of counts where there is one, a tangent for corpus metrics, rows of items for normal differences; any
other test is run on every drawn test set, which is slow and right for all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from nofluke.align.counts import TwoScores, two_scores
from nofluke.errors import MethodError
from nofluke.inference.power.curves import mean_rules as means
from nofluke.inference.power.curves.flip_tails import flip_log_tails
from nofluke.inference.power.curves.pilot import Pilot
from nofluke.inference.power.curves.resample_tails import resample_log_tails
from nofluke.inference.power.curves.rule import (
    EXACT,
    SADDLEPOINT,
    TANGENT,
    THE_TEST,
    THE_TEST_OR_SILENT,
    Rule,
    Setting,
    t_tails,
)
from nofluke.inference.power.curves.sums_within import (
    SumsPilot,
    average_sums_rule,
    drawn_sums,
    normal_log_p,
    tangent_of,
)
from nofluke.inference.power.curves.within_datasets import AveragePilot, average_flip_rule, drawn_average
from nofluke.laws.signed_rank import exact_tail
from nofluke.registry import TESTS, Method
from nofluke.types import FloatArray, IntArray, Sample, frozen

# Test -> (rule, the options it knows with the values it knows, None for all). Anything else runs the test itself.
_RULES: dict[str, tuple[Callable[[Pilot, Setting], Rule], dict[str, tuple[Any, ...] | None]]] = {
    "paired_t": (means.t_rule, {}),
    "one_lost_item": (means.lost_item_rule, {"low": None, "high": None}),
    "permutation": (means.flip_rule, {"form": ("studentized", "raw")}),
    "wilcoxon": (
        means.wilcoxon_rule,
        {"zeros": ("drop", "pratt"), "mode": ("auto", "exact", "normal"), "continuity": (False,), "snap": (True,)},
    ),
    "sign": (means.sign_rule, {"snap": (True,), "tie_width": (0.0, 0)}),
    "mcnemar": (means.sign_rule, {"mode": ("exact",), "continuity": (False,)}),
    "tango": (means.tango_rule, {"mode": ("auto",)}),
    "bootstrap": (
        means.bootstrap_rule,
        {
            "form": ("shift", "berg_kirkpatrick", "percentile"),
            "recentre": ("observed",),
            "two_sided": ("doubled",),
            "resample_size": (None,),
        },
    ),
}
NORMAL_METHODS = ("paired_t", "permutation", "wilcoxon", "sign", "bootstrap")


# Tests of an average whose items are drawn within each dataset, also where all items count the same.
_WITHIN = ("permutation", "mover", "one_lost_item", "stratified_t")


def keeps_datasets_apart(sample: Sample, method: Method) -> bool:
    """Whether a test set is drawn dataset by dataset, because the test does not take all items as one pool."""
    strata = sample.strata
    return strata is not None and not (strata.one_source if method.name in _WITHIN else strata.pooled)


def has_rule(sample: Sample, method: Method, setting: Setting) -> bool:
    """Whether p-values of whole blocks can be computed; otherwise the test itself is run on every test set."""
    if method.name == "corrected_resampled_t":
        raise MethodError(
            "the units of corrected_resampled_t are overlapping training sets, which cannot be drawn like items.",
            fix="draw the curve for a test of items, such as 'permutation'.",
        )
    if keeps_datasets_apart(sample, method) and method.name != "permutation":
        return False
    if method.name not in _RULES or (not sample.aggregate.linear and method.name not in ("permutation", "bootstrap")):
        return False
    if method.name == "tango" and two_scores(sample) != TwoScores():
        return False
    known = _RULES[method.name][1]
    given = {name: value for name, value in setting.options.items() if value is not None}
    if not sample.aggregate.linear and given.get("form") == "studentized":
        # The tangent of a corpus metric stands for its standard errors as well.
        del given["form"]
    return all(name in known and _knows(known[name], value) for name, value in given.items())


def _knows(values: tuple[Any, ...] | None, value: Any) -> bool:
    return values is None or value in values


def rule_of(pilot: Pilot, method: Method, setting: Setting, seed: int) -> Rule:
    """Give the rule for a pilot, grouped where there is one (`has_rule`)."""
    if not has_rule(pilot.sample, method, setting):
        return direct_rule(pilot, method, setting, seed)
    if isinstance(pilot, SumsPilot):
        return average_sums_rule(pilot, setting)
    if isinstance(pilot, AveragePilot):
        return average_flip_rule(pilot, setting)
    if pilot.statistics is not None:
        return corpus_rule(pilot, setting, swaps=method.name == "permutation")
    return _RULES[method.name][0](pilot, setting)


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

    return Rule(block, THE_TEST_OR_SILENT if method.name == "bootstrap" and setting.delta else THE_TEST)


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

    def run(sample: Sample) -> float:
        log_p = float(method.function(sample, **checked).log_p_value)
        if math.isnan(log_p) and method.name == "bootstrap" and not setting.delta:
            log_p = float(TESTS["permutation"].function(sample, **settings).log_p_value)
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


def normal_rule(method: str, setting: Setting) -> Rule:
    """Give the rule for a test of continuous differences."""
    if method not in NORMAL_METHODS:
        raise MethodError(
            f"{method} is no test of continuous differences of items, so normal ones cannot be drawn for it.",
            fix=f"leave form at 'pilot', which draws real items; or use one of: {', '.join(NORMAL_METHODS)}.",
        )
    rules = {
        "paired_t": _t_by_rows,
        "permutation": _flips_by_rows,
        "wilcoxon": _ranks_by_rows,
        "sign": _signs_by_rows,
        "bootstrap": _resampled_by_rows,
    }
    return Rule(lambda values: rules[method](values - setting.delta, setting), _HOW.get(method, SADDLEPOINT))


_HOW = {"paired_t": EXACT, "sign": EXACT}


def _t_by_rows(values: FloatArray, setting: Setting) -> FloatArray:
    n = values.shape[1]
    mean, sd = values.mean(axis=1), values.std(axis=1, ddof=1)
    return setting.log_p(mean, t_tails(mean / sd * math.sqrt(n), np.full(len(values), n - 1.0)))


def _signs_by_rows(values: FloatArray, setting: Setting) -> FloatArray:
    wins = (values > 0).sum(axis=1).astype(np.float64)
    losses = values.shape[1] - wins
    return setting.log_p(wins - losses, means.sign_tails(wins, losses))


def _flips_by_rows(values: FloatArray, setting: Setting) -> FloatArray:
    total = values.sum(axis=1)
    ones, none = np.ones_like(values), np.zeros(len(values))
    return setting.log_p(total, flip_log_tails(np.abs(values), ones, np.abs(total), none, setting.tail))


def _ranks_by_rows(values: FloatArray, setting: Setting) -> FloatArray:
    """Ranks of continuous differences are 1 ... n, so the null law is one for all test sets."""
    n = values.shape[1]
    order = np.argsort(np.abs(values), axis=1)
    positive = np.take_along_axis(values > 0, order, axis=1)
    doubled = 2.0 * np.arange(1, n + 1)
    total = np.where(positive, doubled, -doubled).sum(axis=1)
    if n <= 200:
        levels, which = np.unique(np.abs(total), return_inverse=True)
        ranks = doubled.astype(np.int64)
        logs = np.array([exact_tail(ranks, int(level)).log_p for level in levels])[which]
    else:
        ones, halves = np.ones_like(values), np.full(len(values), 2.0)
        logs = flip_log_tails(doubled, ones, np.abs(total), halves, setting.tail)
    return setting.log_p(total, logs)


def _resampled_by_rows(values: FloatArray, setting: Setting) -> FloatArray:
    total = values.sum(axis=1)
    behind = setting.options.get("form") == "percentile"
    ahead = np.where(total >= 0, 1.0, -1.0) * (-1.0 if behind else 1.0)
    asked = 0.0 if behind else 2.0, np.zeros(len(values)), setting.tail
    tails = resample_log_tails(values * ahead[:, None], np.ones_like(values), *asked)
    logs = setting.log_p(total, tails)
    # Where no resample gets so far the test has no p-value and names sign flips to be used instead.
    silent = np.isnan(logs)
    if silent.any():
        logs[silent] = _flips_by_rows(values[silent], setting)
    return logs
