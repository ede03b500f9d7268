"""Which column of a table holds the labels: of outputs the predictions, of gold the gold labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nofluke.errors import InputError, did_you_mean, listing

_ID_NAMES = ("index", "id", "item", "item_id", "idx", "guid")
_PREDICTED = ("prediction", "predicted", "pred", "output", "hypothesis")
_GOLD = ("gold", "gold_label", "target", "reference", "truth", "human", "y_true")
# A bare "label" may be either, so it comes after the names that say which.
_EITHER = ("label",)
_LOOKED_FOR = {"output": (_PREDICTED, _EITHER), "gold": (_GOLD, _EITHER)}


@dataclass(frozen=True, slots=True)
class Columns:
    """The places of the labels and of the ids, whether the first line is a header, and what it names."""

    label: int
    identity: int | None
    headed: bool
    names: tuple[str, ...]

    @property
    def chosen_among_several(self) -> bool:
        """Whether another column could have been meant."""
        return self.headed and len(self.names) - (self.identity is not None) > 1


def columns_of(first: Sequence[str], column: str | None, role: str, where: str) -> Columns:
    """Find the columns by the first line; `role` is output or gold. What is not clear is refused."""
    names = tuple(name.strip() for name in first)
    folded = [name.casefold() for name in names]
    identity = next((folded.index(name) for name in _ID_NAMES if name in folded), None)
    if column is None:
        return _found(names, folded, identity, role, where)
    if column.casefold() in folded:
        return Columns(folded.index(column.casefold()), identity, True, names)
    if column.isdigit() and 1 <= int(column) <= len(names):
        headed = identity is not None or any(name in folded for name in (*_PREDICTED, *_GOLD, *_EITHER))
        return Columns(int(column) - 1, identity, headed, names)
    raise InputError(
        f"there is no column {column!r}; the first line has {listing(names)}.",
        where=where,
        fix=f"{did_you_mean(column, names)}give the name of a column, or its number from 1.",
    )


def _found(names: tuple[str, ...], folded: list[str], identity: int | None, role: str, where: str) -> Columns:
    for looked_for in _LOOKED_FOR[role]:
        known = [folded.index(name) for name in looked_for if name in folded]
        if len(known) == 1:
            return Columns(known[0], identity, True, names)
        if known:
            break
    else:
        others = [index for index in range(len(names)) if index != identity]
        # A lone column is no choice: what it is called does not matter.
        if len(others) == 1:
            headed = identity is not None or folded[others[0]] in (*_PREDICTED, *_GOLD, *_EITHER)
            return Columns(others[0], identity, headed, names)
    named = "call the system like its column (NAME=FILE), or name it (column=...)" if role == "output" else ""
    raise InputError(
        f"which column holds the {'predictions' if role == 'output' else 'gold labels'}? The first line has "
        f"{listing(names)}.",
        where=where,
        fix=f"{named or 'name the column (gold_column=...)'}.",
    )
