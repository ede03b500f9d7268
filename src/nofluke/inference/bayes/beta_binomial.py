"""The beta-binomial model: who wins the decided items, or two accuracies on different items."""

from __future__ import annotations

from typing import Annotated, Literal

from nofluke.align import differences
from nofluke.align.counts import unpaired_counts
from nofluke.inference.bayes.beta_differences import UnpairedDifference
from nofluke.inference.bayes.dirichlet import check_prior
from nofluke.inference.bayes.posterior_law import BetaLaw, three
from nofluke.inference.bayes.region import CredibleLevel, Rope
from nofluke.inference.bayes.result import Setting, from_law, refuse_clusters
from nofluke.registry import POSTERIORS
from nofluke.types import Posterior, Sample, note


@POSTERIORS.register(
    "beta_binomial",
    label="beta-binomial model",
    needs="paired",
    about="share of decided items that A wins",
    cite="Bayes 1763; Jeffreys 1946",
)
def beta_binomial(
    sample: Sample,
    *,
    rope: Rope = None,
    form: Annotated[
        Literal["decided", "unpaired"], "who wins the items that are not tied, or two accuracies on different items"
    ] = "decided",
    prior: Annotated[float, "imagined items on each side; 0.5 is Jeffreys' prior, 1 the uniform one"] = 0.5,
    confidence_level: CredibleLevel = 0.95,
) -> Posterior:
    """Of the items that one system does better, does A probably win more than half?

    form decided: ties are set aside; A's share of the other items has a beta distribution with the wins and losses plus
    `prior` each. The region is around one half: rope=0.05 means 0.45 to 0.55. It asks how often A is better, not by how
    much, and says nothing about the mean; on 0/1 scores, without a region, it agrees with `dirichlet`.

    form unpaired: for 0/1 scores of two different sets of items. Each accuracy has its own beta distribution; the
    region is on the difference in accuracy. Assumes independent items; not for clusters.
    """
    refuse_clusters(sample, "beta_binomial")
    weight = check_prior(prior)
    a, b = sample.systems[:2]
    if form == "unpaired":
        prior_note = note("bayes.prior_accuracies", weight=weight)
        setting = Setting(sample, rope, prior_note, confidence_level, about="accuracy")
        counts = unpaired_counts(sample, "beta_binomial", instead="use form='decided', or method 'correlated_t'.")
        right = ((counts.right_a, counts.n_a), (counts.right_b, counts.n_b))
        other = 0.5 if weight == 1.0 else 1.0
        posterior, changed = (UnpairedDifference(*((k + w, n - k + w) for k, n in right)) for w in (weight, other))
        better = three(changed, rope, 0.0)[0]
        return from_law(setting, posterior, (note("bayes.other_prior", weight=other, p_better=better, a=a),))
    prior_note = note("bayes.prior_wins", weight=weight, a=a)
    setting = Setting(sample, rope, prior_note, confidence_level, about="wins", null=0.5)
    signs = differences(sample).signs
    wins, losses = int((signs > 0).sum()), int((signs < 0).sum())
    law = BetaLaw(wins + weight, losses + weight)
    tied = sample.n - wins - losses
    counted = note("bayes.wins", wins=wins, losses=losses, ties=tied, a=a, b=b)
    silent = () if wins + losses else (note("bayes.only_the_prior", a=a, b=b),)
    return from_law(setting, law, (counted, *silent))
