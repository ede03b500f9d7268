"""Words for the size of an effect, only by a rule that is named: thresholds with their source."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan

from nofluke.errors import MethodError, listing, unknown
from nofluke.registry import EFFECTS


@dataclass(frozen=True, slots=True)
class Rule:
    """Thresholds of |value - centre|, rising; a value at a threshold takes the word above it."""

    centre: float
    thresholds: tuple[float, ...]
    words: tuple[str, ...]
    cite: str


# Where the source names nothing below its first threshold, the word says just that.
RULES: Mapping[str, Rule] = {
    "cohen1988": Rule(
        0.0,
        (0.2, 0.5, 0.8),
        ("below small", "small", "medium", "large"),
        "Cohen 1988, Statistical Power Analysis for the Behavioral Sciences, chapter 2",
    ),
    "sawilowsky2009": Rule(
        0.0,
        (0.01, 0.2, 0.5, 0.8, 1.2, 2.0),
        ("below very small", "very small", "small", "medium", "large", "very large", "huge"),
        "Sawilowsky 2009, New effect size rules of thumb, Journal of Modern Applied Statistical Methods 8(2)",
    ),
    "romano2006": Rule(
        0.0,
        (0.147, 0.33, 0.474),
        ("negligible", "small", "medium", "large"),
        "Romano, Kromrey, Coraggio and Skowronek 2006, Meeting of the Florida Association of Institutional Research",
    ),
    "vargha2000": Rule(
        0.5,
        (0.06, 0.14, 0.21),
        ("below small", "small", "medium", "large"),
        "Vargha and Delaney 2000, Journal of Educational and Behavioral Statistics 25(2)",
    ),
}


def interpret(name: str, value: float, rules: str) -> str:
    """Which word does this rule give an effect of this size?

    "none" and an unknown value (nan) give no word. The rules are habits of other fields, not properties of a metric:
    what is a large difference in BLEU, only experience with BLEU can say.

    >>> interpret("cliffs_delta", -0.4, "romano2006")
    'medium'
    """
    if rules == "none" or isnan(value):
        return ""
    if rules not in RULES:
        raise unknown("rule", rules, ["none", *RULES])
    rule = RULES[rules]
    able = EFFECTS[name].facts["rules"]
    if rules not in able:
        fitting = listing(able) or "none"
        raise MethodError(f"the rule {rules} has no words for {name}.", fix=f"rules for {name}: {fitting}.")
    # 0.56 - 0.5 is 0.06 and a bit in binary, 0.71 - 0.5 a bit less than 0.21: thresholds are meant as decimals.
    return rule.words[bisect_right(rule.thresholds, round(abs(value - rule.centre), 12))]


def rule_named(rules: str) -> str:
    """Give a rule's name for Estimate.rule; empty for "none"."""
    return "" if rules == "none" else rules
