"""What the words above a column mean, in half a line: for hovering and for the list below a table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from nofluke.registry import REGISTRIES
from nofluke.types import Table
from nofluke.words.names import by_name

# Lower case; a heading is looked up as it stands, then by the patterns below.
_TERMS = {
    "p": "how often evidence at least this strong would come up if there were no difference",
    "p-value": "how often evidence at least this strong would come up if there were no difference",
    "adjusted p": "the p-value after allowing for all comparisons made together; compare it with alpha",
    "log p-value": "the natural logarithm of the p-value, which reaches further down than the p-value itself",
    "n": "the number of items (or units) on which both were scored",
    "items": "the number of items",
    "alpha": "the level, chosen beforehand, below which a p-value is called significant",
    "power": "how often a test set of this size would find the difference, if it is real",
    "mean": "the average over all items",
    "median": "half of the items lie below it",
    "sd": "standard deviation: how far single items are from the mean, typically",
    "min": "the smallest value",
    "max": "the largest value",
    "value": "the estimate from these data",
    "standard error": "how far the estimate would typically move with another test set of this size",
    "interval": "the values that these data do not rule out at the stated level",
    "ci": "the values that these data do not rule out at the stated level",
    "interval by": "how the interval was computed",
    "difference": "the first system's score minus the second's, turned so that positive means the first is better",
    "statistic": "the number the test computes from the data; its size matters only through the p-value",
    "estimate": "what the test is about, as estimated from these data",
    "null": "the hypothesis that the test tries to reject",
    "computed": "how the p-value was obtained: exactly, or by random draws with their error",
    "the test is": "what the test promises: exact under its null hypothesis, or only for many items",
    "score": "the score of the system over all items",
    "system": "what was compared",
    "dataset": "the test set",
    "metric": "how outputs were scored",
    "test": "the significance test",
    "rank": "the place in the order of scores",
    "ranks": "the places that these data leave open for the system",
    "rank range": "the places that these data leave open for the system",
    "group": "systems in one group show no clear difference in these data",
    "verdict": "what these data show",
    "why": "the reason, and who says so",
    "effect size": "how large the difference is, on a scale of its own",
    "size in words": "the word a named rule of thumb has for this size",
    "by the rule": "the rule of thumb that gave the word",
    "n untied": "items on which A and B differ",
    "n tied": "items (or clusters) on which A and B have the same score",
    "n nonzero": "items on which A and B differ",
    "n zero": "items on which A and B have the same score",
    "n datasets": "the datasets whose limits make up that of the average",
    "n swapped": "items (or clusters) whose two outputs the test swaps at random, those that are alike included",
    "n units": "items (or clusters) from which resamples are drawn",
    "n resampled": "how many items (or clusters) one resample has",
    "n informative": "items on which some systems are right and some wrong; the others say nothing",
    "both": "items that both get right",
    "neither": "items that neither gets right",
    "smallest expected": "the smallest count that equal systems would lead one to expect in a cell of the table",
    "share of pairs": "how often a score of the first system beats one of the second, over all pairs; ties count half",
    "discordant": "pairs of items that the two columns order the other way round",
    "w minus": "the sum of the ranks of items on which B is better",
    "rho": "the share of items tested in one split: how far the splits depend on each other",
    "low": "the smallest score that an item can have",
    "high": "the largest score that an item can have",
    "stop alpha": "the level on either side of which the draws had to settle",
    "chi square": "Friedman's statistic, from which this one is computed",
    "largest loss": "the most that one item can lose: the range of the scores, or the largest difference seen",
    "df": "degrees of freedom: how many independent pieces of information the spread was estimated from",
    "df1": "degrees of freedom of the numerator: systems less one",
    "df2": "degrees of freedom of the denominator",
    "systems": "the number of systems compared",
    "degrees of freedom": "how many independent pieces of information the spread was estimated from",
    "z score": "the statistic in standard errors, where a normal law applies",
    "skewness": "how lopsided the differences are; 0 is symmetric",
}
_PATTERNS = (
    (re.compile(r"^[\d.]+% CI$"), "the values that these data do not rule out at this level"),
    (re.compile(r"^[\d.]+% credible interval$"), "the middle values, which together have this probability"),
    (re.compile(r"^adjusted p\b"), _TERMS["adjusted p"]),
    (re.compile(r"^p \((?!one-sided|two-sided)\w"), _TERMS["adjusted p"]),
    (re.compile(r"^p\b(?!-value \d)"), _TERMS["p"]),
    (re.compile(r"^P\("), "the probability of this, given the data and the stated prior"),
)


def meaning(term: str, table: Table, systems: Sequence[str] = ()) -> str:
    """Explain a heading or a first cell: by the table itself, by common use, or by the registry; "" if nobody can."""
    if not term:
        return ""
    if term in table.explain:
        return table.explain[term]
    usual = _TERMS.get(term.casefold()) or next((text for pattern, text in _PATTERNS if pattern.match(term)), "")
    return by_name(usual or _registered(term), systems)


def meanings(table: Table, systems: Sequence[str] = ()) -> Mapping[str, str]:
    """All that can be explained in a table, headings first."""
    terms = [*table.columns, *(row[0] for row in table.rows if row)]
    found = {term: meaning(term, table, systems) for term in terms}
    return {term: text for term, text in found.items() if text}


def _registered(term: str) -> str:
    for registry in REGISTRIES.values():
        for method in registry:
            if term in (method.label, method.name):
                return method.summary
    return ""
