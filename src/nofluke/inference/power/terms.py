"""From what a user states (means, accuracies, shares) to the effect a power is computed for; nonsense is refused."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, get_args

from nofluke.check import check_count, check_number, is_whole
from nofluke.errors import Fix, InputError, Option, listing, unknown, without_effect
from nofluke.inference.power.designs import Design, design_of
from nofluke.inference.power.effect import Effect
from nofluke.inference.power.over_runs import MOST_RUNS
from nofluke.options import ADVANCED, COUNT, LEVEL, POSITIVE, SHARE, Alternative, Bounds, Opt, Sides

_DATASETS = Bounds(at_least=1, at_most=10**4)
# With training runs some of the noise may be none.
_FROM_NOTHING = Bounds(at_least=0)
ADJUSTMENTS = ("holm", "bonferroni")
# What plans and power curves state alike.
Target = Annotated[float, Opt("How often the difference is to be found.", bounds=LEVEL)]
AcceptedLoss = Annotated[float | None, Opt("Largest loss you would accept: plan to show that A is not worse by more.")]
Tests = Annotated[int, Opt("Number of tests made together: each is planned at alpha / tests.", ADVANCED, COUNT)]
TestLevel = Annotated[float, Opt("Level of the test.", bounds=LEVEL)]
_WITH_RUNS = Fix("leave it out, or plan with ", Option("run_sd"), " and ", Option("test", "crossed_runs"), ".")


@dataclass(frozen=True)
class TrueDifference:
    """What a plan states of the truth; for replicate also one value for each dataset."""

    difference: Annotated[
        float | None,
        Opt(
            "The smallest true difference that would matter, in score units.",
            label="smallest true difference that would matter to you",
            several=True,
        ),
    ] = None
    accuracy_a: Annotated[float | None, Opt("0/1 scores: true accuracy of A.", bounds=SHARE, several=True)] = None
    accuracy_b: Annotated[float | None, Opt("0/1 scores: true accuracy of B.", bounds=SHARE, several=True)] = None
    p10: Annotated[
        float | None, Opt("0/1 scores: share of items that only A gets right.", bounds=SHARE, several=True)
    ] = None
    p01: Annotated[
        float | None, Opt("0/1 scores: share of items that only B gets right.", bounds=SHARE, several=True)
    ] = None
    prob_a_better: Annotated[
        float | None, Opt("sign: share of untied items on which A is truly better.", bounds=SHARE, several=True)
    ] = None


@dataclass(frozen=True)
class SpreadOfItems:
    """How items vary; None where it was not stated."""

    sd: Annotated[
        float | None,
        Opt(
            "Standard deviation of the differences of items (unpaired tests: of the scores).",
            bounds=_FROM_NOTHING,
            several=True,
        ),
    ] = None
    sd_b: Annotated[
        float | None, Opt("welch_t: standard deviation of the scores of B.", bounds=POSITIVE, several=True)
    ] = None
    disagreement: Annotated[
        float | None, Opt("0/1 scores: share of items that exactly one system gets right.", bounds=SHARE, several=True)
    ] = None


@dataclass(frozen=True)
class SpreadOfRuns:
    """How often systems are trained, and how their runs vary."""

    n_runs: Annotated[
        int | None,
        Opt(
            "Training runs of each system. Default: as many as cost fewest scores.",
            bounds=Bounds(at_least=2, at_most=MOST_RUNS),
        ),
    ] = None
    run_sd: Annotated[
        float | None,
        Opt("Standard deviation of a system's score from training run to training run.", bounds=_FROM_NOTHING),
    ] = None
    answer_sd: Annotated[
        float | None,
        Opt(
            "With `run_sd`: standard deviation of the scores of one item in several runs; more runs average it away.",
            bounds=_FROM_NOTHING,
        ),
    ] = None


@dataclass(frozen=True)
class Assumed(SpreadOfRuns, SpreadOfItems):
    """What every plan states: how items and runs vary, and the level of the test."""

    margin: AcceptedLoss = None
    design_effect: Annotated[
        float,
        Opt(
            "Design effect of clusters: how many items carry the information of one.",
            ADVANCED,
            Bounds(above=0, at_most=10**6),
        ),
    ] = 1.0
    tests: Tests = 1
    adjust: Annotated[str, Opt(f"Correction for `tests`: {' or '.join(ADJUSTMENTS)}.")] = "holm"
    alpha: TestLevel = 0.05
    alternative: Alternative = "two-sided"


@dataclass(frozen=True)
class Terms(Assumed, TrueDifference):
    """What may be stated about a plan, the true difference first."""


OF_RUNS = tuple(field.name for field in fields(SpreadOfRuns))
# What data say themselves.
OF_DATA = ("n", *(field.name for field in fields(SpreadOfItems)), *OF_RUNS)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a replicability analysis is to show."""

    datasets: Annotated[int | None, Opt("replicate: number of datasets.", bounds=_DATASETS)] = None
    claim: Annotated[
        int | None,
        Opt("replicate: on how many of them A is to be shown better.", ADVANCED, _DATASETS),
    ] = None
    each: Annotated[str, Opt("replicate: the test of each dataset.", ADVANCED)] = "auto"


@dataclass(frozen=True, slots=True)
class Plan:
    """One test, the effect, and the level it is run at after adjustment."""

    design: Design
    effect: Effect
    level: float
    alternative: str
    terms: Terms
    counted: str = ""

    @property
    def unit(self) -> str:
        """What is counted by n."""
        if self.counted:
            return self.counted
        if self.design.kind == "groups":
            return "items for each system"
        if self.design.kind == "binary" and self.effect.disagreement == 1 and self.terms.p10 is None:
            return "untied items"
        return "items"

    @property
    def over_runs(self) -> bool:
        """Whether training runs vary as items do."""
        return self.design.name == "crossed_runs"

    @property
    def least(self) -> int:
        """The smallest n with which the test can be run."""
        return 2 if not self.design.sawtooth else 1


def plan_of(test: str, terms: Terms, *, effect_needed: bool = True) -> Plan:
    """Check everything that was stated and put it together; "auto" takes mcnemar for accuracies, else paired_t."""
    _check(terms)
    way = _way_stated(terms)
    binary = way not in (None, "sd")
    if test == "auto":
        over_items = ("tango" if terms.margin is not None else "mcnemar") if binary else "paired_t"
        test = over_items if terms.run_sd is None else "crossed_runs"
    design = design_of(test, margin=terms.margin is not None)
    _check_runs(design, terms)
    alternative = terms.alternative
    if terms.margin is not None:
        refuse_less(alternative)
        alternative = "greater"
    effect = _binary_effect(terms, effect_needed) if design.kind == "binary" else _mean_effect(design, terms, binary)
    effect = replace(
        effect,
        margin=terms.margin or 0.0,
        run_sd=terms.run_sd or 0.0,
        answer_sd=terms.answer_sd or 0.0,
        runs=terms.n_runs or 0,
    )
    return Plan(design, effect, terms.alpha / terms.tests, alternative, terms)


# Each of these says by itself how large the effect is beside the noise; the first name stands for the way.
_WAYS = (("prob_a_better",), ("p10", "p01"), ("accuracy_a", "accuracy_b", "disagreement"), ("sd", "sd_b"))


def _way_stated(terms: Terms) -> str | None:
    """Name the way in which the effect was stated; what a plan would not use is refused."""
    stated = [[name for name in way if getattr(terms, name) is not None] for way in _WAYS]
    used = [names for names in stated if names]
    if terms.difference is not None and used and used[0][0] in ("prob_a_better", "p10", "p01"):
        used.append(["difference"])
    if len(used) > 1:
        raise InputError(
            f"{used[0][0]} and {used[1][0]} state the effect in two ways, and a plan takes one.",
            fix=f"leave {listing(used[0])} or {listing(used[1])} out.",
        )
    return next((way[0] for way, names in zip(_WAYS, stated, strict=True) if names), None)


def _check(terms: Terms) -> None:
    if terms.alternative not in get_args(Sides):
        raise unknown("alternative", str(terms.alternative), get_args(Sides))
    if terms.adjust not in ADJUSTMENTS:
        raise unknown("adjustment for planning", str(terms.adjust), ADJUSTMENTS)
    if not is_whole(terms.tests, least=1):
        raise InputError(f"tests = {terms.tests!r} is not a number of tests.", fix="give a whole number of at least 1.")
    check_number(terms.alpha, "alpha", low=0.0, high=1.0)
    check_number(terms.design_effect, "design_effect", low=0.0)
    noise = ("sd", "run_sd", "answer_sd")
    for name in (*noise, "sd_b", "margin"):
        value = getattr(terms, name)
        if value is not None:
            # Of items and runs one may have no noise of its own.
            check_number(value, name, low=0.0, closed=name in noise and terms.run_sd is not None)
    if terms.difference is not None:
        check_number(terms.difference, "difference")


def _check_runs(design: Design, terms: Terms) -> None:
    """Training runs belong to the one test that knows them, and to that they do."""
    given = [name for name in OF_RUNS if getattr(terms, name) is not None]
    if design.name != "crossed_runs":
        if given:
            raise without_effect(given, f"{design.name} knows no training runs", _WITH_RUNS)
        return
    if terms.run_sd is None:
        raise _missing(design.name, "run_sd", "the standard deviation of a system's score from run to run")
    if not any((terms.sd, terms.run_sd, terms.answer_sd, terms.disagreement, terms.p10, terms.p01)):
        raise InputError(
            "with no noise of items, runs or answers any difference is found at once.",
            fix=Fix("give ", Option("sd"), ", ", Option("run_sd"), " or ", Option("answer_sd"), " above 0."),
        )
    if terms.n_runs is not None:
        check_count(terms.n_runs, "n_runs", 2, MOST_RUNS)


def check_target(target: Any, level: float) -> None:
    """A target at or below the level is no target: where nothing is to be found, the test says so as often."""
    check_number(target, "power", 0.0, 1.0)
    if target <= level:
        raise InputError(
            f"power = {target:g} is not above the level of the test, {level:.4g}: with no difference at all so many "
            "tests are significant by chance.",
            fix="give how often the difference is to be found, such as 0.8.",
        )


def refuse_less(alternative: str) -> None:
    """With a margin the claim is that A is not worse."""
    if alternative == "less":
        raise InputError(
            "a margin asks whether A is not worse than B, and alternative = 'less' claims that it is.",
            fix="leave alternative out: with a margin the test is one-sided for A.",
        )


def other_side(margin: float | None) -> str:
    """Say what to do about a true difference on the side that is not tested."""
    if margin is None:
        return "turn the sign of the difference, or use alternative 'two-sided'."
    return f"state a true difference above {0.0 - margin:g} (minus the margin), or accept a larger margin."


def _mean_effect(design: Design, terms: Terms, binary: bool) -> Effect:
    if binary:
        stated = _binary_effect(terms, needed=True)
        if design.kind == "groups":
            raise InputError(
                f"{design.name} compares two independent groups, which have no items to disagree on.",
                fix="plan with 'mcnemar', or give difference and sd.",
            )
        variance = stated.disagreement - stated.difference**2
        if variance <= 0:
            raise InputError("the differences would not vary at all.", fix="give a larger disagreement.")
        return Effect(stated.difference, math.sqrt(variance))
    difference = terms.difference
    if difference is None:
        if terms.margin is None:
            raise _missing(design.name, "difference", "the smallest true difference that would matter to you")
        difference = 0.0
    if terms.sd is None:
        spread = "differences A - B, item by item" if design.kind == "pairs" else "scores of a system"
        raise _missing(design.name, "sd", f"the standard deviation of the {spread}")
    if terms.sd_b is not None and design.name != "welch_t":
        raise InputError(f"{design.name} knows one sd only.", fix="leave sd_b out, or plan with 'welch_t'.")
    return Effect(difference, terms.sd, terms.sd if terms.sd_b is None else terms.sd_b)


def _missing(test: str, name: str, meaning: str) -> InputError:
    return InputError(f"{test} cannot be planned without {name}.", fix=Fix("give ", Option(name), f": {meaning}."))


def _binary_effect(terms: Terms, needed: bool) -> Effect:
    """Read the shares in whichever of the three ways they were stated."""
    if terms.prob_a_better is not None:
        share = check_number(terms.prob_a_better, "prob_a_better", 0.0, 1.0, closed=True)
        return Effect(2 * share - 1, disagreement=1.0)
    if terms.p10 is not None or terms.p01 is not None:
        if terms.p10 is None or terms.p01 is None:
            raise InputError("p10 and p01 belong together.", fix="give both: the shares only A, only B gets right.")
        p10, p01 = (
            check_number(terms.p10, "p10", 0.0, 1.0, closed=True),
            check_number(terms.p01, "p01", 0.0, 1.0, closed=True),
        )
        if not 0 < p10 + p01 <= 1 + 1e-12:
            raise InputError(f"p10 + p01 = {p10 + p01:g} is not a share of the items.", fix="give a sum of 0 to 1.")
        return Effect(p10 - p01, disagreement=min(1.0, p10 + p01))
    return _from_accuracies(terms, needed)


def _from_accuracies(terms: Terms, needed: bool) -> Effect:
    a, b, disagreement = terms.accuracy_a, terms.accuracy_b, terms.disagreement
    difference = terms.difference
    if a is not None and b is not None:
        check_number(a, "accuracy_a", 0.0, 1.0, closed=True)
        check_number(b, "accuracy_b", 0.0, 1.0, closed=True)
        if difference is not None:
            raise InputError(
                "both accuracies and a difference were given.", fix="give the two accuracies, or one difference."
            )
        # 0.9 - 0.88 is the decimal it looks like, not 0.020000000000000018.
        difference = round(a - b, 12)
    elif a is not None or b is not None:
        both = Fix("give ", Option("accuracy_a"), " and ", Option("accuracy_b"), ".")
        raise InputError("one accuracy alone is no difference.", fix=both)
    if difference is None:
        if needed and terms.margin is None:
            raise InputError(
                "0/1 scores cannot be planned without the true accuracies.",
                fix=Fix(
                    "give ",
                    *(Option("accuracy_a"), ", ", Option("accuracy_b"), " and ", Option("disagreement"), "; or "),
                    *(Option("p10"), " and ", Option("p01"), "; or ", Option("prob_a_better"), " (of untied items)."),
                ),
            )
        difference = 0.0
    if disagreement is None:
        raise _no_disagreement(a, b, difference)
    check_number(disagreement, "disagreement", 0.0, 1.0, closed=True)
    if disagreement == 0:
        raise InputError(
            "disagreement = 0 says that both systems are right on the same items: no test can tell them apart.",
            fix="give the share of items that exactly one of the systems gets right, above 0.",
        )
    most = 1.0 if a is None or b is None else round(min(a + b, 2 - a - b), 12)
    if not max(abs(difference), 1e-300) <= disagreement <= most + 1e-12:
        raise InputError(
            f"disagreement = {disagreement:g} cannot be: accuracies that differ by {abs(difference):g} disagree on "
            f"between {abs(difference):g} and {most:g} of the items.",
            fix="give the share of items that exactly one of the systems gets right.",
        )
    return Effect(difference, disagreement=disagreement)


def _no_disagreement(a: float | None, b: float | None, difference: float) -> InputError:
    if a is None or b is None:
        hint = "at least the difference, at most 1"
    else:
        unrelated = a * (1 - b) + b * (1 - a)
        hint = (
            f"here at least {abs(difference):g}; {unrelated:.3g} if the systems erred independently, and less for "
            "systems that are alike"
        )
    return InputError(
        "the power also depends on how often the systems disagree.",
        fix=Fix("give ", Option("disagreement"), f", the share of items that exactly one system gets right ({hint})."),
    )
