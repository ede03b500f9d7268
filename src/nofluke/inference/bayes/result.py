"""From a posterior distribution to the Posterior that is shown; the verb adds name, label and signature."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from nofluke.errors import MethodError
from nofluke.inference.bayes.posterior_law import Law, picture, three
from nofluke.inference.bayes.region import Region
from nofluke.types import FloatArray, Interval, Note, Posterior, Sample, frozen, note

CREDIBLE = "equal-tailed credible"


@dataclass(frozen=True, slots=True)
class Setting:
    """What every posterior is told: the two systems, the region, the prior, the level of its interval."""

    sample: Sample
    region: Region | None
    prior: Note
    level: float
    about: str = "mean"
    null: float = 0.0

    @property
    def names(self) -> tuple[str, str]:
        """The two systems."""
        return self.sample.systems[0], self.sample.systems[1]


def from_law(setting: Setting, law: Law, notes: tuple[Note, ...] = ()) -> Posterior:
    """Read probabilities, interval and picture off one distribution; nothing is drawn."""
    probabilities = three(law, setting.region, setting.null)
    tail = (1 - setting.level) / 2
    interval = Interval(law.quantile(tail), law.quantile(1 - tail), setting.level, CREDIBLE)
    grid, density = picture(law)
    return make(setting, probabilities, law.centre(), interval, notes, grid=grid, density=density)


def make(
    setting: Setting,
    probabilities: tuple[float, float, float],
    estimate: float,
    interval: Interval | None,
    notes: tuple[Note, ...],
    *,
    grid: FloatArray | None = None,
    density: FloatArray | None = None,
    draws: int = 0,
    seed: int | None = None,
) -> Posterior:
    """Put the parts together."""
    better, equal, worse = probabilities
    error = monte_carlo_error(probabilities, draws)
    empty = frozen(np.empty(0))
    return Posterior(
        p_better=better,
        p_equal=equal,
        p_worse=worse,
        rope=setting.region,
        prior=setting.prior,
        estimate=estimate,
        interval=interval,
        n=setting.sample.n,
        grid=empty if grid is None else grid,
        density=empty if density is None else density,
        draws=draws,
        seed=seed if draws else None,
        error=error,
        notes=(*notes, *((note("bayes.no_region"),) if setting.region is None else ())),
        about=setting.about,
        null=setting.null,
    )


def cannot_say(setting: Setting, why: Note, estimate: float = math.nan) -> Posterior:
    """Give the posterior of data on which the model is silent: unknown probabilities, and the reason."""
    return make(setting, (math.nan, math.nan, math.nan), estimate, None, (why,))


def monte_carlo_error(probabilities: tuple[float, float, float], draws: int) -> float:
    """The largest standard error; a count of 0 or all is not taken as certain (one draw is added to each side)."""
    if not draws:
        return 0.0
    smoothed = [(p * draws + 1) / (draws + 2) for p in probabilities if not math.isnan(p)]
    return max(math.sqrt(p * (1 - p) / draws) for p in smoothed)


def refuse_clusters(sample: Sample, method: str) -> None:
    """Refuse items in clusters for models that take items as independent."""
    if sample.clusters is not None:
        raise MethodError(
            f"{method} takes items as independent, and these come in clusters.",
            fix="use method 'correlated_t', which looks at whole clusters; or set clusters aside where there are none.",
        )
