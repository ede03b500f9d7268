"""How datasets may depend on each other: which method is valid then, why the others are not, and shared items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from nofluke.errors import InputError, unknown
from nofluke.types import Note, note

METHOD_UNDER = {"unknown": "bonferroni", "positive": "simes", "independent": "fisher"}


def check_dependence(dependence: str) -> None:
    """Refuse a kind of dependence that is not known."""
    if dependence not in METHOD_UNDER:
        raise unknown("kind of dependence", str(dependence), METHOD_UNDER)


def reasons(dependence: str, size: int, level: float) -> dict[str, Note]:
    """Say of every count other than the answer why it is not the answer."""
    found = {"count": note("replicate.each_alone", datasets=size, level=level)}
    if dependence == "unknown":
        found["fisher"] = note("replicate.needs_independence")
        found["simes"] = note("replicate.needs_positive_dependence")
    elif dependence == "positive":
        found["bonferroni"] = note("replicate.assumes_less", allowed=METHOD_UNDER[dependence])
        found["fisher"] = note("replicate.needs_independence")
    else:
        found["bonferroni"] = note("replicate.assumes_less", allowed=METHOD_UNDER[dependence])
        found["simes"] = note("replicate.not_chosen_before")
    return found


def shared_items(ids: Mapping[str, Collection[str]]) -> Note | None:
    """Find the datasets that share items, by ids that are not bare row numbers; None where none do."""
    homes = _homes({name: labels for name, labels in ids.items() if not _are_row_numbers(labels)})
    if not homes:
        return None
    names = dict.fromkeys(name for where in homes.values() for name in where)
    return note("replicate.shared_items", items=len(homes), example=next(iter(homes)), datasets=tuple(names))


def same_row_numbers(ids: Mapping[str, Collection[str]]) -> bool:
    """Whether datasets number their items alike, so that nobody can tell from the ids whether items are shared."""
    return bool(_homes({name: labels for name, labels in ids.items() if _are_row_numbers(labels)}))


def _homes(ids: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    """Give the datasets of every id that more than one of them has."""
    counts = Counter(one for labels in ids.values() for one in set(labels))
    twice = {one for one, count in counts.items() if count > 1}
    found: dict[str, list[str]] = {}
    if twice:
        for name, labels in ids.items():
            for one in dict.fromkeys(labels):
                if one in twice:
                    found.setdefault(one, []).append(name)
    return found


def refuse_independence(dependence: str, shared: Note | None, *, by_ids: bool = False) -> None:
    """Refuse the assumption of independence where the data contradict it."""
    if dependence == "independent" and shared is not None:
        raise InputError(
            f"the datasets cannot be taken as independent: {shared}",
            fix="leave the dependence unknown (the default)"
            + ("; if equal ids stand for different items, put the dataset's name in front of them." if by_ids else "."),
        )


def _are_row_numbers(ids: Collection[str]) -> bool:
    """Whether ids only number the rows: whole numbers from 0 or 1 with at most every tenth left out."""
    if not all(one.isdecimal() for one in ids):
        return False
    numbers = {int(one) for one in ids}
    return min(numbers, default=0) <= 1 and max(numbers, default=0) <= 1.1 * len(numbers) + 1
