"""What a Bayes factor says: how many times more probable the data are under the claim, and under which prior."""

from __future__ import annotations

import math
from typing import Any

from nofluke.types import Answer, Estimate, Note


def answer(result: Estimate) -> Answer:
    """The factor and its meaning, the prior it hangs on, and what it is not."""
    prior = _note_of(result, "bayes.factor_prior")
    verdict = " ".join((headline(result), *sentences(result)))
    if prior is None:
        return Answer(verdict, notes=notes(result))
    points = (("Prior", f"{prior}. Another scale gives another factor."), ("Data", _data(prior)))
    return Answer(verdict, points=points, notes=notes(result))


def headline(result: Estimate) -> str:
    """The number."""
    if math.isnan(result.value):
        return "The Bayes factor is undefined."
    return f"{symbol(result)} = {value(result)}."


def sentences(result: Estimate) -> tuple[str, ...]:
    """What the number means, or why there is none."""
    first = "".join(str(one) for one in result.notes[:1])
    return (f"{first[:1].upper()}{first[1:]}",) if first else ()


def notes(result: Estimate) -> tuple[str, ...]:
    """The remarks that neither headline nor prior have said already."""
    prior = _note_of(result, "bayes.factor_prior")
    return tuple(str(one) for one in result.notes[1:] if one is not prior)


def symbol(result: Estimate) -> str:
    """BF10, or its logarithm."""
    return "log BF10" if _fact(result, "log") else "BF10"


def value(result: Estimate) -> str:
    """Print the number itself."""
    if math.isnan(result.value):
        return "undefined"
    return "infinity" if math.isinf(result.value) else f"{result.value:.3g}"


def claim_of(result: Estimate) -> str:
    """What is compared with exactly equal means."""
    if _note_of(result, "bayes.factor") is None:
        return ""
    return claim(_fact(result, "alternative"), _fact(result, "a"), _fact(result, "b"))


def claim(alternative: str, a: str, b: str) -> str:
    """What the alternative hypothesis states."""
    return {"two-sided": f"{a} and {b} differ", "greater": f"{a} is better than {b}"}.get(
        alternative, f"{b} is better than {a}"
    )


def times(log_size: float) -> str:
    """Print how many times more probable the data are.

    >>> times(math.log(17.2589)), times(math.log(45678)), times(40)
    ('17.3', '45,678', '10^17.4')
    """
    if log_size > math.log(1e6):
        return f"10^{log_size / math.log(10):.1f}"
    size = math.exp(log_size)
    return f"{size:.3g}" if size < 1000 else f"{size:,.0f}"


def caption(r: float) -> str:
    """Below the table: what is compared, and the prior of scale r."""
    return f"JZS Bayes factor of the claim against exactly equal means; {_cauchy(r)}."


def short(result: Estimate, r: float, n: int) -> str:
    """The number for the middle of a sentence in a paper."""
    return f"{symbol(result)} = {value(result)} (JZS, r = {r:.4g}; n = {n:,})."


def for_a_paper(result: Estimate, r: float, n: int) -> str:
    """The number with claim and prior."""
    if math.isnan(result.value):
        return " ".join((headline(result), *sentences(result)))
    number = f"{symbol(result)} = {value(result)} ({_cauchy(r)}; n = {n:,})"
    said = claim_of(result)
    return f"The JZS Bayes factor{f' for the claim that {said}' if said else ''} is {number}."


def _cauchy(r: float) -> str:
    return f"Cauchy prior with scale r = {r:.4g} on the difference in standard deviations"


def explanations(result: Estimate) -> dict[str, str]:
    """What the columns of the table hold."""
    return {
        "claim": "what is compared with exactly equal means",
        symbol(result): "how many times more probable the data are under the claim",
        "r": "scale of the Cauchy prior on the difference in standard deviations",
    }


def _data(prior: Note) -> str:
    return f"t = {prior['t']:.3g}, n = {prior['n']:,}; log10 BF10 = {prior['log_factor'] / math.log(10):.3g}."


def _note_of(result: Estimate, code: str) -> Note | None:
    return next((one for one in result.notes if one.code == code), None)


def _fact(result: Estimate, name: str) -> Any:
    """A fact of the note on the factor; None in results of an older nofluke, whose notes are text."""
    found = _note_of(result, "bayes.factor")
    return None if found is None else dict(found.facts).get(name)
