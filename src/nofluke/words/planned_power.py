"""What a PlannedPower says: so many items reveal the difference so often."""

from __future__ import annotations

from nofluke.types import Answer, PlannedPower
from nofluke.words import planning
from nofluke.words.planning import terms_of
from nofluke.words.sample_size import DIFFERENCE, claim_sentence, reveals, stated, test_and_terms

TITLE = "How often would it be found?"


def answer(result: PlannedPower) -> Answer:
    """How often, the power in digits, and what is assumed."""
    return Answer(verdict(result), points=points(result), notes=planning.few_notes(result.notes))


def verdict(result: PlannedPower) -> str:
    """The answer in one sentence; where nothing can be found, why."""
    if result.test == "replicate":
        return claim_sentence(result, result.power)
    margin = result.terms.get("margin")
    if result.difference + (margin or 0.0) == 0:
        return _error_rate(result, margin)
    if result.power == 0:
        aim = f"reveal {planning.gap(result)}" if not planning.is_untied(result) else "reveal a winner"
        why = "" if result.reason is None else f" {result.reason}"
        return f"{planning.size_of(result)} can never {aim} {planning.how(result)}.{why}"
    return reveals(result, result.power)


def _error_rate(result: PlannedPower, margin: float | None) -> str:
    if margin is not None:
        null, shown = f"If A is worse than B by exactly {margin:g}", "show the contrary"
    else:
        null, shown = "If there is no true gap", "show one"
    return (
        f"{null}, {planning.size_of(result)} {shown} by error in {planning.often(result.power)} "
        f"{planning.how(result)}. That is the error rate, not power."
    )


def points(result: PlannedPower) -> tuple[tuple[str, str], ...]:
    """The power in digits, and what holds for all plans."""
    size = planning.size_of(result) if result.n else "these datasets"
    nothing = result.power == 0 or result.difference + result.terms.get("margin", 0.0) == 0
    power = () if nothing else (("Power", f"The power with {size} is {result.power:.4f}."),)
    return (*power, *planning.shared_points(result))


def for_paper(result: PlannedPower) -> tuple[str, str]:
    """The sentence for a paper, short and long."""
    n = f"n = {size_text(result)} {result.unit}"
    return (
        f"Power {result.power:.3g} with {n} ({test_and_terms(result)}).",
        f"With {n} the power to find {stated(result.difference)} is {result.power:.3g} ({test_and_terms(result)}).",
    )


def size_text(result: PlannedPower) -> str:
    """The number of items, or those of each dataset."""
    return f"{result.n:,}" if not result.sizes else ", ".join(f"{size:,}" for size in result.sizes)


def caption(result: PlannedPower) -> str:
    """What the table of the plan shows."""
    return f"Power: {test_and_terms(result)}; n counts {result.unit}."


def explain(result: PlannedPower) -> dict[str, str]:
    """What the columns of the table are."""
    return {
        **{term.heading: term.meaning for term in terms_of(result)},
        "true difference": DIFFERENCE,
        "n": f"the number of {result.unit}",
    }
