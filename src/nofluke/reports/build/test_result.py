"""A TestResult as a report: one significance test, whatever its kind."""

from __future__ import annotations

import math
from typing import Any

from nofluke.inference.wording import chance, figure, interval_in_figures, p_of_result, with_article
from nofluke.registry import TESTS
from nofluke.reports.build.calls import calls, options_in
from nofluke.reports.build.citing import cited, fields_of, used_in
from nofluke.reports.build.figures import bar_of, interval_cell, interval_heading, p_cell
from nofluke.reports.build.metric_names import metric_in_full
from nofluke.types import Report, Section, Table, TestResult
from nofluke.words.evidence import chance_sentence

# Options that the sentence has in other words: the null hypothesis, the interval, how the p-value was computed.
_SAID_ELSEWHERE = frozenset({"alternative", "delta", "confidence_level", "monte_carlo", "seed"})
_UNNAMED = ("A", "B")
_UNTOLD = "No power was computed (nofluke compare says what difference such a test set could find)."


def build_test_result(result: TestResult) -> Report:
    """Say what one test found, with everything a reader needs to repeat it."""
    two_systems = "test" in fields_of(result.signature)
    sides = f"{result.alternative}, n = {result.n:,}"
    chosen = "".join(f", {part}" for part in chosen_options(result))
    return Report(
        kind="TestResult",
        title=result.label,
        headline=f"{result.label[:1].upper()}{result.label[1:]}: {p_of_result(result)} ({sides}).",
        sentences=(chance_sentence(result, result.systems), *_who(result)) if two_systems else (_chance(result),),
        main=_paper_table(result),
        sections=(Section("Figures", table=_all_figures(result)),),
        records=(test_record(result),),
        short=f"{_against(result)}{result.label}, {sides}{chosen}: {p_of_result(result)}{_estimate(result, '; ')}.",
        long=_long(result),
        notes=result.notes,
        citations=cited(*used_in([result.signature]), ("metric", result.estimand.removeprefix("difference in "))),
        calls=_calls(result) if two_systems else {},
        settings={
            **{name: text for name, text in fields_of(result.signature).items() if name not in ("nofluke", "n")},
            **({"alpha": _alpha(result)} if result.interval is not None else {}),
        },
        signature=result.signature,
        bar=bar_of(result.interval, result.estimate, 0.5 if result.about == "items" else result.delta),
        systems=result.systems if two_systems else (),
        paper_only=True,
    )


def _who(result: TestResult) -> tuple[str, ...]:
    """Which system is which, where they have names of their own."""
    a, b = result.systems
    return (f"A is {a} and B is {b}.",) if result.systems != _UNNAMED else ()


def _against(result: TestResult) -> str:
    a, b = result.systems
    return f"{a} against {b}: " if result.systems != _UNNAMED else ""


def _alpha(result: TestResult) -> float:
    """The alpha that the level of the interval stands for, without the noise of 1 - 0.95."""
    return math.nan if result.interval is None else round(1 - result.interval.level, 12)


def scale_of(result: TestResult) -> float:
    """The standard error by which figures are rounded, where the test knows it."""
    return result.details.get("standard_error", math.nan)


def test_record(result: TestResult) -> dict[str, Any]:
    """One flat row of unrounded values, for CSV."""
    interval = result.interval
    return {
        "test": result.method,
        "alternative": result.alternative,
        "delta": result.delta,
        "n": result.n,
        "statistic": result.statistic,
        "p_value": result.p_value,
        "log_p_value": result.log_p_value,
        "estimate": result.estimate,
        "low": math.nan if interval is None else interval.low,
        "high": math.nan if interval is None else interval.high,
        "level": math.nan if interval is None else interval.level,
        "computed": result.computed.how,
        "signature": result.signature,
    }


test_record.__test__ = False  # type: ignore[attr-defined]  # not a test for pytest


def chosen_options(result: TestResult) -> tuple[str, ...]:
    """Give the options that change the number and are not the usual ones, in words; the rest is said elsewhere."""
    fields = fields_of(result.signature)
    if result.method not in TESTS:
        return ()
    own = [name for name in TESTS[result.method].option_names() if name in fields and name not in _SAID_ELSEWHERE]
    words = [f"{name.replace('_', ' ')} = {fields[name]}" for name in own]
    if "unit" in fields:
        size, _, statistic = fields["unit"].partition(":")
        words.append(f"units of {size} items ({statistic})")
    if "missing" in fields:
        words.append("items without a score left out")
    return tuple(words)


def _chance(result: TestResult) -> str:
    if math.isnan(result.p_value):
        return "The test gives no p-value on these data; the notes say why."
    return (
        f"If the null hypothesis were true ({result.null}), evidence at least this strong would come up in "
        f"{chance(result.p_value)} such samples."
    )


def _estimate(result: TestResult, lead: str) -> str:
    if math.isnan(result.estimate):
        return ""
    text = f"{lead}{result.estimand} {figure(result.estimate, scale_of(result))}"
    if result.interval is not None:
        text += f", {interval_in_figures(result.interval, scale_of(result))} ({result.interval.method})"
    return text


def _long(result: TestResult) -> str:
    statistic = "" if math.isnan(result.statistic) else f" (statistic {result.statistic:.6g})"
    estimate = _estimate(result, "; ")
    metric = metric_in_full("a formula", result.signature)
    scored = f" The metric is {metric}." if metric != "a formula" else ""
    level = f" The interval belongs to alpha = {_alpha(result):g}." if result.interval is not None else ""
    untold = f" {_UNTOLD}" if "test" in fields_of(result.signature) else ""
    who = "".join(f"{told} " for told in _who(result))
    return (
        f"{who}By {with_article(result.label)} ({'; '.join((result.alternative, *chosen_options(result)))}; "
        f"n = {result.n:,}), {p_of_result(result)}{statistic}{estimate}. "
        f"The null hypothesis is that {result.null}. The p-value was computed: {result.computed}; its validity is "
        f"{result.validity}.{level}{scored}{untold}"
    )


def _paper_table(result: TestResult) -> Table:
    scale = scale_of(result)
    columns = ["test", "n", "statistic", "p"]
    cells = [result.label, f"{result.n:,}", f"{result.statistic:.6g}", p_cell(result)]
    if not math.isnan(result.estimate):
        columns.append("estimate")
        cells.append(figure(result.estimate, scale))
    if result.interval is not None:
        columns.append(interval_heading(result.interval))
        cells.append(interval_cell(result.interval, scale))
    chosen = "".join(f", {part}" for part in chosen_options(result))
    by = f", interval by {result.interval.method}" if result.interval is not None else ""
    who = "".join(f"{told} " for told in _who(result))
    return Table(
        columns=tuple(columns),
        rows=(tuple(cells),),
        caption=f"{result.label[:1].upper()}{result.label[1:]}, {result.alternative}, n = {result.n:,}{chosen}; "
        f"one test, no correction. {who}Null hypothesis: {result.null}. Estimate: {result.estimand}{by}. "
        f"Computed: {result.computed}; validity: {result.validity}.",
        figures=("n", "statistic", "p", "estimate"),
        explain={result.label: f"null hypothesis: {result.null}", "estimate": result.estimand},
    )


def _all_figures(result: TestResult) -> Table:
    interval = "none" if result.interval is None else interval_in_figures(result.interval, scale_of(result))
    rows = (
        ("p-value", f"{p_cell(result)} ({result.alternative})"),
        ("log p-value", f"{result.log_p_value:.6g}"),
        ("statistic", f"{result.statistic:.6g}"),
        ("estimate", f"{result.estimate:.6g} ({result.estimand})"),
        ("interval", interval),
        ("n", f"{result.n:,}"),
        *((name.replace("_", " "), f"{value:.6g}") for name, value in result.details.items()),
        ("null", result.null),
        ("computed", str(result.computed)),
        ("validity", result.validity),
    )
    return Table(columns=("", ""), rows=rows)


def _calls(result: TestResult) -> dict[str, str]:
    fields = options_in(result.signature)
    systems = dict(zip(("a", "b"), result.systems, strict=True)) if result.systems != _UNNAMED else {}
    unpaired = result.method in TESTS and TESTS[result.method].facts["needs"] == "unpaired"
    selection = "unpaired" if unpaired else "pair"
    return calls("test", {"method": result.method, **fields}, systems, selection=selection)
