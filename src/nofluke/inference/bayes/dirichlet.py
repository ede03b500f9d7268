"""The Dirichlet model of 0/1 pairs."""

from __future__ import annotations

from typing import Annotated

from nofluke.align.counts import PairedCounts, paired_counts
from nofluke.errors import InputError
from nofluke.inference.bayes.beta_differences import PairedDifference
from nofluke.inference.bayes.posterior_law import three
from nofluke.inference.bayes.region import CredibleLevel, Rope
from nofluke.inference.bayes.result import Setting, from_law, refuse_clusters
from nofluke.registry import POSTERIORS
from nofluke.types import Note, Posterior, Sample, note

_SMALLEST_PRIOR = 0.05


@POSTERIORS.register(
    "dirichlet",
    label="Dirichlet model of 0/1 pairs",
    needs="binary",
    about="difference in accuracy",
    cite="Jeffreys 1946; Agresti and Min 2005",
)
def dirichlet(
    sample: Sample,
    *,
    rope: Rope = None,
    prior: Annotated[float, "imagined items in each of the four cells; 0.5 is Jeffreys' prior, 1 uniform"] = 0.5,
    confidence_level: CredibleLevel = 0.95,
) -> Posterior:
    """How probable is it that A is right more often than B, on 0/1 scores of the same items?

    Each item falls into one of four cells (both, only A, only B, neither right). The four rates get a Dirichlet prior
    with `prior` imagined items in each cell; after the data they are Dirichlet again, and the difference in accuracy is
    the rate of only A less the rate of only B. Its distribution is integrated numerically, without draws. The region is
    on the difference in accuracy, so items that both or neither get right count: 60 against 20 means little in 10,000.

    Assumes independent items. Without a region only the items that one system alone gets right matter, and P(worse) is
    close to the one-sided mid-p McNemar p-value. Not for other scores (use correlated_t), nor for clusters.
    """
    refuse_clusters(sample, "dirichlet")
    weight = check_prior(prior)
    counts = paired_counts(sample, "dirichlet", instead="use method 'correlated_t' for the mean difference.")
    cells = note("bayes.prior_cells", weight=weight, a=sample.systems[0], b=sample.systems[1])
    setting = Setting(sample, rope, cells, confidence_level, about="accuracy")
    return from_law(setting, law_of(counts, weight), _notes(setting, counts, weight))


def check_prior(prior: float) -> float:
    """Refuse prior weights that are not positive, or so small that they amount to certainty."""
    if not _SMALLEST_PRIOR <= prior <= 1e6:
        raise InputError(
            f"prior = {prior!r} is not between {_SMALLEST_PRIOR:g} and 1,000,000.",
            fix="give 0.5 (Jeffreys) or 1 (uniform).",
        )
    return float(prior)


def law_of(counts: PairedCounts, weight: float) -> PairedDifference:
    """The posterior of the difference in accuracy."""
    return PairedDifference(counts.only_a + weight, counts.only_b + weight, counts.both + counts.neither + 2 * weight)


def _notes(setting: Setting, counts: PairedCounts, weight: float) -> tuple[Note, ...]:
    a, b = setting.names
    other = 1.0 if weight != 1.0 else 0.5
    better = three(law_of(counts, other), setting.region, 0.0)[0]
    changed = note("bayes.other_prior", weight=other, p_better=better, a=a)
    return (changed,) if counts.only_a + counts.only_b else (changed, note("bayes.only_the_prior", a=a, b=b))
