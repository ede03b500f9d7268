"""What all plans say alike: how many items, how often, which test, and what it rests on."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from nofluke.inference.power.designs import DESIGNS
from nofluke.types import Note, PowerCurve, PowerPlan
from nofluke.words.names import averaged_over
from nofluke.words.numbers import share_text

ASSUMPTIONS = "What this rests on"
_UNTIED = "untied items"
_ONE = re.compile("items|units|clusters|datasets")
# The assumptions that hold numbers of the user's, of which the answer shows one.
_NUMBERS = frozenset(
    f"power.{what}"
    for what in ("sd_of_differences", "sd_of_scores", "one_right", "disagreement", "datasets_differ", "noise")
)
_MOST_NOTES = 3
_ABOUT_THE_CLAIM = ("power.at_observed", "power.other_question", "power.not_reweighted")


def often(power: float, noun: str = "test sets") -> str:
    """Say a power as a number of test sets; computed ones are rounded, but never to none or all.

    >>> often(0.8), often(0.95), often(0.4787), often(0.999), often(0.99996), often(0.0004)
    ('8 of 10 test sets', '95 of 100 test sets', '48 of 100 test sets', '999 of 1,000 test sets', \
'more than 99 of 100 test sets', 'fewer than 1 of 100 test sets')
    """
    for base in (10, 100, 1000):
        if abs(power * base - round(power * base)) < 1e-9 and 0 < round(power * base) < base:
            return f"{round(power * base)} of {base:,} {noun}"
    percent = round(power * 100)
    if percent in (0, 100):
        return f"{'more than 99' if percent else 'fewer than 1'} of 100 {noun}"
    return f"{percent} of 100 {noun}"


def units(number: float, unit: str) -> str:
    """Count what a plan counts.

    >>> units(1, "untied items"), units(2000, "items for each system")
    ('1 untied item', '2,000 items for each system')
    """
    return f"{number:,.0f} {unit if number != 1 else _ONE.sub(lambda many: many[0][:-1], unit)}"


def size_of(plan: PowerPlan) -> str:
    """Count the items of a plan, and its training runs where there are any."""
    runs = plan.terms.get("n_runs")
    return units(plan.n, plan.unit) + ("" if runs is None else f" and {runs_text(runs)}")


def runs_text(runs: int | tuple[int, int]) -> str:
    """Count the training runs of two systems.

    >>> runs_text(3), runs_text((3, 3)), runs_text((3, 5))
    ('3 runs each', '3 runs each', '3 + 5 runs')
    """
    first, second = (runs, runs) if isinstance(runs, int) else runs
    return f"{first:,} runs each" if first == second else f"{first:,} + {second:,} runs"


def do(number: float, verb: str) -> str:
    """Put a verb behind a number of items."""
    return verb if number != 1 else f"{verb}s"


def how(plan: PowerPlan) -> str:
    """Name the test with its sides and level, in brackets."""
    each = " on each dataset" if plan.test == "replicate" else ""
    level = plan.alpha if plan.test == "replicate" else plan.level
    return f"({plan.label}{each}, {tested_sides(plan.alternative, names(plan))}, level {level:.4g})"


def names(plan: PowerPlan) -> tuple[str, str]:
    """The two systems; those of a plan without data are A and B, as in its options."""
    if len(plan.systems) == 2:
        return plan.systems[0], plan.systems[1]
    return "A", "B"


def tested_sides(alternative: str, systems: tuple[str, str]) -> str:
    """Say on which sides is tested."""
    a, b = systems
    return {"two-sided": "two-sided", "greater": f"one-sided for {a}", "less": f"one-sided for {b}"}[alternative]


def gap_text(size: str, difference: float, systems: tuple[str, str], where: str = "") -> str:
    """Say a true difference, with the system it favours where that is not the first.

    >>> gap_text("0.02", 0.02, ("A", "B")), gap_text("-0.02", -0.02, ("A", "B"), " in accuracy")
    ('a true gap of 0.02', 'a true gap of 0.02 in accuracy in favour of B')
    """
    favoured = f" in favour of {systems[1]}" if difference < 0 else ""
    return f"a true gap of {size.removeprefix('-')}{where}{favoured}"


def gap(plan: PowerPlan) -> str:
    """Say the true difference that is planned for."""
    design = DESIGNS.get(plan.test)
    where = " in accuracy" if design is not None and design.kind == "binary" else ""
    return gap_text(f"{plan.difference:.6g}", plan.difference, names(plan), where)


def averaged(result: PowerPlan | PowerCurve) -> str:
    """Say that the gap is one of an average, where there are several datasets: " on the average of 4 tasks"."""
    within = (dict(one.facts) for one in result.assumptions if one.code == "power.within_datasets" and one.facts)
    return next((averaged_over(one["weighting"], one["n"], one["noun"]) for one in within), "")


def is_untied(plan: PowerPlan) -> bool:
    """Whether only the items are counted on which the systems differ."""
    return plan.unit == _UNTIED


def untied_sentence(plan: PowerPlan, difference: float, power: float) -> str:
    """Say what the sign test reveals of untied items; `difference` is that of the shares of items won."""
    a, b = names(plan)
    winner, share = (a, (1 + difference) / 2) if difference >= 0 else (b, (1 - difference) / 2)
    return (
        f"If {winner} is better on {share_text(share)} of the untied items, {plan.n:,} of them "
        f"{do(plan.n, 'reveal')} it in {often(power)} {how(plan)}."
    )


def margin_sentence(plan: PowerPlan, true: str, power: float) -> str:
    """Say how often "not worse" is shown; `true` is the true difference for which that holds."""
    a, b = names(plan)
    return (
        f"{size_of(plan)} {do(plan.n, 'show')} that {a} is not worse than {b} by more than "
        f"{plan.terms['margin']:g}{averaged(plan)} in {often(power)}, if the true difference is {true} {how(plan)}."
    )


def is_exact_test(plan: PowerPlan) -> bool:
    """Whether the power goes up and down as the number of items grows."""
    design = DESIGNS.get(plan.terms["each"] if plan.test == "replicate" else plan.test)
    return design is not None and design.sawtooth


def test_and_terms(plan: PowerPlan) -> str:
    """The test, its sides and level, and all that the plan assumes beside the difference."""
    label = plan.label
    if plan.test == "replicate":
        label = f"{label} on each dataset, claim of {plan.terms['claim']} of {plan.terms['datasets']} datasets"
    assumed = "".join(f", {term.heading} {term.value}" for term in terms_of(plan))
    return f"{label}, {plan.alternative}, level {plan.level:.4g}{assumed}"


def shared_points(plan: PowerPlan) -> tuple[tuple[str, str], ...]:
    """What adjustment, clusters, datasets and the stated numbers do to a plan."""
    points = [("Assumed", str(one)) for one in plan.assumptions if one.code in _NUMBERS]
    tests, factor = plan.terms.get("tests", 1), plan.terms.get("design_effect", 1)
    if tests != 1:
        points.append(("Tests", sentence_of_tests(tests, plan.alpha, plan.level, plan.terms.get("adjust", "holm"))))
    if factor != 1:
        points.append(
            (
                "Clusters",
                f"{factor:g} clustered items carry the information of one independent item. The test must keep "
                "clusters together.",
            )
        )
    if plan.test == "replicate":
        points.append(
            (
                "Claim",
                "The claim is the number of Holm's rejections, as in replicate, and valid under any dependence. Its "
                "chance takes the datasets as independent.",
            )
        )
        if plan.bound:
            points.append(("Bound", "With so many different datasets the chance is a lower bound (Poisson-binomial)."))
    return tuple(points)


def sentence_of_tests(tests: int, alpha: float, level: float, adjust: str = "holm") -> str:
    """Say what a correction for several tests guarantees."""
    name, least = ("Holm", "at least this often") if adjust == "holm" else ("Bonferroni", "this often")
    return (
        f"Each of {tests:,} tests is planned at level {alpha:g} / {tests:,} = {level:.4g} ({name}). Each such gap is "
        f"revealed {least}, all together less often."
    )


def few_notes(notes: tuple[Note, ...]) -> tuple[str, ...]:
    """The notes of an answer: first those about what may be claimed."""
    ordered = sorted(notes, key=lambda one: one.code not in _ABOUT_THE_CLAIM)
    return tuple(str(one) for one in ordered[:_MOST_NOTES])


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
    "n_runs": ("runs", "the number of training runs of each system"),
    "run_sd": ("sd of runs", "the standard deviation of a system's score from training run to training run"),
    "answer_sd": ("sd of answers", "the standard deviation of one item's scores in several runs"),
    "margin": ("margin", "the largest loss that would be accepted"),
    "design_effect": ("design effect", "how many clustered items carry the information of one independent item"),
    "tests": ("tests", "the number of tests that share the level"),
}
_OF_SCORES = {"sd": ("sd of scores", "the standard deviation of the scores")}
_OF_A = {"sd": ("sd of A's scores", "the standard deviation of A's scores")}


def terms_of(plan: PowerPlan) -> tuple[Term, ...]:
    """Give what the plan assumes, in the order of the table above."""
    unpaired = plan.unit.startswith("items for each system")
    names = _TERMS | ((_OF_A if "sd_b" in plan.terms else _OF_SCORES) if unpaired else {})
    return tuple(
        Term(heading, _rounded(plan.terms[name], 3 if plan.systems else 6), f"{meaning}, as assumed")
        for name, (heading, meaning) in names.items()
        if name in plan.terms
    )


def _rounded(value: Any, digits: int) -> str:
    """Print a number that was stated, or, with fewer digits, one of data; a plan for many datasets may have several."""
    return ", ".join(f"{part:.{digits}g}" for part in (value if isinstance(value, tuple) else (value,)))
