"""The beta-binomial model: who wins the decided items, or two accuracies on different items."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from nofluke.align import differences
from nofluke.align.counts import unpaired_counts
from nofluke.inference.bayes.beta_differences import UnpairedDifference
from nofluke.inference.bayes.dirichlet import check_prior
from nofluke.inference.bayes.laws import BetaLaw, Law, three
from nofluke.inference.bayes.region import CredibleLevel, Region, Rope
from nofluke.inference.bayes.result import Setting, from_law, refuse_clusters
from nofluke.inference.bayes.words import GIVEN, probability
from nofluke.registry import POSTERIORS
from nofluke.types import Posterior, Sample

SHARE = "share of decided items that A wins"


@POSTERIORS.register(
    "beta_binomial",
    label="beta-binomial model",
    needs="paired",
    about=SHARE,
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
    name = {0.5: " (Jeffreys)", 1.0: " (uniform)"}.get(weight, "")
    if form == "unpaired":
        text = f"{weight:g} imagined right and {weight:g} wrong items for each system{name}"
        setting = Setting(sample, rope, text, confidence_level, about="difference in accuracy")
        counts = unpaired_counts(sample, "beta_binomial", instead="use form='decided', or method 'correlated_t'.")
        right = ((counts.right_a, counts.n_a), (counts.right_b, counts.n_b))
        other, its_name = (0.5, "Jeffreys") if weight == 1.0 else (1.0, "uniform")
        posterior, changed = (UnpairedDifference(*((k + w, n - k + w) for k, n in right)) for w in (weight, other))
        better = probability(three(changed, rope, 0.0)[0])
        note = (
            f"with the {its_name} prior ({other:g} right and {other:g} wrong) the first probability would be {better}."
        )
        return from_law(setting, posterior, (note,))
    text = f"{weight:g} imagined wins and {weight:g} losses of A{name}"
    setting = Setting(sample, rope, text, confidence_level, about=SHARE, null=0.5)
    signs = differences(sample).signs
    wins, losses = int((signs > 0).sum()), int((signs < 0).sum())
    law = BetaLaw(wins + weight, losses + weight)
    tied = sample.n - wins - losses
    notes: tuple[str, ...] = (f"{wins:,} items won by A, {losses:,} by B; {tied:,} ties were set aside.",)
    if not wins + losses:
        notes += ("all items are tied: nothing speaks for either system, and the spread is the prior's.",)
    return from_law(setting, law, notes, headline=_headline(setting, law))


def _headline(setting: Setting, law: Law) -> str:
    a, b = setting.names
    better, equal, worse = three(law, setting.region, 0.5)
    if math.isnan(equal) or _no_width(setting.region):
        return (
            f"{GIVEN}, the probability that {a} wins more of the decided items than {b} is {probability(better)} "
            "(which says nothing about the mean)."
        )
    low, high = setting.region or (0.5, 0.5)
    return (
        f"{GIVEN}, {a} wins more than {high:g} of the decided items with probability {probability(better)}, fewer than "
        f"{low:g} with probability {probability(worse)}, and a share between with probability {probability(equal)} "
        "(which says nothing about the mean)."
    )


def _no_width(region: Region | None) -> bool:
    return region is not None and region[0] == region[1]
