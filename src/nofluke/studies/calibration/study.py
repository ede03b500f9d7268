"""How often is the winner of a test set truly better? Berg-Kirkpatrick et al. 2012, section 4.2."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from nofluke.align import select
from nofluke.engine.randomness import Stream
from nofluke.errors import InputError, unknown
from nofluke.studies.calibration import tables
from nofluke.studies.calibration.bootstrap_winners import bootstrap_winners, suits
from nofluke.studies.calibration.winners import drawn, members_of, method_for, winners
from nofluke.studies.calibration.words import captions, headline, notes, sentences
from nofluke.studies.leads import lead, oriented_scores
from nofluke.studies.recording import check_count, signature_of
from nofluke.types import FloatArray, Sample, Scores, Study
from nofluke.verbs.ranking.inputs import Missing, Selection, systems_of

Progress = Callable[[int, int], None] | None

# The stage of the random streams that no other part uses.
CALIBRATION = 32
TRULY = "truly better"
_SMALL, _SHARE, _COMPARISONS = 100, 10, 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Comparisons: the p-value, which pair, and for each target whether the winner is better there (1, 0, nan = tie).

    `gap` is the true lead of the pair's better system, where the truth is known; `undecided` counts ties.
    """

    p_value: FloatArray
    pair: npt.NDArray[np.int64]
    better: dict[str, FloatArray]
    gap: FloatArray
    undecided: int


def calibration(
    scores: Any,
    *,
    across: bool = False,
    dataset: str | None = None,
    size: int | None = None,
    test_sets: int | None = None,
    method: str = "auto",
    sides: Literal["one", "two"] = "one",
    near: tuple[float, float] = (0.04, 0.06),
    metric: str | None = None,
    run: str | None = None,
    missing: Missing = "refuse",
    clusters: bool = True,
    seed: int = 0,
    progress: Progress = None,
    **options: Any,
) -> Study:
    """How often is the winner of a test set truly better, when its p-value is near 0.05, or in any other range?

    Takes the scores of many systems. All items together are taken for the world: the system with the better score there
    is truly better. `test_sets` sets of `size` items (default: a tenth, at least 100) are drawn from them with
    replacement, clusters as a whole, and all pairs are tested on each (default: as many sets as make some 20,000
    comparisons). With across=True the test set is `dataset` (the
    first one if none is named) as it is, and the winner is looked up on every other dataset.

    The p-value is that of "the winner is better", as in the paper; sides="two" takes the two-sided one, twice as large.
    `method` is any paired test (auto: the one that rank would take); further options belong to it.

    >>> from nofluke.studies import simulate_scores
    >>> scores = simulate_scores({f"s{i}": i / 20 for i in range(8)}, n=1000, kind="continuous")
    >>> study = calibration(scores, test_sets=10)
    >>> 0.5 < study.tables["near p = 0.05"]["share"][0] <= 1
    True
    """
    if sides not in ("one", "two"):
        raise unknown("value of sides", str(sides), ("one", "two"))
    if not 0 <= near[0] < near[1] <= 1:
        raise InputError(f"near = {near!r} is no range of p-values.", fix="give two numbers such as (0.04, 0.06).")
    selection = Selection(dataset, metric, run, missing, clusters=clusters)
    if across:
        sample, others = _datasets(scores, selection)
    else:
        sample, others = _population(scores, selection), {}
    chosen = method_for(sample, method)
    own = {name: value for name, value in chosen.check_options(options).items() if value is not None}
    units = members_of(sample)
    number = sample.n if units is None else len(units)
    settings: dict[str, Any] = {"method": chosen.name, **own, "sides": sides, "near": tuple(near)}
    if across:
        found = _elsewhere(sample, others, chosen, own, sides, seed)
        settings |= {"dataset": sample.dataset, "others": tuple(others)}
    else:
        size = check_count(_size(number) if size is None else size, "size", 2, 10_000_000)
        pairs = len(sample.systems) * (len(sample.systems) - 1) // 2
        usual = min(max(_COMPARISONS // pairs, 10), 200)
        test_sets = check_count(usual if test_sets is None else test_sets, "test_sets", 1, 1_000_000)
        found = _from_population(sample, chosen, own, sides, size, test_sets, seed, progress)
        settings |= {"size": size, "test_sets": test_sets, "seed": seed}
    settings |= {"systems": len(sample.systems), "n": sample.n}
    if units is not None:
        settings["clusters"] = len(units)
    unit = "clusters" if units is not None else "items"
    built = tables.built(found, (near[0], near[1]), across=across)
    return Study(
        name="calibration",
        title="How often is the winner truly better?" if not across else "Does the winner win elsewhere?",
        question="How often is the winner of a test set truly better, by p-value?",
        settings=settings,
        tables=built,
        series={"calibration": tables.series(found)},
        charts=("calibration_plot",),
        headline=headline(built, settings, across=across),
        sentences=sentences(found, built, settings, unit, sample, across=across),
        notes=notes(found, settings, sample, across=across),
        citations=("Berg-Kirkpatrick 2012", chosen.cite),
        signature=signature_of("calibration", settings),
        captions=captions(settings, unit, across=across),
    )


def _size(number: int) -> int:
    return number if number <= _SMALL else max(_SMALL, number // _SHARE)


def _population(scores: Any, selection: Selection) -> Sample:
    if isinstance(scores, Scores) and selection.dataset is None and len(scores.datasets) > 1:
        raise InputError(
            f"there are {len(scores.datasets)} datasets, and one is taken for the world.",
            fix=f"choose one, say dataset {scores.datasets[0]!r}, or look across them with across=True (--across).",
        )
    return systems_of(scores, selection, unpaired=False)


def _datasets(scores: Any, selection: Selection) -> tuple[Sample, dict[str, Sample]]:
    if not isinstance(scores, Scores) or len(scores.datasets) < 2:
        raise InputError(
            "looking across datasets needs scores of the same systems on two or more of them.",
            fix="give a table with a dataset column, or leave across out.",
        )
    first = scores.datasets[0] if selection.dataset is None else selection.dataset
    if first not in scores.datasets:
        raise unknown("dataset", first, scores.datasets)
    samples = {
        name: select(
            scores,
            scores.systems,
            dataset=name,
            metric=selection.metric,
            run=selection.run,
            missing=selection.missing,
            clusters=selection.clusters,
        )
        for name in (first, *(name for name in scores.datasets if name != first))
    }
    return samples.pop(first), samples


def _from_population(
    sample: Sample,
    method: Any,
    options: dict[str, Any],
    sides: str,
    size: int,
    test_sets: int,
    seed: int,
    progress: Progress,
) -> Compared:
    units, count = members_of(sample), len(sample.systems)
    number = sample.n if units is None else len(units)
    chosen = np.stack([Stream(seed, CALIBRATION, index).indices(size, number) for index in range(test_sets)])
    if suits(sample, method, options):
        found = list(bootstrap_winners(sample, chosen, method, options, sides=sides, progress=progress))
    else:
        found = []
        for index, row in enumerate(chosen):
            found.append(winners(drawn(sample, row, units), method, options, sides=sides, seed=seed))
            if progress is not None:
                progress(index + 1, test_sets)
    winner, loser = (np.concatenate([getattr(part, side) for part in found]) for side in ("winner", "loser"))
    truth = oriented_scores(sample)
    lead = truth[winner] - truth[loser]
    return Compared(
        np.concatenate([part.p_value for part in found]),
        np.minimum(winner, loser) * count + np.maximum(winner, loser),
        {TRULY: _signs(lead, truth)},
        np.abs(lead),
        sum(part.tied for part in found),
    )


def _elsewhere(
    sample: Sample, others: dict[str, Sample], method: Any, options: dict[str, Any], sides: str, seed: int
) -> Compared:
    found = winners(sample, method, options, sides=sides, seed=seed)
    better = {}
    for name, other in others.items():
        values = oriented_scores(other)
        better[name] = _signs(values[found.winner] - values[found.loser], values)
    pair = found.winner * len(sample.systems) + found.loser
    return Compared(found.p_value, pair, better, np.full(len(found.p_value), np.nan), found.tied)


def _signs(difference: FloatArray, scores: FloatArray) -> FloatArray:
    """1 where the winner leads, 0 where it trails, nan where both score the same."""
    found = lead(difference, scores)
    return np.where(found == 0, np.nan, (found > 0).astype(np.float64))
