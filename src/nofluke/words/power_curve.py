"""What a PowerCurve says: how many items reveal the difference, how sure that number is, and what was drawn."""

from __future__ import annotations

import math
from dataclasses import replace

from nofluke.errors import Fix, Option, Verb
from nofluke.types import Answer, Bar, PowerCurve, Scenario, Table
from nofluke.words import planning
from nofluke.words.layout import LINES, as_lines
from nofluke.words.numbers import figure

_FEWEST_ROWS, _MOST_ROWS = 3, 8
SCENARIOS = {
    "detectable": "what these {} reveal",
    "half": "half of that",
    "low end": "lower end of the CI",
    "high end": "upper end of the CI",
}
_ENDS = ("low end", "high end")
_NO_TEST_OF_IT = "never"
_NEXT = Fix(Option("difference", "X"), " draws the curve for the smallest gap that would matter.")


def answer(result: PowerCurve) -> Answer:
    """The number of items, the curve in a few rows, how sure the number is, and what was drawn."""
    said = [point for point in points(result) if point[0] != "Assumed"]
    made = Answer(verdict(result), points=tuple(said), notes=planning.few_notes(result.notes))
    if result.scenarios:
        return replace(made, table=scenario_table(result))
    # The words come first; the curve gets the lines that they leave.
    return replace(made, table=_few_sizes(result, LINES - len(as_lines(made)) - 2))


def verdict(result: PowerCurve) -> str:
    """The answer in one sentence, with the reason where there is none."""
    where = f"in {planning.often(result.target)}"
    if result.reason is not None:
        return f"This pilot cannot say how many {result.unit} are needed. {result.reason}"
    if result.scenarios:
        gap = planning.gap_text(gap_size(result), result.difference, result.systems, planning.averaged(result))
        own = planning.units(result.pilot, result.unit) + _with_runs(result)
        return f"{own} like these reveal {gap} {where} {_how(result)}. Smaller gaps need more."
    if _nothing_there(result):
        items, rate = _items(result, int(result.sizes[-1])), planning.often(float(result.power[-1]))
        return (
            f"The observed difference is 0: there is nothing to find. {items} show one by error in {rate} "
            f"{_how(result)}. That is the error rate, not power."
        )
    if result.at_observed_effect:
        gap = gap_size(result).removeprefix("-")
        return f"If the observed gap of {gap} were the true one, {_found(result, where)} {_how(result)}."
    said = _found(result, where)
    return f"{said[0].upper()}{said[1:]} {_how(result)}."


def _found(result: PowerCurve, where: str) -> str:
    aim, condition = _aim(result)
    observed = result.at_observed_effect
    would = "would " if observed else ""
    if math.isnan(result.size_for_target):
        last, power = int(result.sizes[-1]), float(result.power[-1])
        reached = "would not be reached" if observed else "is not reached"
        often = f"{planning.often(power)}{condition}"
        return f"power {result.target:g} {reached}: {_items(result, last)} {would}{aim} in {often}"
    if not result.power[0] >= result.target:
        return f"about {_items(result, about(result.size_for_target))} {would}{aim} {where}{condition}"
    size = _items(result, result.size_for_target)
    if result.low[0] >= result.target:
        return f"{size} or fewer {'would be' if observed else 'are'} enough to {aim} {where}{condition}"
    may = "might" if observed else "may"
    return f"{size} or fewer {may} be enough to {aim} {where}{condition}; this is not certain"


def _aim(result: PowerCurve) -> tuple[str, str]:
    """Say what the items do, and under which condition."""
    a, b = result.systems
    over = planning.averaged(result)
    if result.margin is not None:
        aim = f"show that {a} is not worse than {b} by more than {result.margin:g}{over}"
        return aim, "" if result.at_observed_effect else f", if the true difference is {gap_size(result)}"
    if result.at_observed_effect:
        return "reveal it", ""
    return f"reveal {planning.gap_text(gap_size(result), result.difference, result.systems, over)}", ""


def _how(result: PowerCurve) -> str:
    return f"({result.label}, {planning.tested_sides(result.alternative, result.systems)}, level {result.level:.4g})"


def gap_size(result: PowerCurve) -> str:
    """The assumed difference: as it was stated, or rounded where it comes from the data."""
    of_data = result.at_observed_effect or result.scenarios
    return figure(result.difference, result.standard_error) if of_data else f"{result.difference:g}"


def _items(result: PowerCurve, size: float) -> str:
    """Print a number of units; of clusters, with the items they hold on average."""
    text = planning.units(size, result.unit) + _with_runs(result)
    if result.unit != "clusters" or not result.n_items:
        return text
    return f"{text} (about {about(size * result.n_items / result.pilot):,.0f} items)"


def _with_runs(result: PowerCurve) -> str:
    """Count the training runs, where the claim is about training."""
    return f" and {planning.runs_text((result.n_runs[0], result.n_runs[1]))}" if result.n_runs else ""


def about(size: float) -> float:
    """A number of items that is an estimate, with the two digits that it can vouch for.

    >>> about(37369.0), about(947.0), about(8.0)
    (37000.0, 950.0, 8.0)
    """
    return float(f"{size:.2g}")


def _nothing_there(result: PowerCurve) -> bool:
    """Whether the curve is drawn at an observed difference of 0 (but for rounding): nothing is there to be found."""
    tiny = abs(result.observed) <= 1e-9 * result.standard_error
    return result.at_observed_effect and result.margin is None and tiny


def points(result: PowerCurve) -> tuple[tuple[str, str], ...]:
    """How sure the number is, what to do next, and what is assumed."""
    if result.reason is not None:
        return _instead(result)
    found = [*_next(result)] if result.scenarios else [*_sureness(result), *_farther(result)]
    if result.tests > 1:
        found.append(("Tests", planning.sentence_of_tests(result.tests, result.alpha, result.level)))
    if not result.scenarios:
        found.append(("Assumed", str(result.assumptions[0])))
    return tuple(found)


def _instead(result: PowerCurve) -> tuple[tuple[str, str], ...]:
    if result.reason is not None and result.reason.code == "power.pilot_reveals_nothing":
        return (("Next", str(_NEXT)),)
    found = [
        (
            "Instead",
            f"Plan from numbers, by {Verb('power plan', '')}: the standard deviation of the differences, or the share "
            "of items on which the systems disagree.",
        )
    ]
    if result.reason is not None and result.reason.code == "power.same_scores":
        most = f"{result.reason['most'] * 100:.2g}%"
        found.append(
            ("Limit", f"The systems may still disagree on up to {most} of all {result.unit} (upper 95% limit).")
        )
    return tuple(found)


def _next(result: PowerCurve) -> tuple[tuple[str, str], ...]:
    return (
        ("Next", str(_NEXT)),
        ("Sizes", f"From {_formula(result)} of these {result.unit}."),
    )


def _formula(result: PowerCurve) -> str:
    if result.test == "mcnemar":
        return "the power of McNemar's exact test and the disagreement (upper 80% limit)"
    if result.n_runs:
        return "the power of the t-test over items and runs and the noise"
    return "the t-test's formula and the standard deviation"


def _sureness(result: PowerCurve) -> list[tuple[str, str]]:
    """How far the number of items, or the power of the last size, may be off."""
    drawn = f"{result.iterations:,} drawn test set{'s' if result.iterations != 1 else ''} per size"
    last_low, last_high = float(result.low[-1]), float(result.high[-1])
    if result.form == "formula" or result.computed.code == "power.p_formula":
        return []
    if math.isfinite(result.size_for_target):
        if result.low[0] >= result.target:
            return []
        return [("Range", f"{_range(result)} (95% band of {drawn}).")]
    if last_high >= result.target and not _nothing_there(result):
        band = f"between {last_low:.2f} and {last_high:.2f} (95% band)"
        leave = planning.do(result.iterations, "leave")
        return [("Range", f"Power {result.target:g} may be reached all the same: {drawn} {leave} it {band}.")]
    return []


def _range(result: PowerCurve) -> str:
    low, high = result.size_range
    first = bool(result.power[0] >= result.target)
    lower = f"{about(low):,.0f}" if math.isfinite(low) and not first else f"fewer than {result.size_for_target:,.0f}"
    upper = f"{about(high):,.0f}" if math.isfinite(high) else f"more than {int(result.sizes[-1]):,}"
    lower = f"{lower[0].upper()}{lower[1:]}"
    return f"{lower} to {upper} {result.unit}"


def _farther(result: PowerCurve) -> list[tuple[str, str]]:
    needed = result.size_by_formula
    if not math.isnan(result.size_for_target) or not math.isfinite(needed) or _nothing_there(result):
        return []
    if needed <= int(result.sizes[-1]):
        return []
    return [("Formula", f"By the formula of the t-test about {_items(result, about(needed))} are needed.")]


def _few_sizes(result: PowerCurve, room: int) -> Table | None:
    """The curve in a few rows, drawn against the target."""
    number = len(result.sizes)
    if not number:
        return None
    rows = min(max(room, _FEWEST_ROWS), _MOST_ROWS, number)
    places = [round(at * (number - 1) / max(rows - 1, 1)) for at in range(rows)]
    drawn = bool((result.low != result.high).any())
    found = [
        (int(result.sizes[at]), float(result.power[at]), float(result.low[at]), float(result.high[at])) for at in places
    ]
    columns = (result.unit, "power", *(("95% band",) if drawn else ()))
    return Table(
        columns,
        tuple(
            (f"{size:,}", f"{power:.2f}", *((f"{low:.2f} to {high:.2f}",) if drawn else ()))
            for size, power, low, high in found
        ),
        figures=(result.unit, "power"),
        bars=tuple(Bar(low, power, high, result.target) for _, power, low, high in found) if drawn else (),
    )


def scenario_table(result: PowerCurve) -> Table:
    """What several true differences need."""
    own = planning.units(result.pilot, result.unit)
    ends = [row for row in result.scenarios if row.name in _ENDS]
    sided = any(row.difference < 0 for row in ends)
    # Where the CI lies on the side of the second system, its nearer end is the lower one for the reader.
    turned = all(row.difference <= 0 for row in ends)
    rows = tuple(
        (
            f"{SCENARIOS[name].format(own)}{_favoured(result, row) if sided and row.name in _ENDS else ''}",
            figure(abs(row.difference), result.standard_error),
            _size(row, result),
        )
        for name, row in zip(
            [row.name for row in result.scenarios],
            [*(row for row in result.scenarios if row.name not in _ENDS), *(ends[::-1] if turned else ends)],
            strict=True,
        )
    )
    return Table(
        ("if the truth is", "true gap", result.unit),
        rows,
        caption="(never: a gap on the side that is not tested)" if has_untested(result) else "",
        figures=("true gap", result.unit),
        explain={
            "true gap": "what is assumed to be true",
            result.unit: "how many reveal it",
        },
    )


def has_untested(result: PowerCurve) -> bool:
    """Whether an assumed difference lies on the side that is not tested."""
    return any(math.isnan(row.size) for row in result.scenarios)


def _favoured(result: PowerCurve, row: Scenario) -> str:
    return f", {result.systems[0 if row.difference >= 0 else 1]} better"


def _size(row: Scenario, result: PowerCurve) -> str:
    if math.isnan(row.size):
        return _NO_TEST_OF_IT
    if math.isinf(row.size):
        return "more runs" if result.n_runs else "over 1,000,000,000"
    return f"{row.size if row.size == result.pilot else about(row.size):,.0f}"


def details(result: PowerCurve) -> tuple[str, ...]:
    """The sentences behind the verdict of a report."""
    # These have no subject of their own.
    named = {"Range": "Range: ", "Sizes": "The sizes: "}
    said = [f"{named.get(label, '')}{text}" for label, text in points(result) if label != "Assumed"]
    if any(label == "Range" for label, _ in points(result)):
        said.append("More iterations narrow the range.")
    if result.at_observed_effect:
        said.append(
            "Where two systems truly do not differ, 66 of 100 pilots of 50 items promise a power of 0.8 at 2,000 items."
        )
    return tuple(said)


def enough(result: PowerCurve) -> str:
    """The size that reaches the target; at the smallest size drawn it may be fewer, and it may be uncertain."""
    if not result.power[0] >= result.target:
        return f"About {about(result.size_for_target):,.0f} {result.unit}"
    size = f"{result.size_for_target:,.0f} {result.unit}"
    if result.low[0] >= result.target:
        return f"{size} or fewer"
    return f"Perhaps {size} (95% band of the power there: {result.low[0]:.2f} to {result.high[0]:.2f})"


def method(result: PowerCurve) -> str:
    """The test and the simulation, for captions and sentences of papers."""
    drawn = {"pilot": "test sets drawn from the pilot's items", "normal": "normal differences", "formula": "formula"}
    simulated = f", {result.iterations:,} for each size, seed {result.seed}" if result.form != "formula" else ""
    return f"{result.label}, {result.alternative}, level {result.level:.4g}, {drawn[result.form]}{simulated}"


def title(result: PowerCurve) -> str:
    """The title of the report."""
    return f"Power by number of {result.unit}"


def caption(result: PowerCurve) -> str:
    """What the table of sizes shows."""
    if not len(result.sizes):
        return verdict(result)
    return f"Power to find a true difference of {gap_size(result)} in {result.metric}: {method(result)}."


def caption_of_scenarios(result: PowerCurve) -> str:
    """What the table of assumed differences shows."""
    never = "; never: a gap on the side that is not tested" if has_untested(result) else ""
    return f"Items for power {result.target:g} by assumed true difference, by the formula of the t-test{never}."


def explain(result: PowerCurve) -> dict[str, str]:
    """What the columns of the table of sizes are."""
    return {
        result.unit: "the size of the test set",
        "95% band": "where the power lies, as far as the drawn test sets tell (Clopper and Pearson)",
    }


def picture(result: PowerCurve) -> dict[str, str]:
    """Title, subtitle and description of the chart."""
    reached = math.isfinite(result.size_for_target)
    found = f"power {result.target:g} from about {about(result.size_for_target):,.0f} {result.unit}" if reached else ""
    if not reached:
        found = f"power {result.target:g} is not reached up to {int(result.sizes[-1]):,} {result.unit}"
    if result.scenarios:
        # The gap was chosen so that this many items reveal it: the curve only repeats that, with its own noise.
        found = f"{result.pilot:,} {result.unit} like these reveal it with power {result.target:g}"
    gap = gap_size(result)
    warning = "; at the observed difference, which is no evidence" if result.at_observed_effect else ""
    return {
        "title": f"A true gap of {gap}: {found}",
        "subtitle": f"{result.label}, {planning.tested_sides(result.alternative, result.systems)}, level "
        f"{result.level:.4g}{warning}",
        "description": f"Power by number of {result.unit} for a true gap of {gap}: {found}.",
    }


def for_paper(result: PowerCurve) -> tuple[str, str]:
    """The sentence for a paper, short and long."""
    if not len(result.sizes):
        return verdict(result), f"No power was computed. {verdict(result)}"
    effect = f"a true difference of {gap_size(result)}"
    done = "computed" if result.n_runs else "simulated"
    origin = f"{done} from {result.pilot:,} {result.unit}{_with_runs(result)}"
    how = method(result)
    if math.isnan(result.size_for_target):
        last = f"; {int(result.sizes[-1]):,} {result.unit} reach {result.power[-1]:.2f}"
        return (
            f"Power {result.target:g} is not reached ({how}).",
            f"Power {result.target:g} to find {effect} is not reached{last} ({origin}; {how}).",
        )
    if result.scenarios:
        found = f"{result.pilot:,} {result.unit} like these find {effect} with power {result.target:g} ({how})"
        return f"{found}.", f"{found}; no smallest difference of interest was stated."
    short = f"{enough(result)} for power {result.target:g} ({how})."
    observed = " (the observed one, which makes this no evidence)" if result.at_observed_effect else ""
    return short, (
        f"{enough(result)} are needed to find {effect}{observed} with power {result.target:g} ({origin}; {how})."
    )
