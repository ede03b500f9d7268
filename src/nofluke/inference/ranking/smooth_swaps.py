"""Swaps of smooth corpus metrics (BLEU, chrF) for all pairs: straight-line parts, corrected by draws where it matters.

Random swaps move the metric of a pair nearly along a straight line, the tangent where they are likeliest to reach the
observed difference. Its tail has no simulation noise and reaches any depth. What the curve of the metric (or the kink
of BLEU's brevity penalty) adds is found from swaps drawn under a law tilted towards that place: few draws suffice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from nofluke.align.strata import average_of, blocked, is_to_block
from nofluke.engine.corrected.linearise import LinearEvent, central_gradient, on_grid, tangent_at_boundary
from nofluke.engine.flips import flip_tail
from nofluke.engine.randomness import CHUNK, SWAP_TOGETHER, Stream
from nofluke.engine.ratio_swaps.draws import MOST_UNITS, every_swap
from nofluke.engine.tail import Tail
from nofluke.inference.ranking.flip_rows import Rows, flip_rows
from nofluke.inference.ranking.panel import FEW_UNITS, PairTable, Settings, by_cluster, units_of
from nofluke.types import FloatArray, Sample, note

_NEARLY = "nearly_exact_if_swappable_metric"
# Nothing is proved of a straight-line part alone: within this factor of the verdict it is corrected by draws.
_UNPROVED = 1.0
_CHUNKS = 16
_TIE = 1e-12
_BLOCK = 1 << 19
_UPPER = 0.95
_WORD = 2.0**32


def smooth_swaps(sample: Sample, settings: Settings) -> PairTable:
    """Give the table of all pairs; `exact` of an entry is its straight-line part with the correction."""
    units, size = units_of(sample), len(sample.systems)
    forms = _Forms(sample)
    if units <= MOST_UNITS:
        return _all_patterns(forms, units, size, settings)
    table = flip_rows(_rows(forms, units, size), size, exact_all=False, validity=_NEARLY, progress=settings.progress)
    every = settings.exact == "all" or units <= FEW_UNITS
    bound = np.maximum(table.bound, math.inf if every else _UNPROVED)
    np.fill_diagonal(bound, 0.0)

    def corrected(i: int, j: int) -> tuple[float, float, str]:
        log_p, bound = forms.corrected(i, j, settings.seed)
        return log_p, bound, "linear+correction"

    log_p = np.minimum(table.log_p, 0.0)
    computed = np.where(np.eye(size, dtype=bool), "exact", "linear").astype("<U17")
    pairs = np.argwhere(np.triu(np.ones((size, size), dtype=bool), 1)).tolist() if every else []
    for done, (i, j) in enumerate(pairs, start=1):
        ahead, behind = (i, j) if forms.scores[i] >= forms.scores[j] else (j, i)
        log_p[ahead, behind], bound[ahead, behind], how = corrected(ahead, behind)
        log_p[behind, ahead] = math.log1p(-min(math.exp(log_p[ahead, behind]), 0.5))
        bound[behind, ahead], computed[i, j], computed[j, i] = bound[ahead, behind], how, how
        if settings.progress is not None:
            settings.progress(done, len(pairs))
    notes = (note("rank.linearised", metric=sample.metric),)
    draws = _CHUNKS * CHUNK
    return PairTable(log_p, computed, bound, _NEARLY, notes, exact=corrected, resamples=draws, seed=settings.seed)


def _all_patterns(forms: _Forms, units: int, size: int, settings: Settings) -> PairTable:
    """Few items: every way to swap them is counted, for every pair."""
    swaps = every_swap(units)
    log_p = np.zeros((size, size))
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size)]
    for done, (i, j) in enumerate(pairs, start=1):
        log_p[i, j], log_p[j, i] = forms.counted(i, j, swaps)
        if settings.progress is not None:
            settings.progress(done, len(pairs))
    computed = np.full((size, size), "exact", "<U17")
    return PairTable(log_p, computed, np.zeros((size, size)), "exact_if_swappable_metric")


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """What swaps of a pair need, its first system being ahead: sums of both, moves, the lead and its linear form."""

    both: FloatArray
    moves: FloatArray
    lead: float
    event: LinearEvent | None


class _Forms:
    """The linear events of all pairs, each made when it is asked for.

    For the average of several datasets each of them has columns of its own, made for one pair at a time.
    """

    def __init__(self, sample: Sample) -> None:
        self._aggregate, self._sign = sample.aggregate, 1.0 if sample.higher_is_better else -1.0
        self._strata = sample.strata if is_to_block(sample) else None
        self._clusters = None if self._strata is None else sample.clusters
        self._statistics: FloatArray = sample.statistics
        if self._strata is None:
            self._statistics = by_cluster(sample.statistics, sample.clusters)
            self._sums = self._statistics.sum(axis=0)
        else:
            self._aggregate = average_of(self._strata, sample.statistics.shape[2])
            sums = by_cluster(sample.statistics, self._strata.codes)
            self._sums = np.moveaxis(sums, 0, 1).reshape(len(sample.systems), -1)
        self._n = float(units_of(sample))
        self.scores = self._sign * np.array([float(self._aggregate(sums, self._n)) for sums in self._sums])

    def pair(self, ahead: int, behind: int) -> _Pair:
        """Describe the swaps of two systems, the first of which leads."""
        moves = self._moves(ahead, behind)
        both, lead = self._sums[ahead] + self._sums[behind], float(self.scores[ahead] - self.scores[behind])
        covariance = moves.T @ moves
        deviations = np.sqrt(np.diag(covariance))

        def function(signed: FloatArray) -> FloatArray:
            return self.difference(both, signed)

        tangent = tangent_at_boundary(
            function, central_gradient(function, deviations), np.zeros(len(both)), covariance, lead
        )
        return _Pair(both, moves, lead, None if tangent is None else on_grid(moves, tangent, covariance))

    def _moves(self, i: int, j: int) -> FloatArray:
        """What a unit's outputs of i have more than those of j."""
        moves: FloatArray = self._statistics[:, i] - self._statistics[:, j]
        return moves if self._strata is None else by_cluster(blocked(moves, self._strata), self._clusters)

    def difference(self, both: FloatArray, signed: FloatArray) -> FloatArray:
        """Give the difference of the scores from the sums of both and the signed sums of their differences."""
        first, second = (self._aggregate((both + side * signed) / 2.0, self._n) for side in (1.0, -1.0))
        result: FloatArray = self._sign * (first - second)
        return result

    def counted(self, i: int, j: int, swaps: FloatArray) -> tuple[float, float]:
        """Give log p for "i is better than j" and for the reverse, from all swaps; one without a score counts twice."""
        moves, both = self._moves(i, j), self._sums[i] + self._sums[j]
        with np.errstate(all="ignore"):
            gained = self.difference(both, (1.0 - 2.0 * swaps) @ moves)
        lead = float(self.scores[i] - self.scores[j])
        slack = _TIE * (1.0 + abs(lead))
        below, above = np.count_nonzero(gained < lead - slack), np.count_nonzero(gained > lead + slack)
        return math.log(1.0 - below / len(swaps)), math.log(1.0 - above / len(swaps))

    def corrected(self, i: int, j: int, seed: int) -> tuple[float, float]:
        """Give log p for "i is better than j", with draws for what the straight line leaves out, and its error."""
        if not np.any(self._statistics[:, i] != self._statistics[:, j]):
            return 0.0, 0.0
        leads = self.scores[i] >= self.scores[j]
        log_p, bound = self._tilted(self.pair(i, j) if leads else self.pair(j, i), seed)
        # The other tail is at least the complement, and nothing hangs on it.
        return (log_p, bound) if leads else (math.log1p(-min(math.exp(log_p), 0.5)), bound)

    def _tilted(self, pair: _Pair, seed: int) -> tuple[float, float]:
        """Give log p, p the linear part + upper bound of the correction, and the relative size of that bound.

        Under the law tilted by e^(s v) every draw has the weight e^(K(s) - s T). Draws in the event but not in the
        linear one raise p; those the other way round are left out, which can only make p larger.
        """
        law = SignLaw(pair.event, len(pair.moves))
        table = np.column_stack((pair.moves, law.values))
        total, hits, log_weight = table.sum(axis=0), 0, 1.0 + law.log_weight(law.threshold)
        for chunk in range(_CHUNKS):
            words = Stream(seed, SWAP_TOGETHER, chunk).words(CHUNK * len(table)).reshape(CHUNK, -1)
            signed = 2.0 * ((words < law.chance).astype(np.float64) @ table) - total
            gained = self.difference(pair.both, signed[:, :-1])
            # Swaps without a score (nan) count as reaching the lead.
            short = gained < pair.lead - _TIE * (1.0 + abs(pair.lead))
            raising = ~short & (signed[:, -1] < law.threshold)
            if raising.any():
                hits += int(np.count_nonzero(raising))
                log_weight = max(log_weight, law.log_weight(float(signed[raising, -1].min())))
        log_added = math.log(_upper(hits, _CHUNKS * CHUNK)) + min(log_weight, 0.0)
        log_p = min(0.0, float(np.logaddexp(law.tail.log_p + math.log1p(law.tail.bound), log_added)))
        return log_p, math.exp(min(log_added - log_p, 0.0))


def _upper(count: int, draws: int) -> float:
    from scipy.special import betaincinv

    return float(betaincinv(count + 1, draws - count, _UPPER)) if count < draws else 1.0


def _rows(forms: _Forms, units: int, size: int) -> Iterator[Rows]:
    together = max(1, _BLOCK // units)
    pairs = [(i, j) if forms.scores[i] >= forms.scores[j] else (j, i) for i in range(size) for j in range(i + 1, size)]
    for start in range(0, len(pairs), together):
        part = pairs[start : start + together]
        ahead, behind = (np.array(side) for side in zip(*part, strict=True))
        values, thresholds = np.zeros((len(part), units), dtype=np.int64), np.zeros(len(part), dtype=np.int64)
        for row, (i, j) in enumerate(part):
            event = forms.pair(i, j).event
            if event is not None:
                values[row], thresholds[row] = event.values, event.threshold
        yield Rows(ahead, behind, values, thresholds)


class SignLaw:
    """Random signs tilted so that the linear event is at their centre; without an event, fair ones."""

    def __init__(self, event: LinearEvent | None, units: int) -> None:
        self.values, self.threshold, self.tilt = np.zeros(units), math.inf, 0.0
        self.tail = Tail(-math.inf, 0.0, "none")
        if event is not None:
            self.values, self.threshold = event.values.astype(np.float64), float(event.threshold)
            self.tail = flip_tail(event.values, event.threshold)
            self.tilt = _tilt(self.values, self.threshold)
        turned = self.tilt * self.values
        self._cumulant = float(np.sum(np.logaddexp(turned, -turned) - math.log(2.0)))
        self.chance: FloatArray = _WORD / (1.0 + np.exp(np.clip(-2.0 * turned, -700.0, 700.0)))

    def log_weight(self, total: float) -> float:
        """The logarithm of the weight of a draw with this sum."""
        return self._cumulant - self.tilt * total if self.tilt else 0.0


def _tilt(values: FloatArray, threshold: float) -> float:
    """Solve sum v tanh(s v) = threshold by Newton's method from the left; 0 for a threshold that is no tail."""
    size = math.sqrt(float(values @ values))
    if threshold <= 0 or threshold >= float(np.abs(values).sum()) * (1 - 1e-9):
        return 0.0 if threshold <= 0 else 5.0 / size
    unit, x = values / size, threshold / size
    s = x
    for _ in range(60):
        tilted = np.tanh(s * unit) * unit
        slope = max(1.0 - float(tilted @ tilted), 1e-12)
        moved = s + (x - float(np.abs(tilted).sum())) / slope
        if abs(moved - s) <= 1e-9 * moved:
            break
        s = moved
    return s / size
