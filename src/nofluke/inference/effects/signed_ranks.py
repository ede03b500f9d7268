"""Effect sizes of signed ranks: the rank-biserial correlation and Wilcoxon r, with the interval they share."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt

from nofluke.align import differences
from nofluke.inference.p_values import ConfidenceLevel, Snap
from nofluke.laws.signed_rank import shifted, signed_ranks
from nofluke.registry import EFFECTS
from nofluke.types import Estimate, Interval, Sample, note

METHOD = "U-statistic Fisher z"
# Below this many items on the losing side, so to speak, the interval covered less than 93 % of the time at 95 %.
_FEW = 5


def rank_biserial_interval(
    used: npt.NDArray[Any], value: float, level: float, *, pratt: bool = False
) -> tuple[Interval, float]:
    """Give the interval and the standard error; |value| < 1.

    W+ - W- is the sum of sign(d_i + d_j) over i <= j, ties and zeros included, so r is (nearly) a U-statistic and its
    variance is 4 var(h) / n with h_i the mean sign of d_i + d_j (Hoeffding 1948). With Pratt's ranks the pairs of two
    zeros also leave the denominator, and r is a ratio. Fisher's z keeps the limits inside (-1, 1). The usual shortcut,
    the standard error under the null, covers .85 at r = .74 and .55 at r = .97 whatever n, so it is not used.
    """
    from scipy.special import ndtri

    ordered = np.sort(used)
    n = len(ordered)
    above = n - np.searchsorted(ordered, -ordered, side="right")
    under = np.searchsorted(ordered, -ordered, side="left")
    mean_sign = (above - under) / n
    zero = (ordered == 0).astype(np.float64)
    kept = 1 - zero * zero.mean() if pratt else np.ones(n)
    influence = (mean_sign - value * kept) / kept.mean()
    standard_error = 2 * math.sqrt(float(np.var(influence, ddof=1)) / n)
    centre, half = math.atanh(value), float(ndtri(0.5 + level / 2)) * standard_error / (1 - value * value)
    return Interval(math.tanh(centre - half), math.tanh(centre + half), level, METHOD), standard_error


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


@EFFECTS.register(
    "wilcoxon_r",
    label="Wilcoxon r",
    symbol="r",
    needs="paired",
    bounds=(-1.0, 1.0),
    null=0.0,
    cite="Rosenthal 1991; Zhu et al. 2020, equation 4",
)
def wilcoxon_r(
    sample: Sample,
    *,
    confidence_level: ConfidenceLevel = 0.95,
    n: Annotated[Literal["nonzero", "all"], "divide by the root of the number of untied items, or of all items"] = (
        "nonzero"
    ),
    snap: Snap = True,
) -> Estimate:
    """How many standard deviations is the rank sum away from chance, per root of the number of items?

    r = Z / sqrt(n) with zeros dropped, tie-corrected variance and no continuity correction. The paper prints |Z|; here
    the sign is kept, and positive means that A is better. It is no correlation: without ties its largest value is below
    1 (0.93 at n = 3, 0.87 for large n), so it should not be read on a correlation's scale. Given the ranks it is a
    multiple of the rank-biserial correlation, and so is its interval.
    """
    shown = shifted(differences(sample, snap=snap), sample, 0.0)
    ranks = signed_ranks(shown)
    if not ranks.n_nonzero:
        return Estimate(name="", value=math.nan, notes=(note("effect.nothing_to_rank"),))
    items = ranks.n_nonzero if n == "nonzero" else sample.n
    value = ranks.z / math.sqrt(items)
    if sample.clusters is not None:
        return Estimate(name="", value=value, notes=(note("effect.clusters"),))
    if abs(ranks.difference) == ranks.total:
        return Estimate(name="", value=value, notes=(note("effect.one_way"),))
    biserial = ranks.difference / ranks.total
    interval, error = rank_biserial_interval(shown[shown != 0], biserial, confidence_level)
    # At 0 both are 0; the factor z / sqrt(n) per unit of correlation depends on the ranks only.
    factor = ranks.total / ranks.spread() / math.sqrt(items)
    scaled = replace(interval, low=interval.low * factor, high=interval.high * factor)
    return Estimate(name="", value=value, interval=scaled, standard_error=error * factor)
