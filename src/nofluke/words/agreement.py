"""What an Agreement says: how far annotators agree beyond chance, on which labels, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from nofluke.errors import Option
from nofluke.registry import AGREEMENT
from nofluke.types import Agreement, Answer, Estimate, Note, Table
from nofluke.types.base import counted
from nofluke.words.fixes import DETAILS
from nofluke.words.layout import LINES, as_lines, first_that_fits, with_fewer_notes, without
from nofluke.words.notes import matters
from nofluke.words.notes.agree import how_tested
from nofluke.words.numbers import about_chance, chance, figure, interval_text, p_text, percent, scale_of

_MOST_NOTES, _MOST_ITEMS = 3, 3
# The table has at least and at most so many rows.
_FEWEST_ROWS, _MOST_ROWS = 3, 7
# A blank line, the headings and what is said of rows left out take three more lines.
_BESIDE_ROWS = 3
# Columns of coefficients are printed with two decimals each.
_TABLE_SCALE = 0.1
_RULES = {"landis_koch": "Landis and Koch", "krippendorff": "Krippendorff's rule"}
_NO_STANDARD = "There is no absolute standard for these words; coefficients tend to be higher with fewer labels."
_CAUTIONS = {
    "landis_koch": f"{_NO_STANDARD} A common reading: below 0.6 the labels are probably not a good model of the data.",
    "krippendorff": f"{_NO_STANDARD} What an error of the labels costs decides how much agreement is enough.",
}
_BEYOND = "agreement beyond chance"
# What is commonly asked of labels that others are measured by.
_GOLD = 0.6
_NOT_QUALITY = "A small p does not mean good agreement."
# Notes that come first because all else depends on them.
_SCALE = "agree.scale"
_FIRST = ("read.three_columns", "read.not_annotators", _SCALE)
# Tests that approximate the far tail by Student's t: no p-value below this is believed to its digits.
_ROUGH_TAILS, _ROUGH = ("agree.test_spread", "agree.test_student"), 0.001
# Notes that change how the answer is read, in this order; what is not of this room follows, the rest is for details.
_TELLING = (
    "agree.strangers",
    "agree.many_labels",
    "agree.single_item",
    "agree.no_spread",
    "agree.too_few_draws",
    "agree.perfect",
    "agree.few_others",
    "agree.common_label",
    "agree.few_items",
    "agree.neighbours",
    "agree.habit",
    "agree.multi_kappa",
    "agree.single_ratings",
    "agree.unrated",
)
_OF_INTERVALS = ("agree.few_items", "agree.few_others")
_OF_LABELS = ("agree.habit", "agree.common_label", "agree.few_others")


def answer(result: Agreement) -> Answer:
    """The coefficient, agreement on each label, what it means, the test, the disputed items, what more would buy."""
    points = [
        *(("Columns", str(one)) for one in first_notes(result) if one.code != _SCALE),
        ("Chance", meaning(result)),
        ("Test", _test(result)),
        ("Check", _disputed(result)),
        ("Items", more_items(result)),
        ("Also", "; ".join(value_of(label_of(one), one) for one in result.others.values())),
    ]
    bare = Answer(
        verdict=headline(result),
        points=tuple((label, f"{said[:1].upper()}{said[1:].removesuffix('.')}.") for label, said in points if said),
        notes=_telling(result),
    )
    free = LINES - len(as_lines(bare))
    short = bare
    if free < _FEWEST_ROWS + _BESIDE_ROWS and result.items_for_width is None:
        short = without(bare, "Items")
        free += 1
    # Where not even the smallest table fits, the words need its lines.
    return first_that_fits((*_shorter(replace(short, table=_table(result, free))), *_shorter(bare)))


def _shorter(made: Answer) -> Iterator[Answer]:
    """Leave out what is least needed: notes, then points."""
    *notes, made = with_fewer_notes(made)
    yield from (*notes, made)
    for label in ("Check", "Also", "Test"):
        made = without(made, label)
        yield made


def headline(result: Agreement) -> str:
    """The coefficient with its interval, the word of the named rule, and whether that is enough."""
    size = f"{counted(len(result.annotators), 'annotator')}, {counted(result.items, 'item')}"
    label = f"{result.label[:1].upper()}{result.label[1:]}"
    if math.isnan(result.value):
        reason = next((str(one) for one in result.estimate.notes), "")
        return f"{label} is undefined ({size}). {reason}".rstrip()
    value = value_of(label, result.estimate)
    if not corrected_for_chance(result):
        return f"{value}, not corrected for chance ({size})."
    said = beyond_chance(result)
    from_these = f"from {size.replace(', ', ' and ')}"
    parts = [f"{value}, {from_these}." if said in ("", _BEYOND) else f"{value}: {said} ({size})."]
    # A word for labels means nothing where they are to be read as a scale.
    parts += [_as_a_scale(result) if _is_scale(result) else in_words(result), enough(result)]
    return " ".join(part for part in parts if part)


def _as_a_scale(result: Agreement) -> str:
    hint = next(one for one in result.notes if one.code == _SCALE)
    scale = Option(hint["option"], "ordinal" if hint["option"] == "level" else "linear")
    ends = f"{hint['low']:g} and {hint['high']:g}"
    return f"The numbers are taken as names, so {ends} differ no more than neighbours do. For a scale use {scale}."


def enough(result: Agreement) -> str:
    """Whether the labels can be a gold standard, by a limit that is commonly asked for."""
    interval = result.interval
    told = result.rule == "landis_koch" and result.words[0] and beyond_chance(result) in ("", _BEYOND)
    if interval is None or not told or _is_scale(result):
        return ""
    if interval.high < _GOLD:
        return f"Below {_GOLD:g}, labels are probably too unreliable for a gold standard."
    if interval.low >= _GOLD:
        return f"That is above {_GOLD:g}, the usual requirement for a gold standard."
    return f"It may or may not reach {_GOLD:g}, the usual requirement for a gold standard."


def beyond_chance(result: Agreement) -> str:
    """Whether interval and test both show more agreement than chance gives; nothing where there is neither."""
    interval, p = result.interval, result.p_value
    if interval is None and math.isnan(p):
        return ""
    level = 0.95 if interval is None else interval.level
    by_interval = interval is None or not interval.low <= 0 <= interval.high
    by_test = not p > 1 - level
    if by_interval != by_test and result.value > 0:
        one, other = ("interval", "test") if by_interval else ("test", "interval")
        return f"agreement beyond chance is shown by the {one}, but not by the {other}"
    if not (by_interval and by_test):
        return "agreement beyond chance is not shown"
    return _BEYOND if result.value > 0 else "less agreement than by chance"


def in_words(result: Agreement) -> str:
    """The word that a named rule gives the value, and those at the ends of the interval."""
    word, low, high = result.words
    if not word:
        return ""
    ends = ""
    if low and (low != word or high != word):
        if result.rule == "krippendorff":  # whole phrases: "for tentative conclusions only"
            low, high = f'"{low}"', f'"{high}"'
        ends = f" (CI: {low} to {high})" if low != high else f" (CI: {low})"
    return f"{_RULES[result.rule]}: {word}{ends}."


def sentences(result: Agreement) -> tuple[str, ...]:
    """What stands below the headline of a report."""
    said = (
        *map(str, first_notes(result)),
        meaning(result),
        _CAUTIONS[result.rule] if result.words[0] else "",
        _tested(result),
        more_items(result),
    )
    return tuple(sentence for sentence in said if sentence)


def notes(result: Agreement) -> tuple[str, ...]:
    """The remarks that no sentence has said already."""
    reason = result.estimate.notes[:1] if math.isnan(result.value) else ()
    silent = _FIRST + (_OF_INTERVALS if result.interval is None else ())
    return tuple(str(one) for one in result.notes if one.code not in silent and one not in reason)


def first_notes(result: Agreement) -> tuple[Note, ...]:
    """The remarks on which everything else depends: columns that were left out, labels that are a scale."""
    return tuple(one for code in _FIRST for one in result.notes if one.code == code)


def meaning(result: Agreement) -> str:
    """What the coefficient compares, in the figures of these data."""
    if result.scale in ("ordinal", "interval", "ratio"):
        if math.isnan(result.value):
            return "There is no disagreement to compare with chance."
        apart = f"Ratings of one item differ {100 * (1 - result.value):.0f}% as much as ratings paired at random"
        return f"{apart} ({result.scale} distance)."
    same = f"Two annotators agree on {percent(result.observed)} of items"
    if result.weights not in ("", "none"):
        same = f"With {result.weights} credit for close labels, two annotators agree to {percent(result.observed)}"
    if not corrected_for_chance(result) or math.isnan(result.expected):
        return f"{same}, some of it by chance."
    return f"{same}; expected by chance: {percent(result.expected)}."


def more_items(result: Agreement) -> str:
    """How many items would narrow the interval to the width that was asked for, or halve it."""
    if result.items_for_width is not None:
        width, items = result.items_for_width
        return f"About {counted(items, 'item')} like these would narrow the interval to a width of {width:g}."
    if result.items_for_half is None:
        return ""
    # An estimate, with the two digits it can vouch for.
    items = round(float(f"{result.items_for_half:.2g}"))
    return f"About {counted(items, 'item')} like these would halve the interval."


def p_value(result: Agreement) -> str:
    """Print the p-value; as a bound where no draw came as far from 0, or where the far tail is only approximate."""
    if result.test is not None and result.test.code in _ROUGH_TAILS and result.p_value < _ROUGH:
        return f"p < {_ROUGH:g}"
    return p_text(result.p_value, "<=" if _is_bound(result) else "=")


def corrected_for_chance(result: Agreement) -> bool:
    """Whether the coefficient takes account of agreement by chance."""
    return bool(AGREEMENT[result.estimate.name].facts["chance"] != "none")


def label_of(one: Estimate) -> str:
    """Name a further coefficient with the option that makes it another one."""
    method = AGREEMENT[one.name]
    said = {} if one.call is None else one.call.options
    options = {option.name: said.get(option.name, option.default) for option in method.options}
    kind = options.get("level") or options.get("weights", "none")
    return method.label if kind == "none" else f"{method.label} ({kind}{' weights' if 'weights' in options else ''})"


def value_of(label: str, one: Estimate) -> str:
    """Print "Cohen's kappa = 0.50 (95% CI 0.23 to 0.77)"."""
    scale = scale_of(one)
    interval = "" if one.interval is None else f" ({interval_text(one.interval, scale)})"
    return f"{label} = {figure(one.value, scale)}{interval}"


def _is_bound(result: Agreement) -> bool:
    test = result.test
    return test is not None and test.code == "agree.test_draws" and test["as_far"] == 0


def _test(result: Agreement) -> str:
    if math.isnan(result.p_value):
        return ""
    how = "" if result.test is None else f" ({how_tested(result.test, chance_model=False)})"
    quality = f" {_NOT_QUALITY}" if beyond_chance(result) == _BEYOND and not enough(result) else ""
    return f"Against chance: {p_value(result)}{how}.{quality}"


def _tested(result: Agreement) -> str:
    if math.isnan(result.p_value):
        return ""
    rough = result.test is not None and result.test.code in _ROUGH_TAILS and result.p_value < _ROUGH
    odds = about_chance(result.p_value, "sample", bound=_is_bound(result))
    odds = f"fewer than {chance(_ROUGH, 'sample')}" if rough else odds
    how = f"; {result.test}" if result.test is not None else ""
    return (
        f"If annotators agreed only by chance, {odds} would give a coefficient this far from 0 "
        f"({p_value(result)}, two-sided{how}). {_NOT_QUALITY}"
    )


def _disputed(result: Agreement) -> str:
    if not result.disputed:
        return ""
    *names, last = [one.item for one in result.disputed][:_MOST_ITEMS]
    items = f"{', '.join(names)} and {last}" if names else last
    return f"Annotators differ most on {items}."


def _table(result: Agreement, free: int) -> Table | None:
    """Labels where there are any; nothing where they are probably a scale, for then single labels mean little."""
    if _is_scale(result):
        return None
    rows = min(_MOST_ROWS, max(_FEWEST_ROWS, free - _BESIDE_ROWS))
    return _labels(result, rows) if result.specific else _annotators(result, rows)


def _is_scale(result: Agreement) -> bool:
    return any(one.code == _SCALE for one in result.notes)


def _labels(result: Agreement, most: int) -> Table:
    """The labels used most, in their own order: how often they are used, and how far annotators agree on them."""
    used = {name: float(result.marginals[result.categories.index(name)]) for name in result.specific}
    shown = sorted(used, key=lambda name: -used[name])[: most if len(used) > most + 1 else None]
    several = len(result.per_category) > 2 and corrected_for_chance(result)
    against = f"{AGREEMENT[result.estimate.name].facts['symbol']} against the rest"
    columns = ("label", "used", "specific agreement", *((against,) if several else ()))
    rows = []
    for name in (name for name in used if name in shown):
        one = result.per_category.get(name)
        own = (figure(one.value, _TABLE_SCALE) if one else "",) if several else ()
        rows.append((name, percent(used[name]), percent(result.specific[name]), *own))
    left = len(used) - len(shown)
    return Table(columns, tuple(rows), caption=f"{left:,} more: {DETAILS}." if left else "", figures=columns[1:])


def _annotators(result: Agreement, most: int) -> Table | None:
    """The annotators who agree least with the others, where ratings are numbers and have no labels to show."""
    names = result.pairwise_annotators
    if len(names) < 3:
        return None
    rows = []
    for at, name in enumerate(names):
        others = [float(one) for i, one in enumerate(result.pairwise[at]) if i != at and math.isfinite(one)]
        if others:
            rows.append((math.fsum(others) / len(others), name, min(others), max(others)))
    # Who agree alike stand in their own order, whatever the last digit says.
    rows.sort(key=lambda row: round(row[0], 12))
    symbol = str(AGREEMENT[result.estimate.name].facts["symbol"])
    columns = ("annotator", f"lowest {symbol} with another", "highest")
    shown = rows[: most if len(rows) > most + 1 else None]
    cells = tuple((name, figure(low, _TABLE_SCALE), figure(high, _TABLE_SCALE)) for _, name, low, high in shown)
    left = len(rows) - len(cells)
    least = f"The {len(cells)} of {len(rows):,} annotators who agree least with the others." if left else ""
    return Table(columns, cells, caption=least, figures=columns[1:])


def _telling(result: Agreement) -> tuple[str, ...]:
    """The few notes that change how the answer is read."""
    # Remarks on single labels are void where the labels are to be read as a scale.
    silent = (_OF_LABELS if _is_scale(result) else ()) + (_OF_INTERVALS if result.interval is None else ())
    codes = [code for code in _TELLING if code not in silent]
    found = [one for code in codes for one in result.notes if one.code == code]
    foreign = [
        one for one in result.notes if not one.code.startswith("agree.") and one.code not in _FIRST and matters(one)
    ]
    return tuple(str(one) for one in (*found, *foreign))[:_MOST_NOTES]
