"""Which claims are made about the pairs, and which of them stand after the correction for their number."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nofluke.errors import Fix, InputError, MethodError, Option, unknown
from nofluke.registry import CORRECTIONS
from nofluke.types import FloatArray, Ranking
from nofluke.types.base import SMALLEST

FAMILIES = ("directions", "pairs")
BoolArray = npt.NDArray[np.bool_]

NONE = "none"
MAX_T = "max_t"
# What holds for all pairs of systems, whatever they have to do with each other.
FAMILYWISE = ("holm", "bonferroni")
ADJUST = (*FAMILYWISE, MAX_T, "bh", "by")
# A p-value this near to its decision, by factor, is computed exactly.
_BAND = 1.3


@dataclass(frozen=True, slots=True)
class Claims:
    """The family: "directions" (one-sided claims both ways) or "pairs", its sides, and a baseline or -1.

    alternative "two-sided" with "pairs" is one two-sided test a pair; "greater" is the claim that the system with the
    better score is better (with a baseline: that a system is better than the baseline, fixed beforehand).
    """

    systems: int
    family: str
    alternative: str
    baseline: int = -1

    def mask(self) -> BoolArray:
        """Which entries of the table of ordered pairs are claims of the family; rows and columns are in score order."""
        claimed = ~np.eye(self.systems, dtype=bool)
        if self.baseline >= 0:
            involved = np.zeros((self.systems, self.systems), dtype=bool)
            involved[:, self.baseline] = True
            if self.alternative != "greater":
                involved[self.baseline, :] = True
            if self.alternative == "less":
                involved[:, self.baseline] = False
            claimed &= involved
            return claimed
        return np.triu(claimed) if self.alternative == "greater" else claimed

    @property
    def two_sided(self) -> bool:
        """Whether a pair is one two-sided test."""
        return self.family == "pairs" and self.alternative == "two-sided"

    @property
    def size(self) -> int:
        """How many p-values the correction is made for."""
        return int(self.mask().sum()) // (2 if self.two_sided else 1)

    @property
    def one_sided_size(self) -> int:
        """How many one-sided p-values stand behind the family: the smallest of them decide whether it can be shown."""
        return int(self.mask().sum())


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """P-values of the claims before and after the correction (nan where nothing was claimed), and which stand."""

    p_values: FloatArray
    adjusted: FloatArray
    better: BoolArray


def directions_hold(ranking: Ranking) -> bool:
    """Whether the chance of any false claim, directions included, is at most alpha; then rank ranges hold together.

    Bonferroni over two-sided tests is Bonferroni over both one-sided claims of each.
    """
    if ranking.alternative != "two-sided" and not ranking.baseline:
        return False
    both_ways = ranking.family == "directions" or ranking.alternative != "two-sided"
    return ranking.adjust in (MAX_T, "bonferroni") or (ranking.adjust in FAMILYWISE and both_ways)


def check_claims(family: str, alternative: str, baseline: str | None) -> None:
    """Refuse families that make no sense, or choose their side from the data without being asked to by name."""
    if family not in FAMILIES:
        raise unknown("family", family, FAMILIES)
    if alternative not in ("two-sided", "greater", "less"):
        raise unknown("alternative", alternative, ("two-sided", "greater", "less"))
    if baseline is not None or alternative == "two-sided":
        return
    if alternative == "less":
        raise InputError(
            "alternative = 'less' has no meaning for all pairs: every pair would be claimed the wrong way round.",
            fix="use 'two-sided', or name a baseline.",
        )
    if family != "pairs":
        raise InputError(
            "alternative = 'greater' for all pairs takes each test's side from the scores, which doubles its error.",
            fix=Fix("leave it at 'two-sided'; to reproduce a published heat map add ", Option("family", "pairs"), "."),
        )


def limits_discoveries(adjust: str) -> bool:
    """Whether a correction lets a share of the claims be false, rather than hardly ever any."""
    return adjust in CORRECTIONS and CORRECTIONS[adjust].facts["controls"] == "false discovery rate"


def check_adjust(adjust: str, *, all_pairs: bool) -> None:
    """Refuse corrections that do not hold for pairs of systems, which depend on each other through the systems."""
    if adjust in (NONE, *ADJUST) or (adjust in CORRECTIONS and CORRECTIONS[adjust].facts["under"] == "any dependence"):
        return
    known = (*CORRECTIONS.names(), MAX_T, NONE)
    if adjust not in known:
        raise unknown("correction", adjust, known)
    which = "all pairs of systems" if all_pairs else "pairs with one baseline"
    raise MethodError(
        f"{adjust} needs {CORRECTIONS[adjust].facts['under']}, which {which} do not have: they share systems.",
        fix="use 'holm' (always valid), 'max_t' (more power for means), or 'by' for a false discovery rate.",
    )


def correct(log_p: FloatArray, claims: Claims, adjust: str, alpha: float) -> Verdicts:
    """Correct the claims; a test that gave no p-value counts as p = 1 and shows nothing."""
    mask = claims.mask()
    shown = np.where(mask, np.maximum(np.exp(log_p), SMALLEST), np.nan)
    adjusted = np.full(shown.shape, np.nan)
    if claims.two_sided:
        two = np.minimum(1.0, 2.0 * np.fmin(shown, shown.T))
        shown = np.where(np.isnan(shown) & np.isnan(shown.T), np.nan, two)
        rows = np.where(np.triu(mask), True, False)
        adjusted[rows] = _adjusted(shown[rows], adjust)
        adjusted = np.where(rows.T, adjusted.T, adjusted)
        leads = log_p < log_p.T
    else:
        # Without a correction for the number of pairs, the two directions of a pair are still allowed for.
        both = adjust == NONE and claims.alternative == "two-sided"
        adjusted[mask] = np.minimum(2.0 * shown[mask], 1.0) if both else _adjusted(shown[mask], adjust)
        leads = np.ones(mask.shape, dtype=bool)
    with np.errstate(invalid="ignore"):
        better: BoolArray = mask & leads & (adjusted <= alpha * (1 + 1e-12))
    return Verdicts(shown, adjusted, better)


def _adjusted(p: FloatArray, adjust: str) -> FloatArray:
    if adjust == NONE:
        return p
    found: FloatArray = CORRECTIONS[adjust].function(np.where(np.isnan(p), 1.0, p))
    return np.where(np.isnan(p), np.nan, found)


def near_the_line(
    log_p: FloatArray, bound: FloatArray, verdicts: Verdicts, claims: Claims, adjust: str, alpha: float
) -> BoolArray:
    """Which corrected p-values are so near to alpha, or so uncertain, that an approximation will not do.

    Corrections never fall when p-values rise, so a verdict is certain when it is the same with all p-values at the
    upper ends of their relative errors and with all at the lower ends.
    """
    width = np.log1p(np.minimum(bound, 1e6))
    high, low = (correct(np.minimum(log_p + side * width, 0.0), claims, adjust, alpha).better for side in (1, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        near: BoolArray = np.abs(np.log(verdicts.adjusted / alpha)) <= math.log(_BAND)
    uncertain: BoolArray = near | (high != low)
    return uncertain
