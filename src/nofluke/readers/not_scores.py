"""Tables that hold no scores of items as they are: each is told by what it holds, and sent where it belongs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nofluke.errors import By, Fix, InputError, Verb, listing, named_as
from nofluke.readers.aliases import BESIDE_P, is_alias, is_like_annotator, is_size, matches, normal, says_only_score
from nofluke.readers.candidates import MOST_LOOKED_AT, groups_items
from nofluke.readers.columns import ValueColumn, inner_names
from nofluke.readers.direction import is_metric_name
from nofluke.readers.formats.pasted import is_p_name
from nofluke.readers.not_preferences import refuse_preferences
from nofluke.readers.numbers import parse_number, shown
from nofluke.readers.p_cells import bare, parse_p
from nofluke.readers.roles import Search
from nofluke.readers.sql import SqlColumn
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
# What may be within the objects of a column, by the role that it could have there.
_WITHIN = {
    "score": ("numbers", (int, float)),
    "annotator": ("labels", (str, int, float)),
    "output": ("outputs", (str, int, float, list)),
    "gold": ("gold answers", (str, int, float, list)),
}
# A score as papers print it: thousands, and behind the number nothing, a spread, brackets, or (group 2) a unit.
_PRINTED = re.compile(
    r"([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?<=\d))\s*(?:±.*|\([^()]*\)|\[[^\[\]]*\]|%|([^\W\d_]{1,4}))?"
)
# Not worth reading a large column once more: what is printed is short.
_MOST_PRINTED = 200_000


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


def by_gold(metric: str) -> By:
    """Advise to score outputs by a metric against a gold standard that is not in the file."""
    quoted = metric if metric == "NAME" else repr(metric)
    return By(
        f"nf.score({quoted}, outputs, gold)",
        f"--gold FILE --metric {metric}",
        '"outputs and gold answers"' + (f", with the metric {metric}" if metric != "NAME" else ""),
        f"data.score_by={quoted}, with the gold answers in data.gold",
    )
