"""What a power curve says, in sentences that can be read aloud."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from nofluke.inference.power.curves.ask import Ask
from nofluke.inference.power.curves.fields import common_fields, label_of
from nofluke.inference.power.curves.inner import TANGENT
from nofluke.inference.power.curves.simulate import Check
from nofluke.inference.power.planning_words import of_hundred
from nofluke.inference.wording import figure
from nofluke.types import Sample, Scenario

RETROSPECTIVE = (
    "Power at the observed difference is no evidence about these systems: it is the p-value in other words, and it "
    "takes a chance difference for the true one. Where A and B are truly equal, 66 of 100 pilots of 50 items promise "
    "a power of 0.8 at 2,000 items. State the smallest difference that would matter instead."
)
CHECK_DRAWS = 9_999
_SMALL_PILOT = 200
_MUCH_TILTED = 0.5


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything the sentences are made of."""

    sample: Sample
    ask: Ask
    units: int
    unit: str
    observed: float
    difference: float
    scale: float
    found: float
    found_range: tuple[float, float]
    at_first: bool
    at_last: tuple[int, float]
    sure_at_first: bool
    last_band: tuple[float, float]
    by_formula: float
    scenarios: tuple[Scenario, ...]
    carried: float
    formula_only: bool


def shared(facts: Facts) -> dict[str, Any]:
    """Give the fields of a curve that do not depend on the simulation."""
    ask = facts.ask
    return {
        **common_fields(facts.sample, ask, facts.units, facts.unit),
        "difference": facts.difference,
        "observed": facts.observed,
        "form": "formula" if facts.formula_only else ask.form,
        "scenarios": facts.scenarios,
        "assumptions": _assumptions(facts),
        "headline": _headline(facts),
        "sentences": _sentences(facts),
        "notes": _notes(facts),
    }


def _how(facts: Facts) -> str:
    setting = facts.ask.setting
    a, b = facts.sample.systems[:2]
    sides = {"two-sided": "two-sided", "greater": f"one-sided for {a}", "less": f"one-sided for {b}"}
    return f"({label_of(facts.ask, facts.sample)}, {sides[setting.alternative]}, alpha = {setting.level:.6g})"


def _shown(facts: Facts) -> str:
    """The assumed difference: as it was stated, or rounded where it comes from the data."""
    stated = facts.ask.difference
    return f"{stated:g}" if stated is not None else figure(facts.difference, facts.scale)


def _aim(facts: Facts) -> str:
    """Say what the items are to do."""
    a, b = facts.sample.systems[:2]
    if facts.ask.margin is not None:
        return (
            f"show that {a} is not worse than {b} by more than {facts.ask.margin:g} (true difference {_shown(facts)})"
        )
    return "find it" if facts.ask.observed else f"find a true difference of {_shown(facts)}"


def _items(facts: Facts, size: float) -> str:
    """Print a number of units; of clusters, with the items they hold on average."""
    if facts.unit != "clusters":
        return f"{size:,.0f} {facts.unit}"
    each = facts.sample.n / facts.units
    return f"{size:,.0f} clusters (about {size * each:,.0f} items)"


def _headline(facts: Facts) -> str:
    ask = facts.ask
    if ask.difference is None and not ask.observed:
        return (
            "No smallest difference of interest was stated, so this says what several true differences would need "
            f"{_how(facts)}."
        )
    observed = f"If the observed difference of {figure(facts.observed, facts.scale)} were the true one, "
    if _hopeless(facts):
        return (
            f"The observed difference is 0: there is nothing to find. {_items(facts, facts.at_last[0])} show a "
            f"difference all the same in {of_hundred(facts.at_last[1])} such test sets {_how(facts)}, which is the "
            "error rate and not power."
        )
    start = observed if ask.observed else ""
    where = f"in {of_hundred(ask.target)} such test sets"
    if math.isnan(facts.found):
        last, power = facts.at_last
        often = of_hundred(power)
        only = "" if often.startswith("fewer") else "only "
        text = f"{_items(facts, last)} would {_aim(facts)} in {only}{often} such test sets"
    elif facts.at_first and not facts.sure_at_first:
        text = f"{_items(facts, facts.found)} or fewer may be enough to {_aim(facts)} {where}, which is not certain"
    elif facts.at_first:
        text = f"{_items(facts, facts.found)} or fewer are enough to {_aim(facts)} {where}"
    else:
        text = f"about {_items(facts, facts.found)} are needed to {_aim(facts)} {where}"
    sentence = f"{start}{text} {_how(facts)}."
    return sentence[0].upper() + sentence[1:]


def _sentences(facts: Facts) -> tuple[str, ...]:
    ask = facts.ask
    sentences = [RETROSPECTIVE] if ask.observed else []
    if facts.scenarios:
        sentences += [_scenario(facts, row) for row in facts.scenarios]
        sentences.append(
            "Say which difference would matter to you (difference), and the answer is one number. The curve is drawn "
            f"for the first of these. Sizes are by the formula of the t-test, with the spread of these {facts.units:,} "
            f"{facts.unit}."
        )
    elif math.isfinite(facts.found) and not (facts.at_first and facts.sure_at_first):
        sentences.append(_range(facts))
    elif facts.last_band[1] >= ask.target and not _hopeless(facts) and not facts.at_first:
        low, high = (of_hundred(end) for end in facts.last_band)
        sentences.append(
            f"Whether that reaches {of_hundred(ask.target)} is open: {_drawn(facts)} only tell that it is between "
            f"{low} and {high} (95% band); more iterations narrow it."
        )
    about_mean = ask.method.facts["about"] == "mean"
    farther = about_mean and math.isfinite(facts.by_formula) and facts.by_formula > facts.at_last[0]
    if math.isnan(facts.found) and not facts.scenarios and farther and not _hopeless(facts):
        sentences.append(f"By the formula of the t-test some {_items(facts, facts.by_formula)} would be needed.")
    if ask.tests > 1:
        sentences.append(
            f"Planned for {ask.tests:,} tests: each at alpha / {ask.tests:,} = {ask.setting.level:.4g}. Under Holm or "
            "Bonferroni every single difference of this size is then found at least this often; it is not the chance "
            "of finding all of them."
        )
    return tuple(sentences)


def _hopeless(facts: Facts) -> bool:
    """Whether the curve is drawn at an observed difference of 0 (but for rounding): nothing is there to be found."""
    return facts.ask.observed and facts.ask.margin is None and abs(facts.observed) <= 1e-9 * facts.scale


def _range(facts: Facts) -> str:
    low, high = facts.found_range
    upper = f"{high:,.0f}" if math.isfinite(high) else f"more than {facts.at_last[0]:,}"
    lower = f"{low:,.0f}" if math.isfinite(low) and not facts.at_first else f"fewer than {facts.found:,.0f}"
    if low == high:
        return "The curve is computed by formula, without drawing test sets."
    return (
        f"It may be anything between {lower} and {upper}: that is how well {_drawn(facts)} tell (95% band); more "
        "iterations narrow it."
    )


def _drawn(facts: Facts) -> str:
    number = facts.ask.iterations
    return f"{number:,} drawn test set{'s' if number != 1 else ''} at each size"


_ABOUT = {"ranks": "ranks", "items": "how often each system is the better one", "median": "the median"}
_NAMES = {
    "half": "Half of that",
    "low end": "The lower end of the interval",
    "high end": "The upper end of the interval",
}


def _scenario(facts: Facts, row: Scenario) -> str:
    shown = figure(row.difference, facts.scale)
    if row.name == "detectable":
        often = of_hundred(facts.ask.target)
        what = f"The difference that {_items(facts, facts.units)} like these find in {often} test sets"
    else:
        what = _NAMES[row.name]
    if math.isnan(row.size):
        return f"{what}, {shown}: no number of {facts.unit} would show it; it lies on the side that is not tested."
    if math.isinf(row.size):
        return f"{what}, {shown}: more than a thousand million {facts.unit}."
    return f"{what}, {shown}: {_items(facts, row.size)}."


def _assumptions(facts: Facts) -> tuple[str, ...]:
    ask = facts.ask
    if ask.form == "normal" or facts.formula_only:
        spread = "stated" if ask.sd is not None else "that of the pilot"
        drawn = f"differences of items are normal, their spread {spread}"
    elif ask.observed:
        drawn = f"new {facts.unit} are drawn from the pilot's {facts.units:,} as they are"
    else:
        drawn = (
            f"new {facts.unit} are like the pilot's {facts.units:,}, reweighted so that the difference is "
            f"{_shown(facts)} (exponential tilting, the smallest change that does it)"
        )
    return (
        drawn,
        f"{facts.unit} are independent of each other",
        "the number of items is fixed beforehand; adding items after a look needs a new or a sequential test",
    )


def _notes(facts: Facts) -> tuple[str, ...]:
    ask, notes = facts.ask, []
    if facts.formula_only:
        notes.append(
            f"no reweighting of these {facts.units:,} {facts.unit} shows a difference of "
            f"{figure(facts.difference, facts.scale)}: the curve is that of the t-test, by formula."
        )
    elif facts.carried < _MUCH_TILTED and ask.form == "pilot":
        notes.append(
            f"to show that difference the pilot had to be reweighted strongly: it speaks with the weight of "
            f"{facts.carried * facts.units:,.0f} of its {facts.units:,} {facts.unit}; take the curve as rough."
        )
    if facts.units < _SMALL_PILOT and ask.sd is None and not _hopeless(facts):
        low, high = _spread_range(facts.units)
        notes.append(
            f"the spread comes from {facts.units:,} {facts.unit} only: the number needed may well be between {low:.2g} "
            f"and {high:.2g} times the one given."
        )
    about = str(ask.method.facts["about"])
    if about != "mean" and not ask.observed:
        notes.append(f"the true difference is one of the mean; this test looks at {_ABOUT[about]} instead.")
    return tuple(notes)


def _spread_range(units: int) -> tuple[float, float]:
    """The 95% range of (true variance) / (estimated variance) for normal differences: n is proportional to it."""
    from scipy.special import chdtri

    df = units - 1
    return df / float(chdtri(df, 0.025)), df / float(chdtri(df, 0.975))


def inner_in_words(how: str, checked: Check | None) -> str:
    """Say how the p-values inside were computed, and what the check found."""
    if how == "formula":
        return "computed by the noncentral t distribution; nothing was drawn"
    text = f"p-values of the drawn test sets: {how}"
    if checked is None or not checked.checked:
        return text
    if how == TANGENT:
        noise = 2 * math.sqrt(0.025 * 0.975 / CHECK_DRAWS)
        return (
            f"{text}; {checked.checked} of them close to the level differed by at most {checked.absolute:.2g} from "
            f"those of the test itself ({CHECK_DRAWS:,} draws, whose own error is about {noise:.1g})"
        )
    changed = "no verdict differed" if not checked.changed else f"{checked.changed} verdicts differed"
    left = "which changes nothing"
    if checked.undecided:
        left = f"which leaves {checked.undecided:.2%} of all verdicts open"
    return (
        f"{text}; of the {checked.checked} closest to the level, compared with exact ones, {changed}; the largest "
        f"relative error was {checked.relative:.1g}, {left}"
    )
