"""Claims that a release may hang on: is it shown that A is better, or at least not worse by more than a margin?"""

from __future__ import annotations

from dataclasses import dataclass

from nofluke.align.counts import two_scores
from nofluke.errors import Fix, InputError, MethodError, Option, listing, unknown
from nofluke.forms import ITEMS_TO_PASS
from nofluke.inference.p_values import significant
from nofluke.registry import TESTS
from nofluke.types import Comparison, Interval, Note, Sample, TestResult, note

# Codes of what keeps a margin from being judged: too few items that differ, or too few for any outcome.
FEW_DIFFERENT = "compare.margin_few_different"
TOO_FEW = "compare.margin_too_small"

Range = tuple[float | None, float | None]
CLAIMS = ("better", "not-worse")


def margin_method(sample: Sample, score_range: Range = (None, None)) -> str:
    """Name the test to use with a margin: tango for 0/1, the t-test with one lost item for other means.

    Averages of datasets of 0/1 scores have mover, which recovers their limits from Tango's of every dataset, also where
    all are of one size; items that were pooled by name are one dataset. Scores of
    0 and 100 are of that kind, and any two that are both ends of the stated range; scores of 0 and 1 that could have
    been others by it are not.
    """
    if sample.runs is not None:
        return "crossed_runs"
    if not sample.aggregate.linear:
        return "bootstrap"
    if two_scores(sample, *score_range) is None or sample.clusters is not None:
        return "one_lost_item"
    return "tango" if sample.strata is None or sample.strata.one_source else "mover"


def margin_options(method: str, sample: Sample) -> dict[str, str]:
    """Give the form of the margin's test: corpus metrics are resampled by their own standard errors.

    The shift form calls systems worse by the margin not worse in .10 to .20 of cases where most items tie; this one in
    at most .06. Scores of all items together (correlations) have no standard error in every resample.
    """
    sums = not sample.aggregate.linear and sample.aggregate.whole is None
    return {"form": "studentized"} if method == "bootstrap" and sums else {}


def margin_verdict(interval: Interval | None, margin: float, verdict: str) -> str:
    """Read better, worse, equivalent, not worse, not better or undecided from one interval.

    "better" and "worse" also need the main test to say so: interval and p-value come from different tests. Swapping A
    and B mirrors the interval and the main verdict, and so every word: better and worse, not worse and not better.
    """
    if interval is None:
        return "undecided"
    if interval.low > 0 and verdict == "better":
        return "better"
    if interval.high < 0 and verdict == "worse":
        return "worse"
    not_worse, not_better = interval.low > -margin, interval.high < margin
    if not_worse and not_better:
        return "equivalent"
    return "not worse" if not_worse else "not better" if not_better else "undecided"


def too_few_items(tested: TestResult, margin: float, alpha: float, sample: Sample) -> tuple[Note, ...]:
    """Note where the items are too few for the margin: not even B's own outputs would pass."""
    form = ITEMS_TO_PASS.of(tested.method)
    if form is None:
        return ()
    needed = form.function(tested, margin / tested.details.get("worth", 1.0), alpha, sample.strata)
    if tested.n >= needed or significant(tested.p_value, alpha):
        return ()
    return (note(TOO_FEW, n=tested.n, margin=margin, needed=needed, a=sample.systems[0], b=sample.systems[1]),)


@dataclass(frozen=True, slots=True)
class Claim:
    """Whether a claim is supported, and by which test; words/margin.py says it.

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
    refuse_two_runs(result.notes)
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


def refuse_two_runs(notes: tuple[Note, ...]) -> None:
    """Nothing may hang on two runs of a system: where only they vary, one in ten true null hypotheses is rejected."""
    for told in notes:
        if told.code == "test.two_runs":
            raise MethodError(
                f"there are 2 runs of {listing(told['systems'])}, too few for a claim about training.",
                fix=Fix(
                    f"train {told['enough']} times or more, or make the claim about these checkpoints: ",
                    Option("runs", "nested"),
                    ".",
                ),
            )


def _obstacles(result: Comparison) -> tuple[Note, ...]:
    """What kept the margin from being judged at all."""
    return tuple(one for one in result.notes if one.code in (FEW_DIFFERENT, TOO_FEW))
