"""How files were understood: which column is what, what was not used, and which labels were taken together."""

from __future__ import annotations

from nofluke.errors import Option, Verb, listing, named_as
from nofluke.types import Note
from nofluke.words.notes import Sayings

_MOST_NAMED = 8
_REDUCED = {
    "pass_at": "the chance that one of {k} runs is right, estimated from its {runs} runs",
    "best_of": "the expected best of {k} runs, estimated from its {runs} runs",
    "at_least": "whether {k} or more of its {runs} runs are right",
    "majority": "whether most of its {runs} runs are right",
    "max": "the best of its {runs} runs",
    "median": "the median of its {runs} runs",
}
_ITEM_BECAUSE = {
    "differs_in_every_row": "it comes first and differs in every row",
    "counts_rows": "it counts the rows",
    "tells_runs_apart": "it tells the scores of a run apart",
    "one_score_of_each": "each value has one score for every system",
}


def _columns_unused(
    columns: tuple[str, ...], partly: tuple[tuple[str, int, int], ...] = (), as_text: tuple[str, ...] = ()
) -> str:
    numbers = {name: f" ({found:,} of its {cells:,} cells are numbers)" for name, found, cells in partly}
    numbers |= dict.fromkeys(as_text, " (its numbers are stored as text)")
    return f"Columns not used: {listing(repr(name) + numbers.get(name, '') for name in columns)}."


def _lower_is_better(metric: str, word: str) -> str:
    if metric.casefold() == word:
        return f"Lower is better, judged by the name {word!r}."
    return f"Lower {metric} is better, judged by {word!r} in its name."


def _reduced(how: str, low: int, high: int) -> str:
    runs = f"{high}" if low == high else f"{low} to {high}"
    name, k = how.rstrip("_0123456789"), how.lstrip("abcdefghijklmnopqrstuvwxyz_")
    return f"The score of an item is {_REDUCED[name].format(k=k, runs=runs)} ({how})."


def _not_reduced(how: str, datasets: tuple[str, ...]) -> str:
    are, their = ("is", "its") if len(datasets) == 1 else ("are", "their")
    return f"{listing(datasets)} {are} left out: {their} runs do not allow {how}."


def _no_system(column: str, why: Note, systems: tuple[str, ...] = ()) -> str:
    # A name with a comma in it cannot be one of several; very many are not written out.
    plain = 1 < len(systems) <= _MOST_NAMED and not any("," in name for name in systems)
    named = named_as(score=",".join(systems) if plain else "NAME,NAME")
    return f"{column!r} is not taken as a system: {why}. To take it as one, name all score columns: {named}."


def _perhaps_groups(column: str) -> str:
    return (
        f"{column!r} repeats. If it groups items that belong together, give {named_as(cluster=column)}; if it names "
        f"datasets, give {named_as(dataset=column)}."
    )


def _tells_apart(column: str, role: str = "run") -> str:
    if role == "system":
        return (
            f"{column!r} tells the scores of an item apart: to take it as the system, give {named_as(system=column)}."
        )
    return (
        f"{column!r} tells the scores of an item apart. For judges or runs, whose mean is taken, give "
        f"{named_as(run=column)}; for datasets, {named_as(dataset=column)}."
    )


def _runs_as_items(column: str) -> str:
    return (
        f"Each {column!r} is taken as an item, so scores with the same {column} are a pair. If they have nothing else "
        f"in common, use an unpaired test: {Verb('test')} with {Option('method', 'welch_t')}. Scores of single items "
        "would show more."
    )


def _perhaps_runs(systems: tuple[str, ...], column: str) -> str:
    return (
        f"{column!r} and the other columns are taken as systems, and look like runs of {listing(systems, 4)}. If they "
        "are, give the columns item, system, run and score."
    )


def _not_annotators(columns: tuple[str, ...]) -> str:
    are = "is not taken as an annotator" if len(columns) == 1 else "are not taken as annotators"
    because = "because of its name" if len(columns) == 1 else "because of their names"
    return f"{listing(map(repr, columns))} {are} {because}. To change that, name them: {named_as(annotator='A,B')}."


def _not_like_gold(columns: tuple[str, ...], taken: tuple[str, ...]) -> str:
    what = (
        "is not taken as a system: its cells are" if len(columns) == 1 else "are not taken as systems: their cells are"
    )
    every = named_as(output=",".join((*taken, *columns)))
    return f"{listing(map(repr, columns))} {what} not like gold. To take all: {every}."


def _alike(examples: tuple[tuple[str, ...], ...], count: int, *, quoted: bool) -> str:
    """Give the first of several groups of labels: "'a' and 'A', 'b' and 'B', ..."."""
    shown = [" and ".join(repr(name) if quoted else name for name in group) for group in examples]
    return ", ".join(shown) + (f", ... ({count:,} in all)" if count > len(shown) else "")


READ: Sayings = {
    "three_columns": lambda **columns: (
        "The three columns are taken as three annotators. If they are item, annotator and label, say "
        f"{named_as(**{role: columns[role] for role in ('item', 'annotator', 'label')})}."
    ),
    # Columns of scores.
    "item": lambda column, why: f"{column!r} is taken as the item: {_ITEM_BECAUSE[why]}.",
    "runs_as_items": _runs_as_items,
    "perhaps_runs": _perhaps_runs,
    "perhaps_turned": "The rows ({items}, ...) are taken as items and the columns ({systems}, ...) as systems. If it "
    "is the other way round, turn the table, with pandas: read_csv(FILE, index_col=0).T.to_csv(NEW).",
    "nameless_item": "The index has no name, and is taken as the item.",
    "row_names": "The header has one name less than the rows have fields: the first field is taken as a row name.",
    "metrics_of_one_system": "The score columns are read as metrics of one system: {columns}.",
    "systems_and_metrics": "Score columns are read as system and metric: {column!r} is {metric} of {system}.",
    "system_renamed": "System {system!r} is called {name!r} here.",
    "gold_as_system": "{column!r} is taken as a system: there is one other, and two are compared.",
    "no_system": _no_system,
    "items_within": "{item!r} restarts in every {cluster!r}, so both together name an item.",
    "is_size": "its name and its whole numbers are those of a size, an id or a date",
    "is_measured": "its name is that of a measurement beside the scores",
    "beside": "its name says that it was measured beside {of!r}",
    "computed": "it is the {of} of other columns",
    "counts_rows": "it counts the rows",
    "only_goes_up": "its whole numbers only go up, as ids and dates do",
    "other_scale": "its numbers go up to {highest}, those of the others to {usual}",
    "columns_unused": _columns_unused,
    "perhaps_groups": _perhaps_groups,
    "tells_apart": _tells_apart,
    "lower_is_better": _lower_is_better,
    "summary_left_out": "{name!r} is left out: its name and numbers say that it sums up the rows above. To keep it as "
    "an item, rename it.",
    "last_row": "The last row is left out: its numbers are the {how}s of the rows above.",
    "perhaps_summary": "{name!r} is taken as an item, because its numbers are neither the mean nor the sum of the rows "
    "above. If it sums them up, delete it.",
    "reduced": _reduced,
    "not_reduced": _not_reduced,
    # Clusters.
    "clusters_all_different": "{column!r} differs for every item, so it is not used as cluster.",
    "clusters_of_some_files": "Clusters are not used: not all files have them.",
    # Files.
    "plain_quotes": "Quotation marks in the file are taken as plain characters.",
    "inner_keys": "The inner keys ({inner!r}, ...) are taken as items, the outer ones ({outer!r}, ...) as columns. If "
    'it is the other way round, write a list of objects: [{{"item": "{outer}", "{inner}": ...}}, ...].',
    # Outputs and gold.
    "output_column": "The output of {system} is the column {column!r} of {file}.",
    "gold_column": "Gold is the column {columns!r} of {file}.",
    "not_like_gold": _not_like_gold,
    # Ratings.
    "not_annotators": _not_annotators,
    "totals_left_out": "The last row and the last column are sums of the others and were left out.",
    "truth_values": "Truth values stand among numbers: true is taken as 1, false as 0.",
    "mixed_labels": "Labels mix numbers or truth values with words: all are taken as names, without an order.",
    "numbers_and_text": "Ratings come partly as numbers and partly as text: all are taken as numbers.",
    "gap_word": lambda word: (
        f"{word!r} is taken as a label like any other. If it means a missing rating, say so: {Option('missing', word)}."
    ),
    "spellings_joined": lambda numbers, examples: (
        f"Numbers written in different ways are one label: {_alike(examples, numbers, quoted=False)}."
    ),
    "spellings_apart": lambda numbers, examples: (
        f"Among words, numbers written in different ways stay apart: {_alike(examples, numbers, quoted=True)}."
    ),
    "cases_apart": lambda labels, examples: (
        f"Labels that differ only in upper and lower case stay apart: {_alike(examples, labels, quoted=True)}."
    ),
}
