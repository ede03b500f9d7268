"""Which columns of a table hold scores, and of which items and systems."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from nofluke.errors import Fix, named_as
from nofluke.readers.aliases import EITHER, is_alias, is_fold, is_numbered_gold, is_size, matches, may_be_item, normal
from nofluke.readers.candidates import (
    FEWEST_NUMBERED,
    MOST_LOOKED_AT,
    MOST_ROWS_LOOKED_AT,
    counts_rows,
    first_numbers,
    groups_items,
    measured,
    numeric_columns,
    set_aside,
)
from nofluke.readers.columns import inner_names, with_inner
from nofluke.readers.direction import is_metric_name
from nofluke.readers.layouts import refuse_crossed, refuse_crossed_names
from nofluke.readers.not_items import no_items, refuse_metrics_as_items, refuse_one_score_each, refuse_square
from nofluke.readers.not_scores import (
    holds_quoted,
    no_numbers,
    no_score,
    refuse_annotations,
    refuse_outputs,
    refuse_p_values,
    refuse_passing_over,
    refuse_printed,
    refuse_prose,
)
from nofluke.readers.not_shares import counts_advice, refuse_confusions, refuse_counts
from nofluke.readers.roles import Roles, Search
from nofluke.readers.table import Table
from nofluke.readers.unscored import outputs_beside_gold, scores_beside_gold
from nofluke.types import note

# Beside one other column, fewer whole numbers in a row than this may well be scores.
_FEWEST_NUMBERED_OF_TWO = 20
_RUN_OF = re.compile(r"(.+?)[\W_]*(?:seed|run|rep|repeat|trial)[\W_]*\d+\W*", re.IGNORECASE)


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
        refuse_one_score_each(search)
        _take_datasets_as_items(search)
    if not search.has("item"):
        raise no_items(search)
    if not search.has("score"):
        found = matches("score", search.free) or numeric_columns(search)
        if len(found) > 1:
            found = [name for name in found if is_alias("metric", name)] or found
            found = [name for name in found if is_metric_name(name)] or found
            found = [name for name in found if name not in set_aside(search.table, found)] or found
        gold = _gold_of(search)
        if not found and gold:
            raise outputs_beside_gold(table, gold)
        if not found:
            raise no_score(search)
        if len(found) > 1:
            raise search.ambiguous("score", found, counts_advice(table, found))
        refuse_counts(search, found[0])
        search.found["score"] = found
    _note_ignored(search)


def _find_wide(search: Search) -> None:
    if search.has("score"):
        if not search.has("item"):
            _guess_item(search, search.found["score"])
        _note_ignored(search)
        return
    refuse_annotations(search)
    refuse_p_values(search)
    numeric = numeric_columns(search)
    refuse_printed(search)
    refuse_prose(search, numeric)
    refuse_crossed(search, numeric)
    if sum(not is_metric_name(name) for name in numeric) < 2:
        refuse_crossed_names(search, numeric)
    if not search.has("item"):
        _guess_item(search, numeric)
    scores = [name for name in numeric if [name] != search.found.get("item")]
    gold = _gold_of(search) or [name for name in search.free if normal(name) in EITHER]
    if gold and not set(gold) & set(numeric) and scores and all(_are_no_scores(search.table, scores)):
        raise outputs_beside_gold(search.table, gold)
    aside = set_aside(search.table, [name for name in scores if name not in gold])
    if len(aside) == len(scores) and not gold:
        aside = {}
    search.found["score"] = [name for name in scores if name not in aside]
    for one, why in aside.items():
        with_it = [name for name in scores if name == one or name not in aside]
        search.notes.append(note("read.no_system", column=one, why=why, systems=with_it))
    if not search.found["score"] or search.found["score"] == gold:
        raise outputs_beside_gold(search.table, gold) if gold else no_numbers(search.table)
    refuse_outputs(search)
    refuse_confusions(search)
    refuse_square(search)
    refuse_metrics_as_items(search)
    if set(gold) & set(search.found["score"]):
        if len(search.found["score"]) - len(gold) != 1:
            raise scores_beside_gold(search.table, gold, search.found["score"])
        search.notes.append(note("read.gold_as_system", column=gold[0]))
    refuse_passing_over(search)
    _note_runs(search)
    _note_turned(search)
    _note_ignored(search, aside)


def _are_no_scores(table: Table, columns: Sequence[str]) -> Iterator[bool]:
    """Say of columns beside gold whether they measure, such as how sure a system is, or count the rows."""
    beside = measured(columns)
    return (name in beside or counts_rows(first_numbers(table, name)) for name in columns)


def _gold_of(search: Search) -> list[str]:
    """The free columns that are named like gold, or like one of several references."""
    return matches("gold", search.free) or [name for name in search.free if is_numbered_gold(name)]


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
    """Without ids, take runs as items where each has one score for every system; rows that repeat a run are refused.

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
            code = "read.item" if is_fold(run) else "read.runs_as_items"
            search.notes.append(note(code, column=run, **({"why": "one_score_of_each"} if is_fold(run) else {})))
    elif not is_fold(run):
        raise search.table.error(
            f"{run!r} says which run a score is of, and no column names its item: rows of one item cannot be found.",
            fix=Fix(
                "if every row is an item of its own, leave it out: ",
                named_as(ignore=run),
                "; else add a column of items.",
            ),
        )


def _take_datasets_as_items(search: Search) -> None:
    """Without ids, take one score of every system on each dataset as one item of it, as beside each other."""
    datasets = search.found.get("dataset", [])
    if datasets and search.table.differ([*search.those("system", "metric"), *datasets]):
        search.found["item"] = datasets
        search.notes.append(note("read.item", column=" / ".join(datasets), why="one_score_of_each"))


def _note_ignored(search: Search, told: Collection[str] = ()) -> None:
    unused = [name for name in search.free if name not in told]
    if unused:
        partly = tuple(found for name in unused if (found := _partly_numbers(search, name)))
        as_text = tuple(name for name in unused[:MOST_LOOKED_AT] if not is_size(name) and holds_quoted(search, name))
        told = {"partly": partly} | ({"as_text": as_text} if as_text else {})
        search.notes.append(note("read.columns_unused", columns=unused, **told))
    if _note_repeats(search, unused):
        return
    able = (name for name in unused[:MOST_LOOKED_AT] if groups_items(search, name))
    search.note_groups(next((name for name in able if _fewer_than_items(search, name)), None))


def _note_repeats(search: Search, unused: Collection[str]) -> bool:
    """Tell of a column that tells scores of one item apart, where nothing else does: judges, prompts, systems."""
    inner = inner_names(search.table, (str,))
    table = with_inner(search.table, {"inner": inner}) if inner else search.table
    ids = search.those("item", "dataset", "run", "system", "metric")
    if not search.has("item") or table.rows > MOST_ROWS_LOOKED_AT or table.differ(ids):
        return False
    for name in [*[one for one in unused if search.holds_labels(one)], *inner][:MOST_LOOKED_AT]:
        filled = table.columns[name].tally().filled == table.rows
        if filled and not table.differ([name]) and table.differ([*ids, name]):
            outer = name.partition(".")[0] if name in inner else name
            owner = not search.has("system") and is_alias("system", outer)
            search.notes.append(note("read.tells_apart", column=name, **({"role": "system"} if owner else {})))
            return True
    return False


def _note_runs(search: Search) -> None:
    """Tell of columns that are named like runs of fewer systems: base_seed1, base_seed2, tuned_seed1, tuned_seed2."""
    columns = search.found["score"]
    found = [_RUN_OF.fullmatch(name) for name in columns]
    systems = dict.fromkeys(one[1] for one in found if one)
    if all(found) and len(systems) < len(columns):
        search.notes.append(note("read.perhaps_runs", systems=tuple(systems), column=columns[0]))


def _note_turned(search: Search) -> None:
    """Tell of a table of more columns than rows whose rows have names and no heading: these may be the systems."""
    columns, item = search.found["score"], search.found.get("item", [])
    if (
        len(columns) > search.table.rows > 1
        and item
        and item[0] in search.table.unnamed
        and not search.is_numeric(item[0])
    ):
        search.notes.append(note("read.perhaps_turned", items=search.table.texts(item[0])[:2], systems=columns[:2]))


def _fewer_than_items(search: Search, name: str) -> bool:
    """Whether a column has fewer values than there are items: a prompt of every item groups nothing."""
    ids, table = search.those("item", "dataset"), search.table
    if not search.has("item") or any(search.tally(one).filled < table.rows for one in ids):
        return True
    return len(set(table.texts(name))) < len(table.joined(ids).labels)


def _partly_numbers(search: Search, name: str) -> tuple[str, int, int] | None:
    """Give a column that looks like scores with many cells that are none: its name, its numbers, its cells."""
    tally = search.tallies.get(name)
    return None if tally is None or not 0 < tally.numbers < tally.filled else (name, tally.numbers, tally.filled)
