"""What a SampleSize says: so many items reveal the difference so often, and what that costs and assumes."""

from __future__ import annotations

import math

from nofluke.types import Answer, PlannedPower, SampleSize, Table
from nofluke.words import planning
from nofluke.words.planning import terms_in_words, terms_of

TITLE = "How many items?"
RUNS = "Items and runs"


def answer(result: SampleSize) -> Answer:
    """The number of items, what half the difference would need, and what is assumed."""
    return Answer(
        verdict(result), table=runs_table(result), points=points(result), notes=planning.few_notes(result.notes)
    )


def verdict(result: SampleSize) -> str:
    """The answer in one sentence."""
    if result.test == "replicate":
        return claim_sentence(result, result.target)
    return reveals(result, result.target)


def reveals(result: SampleSize | PlannedPower, power: float) -> str:
    """Say that so many items reveal the difference so often."""
    if result.terms.get("margin") is not None:
        return planning.margin_sentence(result, f"{result.difference:g}", power)
    if planning.is_untied(result):
        return planning.untied_sentence(result, result.difference, power)
    reveal = planning.do(result.n, "reveal")
    return (
        f"{planning.size_of(result)} {reveal} {planning.gap(result)} in {planning.often(power)} {planning.how(result)}."
    )


def runs_table(result: SampleSize) -> Table | None:
    """What other numbers of runs would need; None where they are no part of the plan, or stated."""
    rows = tuple((f"{runs:,}", f"{items:,}", f"{runs * items:,}") for runs, items in result.by_runs)
    if not rows:
        return None
    return Table(
        ("runs each", result.unit, "scores each"),
        rows,
        figures=("runs each", result.unit, "scores each"),
        strong=tuple(place for place, (runs, _) in enumerate(result.by_runs) if runs == result.n_runs),
        explain={
            "runs each": "how often each system is trained",
            result.unit: f"the number of {result.unit} needed with so many runs",
            "scores each": "runs times items: what has to be scored for each system",
        },
    )


def claim_sentence(result: SampleSize | PlannedPower, power: float) -> str:
    """Say how often a claim about several datasets is supported."""
    first, second = ("B", "A") if result.alternative == "less" else ("A", "B")
    sizes = getattr(result, "sizes", ())
    size = f"{min(sizes):,} to {max(sizes):,}" if sizes else f"{result.n:,}"
    unit = result.unit.removesuffix(" in each dataset")
    at_least = "at least " if result.bound else ""
    datasets, claim = result.terms["datasets"], result.terms["claim"]
    return (
        f"{size} {unit} in each of {datasets} datasets support the claim that {first} is better than {second} on at "
        f"least {claim} of them in {at_least}{planning.often(power, 'studies')} {planning.how(result)}."
    )


def points(result: SampleSize) -> tuple[tuple[str, str], ...]:
    """What more items bring, the cost of half the difference, and what holds for all plans."""
    found = []
    if planning.is_exact_test(result):  # its power goes up and down, which the headline does not tell
        found.append(("Power", f"With more items the power stays above {result.target:g}."))
    if result.half is not None:
        size = f"{abs(result.difference) / 2:.6g}"
        runs = "" if result.n_runs is None else " with as many runs"
        found.append(("Smaller", f"Half that gap ({size}) needs {planning.units(result.half, result.unit)}{runs}."))
    elif result.n_runs is not None and "margin" not in result.terms:
        found.append(("Smaller", "Half that gap needs more runs: so few hide it, however many items there are."))
    if any(one.code == "power.sd_of_differences" for one in result.assumptions):
        found.append(("Larger", "A standard deviation 10% larger needs 21% more items."))
    return (*found, *planning.shared_points(result))


def for_paper(result: SampleSize) -> tuple[str, str]:
    """The sentence for a paper, short and long."""
    n = f"n = {planning.size_of(result)}"
    return (
        f"{n} for power {result.target:g} ({test_and_terms(result)}).",
        f"A sample size of {n} was fixed beforehand to reveal {stated(result.difference)} with power "
        f"{result.target:g} ({test_and_terms(result)}).",
    )


def caption(result: SampleSize) -> str:
    """What the table of the plan shows."""
    return f"Items needed: {test_and_terms(result)}; n counts {result.unit}."


def explain(result: SampleSize) -> dict[str, str]:
    """What the columns of the table are."""
    return {
        **{term.heading: term.meaning for term in terms_of(result)},
        "true difference": DIFFERENCE,
        "target power": "how often the difference is to be found",
        "n": f"the number of {result.unit} needed",
        "power with n": "how often so many find it",
    }


DIFFERENCE = "the true difference between A and B that is assumed, positive when A is better"


def test_and_terms(result: planning.Plan) -> str:
    """The test, its sides and level, and all that the plan assumes beside the difference."""
    label = result.label
    if result.test == "replicate":
        label = f"{label} on each dataset, claim of {result.terms['claim']} of {result.terms['datasets']} datasets"
    return f"{label}, {result.alternative}, level {result.level:.4g}{terms_in_words(result)}"


def stated(difference: float) -> str:
    """The true difference, or differences, of a plan."""
    if math.isnan(difference):
        return "the stated true differences"
    return f"a true difference of {difference:.6g}"
