"""Columns of numbers that are no system's scores, by what they hold: ids, sizes, another scale, and gold."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from nofluke.errors import By, Fix, InputError, listing, named_as
from nofluke.readers.aliases import is_alias, is_size
from nofluke.readers.columns import ArrayColumn, TextColumn, ValueColumn
from nofluke.readers.decode import decode_head
from nofluke.readers.given import Given
from nofluke.readers.numbers import meant_as_number, parse_number, shown
from nofluke.readers.p_cells import bare
from nofluke.readers.table import Table
from nofluke.types import FloatArray, Note, note

_LOOKED_AT = 1_000
# Beside scores from -1 to 1, a column whose usual number is this large is on another scale; scores without a limit,
# such as perplexities, may well be as far apart.
_ANOTHER_SCALE = 20.0
# Fewer whole numbers in a row than this may well be scores.
FEWEST_NUMBERED = 5
_FEWEST_GOING_UP = 10
_TAG = re.compile(r"[BIESLU]-\S+|O")
# CoNLL-U and CoNLL-X: words, ranges (1-2) and empty nodes (1.1), and the columns that metrics look at.
_TREE_FIELDS, _WORD_NUMBER = 10, re.compile(r"\d+(?:[-.]\d+)?")
_OF_TREES = {"las": 7, "uas": 6, "upos": 3, "xpos": 4, "lemma": 2, "feats": 5}
# A score as papers print it: thousands, and behind the number nothing, a spread, brackets, or (group 2) a unit.
_PRINTED = re.compile(
    r"([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?<=\d))\s*(?:±.*|\([^()]*\)|\[[^\[\]]*\]|%|([^\W\d_]{1,4}))?"
)
# Not worth reading a large column once more: what is printed is short.
_MOST_PRINTED = 200_000


def set_aside(table: Table, candidates: Sequence[str]) -> dict[str, Note]:
    """Give the columns among the candidates that are no scores, with the reason."""
    sizes = [name for name in candidates if is_size(name)]
    if len(candidates) < 3 and not sizes:
        return {}
    # Of a table with very many columns the first tell what is usual.
    values = {name: _numbers(table, name) for name in candidates[:_LOOKED_AT]}
    found: dict[str, Note] = {}
    for name in values:
        if name in sizes and _are_sizes(values[name]):
            found[name] = note("read.is_size")
        elif len(candidates) > 2 and counts_rows(values[name]):
            found[name] = note("read.counts_rows")
        elif len(candidates) > 2 and _only_goes_up(values[name]):
            found[name] = note("read.only_goes_up")
    found |= _on_another_scale({name: numbers for name, numbers in values.items() if name not in found})
    return found


def _numbers(table: Table, name: str) -> FloatArray:
    """Give the numbers among the first cells; cells that are none are left to whoever reads the column."""
    column = table.columns[name]
    if isinstance(column, TextColumn):
        parsed = [parse_number(cell) for cell in column.cells[:_LOOKED_AT]]
        return np.array([number for number in parsed if number is not None], dtype=np.float64)
    if isinstance(column, ValueColumn):
        cells = [cell for cell in column.values[:_LOOKED_AT] if isinstance(cell, int | float)]
        return np.array(cells, dtype=np.float64)
    if isinstance(column, ArrayColumn):
        return column.array[:_LOOKED_AT].astype(np.float64)
    return column.numbers()[:_LOOKED_AT]


def _are_sizes(numbers: FloatArray) -> bool:
    known = numbers[~np.isnan(numbers)]
    return bool(known.size) and bool((known == np.floor(known)).all()) and float(known.max()) > 1


def counts_rows(numbers: FloatArray) -> bool:
    """Whether numbers go 0, 1, 2, ... or 1, 2, 3, ..., for long enough that they can hardly be anything else."""
    if len(numbers) < FEWEST_NUMBERED or numbers[0] not in (0, 1):
        return False
    return bool((numbers == numbers[0] + np.arange(len(numbers))).all())


def _only_goes_up(numbers: FloatArray) -> bool:
    """Whether whole numbers grow from row to row, for long enough that they must be ids or dates."""
    whole = len(numbers) >= _FEWEST_GOING_UP and bool((numbers == np.floor(numbers)).all())
    return whole and bool((np.diff(numbers) > 0).all())


def _on_another_scale(values: dict[str, FloatArray]) -> dict[str, Note]:
    """Find one column far larger than all others, where these lie between -1 and 1."""
    largest = {
        name: float(np.nanmax(np.abs(numbers))) if numbers.size and not np.isnan(numbers).all() else 0.0
        for name, numbers in values.items()
    }
    if len(largest) < 3:
        return {}
    top, *others = sorted(largest, key=lambda name: -largest[name])
    usual = max(largest[name] for name in others)
    typical = float(np.nanmedian(np.abs(values[top]))) if values[top].size else 0.0
    if not 0 < usual <= 1 or typical <= _ANOTHER_SCALE:
        return {}
    return {top: note("read.other_scale", highest=largest[top], usual=usual)}


def refuse_printed(table: Table, name: str, *, first: bool) -> None:
    """Refuse a column of scores as papers print them: 0.51±0.01, 1,234.5, 91.2 (0.3), 50.1*, and `first` also 12 ms.

    Elsewhere than in the first column, which may be taken for ids, numbers with a unit are no scores but times and
    sizes beside them.
    """
    if table.rows > _MOST_PRINTED:
        return
    cells = {row: cell for row, cell in enumerate(table.texts(name)) if cell and cell.strip()}
    found = {row: match for row, cell in cells.items() if (match := _PRINTED.fullmatch(bare(cell)))}
    units = {match[2] for match in found.values()}
    row = next((row for row in found if parse_number(cells[row]) is None), None)
    if row is None or len(found) < len(cells) or len(units) > 1 or (units != {None} and not first):
        return
    # No thousand begins with 0: after it stands a decimal comma.
    plain = re.sub(r"^([+-]?0+),", r"\1.", str(found[row][1])).replace(",", "")
    raise InputError(
        f"{shown(cells[row])} is not a plain number, and no name of an item either.",
        where=table.place.of(row, name),
        fix=Fix(
            f"if {name!r} holds scores, write numbers alone: {plain!r}; if it names the items, say so: ",
            named_as(item=name),
            "; if it is neither, leave it out",
            without_column(name),
            ".",
        ),
    )


def counts_advice(table: Table, columns: Sequence[str]) -> str | Fix:
    """Say how columns of counts become a score, where that is what they hold."""
    if not all(_are_sizes(_numbers(table, name)) for name in columns):
        return ""
    formula = f"{columns[0]}/n"
    page = f'"{formula}" under "counts of each item and a formula"'
    way = By(f"nf.from_statistics(FILE, {formula!r})", f'--formula "{formula}"', page, f"data.formula={formula!r}")
    return Fix("; counts become a score by a formula of their sums: ", way)


def metric_for(gold: Sequence[str | None]) -> str:
    """Name a metric that fits what gold holds, by its first cells or lines."""
    cells = [cell for cell in gold[:_LOOKED_AT] if cell]
    several = [cell for cell in cells if len(cell.split()) > 1]
    if any(cell.startswith("[") for cell in cells[:20]):
        return "exact_match"
    tags = [part for cell in cells for part in cell.split()]
    if any(tag.startswith(("B-", "I-", "S-", "U-")) for tag in tags) and all(map(_TAG.fullmatch, tags)):
        return "span_f1"
    numbers = [parse_number(cell) for cell in cells]
    if cells and all(number is not None for number in numbers):
        return "accuracy" if len(set(cells)) <= 20 and all(float(n or 0).is_integer() for n in numbers) else "spearman"
    return "bleu" if 2 * len(several) > len(cells) and 2 * len(set(cells)) > len(cells) else "accuracy"


def metrics_of_trees(lines: Sequence[str]) -> tuple[str, ...]:
    """Name metrics whose column is filled in lines of CoNLL-U or CoNLL-X, the most usual one first; else none."""
    words = [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]
    if not words or not words[0][0].startswith(("1", "0.1")) or not all(map(_is_word_of_tree, words)):
        return ()
    return tuple(name for name, column in _OF_TREES.items() if any(word[column] != "_" for word in words))[:3]


def refuse_trees(given: Given, question: str) -> None:
    """Refuse words with their heads: a reader of tables would take token numbers and heads for what it looks for."""
    metrics = metrics_of_trees(decode_head(given.head()).splitlines())
    if not metrics:
        return
    python = f"nf.score({metrics[0]!r}, {{'A': FILE, 'B': FILE}}, GOLD)"
    shell = f"--gold FILE --metric {metrics[0]}"
    page = f'"outputs and gold answers", with the metric {metrics[0]}'
    api = f"data.score_by={metrics[0]!r}, with the gold trees in data.gold"
    way = By(python, shell if question == "scores" else f"nofluke score FILE {shell}", page, api)
    raise InputError(
        f"these are dependency trees (CoNLL-U), and no table of {question.replace('_', '-')}.",
        where=given.name,
        fix=Fix("score them against gold trees: ", way, "."),
    )


def _is_word_of_tree(fields: list[str]) -> bool:
    """Whether fields are those of a word in a tree: its number first, its head and relation seventh and eighth."""
    if len(fields) != _TREE_FIELDS or not _WORD_NUMBER.fullmatch(fields[0]):
        return False
    return (fields[6] == "_" or fields[6].isdecimal()) and not meant_as_number(fields[7])


def without_column(name: str) -> By:
    """Advise how to leave a column out."""
    return By(f": columns={{'ignore': {name!r}}}", f": --columns ignore={name}", " of the file")


def by_metric(metric: str) -> By:
    """Advise to score the file by a metric."""
    page = f'the file under "outputs and gold answers", with the metric {metric}'
    return By(f"nf.score({metric!r}, FILE)", f"--metric {metric}", page, f"data.score_by={metric!r}")


def outputs_beside_gold(table: Table, gold: Sequence[str]) -> InputError:
    """The error of a table of outputs with gold that is read as scores: it names the metric to score by."""
    metric = metric_for(table.texts(gold[0]))
    roles = ("item", "system", "dataset", "run", "cluster", "metric")
    others = [name for name in table.columns if name not in gold and not is_size(name)]
    others = [name for name in others if not any(is_alias(role, name) for role in roles)]
    return table.error(
        f"no column holds scores of a system; {gold[0]!r} is gold, and {listing(map(repr, others), 4)} "
        f"{'holds' if len(others) == 1 else 'are'} outputs.",
        fix=Fix(
            "score them by a metric: ",
            by_metric(metric),
            By(
                "; nf.methods('metric') lists all",
                "; nofluke methods --kind metric lists all",
                api="; nofluke methods --kind metric lists all",
            ),
            ".",
        ),
    )


def scores_beside_gold(table: Table, gold: Sequence[str], columns: Sequence[str]) -> InputError:
    """The error of numbers beside gold: are they outputs to be scored, or scores?"""
    metric = metric_for(table.texts(gold[0]))
    others = [name for name in columns if name not in gold]
    return table.error(
        f"{gold[0]!r} is named like gold: are {listing(map(repr, others), 4)} outputs to be scored by it, or scores?",
        fix=Fix(
            "for outputs name a metric: ",
            by_metric(metric),
            "; for scores name them: ",
            named_as(score=",".join(others[:4]) + (",..." if len(others) > 4 else "")),
            ", or leave gold out",
            without_column(",".join(gold)),
            ".",
        ),
    )
