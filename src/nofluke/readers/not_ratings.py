"""Tables that hold no ratings as they are: counts, lists, p-values, and labels where names should stand."""

from __future__ import annotations

import json
from collections.abc import Sequence

from nofluke.errors import Fix, InputError, Option, Verb, listing, named_as
from nofluke.readers.aliases import normal
from nofluke.readers.candidates import MOST_LOOKED_AT
from nofluke.readers.columns import TextColumn, ValueColumn
from nofluke.readers.formats.pasted import is_p_name
from nofluke.readers.p_cells import parse_p
from nofluke.readers.roles import Search
from nofluke.readers.sql import TextInSql
from nofluke.readers.table import Table

# How often a row came.
OFTEN = frozenset(["count", "counts", "n", "freq", "frequency"])
# Rows that all sum to the same number may do so by chance if they are few; very many are not worth the look.
_FEWEST_ROWS, _MOST_ROWS = 5, 100_000


def refuse_counts(table: Table) -> None:
    """Refuse a table whose rows and columns have the same names and whose cells are whole numbers."""
    names = list(table.columns)
    if not table.headed or not 3 <= len(names) <= 101 or not table.rows <= 101:
        return
    cells = {name: [str(cell).strip() for cell in table.columns[name].values_as_given()] for name in names}
    rows = cells.pop(names[0])
    # Margins may add one row and one column of their own names.
    if len(set(rows) & set(names[1:])) < max(2, len(rows) - 1, len(names) - 2):
        return
    if all(cell.removesuffix(".0").isdecimal() for column in cells.values() for cell in column):
        raise table.error(
            "this looks like a table of counts: its rows and columns have the same names.",
            fix=Fix(
                "say so: ",
                Option("layout", "matrix"),
                "; if the columns are annotators: ",
                Option("layout", "wide"),
                " or ",
                named_as(annotator="A,B"),
                ".",
            ),
        )


def refuse_lists(search: Search) -> None:
    """Refuse all ratings of an item in one list: [{"annotator": "ann", "label": "yes"}, ...], or ["yes", "no"]."""
    for name in search.found["annotator"] if "annotator" not in search.asked else ():
        column, item = search.table.columns[name], next(iter(search.found["item"]), None)
        first = column.values[:1] if isinstance(column, ValueColumn) else []
        if not first or not isinstance(first[0], list):
            continue
        each = ".[] | " if search.table.format == "json" else ""
        own, there = f".[{json.dumps(item)}]" if item else "input_line_number", f".[{json.dumps(name)}]"
        way = f"{own} as $i | {there}[] | {{item: $i}} + ."
        if not all(isinstance(one, dict) for one in first[0]):
            by = r'{key: "annotator \(.key + 1)", value}'
            way = f"{{item: {own}}} + ({there} | to_entries | map({by}) | from_entries)"
        raise search.table.error(
            f"the ratings of an item are in one list, {name!r}.",
            fix=f"write them apart: jq -c '{each}{way}' FILE > NEW.jsonl.",
        )


def refuse_how_often(search: Search) -> None:
    """Refuse counts in place of ratings: how many gave each label to an item, or how often a row of labels came."""
    table, names = search.table, search.found["annotator"]
    if table.rows > _MOST_ROWS or not 2 <= len(names) <= MOST_LOOKED_AT:
        return
    cells = {name: [(cell or "").removesuffix(".0") for cell in table.texts(name)] for name in names}
    counts = {name: [*map(int, column)] for name, column in cells.items() if all(map(str.isdecimal, column))}
    read = f"with pandas: t = {table.pandas or 'read_csv(FILE)'}"
    often = next((name for name in counts if normal(name) in OFTEN), None)
    if often is not None and 2 < len(names) > len(counts):
        again = f"t.loc[t.index.repeat(t[{often!r}])].drop(columns={often!r}).to_csv(NEW, index=False)"
        raise table.error(
            f"column {often!r} seems to say how often each row came, and to hold no labels.",
            fix=Fix(
                f"if so, write each row that often, {read}; {again}; else leave it out: ", named_as(ignore=often), "."
            ),
        )
    rows = [*zip(*counts.values(), strict=True)] if len(counts) == len(names) else []
    sums = set(map(sum, rows))
    # Labels that nobody gave tell counts from ranks, 1 and 2.
    if len(rows) >= _FEWEST_ROWS and len(sums) == 1 and max(sums) > 1 < len(set(rows)) and 0 in sum(rows, ()):
        item = next(iter(search.found["item"]), "index")
        each = ".reset_index()" * (not search.found["item"]) + f".melt({item!r}, {list(names)}, 'label')"
        count = f"t['annotator'] = t.groupby({item!r}).cumcount()"
        raise table.error(
            f"the numbers of every row sum to {max(sums)}, so {listing(map(repr, names), 4)} seem to be labels, and "
            "their numbers to say how many annotators gave them.",
            fix=Fix(
                f"if so, write every rating, {read}{each}; t = t.loc[t.index.repeat(t['value'])]; {count}; "
                f"t.to_csv(NEW, index=False, columns=[{item!r}, 'annotator', 'label']); if they are annotators: ",
                named_as(annotator=",".join(names)),
                ".",
            ),
        )


def refuse_p_values(search: Search, keep: Sequence[str]) -> None:
    """Refuse what tests have found: numbers with decimals under the name of p-values."""
    for name in search.free:
        cells = [cell for cell in search.table.texts(name) if cell] if is_p_name(name) and name not in keep else []
        if cells and all(parse_p(cell) is not None for cell in cells) and any("." in cell for cell in cells):
            raise search.table.error(
                f"column {name!r} holds p-values, by its name: these are results of tests, and no labels.",
                fix=Fix(
                    "see on how many datasets one system is better: ",
                    Verb("replicate"),
                    "; if they are labels of an annotator, name all annotators: ",
                    named_as(annotator="A,B"),
                    ".",
                ),
            )


def refuse_nothing_shared(search: Search) -> None:
    """Refuse two columns of words of which one differs in every row and shares no label: it rates nothing."""
    table, names = search.table, search.found["annotator"]
    if not _FEWEST_ROWS <= table.rows <= _MOST_ROWS or any(map(search.is_numeric, names)):
        return
    first, second = ({cell for cell in table.texts(name) if cell} for name in names)
    if not first & second and len(first) != len(second) and max(len(first), len(second)) == table.rows:
        other = names[len(first) > len(second)]
        raise table.error(
            f"{listing(map(repr, names))} share no label: {other!r} seems to be the only annotator.",
            fix=Fix(
                "agreement needs two annotators or more: put them into one table, with pandas: "
                "concat([read_csv(f).assign(annotator=f) for f in FILES]).to_csv(NEW, index=False); if both are: ",
                named_as(annotator=",".join(names)),
                ".",
            ),
        )


def refuse_labels_as_names(table: Table, annotators: Sequence[str]) -> None:
    """Refuse a first line that holds labels: it is probably the first item of a file without a header."""
    columns = [table.columns[name] for name in annotators]
    if not all(isinstance(column, TextColumn | TextInSql) for column in columns):
        return
    used = {cell.strip() for column in columns for cell in set(column.texts()) if cell}
    if all(name.strip() in used for name in annotators):
        raise InputError(
            f"the first line ({listing(annotators, 4)}) holds labels, not the names of annotators.",
            where=f"{table.name} line 1",
            fix="put a line with the names of the annotators on top.",
        )
