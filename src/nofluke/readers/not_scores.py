"""Tables that hold no scores of items as they are: each is told by what it holds, and sent where it belongs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nofluke.errors import By, Fix, InputError, Verb, listing, named_as
from nofluke.readers.aliases import BESIDE_P, is_alias, is_like_annotator, is_size, matches, normal, says_only_score
from nofluke.readers.candidates import MOST_LOOKED_AT, are_sizes, first_numbers, groups_items, numeric_columns
from nofluke.readers.columns import ValueColumn, inner_names
from nofluke.readers.direction import is_metric_name
from nofluke.readers.formats.pasted import is_p_name
from nofluke.readers.numbers import parse_number, shown
from nofluke.readers.p_cells import bare, parse_p
from nofluke.readers.preferences import refuse_preferences
from nofluke.readers.roles import Search
from nofluke.readers.sql import SqlColumn
from nofluke.readers.summary_rows import sums_up
from nofluke.readers.table import Column, Table
from nofluke.readers.unscored import metric_for

# Words for right and wrong, as tests and graders write them; of each pair the first is right.
_RIGHT_OR_WRONG = (
    *(("pass", "fail"), ("passed", "failed"), ("correct", "incorrect"), ("correct", "wrong"), ("right", "wrong")),
    *(("success", "failure"), ("ok", "error"), ("yes", "no"), ("y", "n"), ("t", "f"), ("win", "loss"), ("win", "lose")),
    *(("✓", "✗"), ("✓", "✘"), ("✔", "✗"), ("✔", "✘"), ("✅", "❌"), ("+", "-")),
)
_MOST_NAMED = 8
_ANSWER = frozenset(["text", "answer", "answers", "label", "value", "gold", "target", "reference"])
# A summary has no more rows of metrics.
_MOST_METRICS = 100
# What may be within the objects of a column, by the role that it could have there.
_WITHIN = {
    "score": ("numbers", (int, float)),
    "annotator": ("labels", (str, int, float)),
    "output": ("outputs", (str, int, float, list)),
    "gold": ("gold answers", (str, int, float, list)),
}
# So many columns of numbers beside one of systems are hardly metrics.
_FEWEST_TURNED = 5
_TOTAL = re.compile(r"n|total|all|possible|attempted|(?:n|num|total|max)_\w+|\w+_total")
# Counts of right and wrong answers, alone, behind the name of a system, or before it.
_KIND = "tp|fp|fn|tn"
_CONFUSION = re.compile(rf"(?:(.+)_)?({_KIND})|({_KIND})_(.+)", re.IGNORECASE)
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
                by_gold("NAME"),
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


def no_numbers(table: Table) -> InputError:
    """The error of a table in which no column is left that holds scores."""
    names = list(table.columns)
    quoted = next((name for name in names if _are_quoted_numbers(table.columns[name])), None)
    outputs = [name for name in names if is_alias("output", name)]
    if len(outputs) == 1:
        refuse_objects(table, "score", names)
        raise _outputs_alone(table, outputs[0])
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
                by_gold("bleu" if metric_for([names[0], *table.texts(names[0])]) == "bleu" else "NAME"),
                ".",
            ),
        )
    refuse_objects(table, "score", names)
    if sum(map(is_like_annotator, names)) < 2:
        refuse_words(table, names)
    refuse_preferences(table)
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


def refuse_outputs(search: Search) -> None:
    """Refuse the outputs of one system in place of its scores, also where they are numbers: classes, answers."""
    name, *others = search.found["score"]
    if not others and is_alias("output", name):
        raise _outputs_alone(search.table, name)


def _outputs_alone(table: Table, name: str) -> InputError:
    """The error of outputs without gold, by the name of their column: {"id": 1, "prediction": "3"}."""
    return table.error(
        f"column {name!r} holds outputs of a system, by its name, and no scores.",
        fix=Fix(
            "score them against a gold standard: ",
            by_gold(metric_for(table.texts(name))),
            "; if it holds scores, say so: ",
            named_as(score=name),
            ".",
        ),
    )


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
                f"{table.pandas or 'read_csv(FILE)'}.replace({{{right!r}: 1, {wrong!r}: 0}}).to_csv(NEW, index=False).",
            )


def no_score(search: Search) -> InputError:
    """The error of systems and items without scores; numbers within objects can be named."""
    refuse_words(search.table, search.free)
    inner = inner_names(search.table)
    keys = [name for name in inner if _ends_as_score(name)] or inner
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


def refuse_objects(table: Table, role: str, columns: Sequence[str]) -> None:
    """Refuse columns whose cells are objects that hold what a role needs: {"id": 1, "scores": {"A": 0.5, "B": 0.4}}."""
    what, kinds = _WITHIN[role]
    inner = inner_names(table, kinds)
    outer = [name for name in dict.fromkeys(one.partition(".")[0] for one in inner) if name in columns]
    inner = [name for name in inner if name.partition(".")[0] in outer]
    if role == "gold":
        # Of an answer and where it begins, {"text": ["Paris"], "start": [3]}, the answer.
        inner = sorted(inner, key=lambda name: name.rpartition(".")[2] not in _ANSWER)[:1]
    if role == "output":
        # Of the object of a response, {"text": "Paris", "tokens": 20}, its text.
        inner = [name for name in inner if _ends_as_output(name)] or inner
    elif len(outer) > 1:
        # Of the object of each system, {"score": 0.5, "tokens": 20}, its score.
        inner = [name for name in inner if _ends_as_score(name)] or inner
    if outer:
        each = ".[] | " if table.format == "json" else ""
        raise table.error(
            f"the {what} are within the objects of {listing(map(repr, outer), 4)}.",
            fix=Fix("name it: " if len(inner) == 1 else "name them: ", named_as(**{role: ",".join(inner)}), ".")
            if len(inner) <= _MOST_NAMED
            else f"write them as columns: jq -c '{each}. + .[\"{outer[0]}\"]' FILE > NEW.jsonl.",
        )


def _ends_as_score(inner: str) -> bool:
    key = inner.rpartition(".")[2]
    return is_alias("score", key) or is_metric_name(key)


def _ends_as_output(inner: str) -> bool:
    key = inner.rpartition(".")[2]
    return is_alias("output", key) or key in _ANSWER - {"gold", "target", "reference"}


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


def refuse_confusions(search: Search) -> None:
    """Refuse true and false positives in place of scores: tp and fp of one system, or tp_A, fp_A, tp_B, fp_B."""
    columns = search.found["score"]
    found = [_CONFUSION.fullmatch(name) for name in columns]
    kinds = list(dict.fromkeys((one[2] or one[3]) for one in found if one))
    if len(kinds) < 2 or not all(found) or not any(are_sizes(first_numbers(search.table, name)) for name in columns):
        return
    table, systems = search.table, dict.fromkeys(one[1] or one[4] or "" for one in found if one)
    folded = {kind.casefold(): kind for kind in kinds}
    parts = [folded[kind] for kind in ("tp", "fp", "fn") if kind in folded]
    formula = f"{parts[0]}/({'+'.join(parts)})"
    if "fp" in folded and "fn" in folded:
        formula = f"2*{parts[0]}/(2*{'+'.join(parts)})"
    long = ""
    if len(systems) > 1:
        item = next(iter(search.found.get("item", [])), "index")
        ends = bool(found[0] and found[0][2])
        read = (table.pandas or "read_csv(FILE)") + ".reset_index()" * (item not in table.columns)
        read += ".rename(columns=lambda c: '_'.join(c.rsplit('_', 1)[::-1]))" if ends else ""
        turn = f"t = wide_to_long({read}, {kinds}, {item!r}, 'system', '_', '.+')"
        turn += "; t.reset_index().to_csv(NEW, index=False)"
        long = f"write the systems below each other, with pandas: {turn}; then "
    raise table.error(
        f"{listing(map(repr, columns), 4)} hold counts of right and wrong answers, by their names, and no scores.",
        fix=Fix(
            f"{long}score by a formula of their sums: ",
            _by_formula(formula),
            "; if each is a system, say so: ",
            named_as(score=",".join(columns)),
            ".",
        ),
    )


def counts_advice(table: Table, columns: Sequence[str]) -> str | Fix:
    """Say how columns of counts become a score, where that is what they hold beside what they are out of."""
    if not all(are_sizes(first_numbers(table, name)) for name in columns):
        return ""
    total = _total_of(table, columns[0], [name for name in table.columns if table.columns[name].tally().is_numeric])
    if total is None:
        return ""
    return Fix("; counts become a score by a formula of their sums: ", _by_formula(f"{columns[0]}/{total}"))


def _total_of(table: Table, score: str, columns: Sequence[str]) -> str | None:
    """Give the column that seems to say out of how many a count is, at best one of the same thing: hit_sure, n_sure."""
    part, words = first_numbers(table, score), set(normal(score).split("_"))
    able = [name for name in columns if name != score and _TOTAL.fullmatch(normal(name))]
    for name in sorted(able, key=lambda name: not words & set(normal(name).split("_"))):
        whole = first_numbers(table, name)
        if len(whole) == len(part) and bool((whole >= part).all()):
            return name
    return None


def by_gold(metric: str) -> By:
    """Advise to score outputs by a metric against a gold standard that is not in the file."""
    quoted = metric if metric == "NAME" else repr(metric)
    return By(
        f"nf.score({quoted}, outputs, gold)",
        f"--gold FILE --metric {metric}",
        '"outputs and gold answers"' + (f", with the metric {metric}" if metric != "NAME" else ""),
        f"data.score_by={quoted}, with the gold answers in data.gold",
    )


def _by_formula(formula: str) -> By:
    page = f'"{formula}" under "counts of each item and a formula"'
    return By(f"nf.from_statistics(FILE, {formula!r})", f'--formula "{formula}"', page, f"data.formula={formula!r}")
