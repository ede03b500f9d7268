"""Counts in place of scores: correct beside total, true and false positives; they are scored by a formula of sums."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nofluke.errors import By, Fix, listing, named_as
from nofluke.readers.aliases import normal, says_only_score
from nofluke.readers.candidates import are_sizes, first_numbers
from nofluke.readers.roles import Search
from nofluke.readers.table import Table

_TOTAL = re.compile(r"n|total|all|possible|attempted|(?:n|num|total|max)_\w+|\w+_total")
# Counts of right and wrong answers, alone, behind the name of a system, or before it.
_KIND = "tp|fp|fn|tn"
_CONFUSION = re.compile(rf"(?:(.+)_)?({_KIND})|({_KIND})_(.+)", re.IGNORECASE)


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


def _by_formula(formula: str) -> By:
    page = f'"{formula}" under "counts of each item and a formula"'
    return By(f"nf.from_statistics(FILE, {formula!r})", f'--formula "{formula}"', page, f"data.formula={formula!r}")
