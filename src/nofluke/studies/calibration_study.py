"""How often is the winner of a test set truly better? Berg-Kirkpatrick et al. 2012, section 4.2."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt

from nofluke.check import check_count
from nofluke.errors import Fix, InputError, Option, unknown
from nofluke.inference.ranking.panel import units_of
from nofluke.inference.ranking.systems import Selection, several_datasets, systems_of
from nofluke.noting import called
from nofluke.option_groups import Part
from nofluke.options import Opt, SeedOfDraws, parted, stating
from nofluke.studies.calibration_pairs import TRULY, Compared, Progress, Test, elsewhere, from_population
from nofluke.studies.calibration_winners import DRAWS, method_for, usual_options
from nofluke.studies.recording import looked_at, rate, recorded, unit_of
from nofluke.types import Note, Sample, Scores, Study, frozen, note
from nofluke.types.study import Series

_SMALL, _SHARE, _COMPARISONS = 100, 10, 20_000

# Table 1 of the paper is the middle: 0.00125 to 0.08 in octaves; the others continue it.
EDGES = (0.0, 0.00125, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 1.0)
NEAR = "just significant"
BY_P = "by p-value"
BY_GAP = "by true lead"
Table = dict[str, tuple[Any, ...]]
Mask = npt.NDArray[np.bool_]


@called("studies.calibration", "scores", "scores")
@stating(Part)
def calibration(
    scores: Any,
    *,
    across: Annotated[bool, Opt("Test on `dataset` (or the first one), look the winner up on the others.")] = False,
    size: Annotated[int | None, Opt("Items of a test set. Default: a tenth of all, at least 100.")] = None,
    test_sets: Annotated[int | None, Opt("Test sets drawn. Default: for some 20,000 comparisons.")] = None,
    method: Annotated[str, Opt("The test; auto takes that of rank, for metrics such as BLEU the bootstrap.")] = "auto",
    sides: Annotated[Literal["one", "two"], Opt("P-value: one (of the winner, as in the paper) or two.")] = "one",
    near: Annotated[tuple[float, float], Opt("The range of p-values near 0.05.", most=2)] = (0.04, 0.06),
    seed: SeedOfDraws = 0,
    progress: Progress = None,
    **options: Any,
) -> Study:
    """How often is the winner of a test set truly better, when its p-value is near 0.05, or in any other range?

    Takes the scores of many systems. All items together are taken for the world: the system with the better score there
    is truly better. `test_sets` sets of `size` items (default: a tenth, at least 100) are drawn from them with
    replacement, clusters as a whole, and all pairs are tested on each (default: as many sets as make some 20,000
    comparisons). With across=True the test set is `dataset` (the first one if none is named) as it is, and the winner
    is looked up on every other dataset.

    The p-value is that of "the winner is better", as in the paper; sides="two" takes the two-sided one, twice as large.
    `method` is any paired test (auto: the one that rank would take, for metrics such as BLEU the bootstrap); further
    options belong to it. A score that only all items together have is swapped anew for every pair of every test set,
    `monte_carlo` times (199).

    >>> from nofluke.studies import simulate_scores
    >>> scores = simulate_scores({f"s{i}": i / 20 for i in range(8)}, n=1000, kind="continuous")
    >>> study = calibration(scores, test_sets=10)
    >>> 0.5 < study.tables["just significant"]["share"][0] <= 1
    True
    """
    if sides not in ("one", "two"):
        raise unknown("value of sides", str(sides), ("one", "two"))
    if len(near) != 2 or not 0 <= near[0] < near[1] <= 1:
        raise InputError(f"near = {near!r} is no range of p-values.", fix="give two numbers such as (0.04, 0.06).")
    part, options = parted(Part, options)
    selection = Selection(**vars(part))
    sample, others = _datasets(scores, selection) if across else (_population(scores, selection), {})
    chosen = method_for(sample, method)
    own = usual_options(sample, chosen, options)
    test = Test(chosen, own, sides, seed)
    settings: dict[str, Any] = {"method": chosen.name, **own, "sides": sides, "near": tuple(near)}
    if across:
        found = elsewhere(sample, others, test)
        settings |= looked_at(selection) | {"dataset": sample.dataset, "others": tuple(others)}
    else:
        size = check_count(_size(units_of(sample)) if size is None else size, "size", 2, 10_000_000)
        test_sets = check_count(_usual(sample) if test_sets is None else test_sets, "test_sets", 1, 1_000_000)
        found = from_population(sample, test, size, test_sets, progress)
        settings |= looked_at(selection) | {"size": size, "test_sets": test_sets, "seed": seed}
    _refuse_no_winner(found)
    settings |= {"systems": len(sample.systems), "n": sample.n}
    settings["clusters"] = None if sample.clusters is None else units_of(sample)
    built = _built(found, (near[0], near[1]), across=across)
    return recorded(
        "calibration",
        settings,
        tables=built,
        series={"calibration": _series(found)},
        charts=("calibration_plot",),
        notes=(*sample.notes, *_notes(found, sample)),
        citations=("Berg-Kirkpatrick et al. 2012", chosen.cited()),
        facts={"unit": unit_of(sample), "units": units_of(sample), **_near_range(built[NEAR])},
    )


def _refuse_no_winner(found: Compared) -> None:
    if not found.p_value.size:
        raise InputError(
            "no two systems differ in score on a test set, so that there is no winner.",
            fix="give systems with different scores.",
        )


def _near_range(near: Table) -> dict[str, tuple[float, float]]:
    """The 95% range of the share of just significant comparisons, of the first target."""
    if not near["comparisons"][0]:
        return {}
    band = rate(near["better"][0], near["comparisons"][0])
    return {"near_range": (band.low, band.high)}


def _notes(found: Compared, sample: Sample) -> Iterator[Note]:
    """How p-values were computed, and which comparisons were left out."""
    if found.by_rule:
        yield note("study.without_draws", metric=None if sample.aggregate.linear else sample.metric)
    if found.from_draws:
        yield note("study.drawn", count=found.from_draws, draws=DRAWS)
    if found.undecided:
        yield note("study.undecided", count=found.undecided)
    for target, better in found.better.items():
        count = int(np.isnan(better).sum())
        if count:
            yield note("study.ties", count=count, dataset="" if target == TRULY else target)


def _usual(sample: Sample) -> int:
    """As many test sets as make some 20,000 comparisons."""
    pairs = len(sample.systems) * (len(sample.systems) - 1) // 2
    return min(max(_COMPARISONS // pairs, 10), 200)


def _size(number: int) -> int:
    return number if number <= _SMALL else max(_SMALL, number // _SHARE)


def _population(scores: Any, selection: Selection) -> Sample:
    if several_datasets(scores, selection):
        raise InputError(
            f"there are {len(scores.datasets)} datasets, and one is taken for the world.",
            fix=Fix(
                f"choose one, say dataset {scores.datasets[0]!r}, or look across them: ", Option("across", "True"), "."
            ),
        )
    sample = systems_of(scores, selection, unpaired=False)
    if units_of(sample) < 2:
        raise InputError(
            f"there is 1 {unit_of(sample)}, and test sets are drawn from many.", fix="give the scores of more items."
        )
    return sample


def _datasets(scores: Any, selection: Selection) -> tuple[Sample, dict[str, Sample]]:
    if not isinstance(scores, Scores) or len(scores.datasets) < 2:
        raise InputError(
            "looking across datasets needs scores of the same systems on two or more of them.",
            fix="give a table with a dataset column, or leave across out.",
        )
    first = scores.datasets[0] if selection.dataset is None else selection.dataset
    if first not in scores.datasets:
        raise unknown("dataset", first, scores.datasets)
    names = (first, *(name for name in scores.datasets if name != first))
    samples = {name: systems_of(scores, replace(selection, dataset=name), unpaired=False) for name in names}
    return samples.pop(first), samples


def _built(found: Compared, near: tuple[float, float], *, across: bool) -> dict[str, Table]:
    """All tables, the paper's Table 1 first."""
    tables = {BY_P: _by_p(found), NEAR: _near(found, near)}
    if not across:
        tables[BY_GAP] = _by_gap(found, near)
    return tables


def within(found: Compared, low: float, high: float) -> Mask:
    """Which p-values lie in a bin; the lower end belongs to it, and so does 1."""
    # A p-value of draws may be an edge itself, and a hair below it after its logarithm.
    low, edge = low * (1 - 1e-12), high * (1 - 1e-12)
    inside = (found.p_value >= low) & ((found.p_value < edge) | (high == EDGES[-1]))
    return np.asarray(inside)


@dataclass(frozen=True, slots=True)
class Share:
    """Of so many comparisons, between so many different pairs, the winner is better in so many."""

    comparisons: int
    pairs: int
    better: int

    @property
    def share(self) -> float:
        """The share of them; nan where there are none."""
        return self.better / self.comparisons if self.comparisons else math.nan


def share(found: Compared, target: str, rows: Mask) -> Share:
    """Count the comparisons in which one of the two is better in the target at all; ties there decide nothing."""
    decided = rows & ~np.isnan(found.better[target])
    pairs = len(np.unique(found.pair[decided]))
    return Share(int(decided.sum()), pairs, int(found.better[target][decided].sum()))


def _row(target: str, part: Share) -> dict[str, Any]:
    where = {} if target == TRULY else {"winner is better": f"on {target}"}
    return {
        **where,
        "comparisons": part.comparisons,
        "pairs": part.pairs,
        "better": part.better,
        "share": part.share,
    }


def _by_p(found: Compared) -> Table:
    rows = [
        {"p from": low, "p to": high, **_row(target, share(found, target, within(found, low, high)))}
        for target in found.better
        for low, high in pairwise(EDGES)
    ]
    return _columns(rows)


def _near(found: Compared, near: tuple[float, float]) -> Table:
    inside = np.asarray((found.p_value >= near[0]) & (found.p_value <= near[1]))
    rows = [
        {"p from": near[0], "p to": near[1], **_row(target, share(found, target, inside))} for target in found.better
    ]
    return _columns(rows)


def _by_gap(found: Compared, near: tuple[float, float]) -> Table:
    """Pairs in four groups by their true lead: the share belongs to the mix of pairs, not to p."""
    target = next(iter(found.better))
    leads = found.gap[np.unique(found.pair, return_index=True)[1]]
    edges = np.quantile(leads, [0.0, 0.25, 0.5, 0.75, 1.0])
    rows = []
    for index, (low, high) in enumerate(pairwise(edges)):
        inside = (found.gap >= low) & ((found.gap < high) | (index == 3))
        inside &= (found.p_value >= near[0]) & (found.p_value <= near[1])
        part = share(found, target, np.asarray(inside))
        rows.append({"true lead from": float(low), "true lead to": float(high), **_row(target, part)})
    return _columns(rows)


def _series(found: Compared) -> Series:
    """The points of the picture: in each bin the mean p-value, the share and the count, for every target."""
    columns: dict[str, list[float]] = {"p": [], "share": [], "comparisons": []}
    labels: list[str] = []
    for target, better in found.better.items():
        for low, high in pairwise(EDGES):
            inside = within(found, low, high)
            part = share(found, target, inside)
            if not part.comparisons:
                continue
            columns["p"].append(float(found.p_value[inside & ~np.isnan(better)].mean()))
            columns["share"].append(part.share)
            columns["comparisons"].append(part.comparisons)
            labels.append(target)
    return Series("calibration", {name: frozen(values) for name, values in columns.items()}, {"target": tuple(labels)})


def _columns(rows: list[dict[str, Any]]) -> Table:
    return {column: tuple(row[column] for row in rows) for column in rows[0]}
