"""The bootstrap of two-valued scores: tails of sums of draws from {+1, 0, -1}, for many counts at once."""

from __future__ import annotations

import math

import numpy as np

from nofluke.engine.pairs.binary import wins
from nofluke.engine.pairs.table import PairTails
from nofluke.types import FloatArray, IntArray

# Aliasing and left-out nodes are below e^-40 of the answer.
_EXPONENT = 40.0
_LEAST_TILT = 1.5
_BLOCK = 1 << 18
_TRINOMIAL_BOUND = 1e-11


def two_valued_bootstrap(systems: IntArray) -> PairTails:
    """Give the tails of all pairs of (S, n) two-valued scores; each distinct pair of counts is computed once."""
    better = wins(systems)
    size, n = len(better), systems.shape[1]
    i, j = np.nonzero((better > better.T) | ((better == better.T) & np.triu(np.ones((size, size), bool), 1)))
    keys, back = np.unique(np.stack((better[i, j], better[j, i])), axis=1, return_inverse=True)
    log_p, point = (part[back.reshape(-1)] for part in shift_bootstrap_tails(n, keys[0], keys[1]))
    table, error = np.zeros((size, size)), np.zeros((size, size))
    table[i, j] = log_p
    table[j, i] = np.log1p(-np.minimum(np.maximum(np.exp(log_p) - point, 0.0), 1.0 - 1e-16))
    error[i, j] = error[j, i] = _TRINOMIAL_BOUND
    return PairTails(table, np.full(table.shape, "exact", "<U11"), error)


def shift_bootstrap_tails(n: int, ahead: IntArray, behind: IntArray) -> tuple[FloatArray, FloatArray]:
    """Give log P(S >= 2t) and P(S = 2t), S the sum of n draws from `ahead` ones, `behind` minus ones and zeros.

    t = ahead - behind must not be negative. Beyond the support the tail is -inf; with nothing but zeros it is 0.
    """
    log_p, point = np.zeros(ahead.shape), np.ones(ahead.shape)
    t = ahead - behind
    beyond = 2 * t > n
    log_p[beyond], point[beyond] = -np.inf, 0.0
    last = 2 * t == n
    with np.errstate(divide="ignore"):
        log_p[last] = n * np.log(ahead[last] / n)
    point[last] = np.exp(log_p[last])
    rows = np.flatnonzero((2 * t < n) & (ahead + behind > 0))
    law = _Tilted(n, ahead[rows], behind[rows])
    for part in law.blocks():
        log_p[rows[part]], point[rows[part]] = law.tails(part)
    return log_p, point


class _Tilted:
    """The laws tilted so that the threshold 2t is about their mean: chances of +1, 0 and -1, and the nodes needed."""

    def __init__(self, n: int, ahead: IntArray, behind: IntArray) -> None:
        self.n, self.threshold = n, 2.0 * (ahead - behind)
        up, down = ahead / n, behind / n
        level, none = self.threshold / n, 1.0 - (ahead + behind) / n
        # K'(s) = 2t is quadratic in e^s: up (1 - y) z^2 - y none z - down (1 + y) = 0.
        a, b, c = up * (1.0 - level), level * none, down * (1.0 + level)
        z = (b + np.sqrt(b * b + 4.0 * a * c)) / (2.0 * a)
        spread = np.sqrt(n * (up + down - (up - down) ** 2))
        with np.errstate(divide="ignore"):
            self.tilt = np.maximum(np.log(z), _LEAST_TILT / np.maximum(spread, 0.1))
        z = np.exp(self.tilt)
        mass = none + up * z + down / z
        self.up, self.down, self.none = up * z / mass, down / z / mass, none / mass
        self.log_prefactor = n * np.log(mass) - self.tilt * self.threshold
        # An odd number of nodes tiles the period; what lies a period below adds e^(-s period) at most.
        half = np.ceil((_EXPONENT - np.minimum(self.log_prefactor, 0.0) + 3.0) / self.tilt / 2.0)
        self.period = 2 * half.astype(np.int64) + 1
        # |psi|^2 <= exp(-2 n none (up + down)(1 - cos)): beyond this angle nothing is left.
        dampening = n * self.none * (self.up + self.down)
        angle = np.arccos(np.clip(1.0 - _EXPONENT / np.maximum(dampening, 1e-9), -1.0, 1.0))
        last = np.ceil(angle * self.period / (2.0 * math.pi)).astype(np.int64)
        self.last = np.where(dampening * 2.0 > _EXPONENT, np.minimum(last, self.period // 2), self.period // 2)

    def blocks(self) -> list[IntArray]:
        """Share the rows out so that rows with about as many nodes go together."""
        order = np.argsort(self.last, kind="stable")
        parts, start = [], 0
        while start < order.size:
            size = max(1, _BLOCK // (int(self.last[order[start]]) + 8))
            end = start + size
            while end > start + 1 and int(self.last[order[min(end, order.size) - 1]]) * (end - start) > 2 * _BLOCK:
                end = start + (end - start) // 2
            parts.append(order[start:end])
            start = end
        return parts

    def tails(self, rows: IntArray) -> tuple[FloatArray, FloatArray]:
        """Sum the nodes: P(S >= x) = e^(K - sx) / N sum psi(t) e^(-itx) / (1 - e^(-(s + it))), P(S = x) without it."""
        k = np.arange(int(self.last[rows].max()) + 1)
        angle = 2.0 * math.pi / self.period[rows, None] * k
        up, down, none = self.up[rows, None], self.down[rows, None], self.none[rows, None]
        factor = none + (up + down) * np.cos(angle) + 1j * (up - down) * np.sin(angle)
        with np.errstate(divide="ignore"):
            waves = np.exp(self.n * np.log(factor) - 1j * angle * self.threshold[rows, None])
        weight = np.where(k == 0, 1.0, 2.0) * (k <= self.period[rows, None] // 2)
        kernel = -1.0 / np.expm1(-(self.tilt[rows, None] + 1j * angle))
        scale = self.log_prefactor[rows] - np.log(self.period[rows])
        tail = np.maximum((weight * (waves * kernel).real).sum(axis=1), 1e-300)
        point = np.maximum((weight * waves.real).sum(axis=1), 0.0)
        length = self.tilt[rows] * self.period[rows]
        log_tail = np.minimum(scale + np.log(tail) + np.log(-np.expm1(-length)), 0.0)
        return log_tail, np.minimum(np.exp(scale) * point, np.exp(log_tail))
