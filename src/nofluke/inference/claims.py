"""Claims that a release may hang on: is it shown that A is better, or at least not worse?"""

from __future__ import annotations

from dataclasses import dataclass

from nofluke.errors import InputError, unknown
from nofluke.inference.margins import BLIND, UNTESTED
from nofluke.inference.significance.sides import significant
from nofluke.inference.wording import p_of_result
from nofluke.registry import TESTS
from nofluke.types import Comparison

CLAIMS = ("better", "not-worse")


@dataclass(frozen=True, slots=True)
class Claim:
    """Whether a claim is supported, and why."""

    supported: bool
    sentence: str


def check_request(claim: str, margin: float | None, alternative: str, delta: float, method: str) -> None:
    """Refuse a claim that cannot be judged, before any work is done."""
    if claim not in CLAIMS:
        raise unknown("claim", claim, CLAIMS)
    if claim == "not-worse":
        if margin is None:
            raise InputError(
                "the claim not-worse needs a margin.", fix="say how large a loss you would accept: --margin 0.01, say."
            )
        return
    if alternative != "two-sided" or delta:
        raise InputError(
            "the claim better is judged by the two-sided test of no difference.",
            fix="leave --alternative at two-sided and --delta at 0.",
        )
    if method != "auto":
        _refuse_other_questions(method, str(TESTS[method].facts["about"]))


def _refuse_other_questions(method: str, about: str) -> None:
    if about != "mean":
        raise InputError(
            f"the claim better is about the mean score, and {method} answers another question.",
            fix="leave --method at auto with the default rules, or name a test of the mean such as permutation.",
        )


def judge_claim(result: Comparison, claim: str) -> Claim:
    """Judge a claim: better = two-sided p at most alpha and A above B; not-worse = one-sided, at the margin."""
    a, b = result.systems
    if claim == "better":
        _refuse_other_questions(result.test.method, result.test.about)
        tested = result.test
        supported = result.verdict == "better" and result.effects["mean_difference"].value > 0
        content = f"{a} is better than {b}"
    else:
        if result.margin is None:
            raise InputError("the comparison was made without a margin.", fix="give compare a margin.")
        content = f"{a} is not worse than {b} by more than {result.margin:g}"
        if result.margin_test is None:
            reason = next(note for note in result.notes if note.startswith(UNTESTED))
            return Claim(False, f"claim not supported: {content}. {reason}")
        tested = result.margin_test
        supported = significant(tested.p_value, result.alpha)
    verdict = "supported" if supported else "not supported"
    if claim == "better" and result.verdict == "worse":
        content += "; the evidence points the other way"
    blind = next((f" {note}" for note in result.notes if note.startswith(BLIND)), "") if not supported else ""
    one_sided = "; the two-sided interval alone would leave it undecided" if _only_one_sided(result, supported) else ""
    return Claim(
        supported,
        f"claim {verdict}: {content} ({tested.label}, {tested.alternative}, {p_of_result(tested)}, "
        f"alpha = {result.alpha:g}{one_sided}).{blind if claim == 'not-worse' else ''}",
    )


def _only_one_sided(result: Comparison, supported: bool) -> bool:
    return supported and result.margin_verdict in ("undecided", "not better")
