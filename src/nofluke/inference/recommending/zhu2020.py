"""The procedure of Zhu et al. (2020, section 3.1): skewness chooses mean or median, normality chooses the test.

It looks at the differences themselves, so its p-value does not account for the choice; the note says so.
"""

from __future__ import annotations

from nofluke.types import Choice, Choices, Profile

_CITE = "Zhu et al. 2020"
WARNING = (
    "rules zhu2020 choose the test after looking at the differences, which is not free: the best p-value of four tests "
    "has size .079 instead of .05 at 30 items. The default rules look only at what cannot depend on who is better."
)


def judge_by_zhu2020(profile: Profile) -> Choices:
    """Give the paper's recommendation: |skewness| below 0.5 means the mean, otherwise the median."""
    if profile.recommended_statistic == "median":
        degree = "slightly" if abs(profile.skewness) < 1 else "highly"
        rows = _for_the_median(f"the differences are {degree} skewed ({profile.skewness:.4f})")
    elif profile.normality.p_value > profile.normality.alpha:
        rows = _for_normal_differences()
    else:
        rows = _for_symmetric_differences()
    return Choices("zhu2020", rows, (WARNING,))


def _for_normal_differences() -> tuple[Choice, ...]:
    return (
        Choice("paired_t", "preferred", "the differences pass the normality test, and then t has most power", _CITE),
        Choice("wilcoxon", "allowed", "assumes symmetry only, with less power than t on normal data", _CITE),
        Choice("permutation", "allowed", "assumes no distribution, with less power than t on normal data", _CITE),
        Choice("bootstrap", "allowed", "assumes no distribution, with less power than t on normal data", _CITE),
        Choice("sign", "allowed", "assumes nothing, with the least power", _CITE),
    )


def _for_symmetric_differences() -> tuple[Choice, ...]:
    return (
        Choice("wilcoxon", "preferred", "assumes no particular distribution, only symmetry", _CITE),
        Choice("permutation", "allowed", "assumes no particular distribution", _CITE),
        Choice("bootstrap", "allowed", "assumes no particular distribution", _CITE),
        Choice("sign", "allowed", "assumes nothing, with the least power", _CITE),
        Choice(
            "paired_t", "inappropriate", "assumes normal differences, and they do not pass the normality test", _CITE
        ),
    )


def _for_the_median(why: str) -> tuple[Choice, ...]:
    return (
        Choice("sign", "preferred", f"{why}, so the median is tested; the sign test assumes nothing", _CITE),
        Choice("bootstrap_median", "allowed", f"{why}, so the median is tested, by resampling", _CITE),
        Choice("wilcoxon", "inappropriate", f"{why}, and the test assumes symmetry", _CITE),
        Choice("paired_t", "inappropriate", f"{why}, and the test assumes normal differences", _CITE),
        Choice("permutation", "inappropriate", f"{why}, and the test is one of the mean", _CITE),
        Choice("bootstrap", "inappropriate", f"{why}, and the test is one of the mean", _CITE),
    )
