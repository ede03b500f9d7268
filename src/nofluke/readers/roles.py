"""Which column is the item, the system, the score: as the user says, or by the columns' names and contents."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from nofluke.errors import InputError, listing
from nofluke.readers.aliases import is_alias, is_never_score, is_row_index, matches, may_be_item, normal
from nofluke.readers.asked import SEVERAL, columns_asked
from nofluke.readers.candidates import TAKE_ALL, counts_advice, outputs_beside_gold, scores_beside_gold, set_aside
from nofluke.readers.numbers import shown
from nofluke.readers.table import Table, Tally, Texts

# Fewer whole numbers in a row than this may well be scores.
_FEWEST_NUMBERED = 5
_FEWEST_NUMBERED_OF_TWO = 20
# Advice on columns that nothing was made of is not worth reading a large file once more.
_MOST_LOOKED_AT, _MOST_ROWS_LOOKED_AT = 50, 200_000


@dataclass(frozen=True, slots=True)
class Roles:
    """The columns of each role; without a system column the scores are one or several systems, side by side."""

    score: tuple[str, ...]
    item: str | None = None
    system: str | None = None
    dataset: tuple[str, ...] = ()
    metric: str | None = None
    run: str | None = None
    cluster: str | None = None
    asked: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Search:
    """The state of one inference: what is settled, what is still free, what to tell."""

    table: Table
    found: dict[str, list[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    tallies: dict[str, Tally] = field(default_factory=dict)

    @property
    def free(self) -> list[str]:
        taken = {name for names in self.found.values() for name in names}
        return [name for name in self.table.columns if name not in taken]

    def tally(self, name: str) -> Tally:
        if name not in self.tallies:
            self.tallies[name] = self.table.columns[name].tally()
        return self.tallies[name]

    def is_numeric(self, name: str) -> bool:
        return self.tally(name).is_numeric


def find_roles(table: Table, asked: Mapping[str, Any]) -> Roles:
    """Settle the role of every column; what the user asks for wins, what is ambiguous is refused."""
    search = _Search(table)
    for role, wanted in asked.items():
        if wanted is not None:
            search.found[role] = columns_asked(table, role, wanted)
    _refuse_double_use(table, search.found)
    named = frozenset(search.found)
    for role in ("metric", "system", "dataset", "run", "cluster", "item"):
        if role not in named:
            _find_by_name(search, role)
    if search.found.get("system"):
        _find_long(search)
    else:
        _find_wide(search)
    one = {role: names[0] for role, names in search.found.items() if names and role not in SEVERAL}
    return Roles(
        score=tuple(search.found["score"]),
        dataset=tuple(search.found.get("dataset", ())),
        asked=named,
        notes=tuple(search.notes),
        **one,
    )


def _refuse_double_use(table: Table, found: Mapping[str, list[str]]) -> None:
    users: dict[str, str] = {}
    for role, names in found.items():
        for name in names:
            if name in users:
                raise InputError(
                    f"column {name!r} is named as {users[name]} and as {role}.",
                    where=table.name,
                    fix="give every role its own column.",
                )
            users[name] = role


def _find_by_name(search: _Search, role: str) -> None:
    found = matches(role, search.free)
    if role == "cluster" and not (search.found.get("item") or matches("item", search.free)):
        found = [name for name in found if not may_be_item(name)]
    if role == "metric":
        # A column of numbers called "metric" holds scores, not names of metrics.
        found = [name for name in found if not search.is_numeric(name)]
    if role == "system":
        # Numbers name systems only in a file that also has a score column; else they are a system's scores.
        has_score = bool(search.found.get("score") or matches("score", search.free))
        found = [name for name in found if has_score or not search.is_numeric(name)]
    if len(found) > 1:
        raise _ambiguous(search.table, role, found)
    if found:
        search.found[role] = found
    elif role == "item":
        nameless = [name for name in search.free[:1] if name in search.table.unnamed or is_row_index(name)]
        if nameless and search.table.headed and next(iter(search.table.columns)) == nameless[0]:
            search.found[role] = nameless
            search.notes.append("the first column has no name and is taken as the item.")


def _ambiguous(table: Table, role: str, found: list[str], more: str = "") -> InputError:
    several = f', or {"both" if len(found) == 2 else "all"}: {role}="{",".join(found)}"' if role in SEVERAL else ""
    return InputError(
        f"{len(found)} columns could be the {role}: {listing(map(repr, found))}.",
        where=table.name,
        fix=f'name one: --columns {role}={found[0]} ({role}="{found[0]}" in Python){several}{more}.',
    )


def _find_long(search: _Search) -> None:
    table = search.table
    names = listing(map(repr, table.columns))
    if not search.found.get("item"):
        raise InputError(
            "there is a system column and no item column, so scores of two systems cannot be matched.",
            where=table.name,
            fix=f"name it: --columns item=NAME (item=NAME in Python); columns: {names}.",
        )
    if not search.found.get("score"):
        found = matches("score", search.free) or _numeric(search)
        if len(found) > 1:
            found = [name for name in found if is_alias("metric", name)] or found
            found = [name for name in found if name not in set_aside(search.table, found)] or found
        if not found:
            raise InputError(
                "there is no column of scores.",
                where=table.name,
                fix=f"name it: --columns score=NAME (score=NAME in Python); columns: {names}.",
            )
        if len(found) > 1:
            raise _ambiguous(table, "score", found, counts_advice(table, found))
        search.found["score"] = found
    _note_ignored(search)


def _find_wide(search: _Search) -> None:
    if search.found.get("score"):
        if not search.found.get("item"):
            _guess_item(search, search.found["score"])
        _note_ignored(search)
        return
    numeric = _numeric(search)
    if not search.found.get("item"):
        _guess_item(search, numeric)
    scores = [name for name in numeric if [name] != search.found.get("item")]
    gold = matches("gold", search.free)
    aside = set_aside(search.table, [name for name in scores if name not in gold])
    if len(aside) == len(scores) and not gold:
        aside = {}
    search.notes += [f"{name!r} is taken for no system: {why}. {TAKE_ALL}" for name, why in aside.items()]
    search.found["score"] = [name for name in scores if name not in aside]
    if not search.found["score"] or search.found["score"] == gold:
        raise outputs_beside_gold(search.table, gold) if gold else _no_numbers(search.table)
    if set(gold) & set(search.found["score"]):
        if len(search.found["score"]) - len(gold) != 1:
            raise scores_beside_gold(search.table, gold, search.found["score"])
        search.notes.append(f"{gold[0]!r} is taken for a system: there is one other, and two are compared.")
    _note_ignored(search, aside)


def _numeric(search: _Search) -> list[str]:
    """The free columns of numbers that can be scores; a column without a name in a header is an index."""
    nameless = search.table.unnamed if search.table.headed else frozenset()
    able = [name for name in search.free if not is_never_score(name) and name not in nameless]
    return [name for name in able if search.is_numeric(name)]


def _guess_item(search: _Search, numeric: list[str]) -> None:
    """Take the first column as the item when its cells are all different texts, or count the rows."""
    table = search.table
    first = next(iter(table.columns))
    if first not in search.free:
        return
    column = table.columns[first]
    if search.tally(first).filled != table.rows:
        return
    others = [name for name in numeric if name != first]
    if first not in numeric:
        if others and len(column.labels().labels) == table.rows:
            search.found["item"] = [first]
            search.notes.append(f"{first!r} is taken as the item: it comes first and differs in every row.")
        return
    enough = _FEWEST_NUMBERED if len(others) > 1 else _FEWEST_NUMBERED_OF_TWO
    if table.rows >= enough and (len(others) > 1 or (others and not table.headed)) and _counts_rows(table, first):
        search.found["item"] = [first]
        search.notes.append(f"{first!r} is taken as the item: it counts the rows.")


def _counts_rows(table: Table, name: str) -> bool:
    labels = table.columns[name].labels().labels
    start = int(labels[0]) if labels[0] in ("0", "1") else None
    return start is not None and labels == tuple(map(str, range(start, start + table.rows)))


def _note_ignored(search: _Search, told: Collection[str] = ()) -> None:
    unused = [name for name in search.free if name not in told]
    if unused:
        search.notes.append(f"columns not used: {listing(_described(search, name) for name in unused)}.")
    grouping = next((name for name in unused[:_MOST_LOOKED_AT] if _groups_items(search, name)), None)
    if grouping is not None and not search.found.get("cluster"):
        search.notes.append(
            f"{grouping!r} repeats: if it groups items that belong together, say --columns cluster={grouping}; if it "
            f"names datasets, --columns dataset={grouping}."
        )


def _groups_items(search: _Search, name: str) -> bool:
    """Whether a column of texts without a role has few values, each in several rows."""
    table = search.table
    if table.rows > _MOST_ROWS_LOOKED_AT or is_alias("gold", name) or normal(name) in ("split", "fold"):
        return False
    tally = search.tally(name)
    if tally.filled < table.rows or tally.is_numeric:
        return False
    column = table.columns[name]
    values = set(column.texts()) if isinstance(column, Texts) else set(column.labels().labels)
    return 1 < len(values) <= table.rows / 2


def _described(search: _Search, name: str) -> str:
    """Name a column that is not used, and say when it looks like scores with many cells that are none."""
    tally = search.tallies.get(name)
    if tally is None or not 0 < tally.numbers < tally.filled:
        return repr(name)
    return f"{name!r} ({tally.numbers:,} of its {tally.filled:,} cells are numbers)"


def _no_numbers(table: Table) -> InputError:
    names = list(table.columns)
    if len(names) == 1:
        return InputError(
            f"the only column, {shown(names[0])}, does not hold numbers.",
            where=table.name,
            fix="write one number per line, or separate columns by a comma, tab, semicolon, | or spaces; if these are "
            "outputs, score them against a gold standard: --gold FILE --metric NAME.",
        )
    return InputError(
        f"no column holds the scores of a system: {listing(map(repr, names))}.",
        where=table.name,
        fix="give numbers, one column for each system (or the columns item, system, score); labels and texts must be "
        "scored against a gold standard first (1 for right, 0 for wrong).",
    )
