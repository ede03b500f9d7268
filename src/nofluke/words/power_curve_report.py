"""What the report of a PowerCurve adds to its answer: details, captions, the sentence for a paper, the picture."""

from __future__ import annotations

import math

from nofluke.types import PowerCurve
from nofluke.words import planning
from nofluke.words.power_curve import gap_size, has_untested, points, verdict


def details(result: PowerCurve) -> tuple[str, ...]:
    """The sentences behind the verdict of a report."""
    said = [text for label, text in points(result) if label != "Assumed"]
    if any(label == "Range" for label, _ in points(result)):
        said.append("More iterations narrow the range.")
    if result.at_observed_effect:
        said.append(
            "Where two systems truly do not differ, 66 of 100 pilots of 50 items promise a power of 0.8 at 2,000 items."
        )
    return tuple(said)


def enough(result: PowerCurve) -> str:
    """The size that reaches the target; at the smallest size drawn it may be fewer, and it may be uncertain."""
    size = f"{result.size_for_target:,.0f} {result.unit}"
    if not result.power[0] >= result.target:
        return f"About {size}"
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
    return f"Power to find a true difference of {result.difference:.4g} in {result.metric}: {method(result)}."


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
    found = f"power {result.target:g} from about {result.size_for_target:,.0f} {result.unit}"
    if not reached:
        found = f"power {result.target:g} is not reached up to {int(result.sizes[-1]):,} {result.unit}"
    if result.scenarios:
        # The gap was chosen so that this many items reveal it: the curve only repeats that, with its own noise.
        found = f"{result.pilot:,} {result.unit} like these reveal it with power {result.target:g}"
    gap = gap_size(result)
    warning = "; at the observed difference, which is no evidence" if result.at_observed_effect else ""
    return {
        "title": f"A true gap of {gap}: {found}",
        "subtitle": f"{result.label}, {planning.sides(result.alternative, result.systems)}, level "
        f"{result.level:.4g}{warning}",
        "description": f"Power by number of {result.unit} for a true gap of {gap}: {found}.",
    }


def for_paper(result: PowerCurve) -> tuple[str, str]:
    """The sentence for a paper, short and long."""
    if not len(result.sizes):
        return verdict(result), f"No power was computed. {verdict(result)}"
    effect = f"a true difference of {result.difference:.4g}"
    origin = f"simulated from {result.pilot:,} {result.unit}"
    how = method(result)
    if math.isnan(result.size_for_target):
        last = f"; {int(result.sizes[-1]):,} {result.unit} reach {result.power[-1]:.2f}"
        return (
            f"Power {result.target:g} is not reached ({how}).",
            f"Power {result.target:g} to find {effect} is not reached{last} ({origin}; {how}).",
        )
    short = f"{enough(result)} for power {result.target:g} ({how})."
    if result.scenarios:
        return short, (
            f"{result.pilot:,} {result.unit} like these find {effect} with power {result.target:g} ({how}); no "
            "smallest difference of interest was stated."
        )
    observed = " (the observed one, which makes this no evidence)" if result.at_observed_effect else ""
    return short, (
        f"{enough(result)} are needed to find {effect}{observed} with power {result.target:g} ({origin}; {how})."
    )
