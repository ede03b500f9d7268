"""An Estimate as a report: an effect size with its interval, or a Bayes factor, which means nothing without a prior."""

from __future__ import annotations

import math

from nofluke.call import calls
from nofluke.registry import EFFECTS, POSTERIORS
from nofluke.reports.build.citing import call_settings, cited
from nofluke.reports.build.figures import bar_of, interval_cell, interval_heading
from nofluke.types import Estimate, Report, Table
from nofluke.words import bayes_factor as factor_words
from nofluke.words import estimate as words
from nofluke.words.computed import interval_method
from nofluke.words.numbers import figure, scale_of


def build_estimate(result: Estimate) -> Report:
    """Say how large the difference is by one index."""
    if result.name == "bayes_factor":
        return _bayes_factor(result)
    items = "" if result.n is None else f"n = {result.n:,}"
    null = float(EFFECTS[result.name].facts["null"]) if result.name in EFFECTS else math.nan
    meaning = words.side_sentence(result)
    return Report(
        kind="Estimate",
        title=words.label_of(result),
        headline=words.headline(result),
        sentences=(meaning,) if meaning else (),
        main=_table(result, items),
        sections=(),
        records=(_record(result),),
        short=words.short(result, items),
        long=words.long(result, result.n),
        notes=tuple(map(str, result.notes)),
        citations=cited(("effect", result.name, result.call)),
        calls=calls(result.call),
        settings={"effect": result.name, **call_settings(result.call, "name")},
        signature=result.signature,
        bar=bar_of(result.interval, result.value, null),
    )


def _table(result: Estimate, items: str) -> Table:
    label, interval, scale = words.label_of(result), result.interval, scale_of(result)
    columns = ["effect size", "value", "standard error"]
    cells = [label, figure(result.value, scale), figure(result.standard_error, scale)]
    if interval is not None:
        columns += [interval_heading(interval), "interval by"]
        cells += [interval_cell(interval, scale), interval_method(interval)]
    if result.magnitude:
        columns += ["size in words", "by the rule"]
        cells += [result.magnitude, words.rule_text(result)]
    return Table(
        columns=tuple(columns),
        rows=(tuple(cells),),
        caption=words.caption(result, items),
        figures=("value", "standard error"),
        explain={label: words.side_sentence(result)} if result.name in EFFECTS else {},
    )


def _record(result: Estimate) -> dict[str, float | str]:
    interval = result.interval
    return {
        "name": result.name,
        "value": result.value,
        "standard_error": result.standard_error,
        "low": math.nan if interval is None else interval.low,
        "high": math.nan if interval is None else interval.high,
        "level": math.nan if interval is None else interval.level,
        "interval_method": "" if interval is None else interval.method,
        "magnitude": result.magnitude,
        "rule": result.rule,
        "signature": result.signature,
    }


def _bayes_factor(result: Estimate) -> Report:
    """Say how strongly the data speak for a difference, or for none, under which prior."""
    usual = {option.name: option.default for option in POSTERIORS["bayes_factor"].options}
    given = call_settings(result.call, "method")
    r = float(given.get("r", usual["r"]))
    name, value, claim = factor_words.symbol(result), factor_words.value(result), factor_words.claim_of(result)
    n = result.n or 0
    return Report(
        kind="Estimate",
        title="Bayes factor",
        headline=factor_words.headline(result),
        sentences=factor_words.sentences(result),
        main=Table(
            columns=("claim", name, "r", "n"),
            rows=((claim, value, f"{r:.4g}", f"{n:,}"),),
            caption=factor_words.caption(r),
            figures=(name, "r", "n"),
            explain=factor_words.explanations(result),
        ),
        sections=(),
        records=({"name": result.name, "value": result.value, "r": r, "claim": claim, "signature": result.signature},),
        short=factor_words.short(result, r, n),
        long=factor_words.for_a_paper(result, r, n),
        notes=factor_words.notes(result),
        citations=cited(("posterior", "bayes_factor")),
        calls=calls(result.call),
        settings={"bayes": result.name, **given},
        signature=result.signature,
    )
