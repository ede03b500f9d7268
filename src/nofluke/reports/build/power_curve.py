"""A power curve as a report: the answer, the sizes with their power, and what it rests on."""

from __future__ import annotations

import math
from typing import Any

from nofluke.inference.wording import figure
from nofluke.reports.build.calls import calls
from nofluke.reports.build.citing import fields_of
from nofluke.reports.build.metric_names import metric_option
from nofluke.types import PowerCurve, Report, Section, Table

_SCENARIOS = {
    "detectable": "detectable with these items",
    "half": "half of that",
    "low end": "lower end of the interval",
    "high end": "upper end of the interval",
}


def build_power_curve(result: PowerCurve) -> Report:
    """Say how many items are needed, and show how the power grows with them."""
    settings = {
        "test": result.test,
        "alpha": result.alpha,
        "alternative": result.alternative,
        "form": result.form,
        "iterations": result.iterations,
        "seed": result.seed,
    }
    return Report(
        kind="PowerCurve",
        title="Power by number of " + result.unit,
        headline=result.headline,
        sentences=result.sentences,
        main=_table(result),
        sections=(
            *_scenarios(result),
            Section("The curve", paragraphs=(_inner(result),), chart="power_curve" if len(result.sizes) > 1 else ""),
            Section("What this rests on", bullets=result.assumptions),
        ),
        records=_records(result),
        short=_short(result),
        long=_long(result),
        notes=result.notes,
        citations=tuple(dict.fromkeys((result.citation, *(("Zhu et al. 2020",) if result.at_observed_effect else ())))),
        calls=_calls(result),
        settings=settings,
        signature=result.signature,
        systems=result.systems,
    )


def _inner(result: PowerCurve) -> str:
    text = result.inner[0].upper() + result.inner[1:]
    return f"{text}."


def _how(result: PowerCurve) -> str:
    drawn = {"pilot": "test sets drawn from the pilot's items", "normal": "normal differences", "formula": "formula"}
    return (
        f"{result.label}, {result.alternative}, alpha = {result.level:.4g}, {drawn[result.form]}, "
        f"{result.iterations:,} for each size, seed {result.seed}"
    )


def _table(result: PowerCurve) -> Table:
    columns = (result.unit, "power", "95% band")
    rows = tuple(
        (f"{int(n):,}", f"{power:.3f}", "none drawn" if low == high else f"{low:.3f} to {high:.3f}")
        for n, power, low, high in zip(result.sizes, result.power, result.low, result.high, strict=True)
    )
    caption = f"Power to find a true difference of {result.difference:.4g} in {result.metric}: {_how(result)}."
    return Table(
        columns,
        rows,
        caption if rows else result.headline,
        figures=(result.unit, "power"),
        explain={
            result.unit: "the size of the test set",
            "95% band": "where the power lies, as far as the drawn test sets tell (Clopper and Pearson)",
        },
    )


def _scenarios(result: PowerCurve) -> tuple[Section, ...]:
    if not result.scenarios:
        return ()
    scale = abs(result.difference) / 50 or math.nan
    rows = tuple((_SCENARIOS[row.name], figure(row.difference, scale), _size(row.size)) for row in result.scenarios)
    table = Table(
        ("assumed", "true difference", result.unit),
        rows,
        f"Items for power {result.target:g} by assumed true difference, by the formula of the t-test.",
        figures=("true difference", result.unit),
        explain={
            "true difference": "what is assumed to be true, positive when A is better",
            result.unit: "how many would find it",
        },
    )
    return (Section("Without a stated difference", table=table),)


def _size(size: float) -> str:
    if math.isnan(size):
        return "none"
    return "over 1,000,000,000" if math.isinf(size) else f"{size:,.0f}"


def _records(result: PowerCurve) -> tuple[dict[str, Any], ...]:
    common = {"difference": result.difference, "test": result.test, "alternative": result.alternative}
    common |= {"level": result.level, "iterations": result.iterations, "seed": result.seed}
    rows = tuple(
        {"n": int(n), "power": float(power), "low": float(low), "high": float(high), **common}
        for n, power, low, high in zip(result.sizes, result.power, result.low, result.high, strict=True)
    )
    return rows or ({"n": result.pilot, "power": math.nan, "low": math.nan, "high": math.nan, **common},)


def _short(result: PowerCurve) -> str:
    if not len(result.sizes):
        return result.headline
    if math.isnan(result.size_for_target):
        return f"Power {result.target:g} is not reached ({_how(result)})."
    return f"{_enough(result)} for power {result.target:g} ({_how(result)})."


def _enough(result: PowerCurve) -> str:
    """The size that reaches the target; at the smallest size drawn it may be fewer, and it may be uncertain."""
    size = f"{result.size_for_target:,.0f} {result.unit}"
    if not result.power[0] >= result.target:
        return f"About {size}"
    if result.low[0] >= result.target:
        return f"{size} or fewer"
    return f"Perhaps {size} (95% band of the power there: {result.low[0]:.2f} to {result.high[0]:.2f})"


def _long(result: PowerCurve) -> str:
    if not len(result.sizes):
        return f"No power was computed. {result.headline}"
    effect = f"a true difference of {result.difference:.4g}"
    origin = f"simulated from {result.pilot:,} {result.unit}"
    if math.isnan(result.size_for_target):
        last = f"; {int(result.sizes[-1]):,} {result.unit} reach {result.power[-1]:.2f}" if len(result.sizes) else ""
        return f"Power {result.target:g} to find {effect} is not reached{last} ({origin}; {_how(result)})."
    if result.scenarios:
        return (
            f"{result.pilot:,} {result.unit} like these find {effect} with power {result.target:g} ({_how(result)}); "
            "no smallest difference of interest was stated."
        )
    observed = " (the observed one, which makes this no evidence)" if result.at_observed_effect else ""
    return (
        f"{_enough(result)} are needed to find {effect}{observed} with power "
        f"{result.target:g} ({origin}; {_how(result)})."
    )


def _calls(result: PowerCurve) -> dict[str, str]:
    fields = fields_of(result.signature)
    difference = fields.get("difference", "None")
    options: dict[str, Any] = {"method": result.test}
    if difference != "None":
        options["difference"] = "observed" if result.at_observed_effect else float(difference)
    names = {"power": result.target, "alpha": result.alpha, "alternative": result.alternative, "form": result.form}
    defaults = {"power": 0.8, "alpha": 0.05, "alternative": "two-sided", "form": "pilot"}
    options |= {name: value for name, value in names.items() if value != defaults[name] and value != "formula"}
    options |= {"margin": result.margin} if result.margin is not None else {}
    options |= {"iterations": result.iterations, "seed": result.seed}
    pair = {"a": result.systems[0], "b": result.systems[1], **metric_option(result.metric, result.signature)}
    made = calls("power_curve", options, pair)
    return {language: text.replace("nofluke power_curve", "nofluke power curve") for language, text in made.items()}
