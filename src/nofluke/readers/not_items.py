"""Tables whose rows are no items: one score for each system, systems in rows, metrics in rows, pairs of systems."""

from __future__ import annotations

from collections.abc import Sequence

from nofluke.errors import Fix, InputError, Verb, listing, named_as
from nofluke.readers.aliases import BESIDE_P, normal, says_only_score
from nofluke.readers.candidates import MOST_LOOKED_AT, numeric_columns
from nofluke.readers.direction import is_metric_name
from nofluke.readers.roles import Search
from nofluke.readers.summary_rows import sums_up

_MOST_NAMED = 8
# A summary has no more rows of metrics.
_MOST_METRICS = 100
# So many columns of numbers beside one of systems are hardly metrics.
_FEWEST_TURNED = 5


def no_items(search: Search) -> InputError:
    """The error of systems below each other whose items no column names; one that could do so is proposed."""
    table, told = search.table, search.those("system", "dataset", "run")
    able = [name for name in search.free[:MOST_LOOKED_AT] if search.holds_labels(name)]
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


def refuse_one_score_each(search: Search) -> None:
    """Refuse one row for every system, as leaderboards have them."""
    table = search.table
    if table.differ(search.found["system"]):
        _refuse_turned(search)
        several = [name for name in _named_otherwise(search) if normal(name) not in BESIDE_P and not sums_up(name)]
        are = f"if {listing(map(repr, several), 3)} are datasets, " if len(several) > 1 else ""
        turn = f"{are}{_to_turn(search, several)}; else " if are else ""
        raise table.error(
            "every system has one score only, and by one score no test can tell what is chance."
            if not turn
            else "every system has one row only, and no column names items.",
            fix=f"{turn}give the score of every item: a column for each system, or the columns item, system and score.",
        )


def _refuse_turned(search: Search) -> None:
    """Refuse systems in rows and items in columns, q1, q2, ...; columns named like metrics are none."""
    items = _named_otherwise(search)
    if len(items) > max(_FEWEST_TURNED, search.table.rows):
        raise search.table.error(
            f"the systems stand in rows, and the items in columns: {listing(map(repr, items), 3)}.",
            fix=f"{_to_turn(search, items)}.",
        )


def _to_turn(search: Search, columns: Sequence[str]) -> str:
    """Say how a table of systems in rows is turned, with these columns of it."""
    table, (system, *_) = search.table, search.found["system"]
    turn = "turn the table, one row for each of them and one column per system"
    others = [name for name in table.columns if name != system and name not in columns]
    few = f"[{list(columns)}]" if len(columns) <= _MOST_NAMED else f".drop(columns={others})"
    taken = f".set_index({system!r}){few if others else ''}"
    return f"{turn}; with pandas: {table.pandas}{taken}.T.to_csv(NEW)" if table.pandas else turn


def _named_otherwise(search: Search) -> list[str]:
    """The columns of numbers that are not named like metrics."""
    return [name for name in numeric_columns(search) if not is_metric_name(name) and not says_only_score(name)]


def refuse_square(search: Search) -> None:
    """Refuse a table whose rows and columns are the same systems: it says something of pairs, and of no items."""
    names, table = search.found["score"], search.table
    if len(names) < 2 or len(names) != table.rows or not search.has("item"):
        return
    if set(table.columns[search.found["item"][0]].labels().labels) == set(names):
        raise table.error(
            "the table is square: its rows and columns have the same names, so it speaks of pairs of systems.",
            fix=Fix("if it holds p-values, see which still stand together: ", Verb("correct"), "."),
        )


def refuse_metrics_as_items(search: Search) -> None:
    """Refuse rows of metrics, such as accuracy and f1: a summary holds no items."""
    items = search.found.get("item", [])
    if len(items) != 1 or "item" in search.asked or search.table.rows > _MOST_METRICS:
        return
    labels = search.table.columns[items[0]].labels().labels
    named = [label for label in labels if is_metric_name(label)]
    if 2 * len(named) >= len(labels):
        raise search.table.error(
            f"the rows are metrics ({listing(map(repr, named), 3)}), and by one score of each no test can tell what is "
            "chance.",
            fix="give the score of every item: a column for each system, or the columns item, system and score.",
        )
