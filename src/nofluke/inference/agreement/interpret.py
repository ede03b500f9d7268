"""Words for a coefficient of agreement, only by a rule that is named, with its source."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan

from nofluke.errors import unknown
from nofluke.types import Coefficient


@dataclass(frozen=True, slots=True)
class Rule:
    """Rising thresholds; `inclusive` says that a value at a threshold still takes the word below it."""

    thresholds: tuple[float, ...]
    words: tuple[str, ...]
    inclusive: bool
    cite: str


RULES: Mapping[str, Rule] = {
    # Below 0 the table of 1977 says "poor"; 0.20 is still slight, 0.21 is fair.
    "landis_koch": Rule(
        (0.0, 0.2, 0.4, 0.6, 0.8),
        ("poor", "slight", "fair", "moderate", "substantial", "almost perfect"),
        True,
        "Landis and Koch 1977, The measurement of observer agreement for categorical data, Biometrics 33(1)",
    ),
    "krippendorff": Rule(
        (0.667, 0.8),
        ("not reliable", "for tentative conclusions only", "reliable"),
        False,
        "Krippendorff 2004, Content Analysis, chapter 11",
    ),
}


def word_for(value: float, rules: str) -> str:
    """Which word does this rule give a coefficient?

    >>> word_for(0.2, "landis_koch"), word_for(0.21, "landis_koch"), word_for(-0.01, "landis_koch")
    ('slight', 'fair', 'poor')
    """
    if rules == "none" or isnan(value):
        return ""
    if rules not in RULES:
        raise unknown("rule", rules, ["none", *RULES])
    rule = RULES[rules]
    # 1 - 0.8 is a little less than 0.2: thresholds are meant as decimals.
    rounded = round(value, 12)
    if not rule.inclusive:
        return rule.words[sum(rounded >= threshold for threshold in rule.thresholds)]
    # Only the first threshold, 0, belongs to the word above it.
    return rule.words[0] if rounded < 0 else rule.words[max(1, bisect_left(rule.thresholds, rounded))]


def words_for(found: Coefficient, rules: str) -> tuple[str, str, str]:
    """Give the rule's words for the value and both ends of the interval."""
    if found.interval is None:
        return word_for(found.value, rules), "", ""
    return word_for(found.value, rules), word_for(found.interval.low, rules), word_for(found.interval.high, rules)
