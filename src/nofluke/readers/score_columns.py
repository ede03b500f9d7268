"""Which columns of a table hold scores, and of which items and systems."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from nofluke.errors import By, Fix, InputError, Verb, listing, named_as
from nofluke.readers.aliases import (
    BESIDE_P,
    EITHER,
    is_alias,
    is_fold,
    is_like_annotator,
    is_never_score,
    is_size,
    matches,
    may_be_item,
    normal,
    says_only_score,
)
from nofluke.readers.candidates import (
    FEWEST_NUMBERED,
    counts_advice,
    counts_rows,
    outputs_beside_gold,
    refuse_printed,
    scores_beside_gold,
    set_aside,
    without_column,
)
from nofluke.readers.columns import ValueColumn
from nofluke.readers.direction import is_metric_name
from nofluke.readers.formats.pasted import is_p_name
from nofluke.readers.numbers import parse_number, shown
from nofluke.readers.p_cells import parse_p
from nofluke.readers.roles import Roles, Search
from nofluke.readers.sql import SqlColumn
from nofluke.readers.table import Column, Table
from nofluke.types import note

# Beside one other column, fewer whole numbers in a row than this may well be scores.
_FEWEST_NUMBERED_OF_TWO = 20
# Advice on columns that nothing was made of is not worth reading a large file once more.
_MOST_LOOKED_AT, _MOST_ROWS_LOOKED_AT = 50, 200_000
_BY_GOLD = By(
    "nf.score(NAME, outputs, gold)",
    "--gold FILE --metric NAME",
    '"outputs and gold answers"',
    "data.score_by=NAME, with the gold answers in data.gold",
)


def score_roles(table: Table, asked: Mapping[str, Any]) -> Roles:
    """Settle the role of every column of a table of scores; what is ambiguous is refused.

    Without a system column the scores are one or several systems, side by side.
    """
    search = Search(table, asked)
    # A column of numbers called "metric" holds scores, not names of metrics.
    search.settle("metric", lambda name: not search.is_numeric(name))
    # Numbers name systems only in a file that also has a score column; else they are a system's scores.
    has_score = search.has("score") or bool(matches("score", search.free))
    search.settle("system", lambda name: has_score or not search.is_numeric(name))
    search.settle("dataset")
    search.settle("run")
    has_item = search.has("item") or bool(matches("item", search.free))
    search.settle("cluster", lambda name: has_item or not may_be_item(name))
    search.settle_item()
    if search.has("system"):
        _find_long(search)
    else:
        _find_wide(search)
    return search.roles()


def _find_long(search: Search) -> None:
    table = search.table
    if not search.has("item"):
        _take_runs_as_items(search)
    if not search.has("item"):
        _refuse_one_score_each(search)
        raise _no_items(search)
    if not search.has("score"):
        found = matches("score", search.free) or _numeric(search)
        if len(found) > 1:
            found = [name for name in found if is_alias("metric", name)] or found
            found = [name for name in found if name not in set_aside(search.table, found)] or found
        gold = matches("gold", search.free)
        if not found and gold:
            raise outputs_beside_gold(table, gold)
        if not found:
            raise search.lacking("score", "there is no column of scores.")
        if len(found) > 1:
            raise search.ambiguous("score", found, counts_advice(table, found))
        search.found["score"] = found
    _note_ignored(search)


def _no_items(search: Search) -> InputError:
    """The error of systems below each other whose items no column names; one that could do so is proposed."""
    table, told = search.table, search.those("system", "dataset", "run")
    able = [name for name in search.free[:_MOST_LOOKED_AT] if search.holds_labels(name)]
    full = [name for name in able if search.tally(name).filled == table.rows]
    # An id comes once for every system; numbers such as times hardly ever come twice.
    again = [name for name in full if 3 * len(table.columns[name].labels().labels) <= 2 * table.rows]
    item = next((name for name in again if table.differ([*told, name])), None)
    return table.error(
        "there is a system column and no item column, so scores of two systems cannot be matched.",
        fix="add a column called item that says what each score belongs to."
        if item is None
        else Fix("if the item is ", repr(item), ", say so: ", named_as(item=item), "; else add a column called item."),
    )


def _refuse_one_score_each(search: Search) -> None:
    """Refuse one row for every system, as leaderboards have them, or for every system and dataset."""
    table, datasets = search.table, search.found.get("dataset", [])
    if table.differ(search.found["system"]):
        raise table.error(
            "every system has one score only, and by one score no test can tell what is chance.",
            fix="give the score of every item: a column for each system, or the columns item, system and score.",
        )
    if len(datasets) == 1 and table.differ([*search.found["system"], *datasets]):
        raise table.error(
            "every system has one score for each dataset, and no column names items.",
            fix=Fix(
                "take the datasets as items: ",
                named_as(item=datasets[0]),
                "; to learn about one dataset, give the score of every item.",
            ),
        )


def _find_wide(search: Search) -> None:
    if search.has("score"):
        if not search.has("item"):
            _guess_item(search, search.found["score"])
        _note_ignored(search)
        return
    _refuse_annotations(search)
    _refuse_p_values(search)
    numeric = _numeric(search)
    _refuse_printed(search)
    _refuse_prose(search, numeric)
    if not search.has("item"):
        _guess_item(search, numeric)
    scores = [name for name in numeric if [name] != search.found.get("item")]
    gold = matches("gold", search.free) or [name for name in search.free if normal(name) in EITHER]
    aside = set_aside(search.table, [name for name in scores if name not in gold])
    if len(aside) == len(scores) and not gold:
        aside = {}
    search.found["score"] = [name for name in scores if name not in aside]
    for one, why in aside.items():
        with_it = [name for name in scores if name == one or name not in aside]
        search.notes.append(note("read.no_system", column=one, why=why, systems=with_it))
    if not search.found["score"] or search.found["score"] == gold:
        raise outputs_beside_gold(search.table, gold) if gold else _no_numbers(search.table)
    _refuse_square(search)
    if set(gold) & set(search.found["score"]):
        if len(search.found["score"]) - len(gold) != 1:
            raise scores_beside_gold(search.table, gold, search.found["score"])
        search.notes.append(note("read.gold_as_system", column=gold[0]))
    _refuse_passing_over(search)
    _note_ignored(search, aside)


def _refuse_passing_over(search: Search) -> None:
    """Refuse columns of which at most one may be a system, beside a column of names: these may be the systems."""
    columns = search.found["score"]
    plain = [name for name in columns if is_metric_name(name) or says_only_score(name)]
    measures = [name for name in columns if name in plain or is_alias("label", name)]
    if len(columns) < 2 or len(plain) == len(columns) or len(columns) - len(measures) > 1:
        return  # several systems, or several metrics of one
    free = [name for name in search.free[:_MOST_LOOKED_AT] if not is_size(name)]
    names = next((name for name in free if _groups_items(search, name)), None)
    if names is not None:
        raise search.table.error(
            f"{listing(map(repr, measures))} {'is no system' if len(measures) == 1 else 'are no systems'} by name, "
            f"and {names!r} may name them: {listing(sorted(set(map(repr, search.table.texts(names)))), 4)}.",
            fix=Fix(
                "if it does, say so: ",
                named_as(system=names),
                "; else name the columns of scores: ",
                named_as(score=",".join(columns)),
                ".",
            ),
        )


def _refuse_printed(search: Search) -> None:
    """Refuse scores that are no plain numbers; what is named like gold, a source or a size is none."""
    first = next(iter(search.table.columns))
    for name in search.free[:_MOST_LOOKED_AT]:
        beside = is_size(name) or is_alias("gold", name) or is_alias("output", name) or normal(name) in BESIDE_P
        if not beside and not search.is_numeric(name) and search.tally(name).filled and search.holds_labels(name):
            refuse_printed(search.table, name, first=name == first)


def _refuse_p_values(search: Search) -> None:
    """Refuse what tests have found, as papers print it: beside scores of systems, a p-value is none."""
    # P alone may well be a system, or precision.
    named = [name for name in search.free[:_MOST_LOOKED_AT] if is_p_name(name) and name != "P"]
    for name in named:
        cells = [cell for cell in search.table.texts(name) if cell]
        if cells and 2 * sum(parse_p(cell) is not None for cell in cells) >= len(cells):
            raise search.table.error(
                f"column {name!r} holds p-values, by its name: these are results of tests, and no scores of items.",
                fix=Fix(
                    "see which still stand together: ",
                    Verb("correct"),
                    "; on how many datasets one is better: ",
                    Verb("replicate"),
                    "; to take the rows as items, leave it out",
                    without_column(name),
                    ".",
                ),
            )


def _refuse_prose(search: Search, numeric: list[str]) -> None:
    """Refuse columns without names that mostly hold words: lines of text, or a table whose roles nobody can tell."""
    words = [name for name in search.free if name not in numeric]
    if not search.table.headed and len(words) > max(1, len(numeric)):
        raise search.table.error(
            f"{len(words)} of {len(search.table.columns)} columns hold words, and no line names the columns.",
            fix=Fix(
                "put their names on top: item,system,score, say; if every line is an output, score it against a gold "
                "standard: ",
                _BY_GOLD,
                ".",
            ),
        )


def _refuse_square(search: Search) -> None:
    """Refuse a table whose rows and columns are the same systems: it says something of pairs, and of no items."""
    names, table = search.found["score"], search.table
    if len(names) < 3 or len(names) != table.rows or not search.has("item"):
        return
    if set(table.columns[search.found["item"][0]].labels().labels) == set(names):
        raise table.error(
            "the table is square: its rows and columns have the same names, so it speaks of pairs of systems.",
            fix=Fix("if it holds p-values, see which still stand together: ", Verb("correct"), "."),
        )


def _numeric(search: Search) -> list[str]:
    """The free columns of numbers that can be scores; a column without a name in a header is an index."""
    nameless = search.table.unnamed if search.table.headed else frozenset()
    able = [name for name in search.free if not is_never_score(name) and name not in nameless]
    return [name for name in able if search.is_numeric(name)]


def _guess_item(search: Search, numeric: list[str]) -> None:
    """Take the first column as the item when its cells are all different texts, or count the rows; else runs."""
    table, runs = search.table, search.found.get("run", [])
    first = next(iter(table.columns))
    others = [name for name in numeric if name != first]
    enough = FEWEST_NUMBERED if len(others) > 1 else _FEWEST_NUMBERED_OF_TWO
    why = ""
    if first not in search.free or search.tally(first).filled != table.rows:
        pass
    elif first not in numeric:
        if others and table.differ([first, *runs]):
            why = "tells_runs_apart" if runs else "differs_in_every_row"
    elif table.rows >= enough and (len(others) > 1 or (others and not table.headed)):
        why = "counts_rows" if counts_rows(table.columns[first].numbers()) else ""
    if why:
        search.found["item"] = [first]
        search.notes.append(note("read.item", column=first, why=why))
    if runs and not search.has("item"):
        _take_runs_as_items(search)


def _take_runs_as_items(search: Search) -> None:
    """Without ids, take runs as items where each has one score of every system; rows that repeat a run are refused.

    Folds have items of their own, so that rows of one fold are simply other items.
    """
    if not search.has("run"):
        return
    (run,) = search.found["run"]
    told = [*search.found.get("dataset", ()), *search.found.get("system", ()), run]
    fold = next((name for name in search.free if is_fold(name)), None)
    if fold is not None and search.table.differ([*told, fold]):
        search.found["item"] = [fold]
        search.notes.append(note("read.item", column=fold, why="tells_runs_apart"))
    elif search.table.differ(told):
        if "run" not in search.asked:
            search.found["item"] = search.found.pop("run")
            search.notes.append(note("read.item", column=run, why="one_score_of_each"))
    elif not is_fold(run):
        raise search.table.error(
            f"{run!r} says which run a score is of, and no column names its item: rows of one item cannot be found.",
            fix=Fix(
                "if every row is an item of its own, ",
                By(
                    f"say columns={{'ignore': {run!r}}}",
                    f"say --columns ignore={run}",
                    "leave that column out of the file",
                ),
                "; else add a column of items.",
            ),
        )


def _refuse_annotations(search: Search) -> None:
    """Refuse a table of who gave which label to which item: it has annotators, and no systems."""
    people = matches("annotator", search.free)
    labels = matches("label", search.free)
    others = [name for name in search.free if name not in (*people, *labels) and not is_alias("gold", name)]
    if len(people) == 1 and len(labels) == 1 and not any(map(search.is_numeric, others)):
        raise search.table.error(
            f"these are annotations ({people[0]!r} gives {labels[0]!r}), and no scores of systems.",
            fix=Fix(
                "see whether the annotators agree: ",
                Verb("agree"),
                f"; if {people[0]!r} names systems and {labels[0]!r} holds scores, say so: ",
                named_as(system=people[0], score=labels[0]),
                ".",
            ),
        )


def _note_ignored(search: Search, told: Collection[str] = ()) -> None:
    unused = [name for name in search.free if name not in told]
    if unused:
        partly = tuple(found for name in unused if (found := _partly_numbers(search, name)))
        search.notes.append(note("read.columns_unused", columns=unused, partly=partly))
    grouping = next((name for name in unused[:_MOST_LOOKED_AT] if _groups_items(search, name)), None)
    search.note_groups(grouping)


def _groups_items(search: Search, name: str) -> bool:
    """Whether a column of texts without a role has few values, each in several rows."""
    table = search.table
    if table.rows > _MOST_ROWS_LOOKED_AT or is_alias("gold", name) or normal(name) == "split":
        return False
    tally = search.tally(name)
    if tally.filled < table.rows or tally.is_numeric or not search.holds_labels(name):
        return False
    return 1 < len(set(table.texts(name))) <= table.rows / 2


def _partly_numbers(search: Search, name: str) -> tuple[str, int, int] | None:
    """Give a column that looks like scores with many cells that are none: its name, its numbers, its cells."""
    tally = search.tallies.get(name)
    return None if tally is None or not 0 < tally.numbers < tally.filled else (name, tally.numbers, tally.filled)


def _are_quoted_numbers(column: Column) -> bool:
    """Whether the texts of a format that knows numbers are numbers after all."""
    cells = column.texts()[:_MOST_LOOKED_AT] if isinstance(column, ValueColumn | SqlColumn) else []
    return bool(cells) and all(cell and parse_number(cell) is not None for cell in cells) and not column.tally().numbers


def _holds_objects_of_numbers(column: Column) -> bool:
    cells = column.values if isinstance(column, ValueColumn) else ()
    return bool(cells) and all(
        isinstance(cell, dict) and any(isinstance(value, int | float) for value in cell.values()) for cell in cells
    )


def _no_numbers(table: Table) -> InputError:
    names = list(table.columns)
    quoted = next((name for name in names if _are_quoted_numbers(table.columns[name])), None)
    if quoted is not None:
        return table.error(
            f"column {quoted!r} holds numbers as text: {shown(table.texts(quoted)[0])}.",
            fix="write numbers without quotes.",
        )
    if len(names) == 1:
        return table.error(
            f"the only column, {shown(names[0])}, does not hold numbers.",
            fix=Fix(
                "write one number per line, or separate columns by a comma, tab, semicolon, | or spaces; if these are "
                "outputs, score them against a gold standard: ",
                _BY_GOLD,
                ".",
            ),
        )
    nested = next((name for name in names if _holds_objects_of_numbers(table.columns[name])), None)
    if nested is not None:
        each = ".[] | " if table.format == "json" else ""
        return table.error(
            f"the numbers are within the objects of {nested!r}.",
            fix=f"write them as columns: jq -c '{each}. + .[\"{nested}\"]' FILE > NEW.jsonl.",
        )
    score_first = "must be scored against a gold standard first (1 for right, 0 for wrong)"
    on_page = 'belong under "outputs and gold answers" on the first page'
    fix = Fix(
        "give numbers, one column for each system (or the columns item, system, score); labels and texts ",
        By(score_first, score_first, on_page, "are scored with data.score_by=NAME and the gold answers in data.gold"),
        ".",
    )
    if sum(map(is_like_annotator, names)) > 1:
        fix = Fix("see whether the annotators agree: ", Verb("agree"), "; for scores, ", fix)
    return table.error(f"no column holds the scores of a system: {listing(map(repr, names))}.", fix=fix)
