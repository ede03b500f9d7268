"""The matched-pairs rank-biserial correlation."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from nofluke.align import differences
from nofluke.inference.intervals.rank_biserial import rank_biserial_interval
from nofluke.inference.p_values import ConfidenceLevel, Snap
from nofluke.laws.signed_rank import shifted, signed_ranks
from nofluke.registry import EFFECTS
from nofluke.types import Estimate, Sample, note

# Below this many items on the losing side, so to speak, the interval covered less than 93 % of the time at 95 %.
_FEW = 5


@EFFECTS.register(
    "rank_biserial",
    label="matched-pairs rank-biserial correlation",
    symbol="r_rb",
    needs="paired",
    bounds=(-1.0, 1.0),
    null=0.0,
    cite="King and Minium 2003; Kerby 2014; Hoeffding 1948 (interval)",
)
def rank_biserial(
    sample: Sample,
    *,
    confidence_level: ConfidenceLevel = 0.95,
    zeros: Annotated[
        Literal["drop", "pratt", "pratt_total"],
        "zero differences: dropped, ranked and then dropped (Pratt), or also kept in the denominator",
    ] = "drop",
    snap: Snap = True,
) -> Estimate:
    """Of all the rank sum, how much more speaks for A than for B?

    (W+ - W-) / (W+ + W-): 1 when every difference favours A, -1 when every one favours B; positive means that A is
    better. Zeros are dropped by default; pratt_total divides by n (n + 1) / 2, so that ties pull it towards 0. It goes
    with the Wilcoxon test and says nothing about the mean. The interval is asymptotic (about 20 items or more) and does
    not exist at -1 and 1.
    """
    shown = shifted(differences(sample, snap=snap), sample, 0.0)
    ranks = signed_ranks(shown, "drop" if zeros == "drop" else "pratt")
    if not ranks.n_nonzero:
        return Estimate(name="", value=math.nan, notes=(note("effect.nothing_to_rank"),))
    value = ranks.difference / (sample.n * (sample.n + 1) if zeros == "pratt_total" else ranks.total)
    if sample.clusters is not None:
        return Estimate(name="", value=value, notes=(note("effect.clusters"),))
    if abs(ranks.difference) == ranks.total:
        return Estimate(name="", value=value, notes=(note("effect.one_way"),))
    used = shown[shown != 0] if zeros == "drop" else shown
    interval, error = rank_biserial_interval(used, value, confidence_level, pratt=zeros == "pratt")
    notes = (note("effect.few_against"),) if ranks.n_nonzero * (1 - abs(value)) < _FEW else ()
    return Estimate(name="", value=value, interval=interval, standard_error=error, notes=notes)
