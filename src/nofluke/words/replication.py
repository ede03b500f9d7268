"""What a Replication says: on how many datasets a system is better, on which, and by which test."""

from __future__ import annotations

import math
from statistics import median

from nofluke.errors import Option, listing
from nofluke.inference.replication.analysis import LIST_OF
from nofluke.types import Answer, Replication, Table, TestResult
from nofluke.types.base import counted
from nofluke.words.columns import table_lines, wide
from nofluke.words.fixes import DETAILS
from nofluke.words.layout import INDENT, WIDTH, first_that_fits
from nofluke.words.notes import matters
from nofluke.words.numbers import figure, is_bound, level_text, p_digits, signed
from nofluke.words.ranking import MEANINGS

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

MOST_ROWS = 6
_ORDER = {"contradicts": 0, "unclear": 2, "not shown": 2}  # all others, which are decided, stand between
LISTS = {"holm": "Holm", "hommel": "Hommel", "fisher": "closed Fisher"}


def of_owner(method: str) -> str:
    """Name a combination by whose it is.

    >>> of_owner("simes"), of_owner("fisher")
    ("Simes'", "Fisher's")
    """
    label = LABELS[method]
    return f"{label}'" if label.endswith("s") else f"{label}'s"


def answer(result: Replication) -> Answer:
    """The verdict, the datasets with their verdicts, their names, and which test the count comes from."""
    notes = _notes(result)
    # Notes beyond the first go first, then rows down to a few, then the last note.
    sizes = [(MOST_ROWS, kept) for kept in range(len(notes), 0, -1)]
    sizes += [(rows, min(len(notes), 1)) for rows in range(MOST_ROWS, _FEWEST_ROWS - 1, -1)]
    return first_that_fits(_with_rows(result, rows, notes[:kept]) for rows, kept in (*sizes, (_FEWEST_ROWS, 0)))


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
        f"No count can be claimed, because the p-values are not one-sided: {result.winner} scores worse than "
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


def claims_of(result: Replication) -> list[tuple[str, Replication]]:
    """The claims that were judged, each with the system it is about."""
    a, b = result.systems
    return [(result.winner, result)] if result.opposite is None else [(a, result), (b, result.opposite)]


def first_named(result: Replication) -> str:
    """The system that the headline names first: the one that is shown to be better somewhere, if only one is."""
    (first, ahead), *others = claims_of(result)
    return others[0][0] if others and not ahead.count and others[0][1].count else first


def rows_shown(result: Replication, most: int) -> int:
    """All datasets where they fit, else one less, for the line that counts the others."""
    return len(result.datasets) if len(result.datasets) <= most else most - 1


def datasets_table(result: Replication, most: int) -> Table:
    """The datasets, decided ones first: scores and difference of the headline's first system, verdict, corrected p."""
    room = WIDTH - len(INDENT)
    # Long names of systems leave no room for all columns: first the items go, then the scores.
    for sizes, scores in ((True, True), (False, True), (True, False)):
        made = _datasets(result, most, with_sizes=sizes, with_scores=scores)
        if max(map(wide, table_lines(made, room))) <= room:
            break
    return made


def _datasets(result: Replication, most: int, *, with_sizes: bool, with_scores: bool) -> Table:
    first = first_named(result)
    a, b = result.systems if first == result.systems[0] else result.systems[::-1]
    scale = scale_of(result)
    scored = any(not math.isnan(value) for value in result.estimates)
    # Contradicted p-values are shown as they were given; those that hold for a claim are not known.
    given = bool(result.contradicted) or (not scored and result.opposite is None)
    both, corrected = scored and with_scores, not result.contradicted
    sized = bool(result.sizes) and with_sizes
    columns = ["dataset", *(["items"] if sized else []), *([a, b] if both else [])]
    columns += [*(["difference"] if scored else []), "verdict"]
    columns += [*(["p"] if given else []), *([f"p ({LISTS[LIST_OF[result.method]]})"] if corrected else [])]
    verdicts = [_verdict(result, first, place) for place in range(len(result.datasets))]
    # What contradicts the claim most comes first, then what is decided, each in the order of the datasets.
    order = sorted(
        range(len(verdicts)),
        key=lambda place: (
            _ORDER.get(verdicts[place], 1),
            result.p_values[place] if verdicts[place] == "contradicts" else 0.0,
        ),
    )
    rows = []
    for place in order[: rows_shown(result, most)]:
        cells = [result.datasets[place], *([f"{result.sizes[place]:,}"] if sized else [])]
        if both:
            pair = result.scores[place] if first == result.systems[0] else result.scores[place][::-1]
            cells += [figure(float(score), scale) for score in pair]
        if scored:
            gain = float(result.estimates[place]) * (1 if first == result.systems[0] else -1)
            cells.append(signed(gain, scale))
        cells += [verdicts[place], *([p_digits(float(result.p_values[place]), result.level)] if given else [])]
        rows.append((*cells, *([corrected_p(result, place)] if corrected else [])))
    left = [verdicts[place] for place in order[rows_shown(result, most) :]]
    none = ", none of them shown to be better"
    alike = none if set(left) == {"not shown"} else f", all {left[0]}" if len(set(left)) == 1 else ""
    more = f"{len(left):,} more{alike}: {DETAILS}." if left else ""
    lower = "" if result.higher_is_better or not scored else " A positive difference is better (lower scores are)."
    figures = tuple(column for column in columns[1:] if column != "verdict")
    return Table(tuple(columns), tuple(rows), caption=f"{more}{lower}".strip(), figures=figures)


def error_of(test: TestResult) -> float:
    """About the standard error of a difference, by its interval; 0 where none is known."""
    if test.interval is None:
        return 0.0
    low, high = test.interval.low, test.interval.high
    # The open end of a one-sided interval may be the largest value there is, which says nothing of the error.
    ends = {"greater": [low], "less": [high]}.get(test.alternative, [low, high])
    halves = [abs(end - test.estimate) / 2 for end in ends]
    return median([half for half in halves if math.isfinite(half) and half > 0] or [0.0])


def scale_of(result: Replication) -> float:
    """A typical standard error of a difference, by which scores are rounded; as printed where none is known."""
    known = [error for error in map(error_of, result.tests) if error]
    if known:
        return median(known)
    shown = [f"{score:.4g}".partition(".")[2] for score in result.scores.ravel() if math.isfinite(score)]
    return 10.0 ** (1 - max([len(decimals) for decimals in shown if "e" not in decimals], default=3))


def _verdict(result: Replication, first: str, place: int) -> str:
    name = result.datasets[place]
    if result.contradicted:
        return "contradicts" if name in result.contradicted else "better" if name in result.turned else "not shown"
    for winner, claim in claims_of(result):
        if name in claim.identified:
            return "better" if winner == first else "worse"
    return "unclear" if result.opposite is not None else "not shown"


def corrected_p(result: Replication, place: int) -> str:
    """The corrected p-value of a dataset; of two directions the smaller one, doubled, so that alpha decides.

    One that rests on a test's bound is itself no more than a bound.
    """
    own, claims = LIST_OF[result.method], [claim for _, claim in claims_of(result)]
    value, claim = min(((float(claim.adjusted[own][place]), claim) for claim in claims), key=lambda one: one[0])
    p = p_digits(value, result.level) if len(claims) == 1 else p_digits(min(1.0, 2 * value), result.alpha)
    return f"<= {p}" if claim.tests and is_bound(claim.tests[place]) and p[0] != "<" else p
