"""Claims that a release may hang on: is it shown that A is better, or at least not worse?"""

from __future__ import annotations

from dataclasses import dataclass

from nofluke.errors import InputError, unknown
from nofluke.inference.wording import p_in_figures
from nofluke.types import Comparison

CLAIMS = ("better", "not-worse")


@dataclass(frozen=True, slots=True)
class Claim:
    """Whether a claim is supported, and why."""

    supported: bool
    sentence: str


def check_request(claim: str, margin: float | None, alternative: str) -> None:
    """Refuse a claim that cannot be judged, before any work is done."""
    if claim not in CLAIMS:
        raise unknown("claim", claim, CLAIMS)
    if claim == "not-worse" and margin is None:
        raise InputError(
            "the claim not-worse needs a margin.", fix="say how large a loss you would accept: --margin 0.01, say."
        )
    if claim == "better" and alternative != "two-sided":
        raise InputError("the claim better is judged by the two-sided test.", fix="leave --alternative at two-sided.")


def judge_claim(result: Comparison, claim: str) -> Claim:
    """Judge a claim: better = two-sided p at most alpha and A above B; not-worse = one-sided, at the margin."""
    a, b = result.systems
    if claim == "better":
        supported = result.verdict == "better"
        tested = result.test
        content = f"{a} is better than {b}"
    else:
        tested = result.margin_test if result.margin_test is not None else result.test
        supported = tested.p_value <= result.alpha
        content = f"{a} is not worse than {b} by more than {result.margin:g}"
    verdict = "supported" if supported else "not supported"
    return Claim(
        supported,
        f"claim {verdict}: {content} ({tested.label}, {tested.alternative}, {p_in_figures(tested.p_value)}, "
        f"alpha = {result.alpha:g}).",
    )
