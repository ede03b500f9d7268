"""One set of roles for every table: what the user says wins, then the names of columns, then what they hold.

Each question (scores, outputs with gold, statistics, ratings, p-values) is a function that searches a table for the
roles it needs; it gives Roles, or one error that says which column to name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from nofluke.errors import Fix, InputError, Option, Part, did_you_mean, listing, named_as, unknown
from nofluke.readers.aliases import ITEM, SEVERAL, is_other_id, is_row_index, is_stored_index, matches, normal
from nofluke.readers.columns import ValueColumn
from nofluke.readers.table import Table, Tally
from nofluke.types import Note, Source, note


@dataclass(frozen=True, slots=True)
class Roles:
    """The columns of each role, the roles that the user named, and what there is to tell."""

    columns: Mapping[str, tuple[str, ...]]
    asked: frozenset[str] = frozenset()
    notes: tuple[Note, ...] = ()

    def all(self, role: str) -> tuple[str, ...]:
        """The columns of a role."""
        return self.columns.get(role, ())

    def one(self, role: str) -> str | None:
        """The column of a role that has one at most."""
        return next(iter(self.all(role)), None)

    def columns_of(self, *roles: str) -> dict[str, str]:
        """These roles as they are shown to the user."""
        return {role: listing(self.all(role)) for role in roles if self.all(role)}

    def source(self, table: Table, *roles: str) -> Source:
        """What was read, and which columns were taken for these roles."""
        return Source(table.name, table.format, table.rows, self.columns_of(*roles), (*table.notes, *self.notes))


class Search:
    """The search for the roles of one table: what is settled, what is still free, what to tell."""

    def __init__(self, table: Table, asked: Mapping[str, Any], but: Collection[str] = ()) -> None:
        """Settle what the user asks for; the columns `but` are not looked at."""
        # What has neither a name nor a cell is what a delimiter at the end of every line leaves behind.
        blank = [name for name in table.unnamed if table.headed and not table.columns[name].tally().filled]
        self.table, self.but, self.notes = table, frozenset((*but, *blank)), list[Note]()
        self.found = {role: columns_asked(table, role, wanted) for role, wanted in asked.items() if wanted is not None}
        self.asked = frozenset(self.found)
        self.tallies: dict[str, Tally] = {}
        self.passed_over: list[str] = []  # ids that repeat, where another column names every row
        users: dict[str, str] = {}
        for role, name in ((role, name) for role, names in self.found.items() for name in names):
            # A document may group items and be a part of their ids.
            if name in users and not ({users[name], role} == {"item", "cluster"} and self._parts_of_ids()):
                raise table.error(
                    f"column {name!r} is named as {users[name]} and as {role}."
                    if users[name] != role
                    else f"column {name!r} is named twice.",
                    fix="give every role its own column.",
                )
            users[name] = role

    @property
    def free(self) -> list[str]:
        """The columns that have no role yet."""
        taken = self.but.union(*self.found.values())
        return [name for name in self.table.columns if name not in taken]

    def has(self, role: str) -> bool:
        """Whether a role has a column."""
        return bool(self.found.get(role))

    def tally(self, name: str) -> Tally:
        """Count the cells of a column, once."""
        if name not in self.tallies:
            self.tallies[name] = self.table.columns[name].tally()
        return self.tallies[name]

    def is_numeric(self, name: str) -> bool:
        """Whether a column holds numbers, but for mistakes."""
        return self.tally(name).is_numeric

    def settle(
        self, role: str, fits: Callable[[str], bool] = lambda _: True, take: Literal["only", "all"] = "only"
    ) -> None:
        """Give a role the free columns that are named like it and fit: the only one (several are refused), or all."""
        if role in self.found:
            return
        named = [
            name
            for name in matches(role, [*self.free, *(self._parts_of_ids() if role == "cluster" else ())])
            if fits(name) and (role in ("gold", "output") or self.holds_labels(name))
        ]
        if len(named) > 1 and role == "cluster":
            # What differs in every row groups nothing.
            named = [name for name in named if not self.table.differ([name])] or named
        if len(named) > 1 and role == "label":
            # What is the same in all rows is the label that was asked for, beside the answers.
            named = [name for name in named if len(self.table.columns[name].labels().labels) > 1] or named
        if len(named) > 1 and take == "only":
            raise self.ambiguous(role, named)
        if named:
            self.found[role] = named

    def settle_item(
        self, groups: Sequence[Collection[str]] = ITEM, fits: Callable[[str], bool] = lambda _: True
    ) -> None:
        """Find the column of ids, after the roles that tell rows of one item apart.

        Earlier groups of names win over later ones, but a column that repeats never over the only one that does not;
        two that are alike are refused. A column passed over because it repeats may group items: that is told.
        """
        if "item" in self.found:
            return
        able = [name for name in self.free if fits(name) and self.holds_labels(name)]
        ranked = [[name for name in able if normal(name) in group] for group in groups]
        named = [name for group in ranked for name in group]
        best = next(filter(None, ranked), [])
        if len(named) > 1:
            apart = [name for name in best if self._tells_rows_apart(name)]
            apart = apart or [name for name in named if name not in best and self._tells_rows_apart(name)]
            if len(apart) == 1:
                repeats = [name for name in best if name not in apart]
                best, self.passed_over = apart, repeats
            elif len(best) > 1:
                raise self._no_single_id(best) if not apart else self.ambiguous("item", best)
        if not best:
            # Of ids of other things what comes once for every system or annotator is sure to be the item: one of
            # them, or several that name the same rows.
            others = [name for name in able if is_other_id(name)] if self.those("system", "annotator") else []
            apart = [name for name in others if self._tells_rows_apart(name)]
            best = (
                apart[:1]
                if len({tuple(self.table.columns[name].labels().codes.tolist()) for name in apart}) == 1
                else []
            )
        if best:
            self.found["item"] = best
        elif self.table.headed:
            self._take_nameless()

    def holds_labels(self, name: str) -> bool:
        """Whether a column holds no objects and lists, as in logs: these can be outputs and gold at most."""
        column = self.table.columns[name]
        if isinstance(column, ValueColumn):
            return not any(isinstance(value, dict | list) for value in column.values)
        kind = str(getattr(column, "kind", ""))  # as Parquet declares it
        return not kind.startswith(("STRUCT", "MAP")) and not kind.endswith("[]")

    def _tells_rows_apart(self, name: str) -> bool:
        """Whether an id names every row beside its dataset, run, system and annotator; a number of rows does not."""
        if self.tally(name).filled < self.table.rows:
            return False
        owners = self.those("system", "annotator")
        if any(len(self.table.columns[one].labels().labels) > 1 for one in owners) and self.table.differ([name]):
            return False
        return self.table.differ([*owners, *self.those("dataset", "run"), name])

    def those(self, *roles: str) -> list[str]:
        """The columns of these roles that are settled so far."""
        return [name for role in roles for name in self.found.get(role, ())]

    def _parts_of_ids(self) -> list[str]:
        """The columns that name items only together: a document among them still groups its items."""
        return self.found["item"] if len(self.found.get("item", ())) > 1 else []

    def _no_single_id(self, names: Sequence[str]) -> InputError:
        """The error of ids that repeat; where they name every row together, naming one of them would not help."""
        if not self.table.differ([*self.those("system", "annotator", "dataset", "run"), *names]):
            return self.ambiguous("item", names)
        return self.table.error(
            f"{len(names)} columns could be the item, and only together they name every row: "
            f"{listing(map(repr, names))}.",
            fix=Fix("name them together: ", named_as(item=",".join(names)), "."),
        )

    def note_groups(self, column: str | None = None) -> None:
        """Tell of a column that repeats, and that may be the clusters where no other is."""
        column = next(iter(self.passed_over), column)
        if column is not None and not self.has("cluster"):
            self.notes.append(note("read.perhaps_groups", column=column))

    def _take_nameless(self) -> None:
        """Take a first column without a name as the item, or the index that pandas stores."""
        first, *others = self.table.columns
        # Parquet has the index of pandas last.
        able = [first] if first in self.table.unnamed or is_row_index(first) else filter(is_stored_index, others)
        index = next((name for name in able if name in self.free), None)
        if index is not None:
            self.found["item"] = [index]
            self.notes.append(note("read.nameless_item"))

    def ambiguous(self, role: str, names: Sequence[str], more: str | Fix = "") -> InputError:
        """The error of a role that several columns could have."""
        several: tuple[Part, ...] = ()
        if role in SEVERAL and role != "item":
            several = (f", or {'both' if len(names) == 2 else 'all'}: ", named_as(**{role: ",".join(names)}))
            # Scores of one system in several columns are several metrics.
            several += (" with ", Option("metric", names[0])) if role == "score" and self.has("system") else ()
        return self.table.error(
            f"{len(names)} columns could be the {role}: {listing(map(repr, names))}.",
            fix=Fix("name one: ", named_as(**{role: names[0]}), *several, more, "."),
        )

    def lacking(self, role: str, message: str) -> InputError:
        """The error of a role that must have a column, and that none is named like."""
        return self.table.error(
            message,
            fix=Fix(
                "name it: ",
                named_as(**{role: "NAME"}),
                f"; columns: {listing(map(repr, self.table.columns), 12)}.",
            ),
        )

    def roles(self) -> Roles:
        """What was found."""
        return Roles({role: tuple(names) for role, names in self.found.items()}, self.asked, tuple(self.notes))


def check_roles(columns: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """Give the columns that were named, without roles left open; a role that is none of the known is refused."""
    for role in columns:
        if role not in known:
            fix = f"{did_you_mean(str(role), known)}roles are {', '.join(known)}."
            raise InputError(f"{str(role)!r} is not a role of a column here.", fix=fix)
    return {role: wanted for role, wanted in columns.items() if wanted is not None}


def parts_of(wanted: Any, names: Collection[str]) -> list[str]:
    """Give the single names of "task,language"; a column that has this very name, comma and all, stands for itself."""
    if isinstance(wanted, str):
        return [wanted] if wanted in names else [part.strip() for part in wanted.split(",")]
    return [str(one) for one in wanted] if isinstance(wanted, Sequence) else [str(wanted)]


def columns_asked(table: Table, role: str, wanted: Any) -> list[str]:
    """Give the columns of a role that the user names; what the table does not have is refused."""
    # Where a role has one column, a comma belongs to its name.
    parts = [wanted] if isinstance(wanted, str) and role not in SEVERAL else parts_of(wanted, table.columns)
    if not parts or (len(parts) > 1 and role not in SEVERAL):
        raise table.error(f"{role} is one column, and {len(parts)} were named.", fix=f"name one {role} column.")
    found = [find_column(table, part) for part in parts]
    for part, name in zip(parts, found, strict=True):
        if name is None:
            raise unknown("column", part, list(table.columns), where=table.name)
    return [name for name in found if name is not None]


def find_column(table: Table, name: str) -> str | None:
    """Give the column that a name means: as it is written, else whatever its case, else by its number from 1."""
    if name in table.columns:
        return name
    names = list(table.columns)
    # First as it is typed but for case: workerid is WorkerId too.
    for fold in (str.casefold, normal):
        folded = [column for column in names if fold(column.strip()) == fold(name.strip())]
        if len(folded) == 1:
            return folded[0]
    return names[int(name) - 1] if name.isdecimal() and 1 <= int(name) <= len(names) else None
