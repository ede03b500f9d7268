"""Draws of swapped corpora, all of them or until enough is known."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from nofluke.check import check_level
from nofluke.engine.black_box import Corpora, swapped_chunks
from nofluke.engine.corrected.draws import swapped_differences
from nofluke.engine.flips import FlipCounts
from nofluke.engine.randomness import CHUNK
from nofluke.engine.ratio_swaps.draws import MOST_UNITS, every_swap
from nofluke.engine.sequential import besag_clifford, decide_sequentially
from nofluke.errors import Fix, InputError, MethodError
from nofluke.inference.p_values import Progress, p_of
from nofluke.inference.resampling.corpus import Corpus
from nofluke.inference.resampling.drawn_p_values import computed_by_stopped_draws
from nofluke.types import Computed, FloatArray, note

# How a yes or no without a p-value is marked: `computed.how` of the result.
DECISION = "decision"
# Exceedances after which a p-value is known to about a quarter of itself.
STOP_AT = 20
_WRONG_SIDE = 1e-3
# Units of which all patterns are scored anew: fewer of them than the usual draws.
_MOST_DEAR = 12
DEFAULT_DRAWS = 29_999


@dataclass(frozen=True, slots=True)
class SwapSettings:
    """The options of one call."""

    alternative: str
    level: float
    form: str
    monte_carlo: int | None
    seed: int
    progress: Progress
    stop: str = "never"
    stop_alpha: float = 0.05
    limits: str = "studentized"

    @property
    def sides(self) -> int:
        """How many tails the p-value adds up."""
        return 2 if self.alternative == "two-sided" else 1


@dataclass(frozen=True, slots=True)
class Stopped:
    """What draws that may stop early say: a log p-value, or for a decision that of its bound (nan: none reached)."""

    log_p: float
    computed: Computed


def p_of_draws(log_p: float, computed: Computed) -> float:
    """Give the p-value; of N draws it is a multiple of 1 / (1 + N), and the logarithm must not blur it."""
    p = p_of(log_p)
    if computed.how == DECISION:
        return float(f"{p:.12g}")
    if computed.how != "monte-carlo" or computed.detail or math.isnan(p):
        return p
    return round(p * (1 + computed.resamples)) / (1 + computed.resamples)


def refuse_stop(alpha: float, *, instead: str | Fix) -> None:
    """Refuse an early stop where nothing is drawn one by one (`instead` says what to do), and an alpha that is none."""
    if instead:
        raise MethodError("draws can stop early only where they are made one by one.", fix=instead)
    check_level(alpha, "stop_alpha")


def drawn_or_stopped(corpus: Corpus, settings: SwapSettings, most: int) -> FlipCounts | Stopped:
    """Count swaps as extreme as the data among `most` draws, or stop by the rule that was asked for."""
    if most < 1:
        raise InputError(f"monte_carlo = {most} draws cannot be made.", fix="give a number such as 9999.")
    parts = _swapped(corpus, most, settings.seed, settings.progress)
    if settings.stop == "p_value":
        found = besag_clifford(_extreme(parts, corpus.difference, settings.alternative), stop_at=STOP_AT, most=most)
        computed = computed_by_stopped_draws(found, settings.seed, stopped=found.exceedances >= STOP_AT)
        return Stopped(math.log(found.p_value), computed)
    if settings.stop == "decision":
        flags = _extreme(parts, corpus.difference, settings.alternative)
        decision = decide_sequentially(flags, settings.stop_alpha, error=_WRONG_SIDE)
        bound = {True: math.log(settings.stop_alpha), False: 0.0, None: math.nan}[decision.below]
        detail = note("computed.exceedances", hits=decision.exceedances)
        return Stopped(bound, Computed(DECISION, _WRONG_SIDE, decision.draws, settings.seed, detail))
    if corpus.corpora is None:
        return _count(parts, corpus.difference)
    rows, units = corpus.corpora.statistics, corpus.corpora.units
    content = rows.tobytes() + (b"" if units is None else units.tobytes())
    return _counted(_Draws(content, rows.shape, id(corpus.corpora.whole), most, settings.seed, corpus, parts))


@dataclass(frozen=True, slots=True)
class _Draws:
    """All that draws of dear scores depend on: those of one side of a test are those of the other."""

    content: bytes
    shape: tuple[int, ...]
    whole: int
    most: int
    seed: int
    corpus: Corpus = field(compare=False)
    parts: Iterator[FloatArray] = field(compare=False)


@lru_cache(maxsize=1)
def _counted(draws: _Draws) -> FlipCounts:
    return _count(draws.parts, draws.corpus.difference)


def all_swaps(corpus: Corpus, progress: Progress) -> FlipCounts | None:
    """Count all patterns of swaps instead of drawing some; None where there are too many."""
    parts = _every_difference(corpus, progress)
    return None if parts is None else _count(parts, corpus.difference)


def _count(parts: Iterable[FloatArray], observed: float) -> FlipCounts:
    """Count differences at least and at most the observed one; a swap without a score counts on both sides."""
    slack = _slack(observed)
    at_least = at_most = total = 0
    for part in parts:
        at_least += len(part) - int(np.sum(part < observed - slack))
        at_most += len(part) - int(np.sum(part > observed + slack))
        total += len(part)
    return FlipCounts(at_least, at_most, total)


def _every_difference(corpus: Corpus, progress: Progress) -> Iterator[FloatArray] | None:
    if corpus.corpora is not None:
        return None if corpus.units > _MOST_DEAR else _every_whole(corpus.corpora, progress)
    moves = corpus.statistics[:, 1] - corpus.statistics[:, 0]
    moves = moves[np.any(moves != 0, axis=1)]
    if len(moves) > MOST_UNITS:
        return None
    (total_a, total_b), n = corpus.statistics.sum(axis=0), float(len(corpus.statistics))
    moved = every_swap(len(moves)) @ moves
    with np.errstate(all="ignore"):
        return iter([corpus.aggregate(total_a + moved, n) - corpus.aggregate(total_b - moved, n)])


def _every_whole(corpora: Corpora, progress: Progress) -> Iterator[FloatArray]:
    """Score every pattern anew, some of them at a time."""
    swaps, (scorer,) = every_swap(corpora.number), corpora.pooled()
    for start in range(0, len(swaps), CHUNK):
        moved = corpora.of_items(swaps[start : start + CHUNK])
        yield scorer(np.hstack((1 - moved, moved))) - scorer(np.hstack((moved, 1 - moved)))
        if progress is not None:
            progress(min(start + CHUNK, len(swaps)), len(swaps))


def _swapped(corpus: Corpus, resamples: int, seed: int, progress: Progress) -> Iterator[FloatArray]:
    """Give the differences under random swaps, chunk by chunk."""
    if corpus.corpora is not None:
        return swapped_chunks(corpus.corpora, resamples, seed=seed, progress=progress)
    return swapped_differences(corpus.statistics, corpus.aggregate, resamples, seed=seed, progress=progress)


def _extreme(parts: Iterator[FloatArray], observed: float, alternative: str) -> Iterator[npt.NDArray[np.bool_]]:
    """Say which swaps are as extreme as the data; complementary swaps give -T, so both sides are |T| >= |t|."""
    slack = _slack(observed)
    for part in parts:
        if alternative == "two-sided":
            flags = np.abs(part) >= abs(observed) - slack
        else:
            flags = part >= observed - slack if alternative == "greater" else part <= observed + slack
        yield flags | np.isnan(part)


def _slack(observed: float) -> float:
    return 1e-12 * max(1.0, abs(observed))
