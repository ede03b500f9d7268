"""What a plan assumes beside the difference: without it nobody could compute its numbers again."""

from __future__ import annotations

from typing import Any, NamedTuple

from nofluke.types import DetectableEffect, PlannedPower, SampleSize


class Term(NamedTuple):
    """One assumed number: how a table calls it, the number, and what it is."""

    heading: str
    value: str
    meaning: str


_TERMS = {
    "sd": ("sd of differences", "the standard deviation of the item-by-item differences"),
    "sd_b": ("sd of B's scores", "the standard deviation of B's scores"),
    "accuracy_a": ("accuracy of A", "the share of items that A gets right"),
    "accuracy_b": ("accuracy of B", "the share of items that B gets right"),
    "disagreement": ("disagreement", "the share of items that exactly one system gets right"),
    "p10": ("only A right", "the share of items that only A gets right"),
    "p01": ("only B right", "the share of items that only B gets right"),
    "prob_a_better": ("A better", "the share of untied items on which A is better"),
    "margin": ("margin", "the largest loss that would be accepted"),
    "design_effect": ("design effect", "how many clustered items carry the information of one independent item"),
    "tests": ("tests", "the number of tests that share the level"),
}
_OF_SCORES = {"sd": ("sd of scores", "the standard deviation of the scores")}
_OF_A = {"sd": ("sd of A's scores", "the standard deviation of A's scores")}


def terms_of(plan: SampleSize | PlannedPower | DetectableEffect) -> tuple[Term, ...]:
    """Give what the plan assumes, in the order of the table above."""
    unpaired = plan.unit.startswith("items for each system")
    names = _TERMS | ((_OF_A if "sd_b" in plan.terms else _OF_SCORES) if unpaired else {})
    return tuple(
        Term(heading, _rounded(plan.terms[name]), f"{meaning}, as assumed")
        for name, (heading, meaning) in names.items()
        if name in plan.terms
    )


def terms_in_words(plan: SampleSize | PlannedPower | DetectableEffect) -> str:
    """The same for a sentence: ", sd of differences 0.2"."""
    return "".join(f", {term.heading} {term.value}" for term in terms_of(plan))


def _rounded(value: Any) -> str:
    """Six digits of every number; a plan for many datasets may have one for each."""
    return ", ".join(f"{part:.6g}" for part in (value if isinstance(value, tuple) else (value,)))
