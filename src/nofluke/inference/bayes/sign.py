"""The Bayesian sign test over datasets."""

from __future__ import annotations

import math

from nofluke.inference.bayes.imagined_dataset import (
    PriorPlace,
    PriorStrength,
    in_whole_steps,
    other_place,
    place_of,
    prior_of,
    sensitivity_note,
    unit_note,
)
from nofluke.inference.bayes.posterior_law import BetaLaw, nodes_between
from nofluke.inference.bayes.region import CredibleLevel, Region, Rope, check_positive
from nofluke.inference.bayes.result import CREDIBLE, Setting, make, refuse_clusters
from nofluke.registry import POSTERIORS
from nofluke.types import Interval, Posterior, Sample, note

_CUT = 1e-60
_SPACING = 0.3


@POSTERIORS.register(
    "sign",
    label="Bayesian sign test",
    needs="datasets",
    about="share of datasets on which A is better",
    cite="Benavoli et al. 2014; Benavoli et al. 2017",
)
def sign(
    sample: Sample,
    *,
    rope: Rope = None,
    prior_strength: PriorStrength = 1.0,
    prior_place: PriorPlace = "auto",
    confidence_level: CredibleLevel = 0.95,
) -> Posterior:
    """On datasets like these, is A being better the most common outcome?

    One difference for each dataset. The rates of "A better", "equal" (inside the region) and "A worse" have a
    Dirichlet distribution, from the counts and one imagined dataset. P(better) is the probability that "A better" is
    the commonest of the three; without a region, that it is commoner than "A worse". Integrated without draws.

    Assumes that the datasets are a sample of those one cares for. It ignores by how much systems differ. Not for items
    of one test set: with a region it would call 60 wins against 20 losses in 1,000 items "equal" for sure.
    """
    refuse_clusters(sample, "sign")
    strength, level = check_positive(prior_strength, "prior_strength"), confidence_level
    place = place_of(prior_place, rope)
    counts = in_whole_steps(sample, rope).counts
    setting = Setting(sample, rope, prior_of(sample, strength, place), level, about="dataset_wins")
    weights = _with_prior(counts, strength, place)
    p = commonest(weights, rope)
    share = BetaLaw(weights[0], weights[1] + weights[2])
    tail = (1 - level) / 2
    proper = min(share.a, share.b) > 0
    interval = Interval(share.quantile(tail), share.quantile(1 - tail), level, CREDIBLE) if proper else None
    against, leader = other_place(p)
    changed = commonest(_with_prior(counts, strength, against), rope)[leader]
    a, b = setting.names
    better, equal, worse = counts
    notes = (
        note("bayes.datasets_won", better=better, worse=worse, equal=equal, region=rope is not None, a=a, b=b),
        sensitivity_note(sample, against, leader, changed),
        *unit_note(sample),
    )
    return make(setting, p, share.centre(), interval, notes)


def _with_prior(counts: tuple[int, int, int], strength: float, place: str) -> tuple[float, float, float]:
    above, inside, below = counts
    shares = {"zero": (0.0, 1.0, 0.0), "split": (0.5, 0.0, 0.5), "better": (1.0, 0.0, 0.0), "worse": (0.0, 0.0, 1.0)}
    added = [strength * share for share in shares[place]]
    return above + added[0], inside + added[1], below + added[2]


def commonest(weights: tuple[float, float, float], region: Region | None) -> tuple[float, float, float]:
    """Give the probabilities that each of three Dirichlet rates is the largest; without a region only two compete.

    >>> commonest((4.0, 1.0, 2.0), None)[0]
    0.8125
    """
    better, _, worse = weights
    if region is None or region[0] == region[1]:
        equal = math.nan if region is None else 0.0
        if better > 0 and worse > 0:
            law = BetaLaw(better, worse)
            return law.above(0.5), equal, law.below(0.5)
        above = 0.5 if better == worse else float(better > worse)
        return above, equal, 1 - above
    parts = [_largest(weights[i], [w for j, w in enumerate(weights) if j != i]) for i in range(3)]
    # The three integrals add up to 1 within 1e-12; what they are off is shared out.
    whole = sum(parts)
    return parts[0] / whole, parts[1] / whole, parts[2] / whole


def _largest(weight: float, others: list[float]) -> float:
    """P(G > G2 and G > G3) of independent gamma variables, whose shares are the Dirichlet rates."""
    import numpy as np
    from scipy.special import gammainc, gammainccinv, gammaincinv

    if not weight:
        return 0.0
    rivals = [other for other in others if other]
    low = max(math.log(max(gammaincinv(weight, _CUT), 1e-300) / weight), -690.0)
    high = math.log(gammainccinv(weight, _CUT) / weight)
    # In t = log(x / weight) the density is exp(weight (t - (e^t - 1))) but for a constant.
    t, w = nodes_between(low, high, _SPACING / math.sqrt(max(1.0, weight, *rivals)))
    mass = w * np.exp(weight * (t - np.expm1(t)))
    tails = np.prod([gammainc(rival, weight * np.exp(t)) for rival in rivals], axis=0) if rivals else 1.0
    return float(np.sum(mass * tails) / np.sum(mass))
