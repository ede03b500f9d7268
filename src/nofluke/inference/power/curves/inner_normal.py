"""Inner p-values for normal differences, where every test set has its own values: rows of items instead of counts."""

from __future__ import annotations

import math

import numpy as np

from nofluke.errors import MethodError
from nofluke.inference.power.curves.flip_tails import flip_log_tails
from nofluke.inference.power.curves.inner import EXACT, SADDLEPOINT, Inner, Setting, log_t_tails
from nofluke.inference.power.curves.inner_means import sign_tails
from nofluke.inference.power.curves.resample_tails import resample_log_tails
from nofluke.laws.signed_rank import exact_tail
from nofluke.types import FloatArray

METHODS = ("paired_t", "permutation", "wilcoxon", "sign", "bootstrap")


def normal_inner(method: str, setting: Setting) -> Inner:
    """Give the rule for a test of continuous differences."""
    if method not in METHODS:
        raise MethodError(
            f"{method} is no test of continuous differences of items, so normal ones cannot be drawn for it.",
            fix=f"leave form at 'pilot', which draws real items; or use one of: {', '.join(METHODS)}.",
        )
    rules = {"paired_t": _t, "permutation": _flips, "wilcoxon": _ranks, "sign": _signs, "bootstrap": _resampled}
    return Inner(lambda values: rules[method](values - setting.delta, setting), _HOW.get(method, SADDLEPOINT))


_HOW = {"paired_t": EXACT, "sign": EXACT}


def _t(values: FloatArray, setting: Setting) -> FloatArray:
    n = values.shape[1]
    mean, sd = values.mean(axis=1), values.std(axis=1, ddof=1)
    return setting.log_p(mean, log_t_tails(mean / sd * math.sqrt(n), np.full(len(values), n - 1.0)))


def _signs(values: FloatArray, setting: Setting) -> FloatArray:
    wins = (values > 0).sum(axis=1).astype(np.float64)
    losses = values.shape[1] - wins
    return setting.log_p(wins - losses, sign_tails(wins, losses))


def _flips(values: FloatArray, setting: Setting) -> FloatArray:
    total = values.sum(axis=1)
    ones, none = np.ones_like(values), np.zeros(len(values))
    return setting.log_p(total, flip_log_tails(np.abs(values), ones, np.abs(total), none, setting.tail))


def _ranks(values: FloatArray, setting: Setting) -> FloatArray:
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


def _resampled(values: FloatArray, setting: Setting) -> FloatArray:
    total = values.sum(axis=1)
    ahead = np.where(total >= 0, 1.0, -1.0) * (-1.0 if setting.options.get("form") == "percentile" else 1.0)
    tails = resample_log_tails(values * ahead[:, None], np.ones_like(values), np.abs(total), 0.0, setting.tail)
    logs = setting.log_p(total, tails)
    # Where no resample gets so far the test has no p-value and names sign flips to be used instead.
    silent = np.isnan(logs)
    if silent.any():
        logs[silent] = _flips(values[silent], setting)
    return logs
