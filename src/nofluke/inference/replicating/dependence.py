"""How datasets may depend on each other: which method is valid then, why the others are not, and shared items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

import numpy as np

from nofluke.errors import InputError, listing, unknown
from nofluke.inference.wording import chance
from nofluke.types.base import counted

METHOD_UNDER = {"unknown": "bonferroni", "positive": "simes", "independent": "fisher"}
LABELS = {"bonferroni": "Bonferroni", "simes": "Simes", "fisher": "Fisher", "count": "counting p-values"}
ASSUMED = {
    "unknown": "whatever the datasets have to do with each other",
    "positive": "if the datasets' test statistics are independent or rise and fall together",
    "independent": "if the datasets are independent",
}


def check_dependence(dependence: str) -> None:
    """Refuse a kind of dependence that is not known."""
    if dependence not in METHOD_UNDER:
        raise unknown("kind of dependence", str(dependence), METHOD_UNDER)


def reasons(dependence: str, size: int, level: float) -> dict[str, str]:
    """Say of every count other than the answer why it is not the answer."""
    found = {"count": f"it tests each dataset by itself at {level:g}: {false_claims(size, level)}"}
    if dependence == "unknown":
        found["fisher"] = "valid only for independent datasets"
        found["simes"] = "valid only for datasets that are independent or rise and fall together"
    elif dependence == "positive":
        found["bonferroni"] = "valid too, and assumes nothing; the stated dependence allows Simes"
        found["fisher"] = "valid only for independent datasets"
    else:
        found["bonferroni"] = "valid too, and assumes nothing; independence allows Fisher"
        found["simes"] = "valid too; one method is chosen before looking, not the larger of two counts"
    return found


def false_claims(size: int, level: float) -> str:
    """Explain the multiplicity problem with the user's own number of datasets."""
    if size == 1:
        return f"with one dataset the chance of a false claim is {chance(level)}"
    most = chance(size * level) if size * level < 1 else "certainty"
    independent = float(-np.expm1(size * np.log1p(-level)))
    return (
        f"with {size:,} datasets and no difference anywhere, the chance of at least one false claim lies between "
        f"{chance(level)} and {most} ({chance(independent)} if the datasets are independent)"
    )


def shared_items(ids: Mapping[str, Collection[str]]) -> str:
    """Say which datasets share items, by ids that are not bare row numbers; empty where none do."""
    homes = _homes({name: labels for name, labels in ids.items() if not _are_row_numbers(labels)})
    if not homes:
        return ""
    names = dict.fromkeys(name for where in homes.values() for name in where)
    example = next(iter(homes))
    return (
        f"{counted(len(homes), 'item')} {'occurs' if len(homes) == 1 else 'occur'} in more than one dataset "
        f"(for example {example!r}; datasets {listing(names, 6)})"
    )


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


def refuse_independence(dependence: str, shared: str, *, by_ids: bool = False) -> None:
    """Refuse the assumption of independence where the data contradict it."""
    if dependence == "independent" and shared:
        raise InputError(
            f"the datasets cannot be taken as independent: {shared}.",
            fix="leave the dependence unknown (the default)"
            + ("; if equal ids stand for different items, put the dataset's name in front of them." if by_ids else "."),
        )


def _are_row_numbers(ids: Collection[str]) -> bool:
    """Whether ids only number the rows: whole numbers from 0 or 1 with at most every tenth left out."""
    if not all(one.isdecimal() for one in ids):
        return False
    numbers = {int(one) for one in ids}
    return min(numbers, default=0) <= 1 and max(numbers, default=0) <= 1.1 * len(numbers) + 1
