"""The power curve of a pilot whose systems were trained several times: more items, as many runs."""

from __future__ import annotations

import math

import numpy as np

from nofluke.inference.power.curves.ask import Ask, sizes_of
from nofluke.inference.power.curves.fields import common_fields, no_spread, without_curve
from nofluke.inference.power.detectable import found_over_runs
from nofluke.inference.power.over_runs import NoiseOfRuns, noise_of_runs, notes_on_noise
from nofluke.inference.power.plan_in_data import unit_of, within_datasets
from nofluke.inference.power.search import TooManyItemsError, smallest_real
from nofluke.inference.tests.crossed_runs import notes_on_few_runs
from nofluke.types import FloatArray, Interval, Note, PowerCurve, Sample, Scenario, frozen, note

# Where no number of items reaches the target the curve shows how it levels off, up to so many times the pilot.
_LEVELLED_OFF = 10
# For the most that can be found: from so many times the pilot's items to so many, at so many sizes.
_LOOKED_AT = (0.5, 500.0, 31)


def curve_over_runs(sample: Sample, ask: Ask, interval: Interval | None) -> PowerCurve:
    """Draw the curve for the noise of the pilot's items, runs and answers; nothing is resampled.

    Drawing from few runs would make training look steadier than it is, by (R - 1) / R.
    """
    units = sample.n if sample.clusters is None else len(np.unique(sample.clusters))
    unit, noise = unit_of(sample), noise_of_runs(sample)
    if math.isnan(noise.variance()) or not noise.variance():
        return without_curve(sample, ask, units, unit, math.nan, no_spread(sample, units, unit))
    growing = _Growing(noise, ask, units)
    observed = sample.score(0) - sample.score(1)
    observed = observed if sample.higher_is_better else -observed
    difference = observed if ask.observed else ask.difference
    scenarios = growing.scenarios(interval) if difference is None else ()
    if difference is None:
        difference = scenarios[0].difference
    needed = growing.needed(difference)
    sizes = sizes_of(ask, growing.largest(needed))
    power = growing.powers(difference, sizes.astype(np.float64))
    reached = needed if needed <= sizes[-1] else math.nan
    return PowerCurve(
        **common_fields(sample, ask, units, unit),
        sizes=frozen(sizes, np.int64),
        power=frozen(power),
        low=frozen(power),
        high=frozen(power),
        difference=difference,
        observed=observed,
        form="formula",
        size_for_target=reached,
        size_range=(reached, reached),
        scenarios=scenarios,
        computed=note("power.p_over_runs"),
        assumptions=(
            note("power.noise_of_data"),
            note("power.runs_stay", runs=noise.numbers),
            *within_datasets(sample),
            note("power.size_fixed"),
        ),
        notes=(
            *((note("power.at_observed"),) if ask.observed else ()),
            *growing.hidden_by_runs(difference),
            *notes_on_noise(noise),
            *notes_on_few_runs(sample),
        ),
        standard_error=noise.standard_error,
        size_by_formula=needed,
        n_runs=noise.numbers,
    )


class _Growing:
    """The noise of a pilot when it has more items, or fewer, and what would then be found."""

    def __init__(self, noise: NoiseOfRuns, ask: Ask, units: int) -> None:
        self._noise, self._ask, self._units = noise, ask, units
        self._setting = ask.setting

    def powers(self, difference: float, sizes: FloatArray) -> FloatArray:
        """Give the power with so many items (or clusters)."""
        level, alternative = self._setting.level, self._setting.alternative
        edges = (self._noise.edges(level, alternative, size / self._units) for size in sizes.tolist())
        return np.array([one.power(difference - self._setting.delta) for one in edges])

    def needed(self, difference: float) -> float:
        """Give the items that reach the target: infinitely many where training hides it, nan on the other side."""
        shift = difference - self._setting.delta
        side = {"greater": shift > 0, "less": shift < 0}.get(self._setting.alternative, shift != 0)
        if not side:
            return math.nan
        try:
            found = smallest_real(lambda sizes: self.powers(difference, sizes), self._ask.target, 1.5)
        except TooManyItemsError:
            return math.inf
        return float(max(2, math.ceil(found * (1 - 1e-12))))

    def scenarios(self, interval: Interval | None) -> tuple[Scenario, ...]:
        """The detectable difference, its half, and both ends of the interval, with the items that each would need."""
        setting = self._setting
        shift = found_over_runs(self._noise, setting.level, setting.alternative, self._ask.target)
        detectable = (-shift if setting.alternative == "less" else shift) + setting.delta
        assumed = [("detectable", detectable), ("half", detectable / 2)]
        if interval is not None:
            assumed += [("low end", interval.low), ("high end", interval.high)]
        # What these items reveal needs these items, whatever the last digit of the search says.
        rows = ((name, value, self.needed(value)) for name, value in assumed if math.isfinite(value))
        return tuple(Scenario(name, value, self._units if name == "detectable" else size) for name, value, size in rows)

    def largest(self, needed: float) -> int:
        """The last size: half as many again as are needed; of a curve that levels off some times the pilot."""
        if self._ask.up_to is not None:
            return self._ask.up_to
        if self._ask.observed:
            return self._units
        return max(2, math.ceil(1.5 * needed)) if math.isfinite(needed) else _LEVELLED_OFF * self._units

    def hidden_by_runs(self, difference: float) -> tuple[Note, ...]:
        """Note where no number of items reaches the target, and how many runs would."""
        if not math.isinf(self.needed(difference)):
            return ()
        setting, shift = self._setting, difference - self._setting.delta
        endless = self._noise.edges(setting.level, setting.alternative, math.inf).power(shift)
        # Where one system varies much more than the other, the degrees of freedom fall as items grow, and power may.
        most = max(endless, *self.powers(difference, self._units * np.geomspace(*_LOOKED_AT)).tolist())
        enough = self._noise.fewest_runs(shift, setting.level, setting.alternative, self._ask.target)
        return (note("power.runs_hide_it", runs=self._noise.numbers, most=most, enough=enough or 0),)
