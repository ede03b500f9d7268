"""Wilcoxon r: the z-score of the signed-rank test over the root of n."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from nofluke.align import differences
from nofluke.inference.ranks import shifted, signed_ranks
from nofluke.inference.significance.sides import Snap
from nofluke.registry import EFFECTS
from nofluke.types import Estimate, Sample

_NO_INTERVAL = "no interval: z / sqrt(n) has no generally valid one; hodges_lehmann and rank_biserial come with theirs."


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
    n: Annotated[Literal["nonzero", "all"], "divide by the root of the number of untied items, or of all items"] = (
        "nonzero"
    ),
    snap: Snap = True,
) -> Estimate:
    """How many standard deviations is the rank sum away from chance, per root of the number of items?

    r = Z / sqrt(n) with zeros dropped, tie-corrected variance and no continuity correction. The paper prints |Z|; here
    the sign is kept, and positive means that A is better. It is no correlation: without ties its largest value is below
    1 (0.93 at n = 3, 0.87 for large n), so it should not be read on a correlation's scale.
    """
    ranks = signed_ranks(shifted(differences(sample, snap=snap), sample, 0.0))
    if not ranks.n_nonzero:
        note = "no item has a difference, so there is nothing to rank: undefined (0 / 0)."
        return Estimate(name="", value=math.nan, notes=(note,))
    items = ranks.n_nonzero if n == "nonzero" else sample.n
    return Estimate(name="", value=ranks.z / math.sqrt(items), notes=(_NO_INTERVAL,))
