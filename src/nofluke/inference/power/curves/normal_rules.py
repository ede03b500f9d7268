"""Rules for normal differences: every row of a block is a test set of items that are drawn, not taken from a pilot."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from nofluke.errors import MethodError
from nofluke.forms import OF_NORMALS, Form
from nofluke.inference.power.curves.count_rules import WITHOUT_DRAWS, sign_tails
from nofluke.inference.power.curves.flip_tails import flip_log_tails
from nofluke.inference.power.curves.resample_tails import resample_log_tails
from nofluke.inference.power.curves.rule import EXACT, SADDLEPOINT, Rule, Setting, t_tails
from nofluke.laws.signed_rank import exact_tail
from nofluke.types import FloatArray


def form_of_normals(method: str, options: Mapping[str, Any]) -> Form:
    """Give the form of a test of continuous differences, and refuse what it cannot do: there are no items to test."""
    if OF_NORMALS.of(method) is None:
        raise MethodError(
            f"{method} is no test of continuous differences of items, so normal ones cannot be drawn for it.",
            fix=f"leave form at 'pilot', which draws real items; or use one of: {', '.join(OF_NORMALS.names())}.",
        )
    form = OF_NORMALS.of(method, options)
    if form is None:
        asked = ", ".join(f"{name} = {value}" for name, value in options.items() if value is not None)
        raise MethodError(
            f"normal differences are drawn for {method} as it is by default, not with {asked}.",
            fix="leave form at 'pilot', which runs the test itself; or leave its options out.",
        )
    return form


def normal_rule(method: str, setting: Setting) -> Rule:
    """Give the rule for a test of continuous differences."""
    form = form_of_normals(method, setting.options)
    return Rule(lambda values: form.function(values - setting.delta, setting), form.facts["how"])


@OF_NORMALS.register("paired_t", how=EXACT, formula=True)
def _t_by_rows(values: FloatArray, setting: Setting) -> FloatArray:
    n = values.shape[1]
    mean, sd = values.mean(axis=1), values.std(axis=1, ddof=1)
    return setting.log_p(mean, t_tails(mean / sd * math.sqrt(n), np.full(len(values), n - 1.0)))


@OF_NORMALS.register("sign", knows={"snap": None, "tie_width": (0.0,)}, how=EXACT)
def _signs_by_rows(values: FloatArray, setting: Setting) -> FloatArray:
    wins = (values > 0).sum(axis=1).astype(np.float64)
    losses = values.shape[1] - wins
    return setting.log_p(wins - losses, sign_tails(wins, losses))


@OF_NORMALS.register("permutation", knows={"form": None}, how=SADDLEPOINT)
def _flips_by_rows(values: FloatArray, setting: Setting) -> FloatArray:
    total = values.sum(axis=1)
    ones, none = np.ones_like(values), np.zeros(len(values))
    return setting.log_p(total, flip_log_tails(np.abs(values), ones, np.abs(total), none, setting.tail))


@OF_NORMALS.register(
    "wilcoxon",
    knows={"zeros": None, "mode": ("auto", "exact"), "continuity": (False,), "snap": None},
    how=SADDLEPOINT,
)
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


@OF_NORMALS.register("bootstrap", knows=WITHOUT_DRAWS, how=SADDLEPOINT)
def _resampled_by_rows(values: FloatArray, setting: Setting) -> FloatArray:
    """Sums of continuous differences never tie, so that > is >=."""
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
