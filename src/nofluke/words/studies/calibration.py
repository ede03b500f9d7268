"""What a calibration study says: how often the winner is truly better, and what such a share is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from nofluke.errors import Option
from nofluke.types import Study, Table
from nofluke.types.base import counted
from nofluke.words.numbers import hundredths

QUESTION = "How often is the winner of a test set truly better, by p-value?"
MEANINGS = {
    "comparisons": "comparisons on all test sets whose p-value is in the range and which have a better system",
    "pairs": "how many different pairs of systems these are",
    "better": "in how many of them the winner is the better system",
    "share": "the share of them in which the winner is the better system",
}
_BY_P, _NEAR, _BY_LEAD = "by p-value", "just significant", "by true lead"
# Fewer comparisons make no share.
_FEW = 30
# The ranges of p-values of which a sentence speaks: the lowest, the middle and the highest.
_TOLD = (0.0, 0.01, 0.32)
_ENDS = (0.0, 0.32)
_MOST_DATASETS = 3
_PAPER = "Berg-Kirkpatrick et al. (2012)"
# Their section 4.2: parsers on test sets drawn from one corpus.
_PAPER_NEAR, _PAPER_BETTER, _PAPER_COMPARISONS = (0.04, 0.06), 869, 942
_NOT_P = "A share is not 1 - p, and it says nothing about a single pair."
_ONE_SIDED = (
    "P is one-sided in favour of the winner, as in Berg-Kirkpatrick et al. (2012); the usual two-sided p-value is "
    "twice as large."
)
Columns = Mapping[str, tuple[Any, ...]]


def _table(study: Study, name: str) -> Columns:
    return study.tables[name]


def _is_across(study: Study) -> bool:
    """Whether the winner is looked up on other datasets."""
    return "others" in study.settings


def title(study: Study) -> str:
    """Say where the winner is looked up."""
    return "Does the winner win elsewhere?" if _is_across(study) else "How often is the winner truly better?"


def headline(study: Study) -> str:
    """Say what a p-value that is just significant was worth."""
    near = _table(study, _NEAR)
    count, better = near["comparisons"][0], near["better"][0]
    if not any(near["comparisons"]):
        return f"No comparison with a better system has {_range(study)}; the table has the other ranges."
    if _is_across(study):
        return _headline_across(study)
    if count < _FEW:
        return (
            f"Only {counted(count, 'comparison')} had {_range(study)}, too few for a share; {better:,} of them "
            "named the truly better system."
        )
    share = hundredths(near["share"][0])
    return f"Of {count:,} comparisons with {_range(study)}, {better:,} ({share}%) named the truly better system."


def _headline_across(study: Study) -> str:
    near = _table(study, _NEAR)
    columns = zip(near["winner is better"], near["better"], near["comparisons"], near["share"], strict=True)
    parts = [
        f"{where} in {won:,} of {of:,}{f' ({hundredths(share)}%)' if of >= _FEW else ''}"
        for where, won, of, share in columns
        if of
    ]
    few = f" Fewer than {_FEW} pairs are too few for a share." if min(near["comparisons"]) < _FEW else ""
    if len(parts) > _MOST_DATASETS:
        shares = [share for share, of in zip(near["share"], near["comparisons"], strict=True) if of >= _FEW]
        how_often = (
            f"in {hundredths(min(shares))}% to {hundredths(max(shares))}% of them" if shares else "as the table says"
        )
        parts = [f"{how_often} on {len(parts)} other datasets"]
    return (
        f"Of the pairs with {_range(study)} on {study.settings['dataset']}, the winner also wins {', '.join(parts)}."
        f"{few}"
    )


def _range(study: Study) -> str:
    low, high = study.settings["near"]
    return f"{study.settings['sides']}-sided p between {low:g} and {high:g}"


def sentences(study: Study) -> tuple[str, ...]:
    """Say what was done and what else came out."""
    return (_done(study), *_mix(study), *_beside_paper(study), *_ends(study))


def _done(study: Study) -> str:
    systems = study.settings["systems"]
    pairs = f"{counted(systems * (systems - 1) // 2, 'pair')} of {systems} systems"
    if _is_across(study):
        return f"Tested: {pairs} on {study.settings['dataset']} ({counted(study.settings['n'], 'item')})."
    were = "was" if study.settings["test_sets"] == 1 else "were"
    world = counted(study.facts["units"], study.facts["unit"])
    return f"The {world} stand for all there are; {_drawn(study)} {were} drawn from them, with {pairs} on each."


def _drawn(study: Study) -> str:
    """How many test sets of which size."""
    size = counted(study.settings["size"], study.facts["unit"])
    return f"{counted(study.settings['test_sets'], 'test set')} of {size}"


def _mix(study: Study) -> Iterator[str]:
    """How different the share is for pairs that are truly close and truly apart."""
    table = study.tables.get(_BY_LEAD, {"comparisons": ()})
    known = [index for index, count in enumerate(table["comparisons"]) if count]
    if len(known) < 2:
        return
    first, last = known[0], known[-1]
    least = "the quarter with the smallest true lead" if first == 0 else "the smallest true leads"
    most = "the quarter with the largest" if last == 3 else "the largest"
    yield f"The share depends on the mix of pairs: {_of(table, first)} for {least}, {_of(table, last)} for {most}."


def _of(table: Columns, row: int) -> str:
    return f"{table['better'][row]:,} of {table['comparisons'][row]:,}"


def _beside_paper(study: Study) -> Iterator[str]:
    """Whether the share is what the paper found; nothing where it was asked for other p-values."""
    if study.settings["sides"] != "one" or tuple(study.settings["near"]) != _PAPER_NEAR:
        return
    near = _table(study, _NEAR)
    yield _elsewhere(near) if _is_across(study) else _at_home(near, study.facts.get("near_range"))


def _at_home(near: Columns, band: tuple[float, float] | None) -> str:
    better, comparisons = near["better"][0], near["comparisons"][0]
    expected = _PAPER_BETTER / _PAPER_COMPARISONS
    paper = f"In {_PAPER} the better parser won in {hundredths(expected)}% of {_PAPER_COMPARISONS}"
    if comparisons < _FEW:
        return f"{paper}; {counted(comparisons, 'comparison')} here cannot be set beside it."
    if band is None:
        return f"{paper}."
    if band[0] <= expected <= band[1]:
        return f"{paper}; the {comparisons:,} here agree with that."
    side = "higher" if better / comparisons > expected else "lower"
    return (
        f"{paper}; here it is {side}, by more than chance if comparisons were independent. Other systems, another mix."
    )


def _elsewhere(near: Columns) -> str:
    paper = (
        f"In {_PAPER} the winner of 58 pairs of parsers won again in 83% and 71% on neighbouring texts, in 48% on "
        "another kind of text, and in 92% on the corpus itself"
    )
    known = [share for share, count in zip(near["share"], near["comparisons"], strict=True) if count >= _FEW]
    if not known:
        return f"{paper}; here there are too few pairs to compare."
    low, high = hundredths(min(known)), hundredths(max(known))
    here = f"{low}%" if low == high else f"{low}% to {high}%"
    return f"{paper}; here it is {here}. Without {Option('across', 'True')} you see the share on the test set itself."


def _ends(study: Study) -> Iterator[str]:
    table = _table(study, _BY_P)
    where = table.get("winner is better", ("",) * len(table["share"]))
    rows = list(zip(where, table["p from"], table["p to"], table["comparisons"], table["share"], strict=True))
    for target in dict.fromkeys(where):
        parts = [
            f"{hundredths(share, 1)}% for p from {low:g} to {high:g} ({count:,})"
            for name, low, high, count, share in rows
            if name == target and low in _TOLD and count
        ]
        if parts:
            yield f"{f'Better {target} too' if target else 'Truly better'}: {', '.join(parts)}."


def remarks(study: Study) -> tuple[str, ...]:
    """The warnings that belong to such shares."""
    across = _is_across(study)
    shared = "systems" if across else "systems and test sets"
    return (
        *((_ONE_SIDED,) if study.settings["sides"] == "one" else ()),
        _NOT_P,
        f"Comparisons share {shared}, so fewer independent facts stand behind a share than its count; small counts say "
        "little.",
        *(("A difference on the other dataset is itself a sample: even a true winner need not win there.",) * across),
    )


def shown(study: Study) -> Table:
    """The shares of a few ranges of p-values; across datasets those of the range near 0.05 on each."""
    near = _table(study, _NEAR)
    if _is_across(study):
        rows = [(str(where), *_figures(near, row)) for row, where in enumerate(near["winner is better"])]
        return Table(("winner wins", "pairs", "again", "share"), tuple(rows), figures=("pairs", "again", "share"))
    table = _table(study, _BY_P)
    told = [(low, table, row) for row, low in enumerate(table["p from"]) if low in _ENDS]
    told = sorted([*told, (near["p from"][0], near, 0)], key=lambda one: one[0])
    rows = [(f"{one['p from'][row]:g} to {one['p to'][row]:g}", *_figures(one, row)) for _, one, row in told]
    headings = (f"{study.settings['sides']}-sided p", "comparisons", "winner better", "share")
    return Table(headings, tuple(rows), figures=headings[1:])


def _figures(table: Columns, row: int) -> tuple[str, str, str]:
    count = table["comparisons"][row]
    share = f"{hundredths(table['share'][row])}%" if count >= _FEW else "too few"
    return f"{count:,}", f"{table['better'][row]:,}", share


def points(study: Study) -> tuple[tuple[str, str], ...]:
    """What was done, what the share depends on, and what the paper found."""
    return (
        ("Study", _done(study)),
        *(("Pairs", line) for line in _mix(study)),
        *(("Paper", line) for line in (() if _is_across(study) else _beside_paper(study))),
    )


def caveats(_: Study) -> tuple[str, ...]:
    """What such a share is not."""
    return (_NOT_P,)


def captions(study: Study) -> dict[str, str]:
    """Say what the tables show."""
    settings = study.settings
    near = f"The same for {settings['near'][0]:g} <= p <= {settings['near'][1]:g}"
    test = f"{settings['method']}, {settings['sides']}-sided"
    if _is_across(study):
        first = (
            f"Share of pairs whose winner on {settings['dataset']} also wins on each other dataset, by the p-value on "
            f"{settings['dataset']} ({test})."
        )
        return {_BY_P: first, _NEAR: f"{near}."}
    return {
        _BY_P: f"Share of comparisons whose winner is truly better, by p-value ({test}), in {_drawn(study)}; pairs: "
        "how many different pairs of systems are behind it.",
        _NEAR: f"{near}.",
        _BY_LEAD: f"{near}, pairs in four groups by the true lead of the better system.",
    }
