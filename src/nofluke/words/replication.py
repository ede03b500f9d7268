"""What a Replication says: on how many datasets a system is better, on which, and by which test."""

from __future__ import annotations

from nofluke.errors import Option, listing
from nofluke.inference.replication.analysis import LIST_OF
from nofluke.types import Answer, Replication
from nofluke.types.base import counted
from nofluke.words.layout import as_lines
from nofluke.words.notes import matters
from nofluke.words.numbers import level_text
from nofluke.words.ranking import MEANINGS
from nofluke.words.replication_tables import LISTS, MOST_ROWS, claims_of, datasets_table, first_named, rows_shown

_MOST_LINES = 15
_FEWEST_ROWS = 4
_MOST_NOTES = 3
_MOST_NAMES, _FEW_NAMES = 10, 3
SHOWN = 30
LABELS = {"bonferroni": "Bonferroni", "simes": "Simes", "fisher": "Fisher", "count": "counting p-values"}
VALID = {
    "unknown": "valid under any dependence",
    "positive": "valid for independent or positively dependent datasets",
    "independent": "valid for independent datasets",
}
# Notes that the answer tells in another place, and those on single datasets or on how scores were made: for details.
_TOLD = ("p_values.source", "p_values.printed_zeros", "p_values.bounds", "replicate.contradicted")


def answer(result: Replication) -> Answer:
    """The verdict, the datasets with their verdicts, their names, and which test the count comes from."""
    notes = _notes(result)
    # Notes beyond the first go first, then rows down to a few, then the last note.
    sizes = [(MOST_ROWS, kept) for kept in range(len(notes), 0, -1)]
    sizes += [(rows, min(len(notes), 1)) for rows in range(MOST_ROWS, _FEWEST_ROWS - 1, -1)]
    for rows, kept in (*sizes, (_FEWEST_ROWS, 0)):
        made = _with_rows(result, rows, notes[:kept])
        if len(as_lines(made)) <= _MOST_LINES:
            break
    return made


def _with_rows(result: Replication, most: int, notes: tuple[str, ...]) -> Answer:
    points = (
        ("Better", _named(result, "Better", most)),
        ("Worse", _named(result, "Worse", most)),
        ("Subset", " ".join(subset_sentences(result))),
        ("FDR", " ".join(fdr_sentences(result))),
        ("At least" if _any_count(result) else "Claim", _count(result)),
        ("Test", _test(result)),
        ("Meaning", meaning(result)),
    )
    return Answer(
        verdict=headline(result),
        table=datasets_table(result, most),
        points=tuple(point for point in points if point[1]),
        notes=notes,
        tone=tone(result),
    )


def headline(result: Replication) -> str:
    """Say the answer in one sentence, or first of all why it must not be given."""
    if result.opposite is not None:
        return _both_directions(result, result.opposite)
    if result.contradicted:
        return f"{_contradiction(result)} {turned(result)}".strip()
    return f"{_claimed(result)} ({level_text(1 - result.level)} confidence)."


def _contradiction(result: Replication) -> str:
    """Why nothing can be claimed: p-values for one claim are not below 0.5 where the scores speak against it."""
    p_values = dict(zip(result.datasets, result.p_values.tolist(), strict=True))
    where = names(tuple(sorted(result.contradicted, key=p_values.__getitem__)), _FEW_NAMES)
    return (
        f"No count can be claimed, for the p-values are not one-sided: {result.winner} scores worse than "
        f"{result.loser} on {where}, yet p is below 0.5 there."
    )


def _both_directions(result: Replication, other: Replication) -> str:
    (first, ahead), (second, behind) = claims_of(result)
    sure, size = f"({level_text(1 - result.alpha)} confidence)", len(result.datasets)
    if not result.count and not other.count:
        return (
            f"No dataset shows a clear difference between {first} and {second} ({counted(size, 'dataset')}, {sure[1:]}."
        )
    if not ahead.count:
        (first, ahead), (second, behind) = (second, behind), (first, ahead)
    worse = f"and worse on at least {behind.count:,}" if behind.count else "and shown to be worse on none"
    return f"{first} is better than {second} on {at_least(ahead.count, size)} {worse} {sure}."


def _claimed(result: Replication) -> str:
    """The claim with its number."""
    size = len(result.datasets)
    if not result.count:
        where = "on the one dataset" if size == 1 else f"on any of {size:,} datasets"
        return f"{result.winner} is not shown to be better than {result.loser} {where}"
    return f"{result.winner} is better than {result.loser} on {at_least(result.count, size)}"


def at_least(count: int, size: int) -> str:
    """Give "at least 3 of 10 datasets", or "all 10 datasets"."""
    if count == size:
        return {1: "the one dataset", 2: "both datasets"}.get(size, f"all {size:,} datasets")
    return f"at least {count:,} of {size:,} datasets"


def tone(result: Replication) -> str:
    """Whether the first system is shown to be better anywhere, or only the second, or none."""
    if result.contradicted:
        return "open"
    if result.count:
        return "settled"
    return "worse" if result.opposite is not None and result.opposite.count else "open"


def names(datasets: tuple[str, ...], most: int = SHOWN) -> str:
    """List datasets; none is said, not left blank."""
    return listing(datasets, most) if datasets else "none"


def turned(result: Replication) -> str:
    """What comes out when the p-values are read as two-sided, with the direction of the scores."""
    if result.turned_count is None:
        return ""
    size = len(result.datasets)
    found = f"better on {at_least(result.turned_count, size)}" if result.turned_count else "not shown to be better"
    sure = level_text(1 - result.level)
    return f"Read as two-sided ({Option('sided', 'two')}): {result.winner} is {found} ({sure} confidence)."


def _named(result: Replication, label: str, most: int) -> str:
    """The datasets that may be named, where the table has no room for all of them; how many cannot be named."""
    if result.contradicted:
        return ""
    first, claims = first_named(result), claims_of(result)
    claim = next((claim for winner, claim in claims if (winner == first) == (label == "Better")), None)
    if claim is None or not claim.count:
        return ""
    hidden = claim.count - len(claim.identified)
    by = LISTS[LIST_OF[claim.method]]
    if not claim.identified:
        return f"No dataset can be named ({by}); the number stands all the same."
    more = f" {hidden:,} of the {claim.count:,} cannot be named." if hidden > 0 else ""
    told = len({name for _, one in claims for name in one.identified}) <= rows_shown(result, most)
    return more.strip() if told else f"{names(claim.identified, _MOST_NAMES)} ({by}).{more}"


def subset_sentences(result: Replication) -> list[str]:
    """Say how many of the datasets the user picked are true at least."""
    claims = () if result.contradicted else claims_of(result)
    return [_subset(claim) for _, claim in claims if claim.subset_count is not None]


def _subset(claim: Replication) -> str:
    count, size, winner = claim.subset_count or 0, len(claim.subset), claim.winner
    if size == 1:
        found = f"{winner} is better" if count else f"{winner} is not shown to be better"
        return f"On {names(claim.subset)}: {found}."
    found = f"{winner} is better on at least {count:,}" if count else f"{winner} is not shown to be better on any"
    return f"Among {names(claim.subset)}: {found} of these {size:,}."


def fdr_sentences(result: Replication) -> list[str]:
    """Give the lists that allow a share of false claims, where they were asked for."""
    if not result.fdr or result.contradicted:
        return []
    return [
        f"If {level_text(claim.level)} of the named datasets may be wrong on average, {winner} is better on "
        f"{_discoveries(claim)}."
        for winner, claim in claims_of(result)
    ]


def _discoveries(claim: Replication) -> str:
    positive, always = (names(claim.identified_by[name]) for name in ("bh", "by"))
    if positive == always:
        return f"{always} (Benjamini-Yekutieli, any dependence)"
    needs = "Benjamini-Hochberg, independent or positively dependent datasets"
    return f"{positive} ({needs}), or on {always} (Benjamini-Yekutieli, any dependence)"


def _any_count(result: Replication) -> bool:
    """Whether the headline has a number: that of the two-sided reading where the p-values are no others."""
    if result.contradicted:
        return bool(result.turned_count)
    return any(claim.count for _, claim in claims_of(result))


def _count(result: Replication) -> str:
    method, valid = LABELS[result.method], VALID[result.dependence]
    if not _any_count(result):
        return f"No dataset can be claimed ({method}; {valid})."
    return f"{'Lower bounds' if result.opposite is not None else 'A lower bound'} by {method}, {valid}."


def _test(result: Replication) -> str:
    if not result.tests:
        return ""
    used = " or ".join(dict.fromkeys(test.label for test in result.tests))
    sides = "two-sided" if result.opposite is not None else "one-sided"
    return f"{used[:1].upper()}{used[1:]} on each dataset, {sides}."


def meaning(result: Replication) -> str:
    """What better means, where a test is not about the mean."""
    about = dict.fromkeys(test.about for test in result.tests if test.about in MEANINGS)
    return " ".join(MEANINGS[name].format(units="items") for name in about)


def _notes(result: Replication) -> tuple[str, ...]:
    # Whether items are shared changes nothing where no assumption was made.
    told = (*_TOLD, "replicate.on_datasets", *(("replicate.same_numbers",) if result.dependence == "unknown" else ()))
    told += ("align.runs",) if any(note.code == "align.folds" for note in result.notes) else ()
    left = [note for note in result.notes if note.code not in told and matters(note)]
    return tuple(str(note) for note in left)[:_MOST_NOTES]
