"""The procedure of Zhu et al. (2020, section 3.1): skewness chooses mean or median, normality chooses the test.

It looks at the differences themselves, so its p-value does not account for the choice; the note says so.
"""

from __future__ import annotations

from nofluke.types import Choice, Choices, Profile, note

_CITE = "Zhu et al. 2020"

# For each of the paper's three cases: method, how it is judged, and why (a code of words/notes/methods.py).
_NORMAL = (
    ("paired_t", "preferred", "choice.zhu_normal"),
    ("wilcoxon", "allowed", "choice.zhu_symmetry_less_power"),
    ("permutation", "allowed", "choice.zhu_free_less_power"),
    ("bootstrap", "allowed", "choice.zhu_free_less_power"),
    ("sign", "allowed", "choice.zhu_least_power"),
)
_SYMMETRIC = (
    ("wilcoxon", "preferred", "choice.zhu_symmetry"),
    ("permutation", "allowed", "choice.zhu_free"),
    ("bootstrap", "allowed", "choice.zhu_free"),
    ("sign", "allowed", "choice.zhu_least_power"),
    ("paired_t", "inappropriate", "choice.zhu_not_normal"),
)
_SKEWED = (
    ("sign", "preferred", "choice.zhu_median"),
    ("bootstrap_median", "allowed", "choice.zhu_median_resampled"),
    ("wilcoxon", "inappropriate", "choice.zhu_skewed_symmetry"),
    ("paired_t", "inappropriate", "choice.zhu_skewed_normal"),
    ("permutation", "inappropriate", "choice.zhu_skewed_mean"),
    ("bootstrap", "inappropriate", "choice.zhu_skewed_mean"),
)


def judge_by_zhu2020(profile: Profile) -> Choices:
    """Give the paper's recommendation: |skewness| below 0.5 means the mean, otherwise the median."""
    table: tuple[tuple[str, str, str], ...] = _SYMMETRIC
    facts: dict[str, float] = {}
    if profile.recommended_statistic == "median":
        table, facts = _SKEWED, {"skewness": profile.skewness}
    elif profile.normality.p_value > profile.normality.alpha:
        table = _NORMAL
    rows = tuple(Choice(method, verdict, note(why, **facts), _CITE) for method, verdict, why in table)
    return Choices("zhu2020", rows, (note("choice.looked_first"),))
