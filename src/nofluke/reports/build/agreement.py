"""An Agreement as a report: the coefficient, then where annotators agree and where not."""

from __future__ import annotations

import math
from typing import Any

from nofluke.call import calls
from nofluke.reports.build.citing import call_settings, cited
from nofluke.reports.build.figures import bar_of, interval_cell, interval_heading
from nofluke.types import Agreement, Estimate, Report, Section, Table
from nofluke.words import agreement as words
from nofluke.words import agreement_details as details
from nofluke.words.numbers import figure, scale_of

# A table of pairs with more columns than this no longer fits a page.
_MOST_COLUMNS = 8
_WEAKEST = 10
# What the answer shows by itself.
_SAID_ELSEWHERE = ("name", "others", "rules")


def build_agreement(result: Agreement) -> Report:
    """Say how far annotators agree, by label, by annotator and by item."""
    used = (result.estimate, *result.others.values())
    return Report(
        kind="Agreement",
        title=details.title(result),
        headline=words.headline(result),
        sentences=words.sentences(result),
        main=_main(result),
        sections=tuple(section for section in (_labels(result), *_people(result), _items(result)) if section),
        records=_records(result),
        short=details.short(result),
        long=details.long(result),
        notes=words.notes(result),
        citations=(
            *cited(*(("agreement", one.name, one.call) for one in used)),
            *((details.rule_cited(result),) if result.rule else ()),
        ),
        calls=calls(result.call),
        settings={
            "coefficient": result.label,
            **call_settings(result.call, *_SAID_ELSEWHERE),
            "rule of words": result.rule or "none",
        },
        signature=result.signature,
        bar=bar_of(result.interval, result.value, 0.0),
    )


def _main(result: Agreement) -> Table:
    rows = [(result.label, result.estimate), *((words.label_of(one), one) for one in result.others.values())]
    heading = interval_heading(*(one.interval for _, one in rows))
    worded = bool(result.words[0])
    cells = []
    for label, one in rows:
        word = (result.words[0] if one is result.estimate else "",) if worded else ()
        cells.append((label, _value(one), interval_cell(one.interval, scale_of(one)), _error(one), *word))
    return Table(
        columns=("coefficient", "value", heading, "standard error", *(("in words",) if worded else ())),
        rows=tuple(cells),
        caption=details.caption(result),
        legend=details.legend(result),
        figures=("value", "standard error"),
        bars=tuple(bar_of(one.interval, one.value, 0.0) for _, one in rows),
        explain=details.explanations(result),
    )


def _labels(result: Agreement) -> Section | None:
    if not result.specific:
        return None
    # Of two labels each is the other's opposite: one coefficient says it for both.
    several = len(result.per_category) > 2
    rows = []
    for name, share in result.specific.items():
        used = float(result.marginals[result.categories.index(name)])
        one = result.per_category.get(name)
        extra = (_value(one), interval_cell(one.interval, scale_of(one))) if several and one else ()
        rows.append((name, f"{used * 100:.1f}", f"{share * 100:.0f}", *(extra or (("", "") if several else ()))))
    heading = interval_heading(*(one.interval for one in result.per_category.values()))
    columns = ("label", "% of ratings", "specific agreement, %", *(("against all others", heading) if several else ()))
    return Section(
        "Label by label",
        details.weakest(result),
        Table(
            columns,
            tuple(rows),
            figures=("% of ratings", "specific agreement, %", "against all others"),
            explain=details.label_explanations(result),
        ),
    )


def _people(result: Agreement) -> list[Section]:
    sections = []
    names = result.pairwise_annotators
    if 2 < len(names) <= _MOST_COLUMNS:
        rows = tuple(
            (name, *("" if i == j else figure(float(result.pairwise[i, j]), 0.01) for j in range(len(names))))
            for i, name in enumerate(names)
        )
        table = Table(("", *names), rows, caption=f"{result.pairwise_name} of each pair.", figures=names)
        sections.append(Section("Who agrees with whom", table=table, chart="agreement_matrix"))
    elif len(names) > 2:
        sections.append(Section("Who agrees with whom", details.span(result), chart="agreement_matrix"))
    known = {name: share for name, share in result.with_others.items() if not math.isnan(share)}
    if len(known) > 2:
        order = sorted(known, key=lambda name: known[name])[:_WEAKEST]
        table = Table(
            ("annotator", "same label, %"),
            tuple((name, f"{known[name] * 100:.0f}") for name in order),
            figures=("same label, %",),
            explain=details.SAME_LABEL,
        )
        title = "Annotators who agree least with the others" if len(known) > _WEAKEST else "Annotators and the others"
        sections.append(Section(title, table=table))
    return sections


def _items(result: Agreement) -> Section | None:
    if not result.disputed:
        return None
    rows = tuple(
        (
            one.item,
            f"{one.agreement * 100:.0f}",
            ", ".join(f"{label}: {number}" for label, number in one.labels.items()),
        )
        for one in result.disputed
    )
    return Section(
        "Most disputed items",
        table=Table(
            ("item", "pairs that agree, %", "labels"),
            rows,
            figures=("pairs that agree, %",),
            explain=details.PAIRS_THAT_AGREE,
        ),
    )


def _value(one: Estimate) -> str:
    return figure(one.value, scale_of(one))


def _error(one: Estimate) -> str:
    return "" if math.isnan(one.standard_error) else figure(one.standard_error, one.standard_error)


def _records(result: Agreement) -> tuple[dict[str, Any], ...]:
    rows = []
    for one in (result.estimate, *result.others.values()):
        main, interval = one is result.estimate, one.interval
        rows.append(
            {
                "coefficient": one.name,
                "value": one.value,
                "standard_error": one.standard_error,
                "low": math.nan if interval is None else interval.low,
                "high": math.nan if interval is None else interval.high,
                "level": math.nan if interval is None else interval.level,
                "interval_method": "" if interval is None else interval.method,
                "p_value": result.p_value if main else math.nan,
                "observed": result.observed if main else math.nan,
                "expected": result.expected if main else math.nan,
                "items": result.items,
                "annotators": len(result.annotators),
                "ratings": result.annotations,
                "labels": len(result.categories),
                "in_words": result.words[0] if main else "",
                "signature": one.signature,
            }
        )
    return tuple(rows)
