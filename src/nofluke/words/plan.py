"""What a plan says: so many items reveal the difference so often, and what that costs and assumes."""

from __future__ import annotations

import math
from collections.abc import Iterator

from nofluke.types import Answer, PowerPlan, Table
from nofluke.words import detectable_effect, planning
from nofluke.words.layout import first_that_fits, with_fewer_notes, without
from nofluke.words.planning import terms_of, test_and_terms

RUNS = "Items and runs"
_TITLES = {"n": "How many items?", "power": "How often would it be found?", "difference": detectable_effect.TITLE}


def title(result: PowerPlan) -> str:
    """The question that the plan answers."""
    return _TITLES[result.asked]


def answer(result: PowerPlan) -> Answer:
    """What was asked for, what more or less would bring, and what is assumed."""
    table = detectable_effect.table(result) if result.asked == "difference" else runs_table(result)
    made = Answer(verdict(result), table=table, points=points(result), notes=planning.few_notes(result.notes))
    return first_that_fits(_shorter(made))


def _shorter(made: Answer) -> Iterator[Answer]:
    """Leave out what is least needed: notes, then what other gaps would cost, which the details have."""
    *notes, made = with_fewer_notes(made)
    yield from (*notes, made)
    for label in ("Larger", "Smaller"):
        made = without(made, label)
        yield made


def verdict(result: PowerPlan) -> str:
    """The answer in one sentence; where nothing can be found, why."""
    if result.asked == "difference":
        return detectable_effect.verdict(result)
    often = result.power if result.asked == "power" else result.target
    if result.test == "replicate":
        return _claim(result, often)
    margin = result.terms.get("margin")
    if _is_null(result):
        return _error_rate(result, margin)
    if result.power == 0:
        aim = f"reveal {planning.gap(result)}" if not planning.is_untied(result) else "reveal a winner"
        why = "" if result.reason is None else f" {result.reason}"
        return f"{planning.size_of(result)} can never {aim} {planning.how(result)}.{why}"
    if margin is not None:
        return planning.margin_sentence(result, f"{result.difference:g}", often)
    if planning.is_untied(result):
        return planning.untied_sentence(result, result.difference, often)
    items, reveal = planning.size_of(result), planning.do(result.n, "reveal")
    return f"{items} {reveal} {planning.gap(result)} in {planning.often(often)} {planning.how(result)}."


def runs_table(result: PowerPlan) -> Table | None:
    """What other numbers of runs would need; None where they are no part of the plan, or stated."""
    if not result.by_runs:
        return None
    columns = ("runs each", result.unit, "scores each")
    return Table(
        columns,
        tuple((f"{runs:,}", f"{items:,}", f"{runs * items:,}") for runs, items in result.by_runs),
        figures=columns,
        strong=tuple(place for place, (runs, _) in enumerate(result.by_runs) if runs == result.n_runs),
        explain={
            "runs each": "how often each system is trained",
            result.unit: f"the number of {result.unit} needed with so many runs",
            "scores each": "runs times items: what has to be scored for each system",
        },
    )


def _is_null(result: PowerPlan) -> bool:
    return bool(result.difference + result.terms.get("margin", 0.0) == 0)


def _error_rate(result: PowerPlan, margin: float | None) -> str:
    if margin is not None:
        null, shown = f"If A is worse than B by exactly {margin:g}", "show the contrary"
    else:
        null, shown = "If there is no true gap", "show one"
    return (
        f"{null}, {planning.size_of(result)} {shown} by error in {planning.often(result.power)} "
        f"{planning.how(result)}. That is the error rate, not power."
    )


def _claim(result: PowerPlan, power: float) -> str:
    """Say how often a claim about several datasets is supported."""
    first, second = ("B", "A") if result.alternative == "less" else ("A", "B")
    size = f"{min(result.sizes):,} to {max(result.sizes):,}" if result.sizes else f"{result.n:,}"
    unit = result.unit.removesuffix(" in each dataset")
    at_least = "at least " if result.bound else ""
    datasets, claim = result.terms["datasets"], result.terms["claim"]
    return (
        f"{size} {unit} in each of {datasets} datasets support the claim that {first} is better than {second} on at "
        f"least {claim} of them in {at_least}{planning.often(power, 'studies')} {planning.how(result)}."
    )


def points(result: PowerPlan) -> tuple[tuple[str, str], ...]:
    """What more items bring, the cost of half the difference, and what holds for all plans."""
    if result.asked == "difference":
        return detectable_effect.points(result)
    found = []
    if result.asked == "n" and planning.is_exact_test(result):
        # Its power goes up and down, which the headline does not tell.
        found.append(("Power", f"With more items the power stays above {result.target:g}."))
    if result.half is not None:
        size = f"{abs(result.difference) / 2:.6g}"
        runs = "" if result.n_runs is None else " with as many runs"
        found.append(("Smaller", f"Half that gap ({size}) needs {planning.units(result.half, result.unit)}{runs}."))
    elif result.n_runs is not None and "margin" not in result.terms:
        found.append(("Smaller", "Half that gap needs more runs, however many items there are."))
    if result.asked == "n" and any(one.code == "power.sd_of_differences" for one in result.assumptions):
        found.append(("Larger", "A standard deviation 10% larger needs 21% more items."))
    return (*found, *planning.shared_points(result))


def for_paper(result: PowerPlan) -> tuple[str, str]:
    """The sentence for a paper, short and long."""
    if result.asked == "difference":
        return detectable_effect.for_paper(result)
    runs = "" if (runs := result.terms.get("n_runs")) is None else f" and {planning.runs_text(runs)}"
    n, how = f"n = {size_text(result)} {result.unit}{runs}", test_and_terms(result)
    if result.asked == "power":
        return (
            f"Power {result.power:.3g} with {n} ({how}).",
            f"With {n} the power to find {_stated(result)} is {result.power:.3g} ({how}).",
        )
    return (
        f"{n} for power {result.target:g} ({how}).",
        f"A sample size of {n} was fixed beforehand to reveal {_stated(result)} with power {result.target:g} ({how}).",
    )


def size_text(result: PowerPlan) -> str:
    """The number of items, or those of each dataset."""
    return f"{result.n:,}" if not result.sizes else ", ".join(f"{size:,}" for size in result.sizes)


def _stated(result: PowerPlan) -> str:
    """The true difference, or differences, of a plan."""
    if math.isnan(result.difference):
        return "the stated true differences"
    return f"a true difference of {result.difference:.6g}"


def caption(result: PowerPlan) -> str:
    """What the table of the plan shows."""
    if result.asked == "difference":
        return f"What {result.n:,} {result.unit} would find: {test_and_terms(result)}."
    what = "Power" if result.asked == "power" else "Items needed"
    return f"{what}: {test_and_terms(result)}; n counts {result.unit}."


def explain(result: PowerPlan) -> dict[str, str]:
    """What the columns of the table are."""
    if result.asked == "difference":
        return {detectable_effect.column(result): "what has to be true to be found so often"}
    named = {
        **{term.heading: term.meaning for term in terms_of(result)},
        "true difference": "the true difference between A and B that is assumed, positive when A is better",
    }
    if result.asked == "power":
        return named | {"n": f"the number of {result.unit}"}
    return named | {
        "target power": "how often the difference is to be found",
        "n": f"the number of {result.unit} needed",
        "power with n": "how often so many find it",
    }
