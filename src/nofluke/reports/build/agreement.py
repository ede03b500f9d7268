"""An Agreement as a report: the coefficient, then where annotators agree and where not."""

from __future__ import annotations

import math
from typing import Any

from nofluke.inference.wording import figure, interval_in_figures, p_in_figures
from nofluke.registry import AGREEMENT
from nofluke.reports.build.calls import RATINGS_FILE, shell_options
from nofluke.reports.build.citing import cited, fields_of
from nofluke.reports.build.figures import bar_of, interval_cell, interval_heading
from nofluke.types import Agreement, Estimate, Interval, Report, Section, Table
from nofluke.types.base import counted

# A table of pairs with more columns than this no longer fits a page.
_MOST_COLUMNS = 8
_WEAKEST = 10
_NOT_OPTIONS = frozenset({"nofluke", "agreement", "items", "raters", "labels"})


def build_agreement(result: Agreement) -> Report:
    """Say how far annotators agree, by label, by annotator and by item."""
    options = {name: text for name, text in fields_of(result.signature).items() if name not in _NOT_OPTIONS}
    used = (result.estimate, *result.others.values())
    return Report(
        kind="Agreement",
        title=f"Agreement of {counted(len(result.annotators), 'annotator')}",
        headline=result.headline,
        sentences=result.sentences,
        main=_main(result),
        sections=tuple(section for section in (_labels(result), *_people(result), _items(result)) if section),
        records=_records(result),
        short=_short(result),
        long=_long(result),
        notes=result.notes,
        citations=(*cited(*(("agreement", one.name, one.signature) for one in used)), *_rule_cited(result)),
        calls=_calls(result, options),
        settings={"coefficient": result.label, **options, "rule of words": result.rule.partition(" (")[0] or "none"},
        signature=result.signature,
        bar=bar_of(result.interval, result.value, 0.0),
    )


def _rule_cited(result: Agreement) -> tuple[str, ...]:
    return (result.rule.partition(" (")[2].partition(",")[0],) if result.rule else ()


def _main(result: Agreement) -> Table:
    rows = [(result.label, result.estimate), *((_label(one), one) for one in result.others.values())]
    heading = interval_heading(*(one.interval for _, one in rows))
    words = bool(result.words[0])
    cells = []
    for label, one in rows:
        word = (result.words[0] if one is result.estimate else "",) if words else ()
        cells.append((label, _value(one), interval_cell(one.interval, one.standard_error), _error(one), *word))
    by = f", interval by {_interval_words(result.interval)}" if result.interval is not None else ""
    return Table(
        columns=("coefficient", "value", heading, "standard error", *(("in words",) if words else ())),
        rows=tuple(cells),
        caption=f"Agreement of {counted(len(result.annotators), 'annotator')} on {counted(result.items, 'item')} "
        f"({counted(result.annotations, 'rating')}, {counted(len(result.categories), 'label')}); {result.label}"
        f"{by}; {_tested(result)}.",
        figures=("value", "standard error"),
        bars=tuple(bar_of(one.interval, one.value, 0.0) for _, one in rows),
        explain={label: AGREEMENT[one.name].summary for label, one in rows}
        | {"in words": f"the word of {result.rule}; there is no absolute standard", "coefficient": "what was computed"},
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
        extra = (_value(one), interval_cell(one.interval, one.standard_error)) if several and one else ()
        rows.append((name, f"{used * 100:.1f}", f"{share * 100:.0f}", *(extra or (("", "") if several else ()))))
    heading = interval_heading(*(one.interval for one in result.per_category.values()))
    columns = ("label", "of 100 ratings", "again, of 100", *(("against all others", heading) if several else ()))
    return Section(
        "Label by label",
        _weakest(result),
        Table(
            columns,
            tuple(rows),
            figures=("of 100 ratings", "again, of 100", "against all others"),
            explain={
                "of 100 ratings": "how often the label is used",
                "again, of 100": "how often a second annotator gives the label where a first has given it",
                "against all others": f"{result.label} of this label against all others together",
            },
        ),
    )


def _weakest(result: Agreement) -> tuple[str, ...]:
    """Name the labels that are agreed on least, where one is agreed on less than another."""
    least = min(result.specific.values())
    names = [name for name, share in result.specific.items() if share < least + 1e-9]
    if len(names) == len(result.specific):
        return ()
    said = names[0] if len(names) == 1 else f"{', '.join(map(repr, names[:-1][:_WEAKEST]))} or {names[-1]!r}"
    one = repr(said) if len(names) == 1 else said
    it = "it" if len(names) == 1 else "the same one"
    return (
        f"Where one annotator gives {one}, a second gives {it} too in {least * 100:.0f} of 100 cases: no label is "
        "agreed on less.",
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
        sections.append(Section("Who agrees with whom", _span(result), chart="agreement_matrix"))
    known = {name: share for name, share in result.with_others.items() if not math.isnan(share)}
    if len(known) > 2:
        order = sorted(known, key=lambda name: known[name])[:_WEAKEST]
        table = Table(
            ("annotator", "same label, of 100"),
            tuple((name, f"{known[name] * 100:.0f}") for name in order),
            figures=("same label, of 100",),
            explain={"same label, of 100": "how often another annotator gives the item the same label"},
        )
        title = "Annotators who agree least with the others" if len(known) > _WEAKEST else "Annotators and the others"
        sections.append(Section(title, table=table))
    return sections


def _span(result: Agreement) -> tuple[str, ...]:
    pairs = [
        float(result.pairwise[i, j])
        for i in range(len(result.pairwise))
        for j in range(i)
        if math.isfinite(result.pairwise[i, j])
    ]
    if not pairs:
        return ("No two annotators share an item on which the coefficient can be computed.",)
    pairs.sort()
    middle = pairs[len(pairs) // 2]
    return (
        f"{counted(len(pairs), 'pair')} with items in common: {result.pairwise_name} from {pairs[0]:.2f} to "
        f"{pairs[-1]:.2f}, middle value {middle:.2f}.",
    )


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
            ("item", "pairs that agree, of 100", "labels"),
            rows,
            figures=("pairs that agree, of 100",),
            explain={"pairs that agree, of 100": "pairs of annotators of the item who give it the same label"},
        ),
    )


def _label(one: Estimate) -> str:
    """Name a further coefficient with the option that makes it another one."""
    method, said = AGREEMENT[one.name], fields_of(one.signature)
    options = {option.name: said.get(option.name, option.default) for option in method.options}
    kind = options.get("level") or options.get("weights", "none")
    return method.label if kind == "none" else f"{method.label} ({kind}{' weights' if 'weights' in options else ''})"


def _interval_words(interval: Interval) -> str:
    """Say how an interval was made, as a paper does."""
    made = {"log": "the delta method over items on the log scale", "normal": "the normal approximation"}
    return made.get(interval.method, interval.method)


def _value(one: Estimate) -> str:
    return figure(one.value, one.standard_error)


def _error(one: Estimate) -> str:
    return "" if math.isnan(one.standard_error) else figure(one.standard_error, one.standard_error)


def _tested(result: Agreement) -> str:
    if math.isnan(result.p_value):
        return "no test of agreement by chance"
    how = f" ({result.test})" if result.test else ""
    return f"test of agreement by chance, two-sided, {p_in_figures(result.p_value)}{how}, no evidence of quality"


def _short(result: Agreement) -> str:
    interval = f", {interval_in_figures(result.interval, result.standard_error)}" if result.interval else ""
    return (
        f"{result.label} = {_value(result.estimate)}{interval} "
        f"({counted(len(result.annotators), 'annotator')}, {counted(result.items, 'item')})."
    )


def _long(result: Agreement) -> str:
    people, items = counted(len(result.annotators), "annotator"), counted(result.items, "item")
    text = f"{people[0].upper()}{people[1:]} labelled {items} ({counted(result.annotations, 'rating')}). "
    if math.isnan(result.value):
        return f"{text}{result.headline}"
    text += f"{_measured(result)} {_value(result.estimate)}"
    if result.interval is not None:
        text += f", {interval_in_figures(result.interval, result.standard_error)}"
        text += f" ({_interval_words(result.interval)})"
    beside = [f"{_label(one)} = {_value(one)}" for one in result.others.values()]
    text += f"; {'; '.join(beside)}" if beside else ""
    word, low, high = result.words
    if word:
        ends = f" (interval: {low} to {high})" if low and low != high else ""
        text += f"; {word}{ends} in the words of {''.join(_rule_cited(result))}"
    return f"{text}."


def _measured(result: Agreement) -> str:
    if AGREEMENT[result.estimate.name].facts["beyond_chance"]:
        return f"Agreement beyond chance is {result.label} ="
    return f"{result.label[0].upper()}{result.label[1:]}, not corrected for chance, is"


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


def _calls(result: Agreement, options: dict[str, str]) -> dict[str, str]:
    chosen = "".join(f", {name}={_quoted(text)}" for name, text in options.items())
    beside = f", others={list(result.others)!r}" if result.others else ""
    coefficients = "".join(f" --coefficient {name}" for name in (result.estimate.name, *result.others))
    return {
        "Python": f"import nofluke as nf\nratings = nf.read_ratings({RATINGS_FILE!r})\n"
        f"print(nf.agree(ratings, {result.estimate.name!r}{beside}{chosen}))",
        "shell": f"nofluke agree {RATINGS_FILE}{coefficients}{shell_options(options)}",
    }


def _quoted(text: str) -> str:
    """Write a number as it is, several names as a list, anything else as text."""
    try:
        float(text)
    except ValueError:
        return repr(text.split(",") if "," in text else text)
    return text
