"""Claims that a release may hang on: is it shown that A is better, or at least not worse?"""

from __future__ import annotations

from dataclasses import dataclass

from nofluke.errors import Fix, InputError, Option, unknown
from nofluke.inference.margins import FEW_DIFFERENT, TOO_FEW
from nofluke.inference.significance.sides import significant
from nofluke.registry import TESTS
from nofluke.types import Comparison, Note, TestResult

CLAIMS = ("better", "not-worse")


@dataclass(frozen=True, slots=True)
class Claim:
    """Whether a claim is supported, and by which test; words/claim.py says it.

    `reversed` says that the evidence shows the opposite; `only_one_sided` that the claim stands although the two-sided
    interval alone would leave it undecided. `test` is None where the margin could not be tested; `notes` say why.
    """

    claim: str
    supported: bool
    systems: tuple[str, str]
    margin: float | None
    alpha: float
    test: TestResult | None
    reversed: bool = False
    only_one_sided: bool = False
    notes: tuple[Note, ...] = ()


def check_request(claim: str, margin: float | None, alternative: str, delta: float, method: str) -> None:
    """Refuse a claim that cannot be judged, before any work is done."""
    if claim not in CLAIMS:
        raise unknown("claim", claim, CLAIMS)
    if claim == "not-worse":
        if margin is None:
            raise InputError(
                "the claim not-worse needs a margin.",
                fix=Fix("say how large a loss you would accept: ", Option("margin", "0.01"), ", say."),
            )
        return
    if alternative != "two-sided" or delta:
        raise InputError(
            "the claim better is judged by the two-sided test of no difference.",
            fix=Fix("leave ", Option("alternative"), " at two-sided and ", Option("delta"), " at 0."),
        )
    if method != "auto":
        _refuse_other_questions(method, str(TESTS[method].facts["about"]))


def _refuse_other_questions(method: str, about: str) -> None:
    if about != "mean":
        raise InputError(
            f"the claim better is about the mean score, and {method} answers another question.",
            fix=Fix(
                "leave ", Option("method"), " at auto with the default rules, or name a test of the mean: permutation."
            ),
        )


def judge_claim(result: Comparison, claim: str) -> Claim:
    """Judge a claim: better = two-sided p at most alpha and A above B; not-worse = one-sided, at the margin."""
    if claim == "better":
        _refuse_other_questions(result.test.method, result.test.about)
        supported = result.verdict == "better" and result.effects["mean_difference"].value > 0
        opposite = result.verdict == "worse"
        return Claim(claim, supported, result.systems, None, result.alpha, result.test, reversed=opposite)
    if result.margin is None:
        raise InputError("the comparison was made without a margin.", fix="give compare a margin.")
    tested = result.margin_test
    supported = tested is not None and significant(tested.p_value, result.alpha)
    return Claim(
        claim,
        supported,
        result.systems,
        result.margin,
        result.alpha,
        tested,
        only_one_sided=supported and result.margin_verdict in ("undecided", "not better"),
        notes=() if supported else _obstacles(result),
    )


def _obstacles(result: Comparison) -> tuple[Note, ...]:
    """What kept the margin from being judged at all."""
    return tuple(one for one in result.notes if one.code in (FEW_DIFFERENT, TOO_FEW))
