"""Tables that hold no scores of items as they are: each is told by what it holds, and sent where it belongs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from nofluke.errors import By, Fix, InputError, Verb, listing, named_as
from nofluke.readers.aliases import BESIDE_P, is_alias, is_like_annotator, is_size, matches, normal, says_only_score
from nofluke.readers.candidates import MOST_LOOKED_AT, are_sizes, first_numbers, groups_items, numeric_columns
from nofluke.readers.columns import ValueColumn, inner_numbers, objects_of
from nofluke.readers.direction import is_metric_name
from nofluke.readers.formats.pasted import is_p_name
from nofluke.readers.numbers import parse_number, shown
from nofluke.readers.p_cells import bare, parse_p
from nofluke.readers.roles import Search
from nofluke.readers.sql import SqlColumn
from nofluke.readers.summary_rows import sums_up
from nofluke.readers.table import Column, Table

# Words for right and wrong, as tests and graders write them; of each pair the first is right.
_RIGHT_OR_WRONG = (
    *(("pass", "fail"), ("passed", "failed"), ("correct", "incorrect"), ("correct", "wrong"), ("right", "wrong")),
    *(("success", "failure"), ("ok", "error"), ("yes", "no"), ("y", "n"), ("win", "loss"), ("win", "lose")),
)
_MOST_NAMED = 8
# So many columns of numbers beside one of systems are hardly metrics.
_FEWEST_TURNED = 5
_TURN = (
    "turn the table, one row for each of them and one column per system; with pandas: "
    "read_csv(FILE, index_col=0).T.to_csv(NEW);"
)
_TOTAL = re.compile(r"n|total|all|possible|attempted|(?:n|num|total|max)_\w+|\w+_total")
# Names of columns that say which of two systems was preferred, and what they hold where neither was.
_WINNER = frozenset(["winner", "preferred", "preference", "choice", "better", "chosen", "vote"])
_TIE = frozenset(["tie", "tied", "draw", "neither", "both", "none", "equal", "same", "no_preference", "tie_(bothbad)"])
_BY_GOLD = By(
    "nf.score(NAME, outputs, gold)",
    "--gold FILE --metric NAME",
    '"outputs and gold answers"',
    "data.score_by=NAME, with the gold answers in data.gold",
)
# A score as papers print it: thousands, and behind the number nothing, a spread, brackets, or (group 2) a unit.
_PRINTED = re.compile(
    r"([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?<=\d))\s*(?:±.*|\([^()]*\)|\[[^\[\]]*\]|%|([^\W\d_]{1,4}))?"
)
# Not worth reading a large column once more: what is printed is short.
_MOST_PRINTED = 200_000


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
    """Refuse one row for every system, as leaderboards have them, or for every system and dataset."""
    table, datasets = search.table, search.found.get("dataset", [])
    if table.differ(search.found["system"]):
        _refuse_turned(search)
        several = [name for name in _named_otherwise(search) if normal(name) not in BESIDE_P and not sums_up(name)]
        turn = f"if {listing(map(repr, several), 3)} are datasets, {_TURN} else " if len(several) > 1 else ""
        raise table.error(
            "every system has one score only, and by one score no test can tell what is chance."
            if not turn
            else "every system has one row only, and no column names items.",
            fix=f"{turn}give the score of every item: a column for each system, or the columns item, system and score.",
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


def _refuse_turned(search: Search) -> None:
    """Refuse systems in rows and items in columns, q1, q2, ...; columns named like metrics are none."""
    items = _named_otherwise(search)
    if len(items) > max(_FEWEST_TURNED, search.table.rows):
        raise search.table.error(
            f"the systems stand in rows, and the items in columns: {listing(map(repr, items), 3)}.",
            fix=f"{_TURN.removesuffix(';')}.",
        )


def _named_otherwise(search: Search) -> list[str]:
    """The columns of numbers that are not named like metrics."""
    return [name for name in numeric_columns(search) if not is_metric_name(name) and not says_only_score(name)]


def refuse_annotations(search: Search) -> None:
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


def refuse_p_values(search: Search) -> None:
    """Refuse what tests have found, as papers print it: beside scores of systems, a p-value is none."""
    # P alone may well be a system, or precision.
    named = [name for name in search.free[:MOST_LOOKED_AT] if is_p_name(name) and name != "P"]
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
                    "; to take the rows as items, leave it out: ",
                    named_as(ignore=name),
                    ".",
                ),
            )


def refuse_prose(search: Search, numeric: list[str]) -> None:
    """Refuse columns without names that mostly hold words: lines of text, or a table whose roles nobody can tell."""
    words = len(search.free) - len(numeric)
    if not search.table.headed and words > max(1, len(numeric)):
        raise search.table.error(
            f"{words} of {len(search.table.columns)} columns hold words, and no line names the columns.",
            fix=Fix(
                "put their names on top: item,system,score, say; if every line is an output, score it against a gold "
                "standard: ",
                _BY_GOLD,
                ".",
            ),
        )


def refuse_printed(search: Search) -> None:
    """Refuse scores that are no plain numbers; what is named like gold, a source or a size is none."""
    first = next(iter(search.table.columns))
    for name in search.free[:MOST_LOOKED_AT]:
        beside = is_size(name) or is_alias("gold", name) or is_alias("output", name) or normal(name) in BESIDE_P
        if not beside and not search.is_numeric(name) and search.tally(name).filled and search.holds_labels(name):
            _refuse_if_printed(search.table, name, first=name == first)


def _refuse_if_printed(table: Table, name: str, *, first: bool) -> None:
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
            "; if it is neither, leave it out: ",
            named_as(ignore=name),
            ".",
        ),
    )


def refuse_passing_over(search: Search) -> None:
    """Refuse columns of which at most one may be a system, beside a column of names: these may be the systems."""
    columns = search.found["score"]
    plain = [name for name in columns if is_metric_name(name) or says_only_score(name)]
    measures = [name for name in columns if name in plain or is_alias("label", name)]
    if len(columns) < 2 or len(plain) == len(columns) or len(columns) - len(measures) > 1:
        return  # several systems, or several metrics of one
    free = [name for name in search.free[:MOST_LOOKED_AT] if not is_size(name)]
    names = next((name for name in free if groups_items(search, name)), None)
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


def refuse_square(search: Search) -> None:
    """Refuse a table whose rows and columns are the same systems: it says something of pairs, and of no items."""
    names, table = search.found["score"], search.table
    if len(names) < 3 or len(names) != table.rows or not search.has("item"):
        return
    if set(table.columns[search.found["item"][0]].labels().labels) == set(names):
        raise table.error(
            "the table is square: its rows and columns have the same names, so it speaks of pairs of systems.",
            fix=Fix("if it holds p-values, see which still stand together: ", Verb("correct"), "."),
        )


def no_numbers(table: Table) -> InputError:
    """The error of a table in which no column is left that holds scores."""
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
    refuse_objects(table, "numbers", (int, float))
    if sum(map(is_like_annotator, names)) < 2:
        refuse_words(table, names)
    _refuse_preferences(table)
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


def refuse_words(table: Table, names: Sequence[str]) -> None:
    """Refuse columns of the words pass and fail, or others like them: they become scores by writing 1 and 0."""
    for name in names[:MOST_LOOKED_AT]:
        used = {cell.strip() for cell in table.texts(name) if cell and cell.strip()}
        pair = next((pair for pair in _RIGHT_OR_WRONG if {word.casefold() for word in used} == set(pair)), None)
        if pair is not None and len(used) == 2:
            right, wrong = sorted(used, key=lambda word: word.casefold() != pair[0])
            raise table.error(
                f"column {name!r} holds the words {right!r} and {wrong!r}, and no numbers.",
                fix=f"if {right!r} is right, write 1 for it and 0 for {wrong!r}; with pandas: "
                f"read_csv(FILE).replace({{{right!r}: 1, {wrong!r}: 0}}).to_csv(NEW, index=False).",
            )


def _refuse_preferences(table: Table) -> None:
    """Refuse a table of who won each item: its counts can be tested as they are."""
    name = next((one for one in table.columns if normal(one) in _WINNER), None)
    if name is None:
        return
    winners = [(cell or "").strip() for cell in table.texts(name)]
    often = Counter(cell for cell in winners if cell)
    ties = sum(often.pop(cell) for cell in list(often) if normal(cell) in _TIE)
    sides = [one for one in table.columns if normal(one) in map(normal, often)]
    if len(sides) == 2:
        raise _preferred_in_pairs(table, name, winners, sides)
    if len(often) != 2:
        return
    (a, first), (b, second) = often.items()
    raise _preferred(table, f"{name!r} says who is preferred", a, b, first, second, ties)


def _preferred_in_pairs(table: Table, name: str, winners: Sequence[str], sides: Sequence[str]) -> InputError:
    """The error of rows that name two systems and which of them won; of many systems, the pair that met most often."""
    first, second = ([(cell or "").strip() for cell in table.texts(side)] for side in sides)
    (a, b), _ = Counter(tuple(sorted(pair)) for pair in zip(first, second, strict=True)).most_common(1)[0]
    won = Counter[str]()
    for left, right, winner in zip(first, second, winners, strict=True):
        if {left, right} == {a, b}:
            chosen = {normal(sides[0]): left, normal(sides[1]): right}.get(normal(winner), winner)
            won[chosen if chosen in (a, b) else ""] += 1
    systems = len({*first, *second})
    among = "" if systems == 2 else f" among {systems} systems; {a} and {b} met most often"
    return _preferred(table, f"{name!r} says who is preferred{among}", a, b, won[a], won[b], won[""])


def _preferred(table: Table, message: str, a: str, b: str, first: int, second: int, ties: int) -> InputError:
    """The error of preferences, with the test of how often each of two systems won."""
    counts = f"0,{first},{second},{ties}"
    command = f"nofluke test --counts {counts} --method mcnemar"
    return table.error(
        f"{message}: {a} {first:,} times, {b} {second:,} times, neither {ties:,} times.",
        fix=Fix(
            f"test these counts, A for {a} and B for {b}: ",
            By(
                f"nf.test(nf.sample_from_counts({counts.replace(',', ', ')}), method='mcnemar')",
                command,
                f"{command} on the command line",
            ),
            "; for scores, give numbers, one column for each system.",
        ),
    )


def no_score(search: Search) -> InputError:
    """The error of systems and items without scores; numbers within objects can be named."""
    refuse_words(search.table, search.free)
    inner = inner_numbers(search.table)
    keys = [name for name in inner if is_alias("score", name.rpartition(".")[2]) or is_metric_name(name)] or inner
    if not keys:
        return search.lacking("score", "there is no column of scores.")
    return search.table.error(
        f"there is no column of scores, and there are numbers within objects: {listing(map(repr, inner), 6)}.",
        fix=Fix("name the scores: ", named_as(score=keys[0]), "."),
    )


def holds_quoted(search: Search, name: str) -> bool:
    """Whether a column that is not used holds numbers as text, beside others that hold them as numbers."""
    return not is_alias("gold", name) and not is_alias("item", name) and _are_quoted_numbers(search.table.columns[name])


def _are_quoted_numbers(column: Column) -> bool:
    """Whether the texts of a format that knows numbers are numbers after all."""
    cells = column.texts()[:MOST_LOOKED_AT] if isinstance(column, ValueColumn | SqlColumn) else []
    return bool(cells) and all(cell and parse_number(cell) is not None for cell in cells) and not column.tally().numbers


def refuse_objects(table: Table, what: str, kinds: tuple[type, ...]) -> None:
    """Refuse a table whose numbers or labels are within the objects of a column: {"id": 1, "scores": {"A": 0.5}}."""
    for name, column in table.columns.items():
        cells = objects_of(column)
        if cells and all(isinstance(cell, dict) and any(isinstance(v, kinds) for v in cell.values()) for cell in cells):
            each = ".[] | " if table.format == "json" else ""
            inner = [f"{name}.{key}" for key, value in cells[0].items() if isinstance(value, int | float)]
            raise table.error(
                f"the {what} are within the objects of {name!r}.",
                fix=Fix("name them: ", named_as(score=",".join(inner)), ".")
                if what == "numbers" and len(inner) <= _MOST_NAMED
                else f"write them as columns: jq -c '{each}. + .[\"{name}\"]' FILE > NEW.jsonl.",
            )


def refuse_counts(search: Search, score: str) -> None:
    """Refuse counts beside what they are out of, correct and total: their mean says nothing of shares."""
    free = [name for name in search.free if search.is_numeric(name)]
    if says_only_score(score) or not are_sizes(first_numbers(search.table, score)):
        return
    total = _total_of(search.table, score, free)
    if total is not None:
        raise search.table.error(
            f"{score!r} holds counts, and {total!r} seems to say out of how many.",
            fix=Fix(
                "if so, score by a formula of their sums: ",
                _by_formula(f"{score}/{total}"),
                "; else say that the counts are the scores: ",
                named_as(score=score),
                ".",
            ),
        )


def counts_advice(table: Table, columns: Sequence[str]) -> str | Fix:
    """Say how columns of counts become a score, where that is what they hold."""
    if not all(are_sizes(first_numbers(table, name)) for name in columns):
        return ""
    total = _total_of(table, columns[0], [name for name in table.columns if table.columns[name].tally().is_numeric])
    formula = _by_formula(f"{columns[0]}/{total or 'TOTAL'}")
    return Fix("; counts become a score by a formula of their sums: ", formula)


def _total_of(table: Table, score: str, columns: Sequence[str]) -> str | None:
    """Give the column that seems to say out of how many a count is, at best one of the same thing: hit_sure, n_sure."""
    part, words = first_numbers(table, score), set(normal(score).split("_"))
    able = [name for name in columns if name != score and _TOTAL.fullmatch(normal(name))]
    for name in sorted(able, key=lambda name: not words & set(normal(name).split("_"))):
        whole = first_numbers(table, name)
        if len(whole) == len(part) and bool((whole >= part).all()):
            return name
    return None


def _by_formula(formula: str) -> By:
    page = f'"{formula}" under "counts of each item and a formula"'
    return By(f"nf.from_statistics(FILE, {formula!r})", f'--formula "{formula}"', page, f"data.formula={formula!r}")
