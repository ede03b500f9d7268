"""A pilot whose score only all items together have: every drawn test set is scored and swapped anew, by few draws."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from nofluke.engine.black_box import Corpora, Scorers
from nofluke.engine.flips import FlipCounts
from nofluke.errors import Fix, InputError, MethodError, Option, without_effect
from nofluke.executors import Progress, is_spread, ordered, using
from nofluke.inference.power.curves.ask import Ask
from nofluke.inference.power.curves.choose import drawn_sample
from nofluke.inference.power.curves.draws import Alias, drawn_counts
from nofluke.inference.power.curves.simulate import Source
from nofluke.inference.power.curves.tilting import tilted
from nofluke.inference.resampling.corpus import Corpus, corpus_of
from nofluke.inference.resampling.corpus_draws import SwapSettings, all_swaps, drawn_or_stopped
from nofluke.inference.resampling.drawn_p_values import log_p_of_draws, log_p_of_patterns
from nofluke.types import FloatArray, Sample

# Draws of one drawn test set, unless another number is asked for: ten times as many as it takes for one p-value as
# small as the level, within these bounds. At the level .05, where they are 199, that costs little power.
_DRAWS_PER_LEVEL, _FEWEST, _MOST = 10, 199, 999_999
# Weights are shown by so many copies of the pilot, in which every item occurs about as often as its weight says.
_COPIES = 50
# How far, in standard errors of the pilot, weights may miss the difference that they are to show.
_NEAR = 0.1
# Numbers of one block of left-out units.
_CELLS = 1 << 20


@dataclass(frozen=True, eq=False)
class WholePilot:
    """Units (items or clusters) of a pilot, how far each pulls the difference, and the workers the score asks for."""

    sample: Sample
    corpus: Corpus
    corpora: Corpora
    workers: int

    @property
    def units(self) -> int:
        """The number of items, or clusters."""
        return self.corpora.number

    @property
    def unit(self) -> str:
        """What is counted by n."""
        return f"{self.sample.unit}s"

    @property
    def multiplicity(self) -> FloatArray:
        """Every unit stands for itself."""
        return np.ones(self.units)

    @property
    def equal_weights(self) -> FloatArray:
        """The pilot as it is."""
        return np.full(self.units, 1 / self.units)

    @property
    def varies(self) -> bool:
        """Whether any two units differ in what they say about A and B."""
        return self.spread(self.equal_weights) > 0

    @cached_property
    def pull(self) -> FloatArray:
        """How far one unit pulls the difference, times the number of units: the jackknife's pseudo-values, centred."""
        units, step = np.arange(self.units), max(1, _CELLS // len(self.corpora.statistics))
        kept = ((units[first : first + step, None] != units).astype(np.float64) for first in units[::step])
        with np.errstate(all="ignore"):
            without = np.concatenate([self._differences(counts) for counts in kept])
        defined = np.isfinite(without)
        mean = np.mean(without[defined]) if defined.any() else 0.0
        return np.where(defined, (self.units - 1) * (mean - without), 0.0)

    @cached_property
    def _scorers(self) -> Scorers:
        return self.corpora.scorers()

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def shown(self, weights: FloatArray) -> float:
        """The difference that units with these weights show, positive when A is better."""
        if np.ptp(weights) == 0:
            return self.corpus.observed
        edges = np.rint(np.cumsum(weights) / np.sum(weights) * self.units * _COPIES)
        return float(self._differences(np.diff(edges, prepend=0.0)[None, :])[0])

    def _differences(self, counts: FloatArray) -> FloatArray:
        """The differences that test sets show in which every unit occurs so often."""
        first, second = (scorer(self.corpora.of_items(counts)) for scorer in self._scorers)
        return first - second

    def spread(self, weights: FloatArray) -> float:
        """The standard deviation of one unit: the difference shown by n units has that over the root of n."""
        square = float(weights @ (self.pull - weights @ self.pull) ** 2) * self.units / max(self.units - 1, 1)
        return math.sqrt(square)

    def weights_for(self, difference: float) -> FloatArray:
        """Reweight the units so that they show this difference; a score may jump over it, or end before it."""
        weights, observed = tilted(self.pull, self.multiplicity, self.shown, difference), self.corpus.observed
        error = self.spread(self.equal_weights) / math.sqrt(self.units)
        # No number is not near either.
        if not abs(self.shown(weights) - difference) <= _NEAR * error:
            raise InputError(
                f"no reweighting of these items shows a difference of {difference:g}: {self.sample.metric} jumps over "
                "it, or is not defined there.",
                fix=f"state a difference nearer to the observed one, {observed:.3g}.",
            )
        return weights


def whole_pilot(sample: Sample, ask: Ask) -> WholePilot | None:
    """Take the units of a score of all items together; None where sums of items determine it."""
    corpus = None if sample.aggregate.whole is None else corpus_of(sample)
    if corpus is None or corpus.corpora is None:
        return None
    if ask.method.name != "permutation" or ask.margin is not None:
        raise MethodError(
            f"{sample.metric} is a score of all items together, for which power curves are drawn by swaps of outputs.",
            fix=Fix("leave ", Option("method"), " at auto and ", Option("margin"), " out."),
        )
    unused = [name for name, value in ask.options.items() if name != "monte_carlo" and value is not None]
    if unused:
        raise without_effect(unused, "every drawn test set is swapped a fixed number of times", Fix("leave it out."))
    least = _least_draws(2 if ask.setting.alternative == "two-sided" else 1, ask)
    if draws_of(ask) < least:
        raise MethodError(
            f"with {draws_of(ask)} swaps no p-value is as small as the level {ask.setting.level:.3g}.",
            fix=Fix("give ", Option("monte_carlo", str(least)), " or more."),
        )
    workers, aggregate = corpus.corpora.whole.workers, sample.aggregate
    if workers > 1:
        # Whole test sets are shared out, so that the score of one is no work for several.
        alone = replace(aggregate, whole=replace(cast(Any, aggregate.whole), workers=1))
        sample = replace(sample, aggregate=alone)
    return WholePilot(sample, corpus, corpus.corpora, workers)


def draws_of(ask: Ask) -> int:
    """Give the number of swaps behind the p-value of every drawn test set."""
    stated = ask.options.get("monte_carlo")
    if stated is not None:
        return int(stated)
    return min(max(_FEWEST, _least_draws(_DRAWS_PER_LEVEL, ask)), _MOST)


def _least_draws(tails: int, ask: Ask) -> int:
    """Give the number of draws of which so many tails fit into the level."""
    return math.ceil(tails / ask.setting.level * (1 - 1e-12)) - 1


def tested(pilot: WholePilot, weights: FloatArray, ask: Ask, sizes: Sequence[int], progress: Progress | None) -> Tested:
    """Draw test sets of all sizes and swap each; those who share the work get one test set at a time."""
    tasks = [(size, place) for size in sizes for place in range(ask.iterations)]
    with nullcontext() if is_spread() else using(pilot.workers):
        logs = list(ordered(_log_p, _TestSets(pilot, weights, ask), tasks, progress, must_travel=True))
    return Tested({size: np.array(logs[i * ask.iterations : (i + 1) * ask.iterations]) for i, size in enumerate(sizes)})


@dataclass(frozen=True, slots=True)
class Tested:
    """The log p-values of all test sets of every size."""

    logs: Mapping[int, FloatArray]

    @property
    def source(self) -> Source:
        """Give those of one size; no test set is kept."""
        return self._of_size

    def _of_size(self, size: int) -> Iterator[tuple[FloatArray, FloatArray]]:
        yield np.empty((len(self.logs[size]), 0)), self.logs[size]


class _TestSets:
    """The test sets of a curve; each process draws them anew, one size after the other."""

    def __init__(self, pilot: WholePilot, weights: FloatArray, ask: Ask) -> None:
        self.pilot, self.ask = pilot, ask
        self._weights = weights
        self._held = 0, np.empty((0, 0))

    def of(self, size: int, place: int) -> Sample:
        """Give one test set."""
        # Threads share this: each goes on with what it has seen, whatever another puts in its place.
        held = self._held
        if held[0] != size:
            blocks = drawn_counts(Alias(self._weights), size, self.ask.iterations, self.ask.seed)
            held = self._held = size, np.concatenate(list(blocks))
        return drawn_sample(self.pilot, held[1][place].astype(np.int64))


def _log_p(test_sets: _TestSets, task: tuple[int, int]) -> float:
    """Give the log p-value of the swap test; where a test set has no score (all ranks equal) there is no evidence.

    Every test set has swaps of its own: with those of another its p-value would err as that one does.
    """
    ask, (_, place) = test_sets.ask, task
    try:
        corpus = corpus_of(test_sets.of(*task))
    except MethodError:
        return 0.0
    if corpus.identical:
        return 0.0
    draws, seed = draws_of(ask), ask.seed + 1 + place
    if ask.options.get("monte_carlo") is None and 2**corpus.units <= draws:
        # By chance, draws would go below the smallest p-value there is.
        every = all_swaps(corpus, None)
        if every is not None:
            return log_p_of_patterns(every, ask.setting.alternative)[0]
    found = drawn_or_stopped(corpus, SwapSettings(ask.setting.alternative, 0.95, "raw", draws, seed, None), draws)
    if not isinstance(found, FlipCounts):
        raise TypeError("draws that do not stop early are counted")
    return log_p_of_draws(found, ask.setting.alternative, seed)[0]
