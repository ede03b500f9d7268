"""How often is the winner of a test set truly better? Berg-Kirkpatrick et al. 2012, section 4.2."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from nofluke.errors import InputError, unknown
from nofluke.inference.ranking.panel import units_of
from nofluke.inference.wording import unit_name
from nofluke.studies.calibration import tables
from nofluke.studies.calibration.compared import Progress, Test, elsewhere, from_population
from nofluke.studies.calibration.winners import method_for
from nofluke.studies.calibration.words import captions, headline, notes, sentences
from nofluke.studies.recording import check_count, looked_at, recorded
from nofluke.types import Sample, Scores, Study
from nofluke.verbs.ranking.inputs import Missing, Selection, systems_of

_SMALL, _SHARE, _COMPARISONS = 100, 10, 20_000


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
    comparisons). With across=True the test set is `dataset` (the first one if none is named) as it is, and the winner
    is looked up on every other dataset.

    The p-value is that of "the winner is better", as in the paper; sides="two" takes the two-sided one, twice as large.
    `method` is any paired test (auto: the one that rank would take, for metrics such as BLEU the bootstrap); further
    options belong to it.

    >>> from nofluke.studies import simulate_scores
    >>> scores = simulate_scores({f"s{i}": i / 20 for i in range(8)}, n=1000, kind="continuous")
    >>> study = calibration(scores, test_sets=10)
    >>> 0.5 < study.tables["just significant"]["share"][0] <= 1
    True
    """
    if sides not in ("one", "two"):
        raise unknown("value of sides", str(sides), ("one", "two"))
    if not 0 <= near[0] < near[1] <= 1:
        raise InputError(f"near = {near!r} is no range of p-values.", fix="give two numbers such as (0.04, 0.06).")
    selection = Selection(dataset, metric, run, missing, clusters=clusters)
    sample, others = _datasets(scores, selection) if across else (_population(scores, selection), {})
    chosen = method_for(sample, method)
    own = {name: value for name, value in chosen.check_options(options).items() if value is not None}
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
    if not found.p_value.size:
        raise InputError(
            "no two systems differ in score on a test set, so that there is no winner.",
            fix="give systems with different scores.",
        )
    settings |= {"systems": len(sample.systems), "n": sample.n}
    settings["clusters"] = None if sample.clusters is None else units_of(sample)
    built = tables.built(found, (near[0], near[1]), across=across)
    return recorded(
        "calibration",
        settings,
        title="How often is the winner truly better?" if not across else "Does the winner win elsewhere?",
        question="How often is the winner of a test set truly better, by p-value?",
        tables=built,
        series={"calibration": tables.series(found)},
        charts=("calibration_plot",),
        headline=headline(built, settings, across=across),
        sentences=sentences(found, built, settings, sample, across=across),
        notes=notes(found, settings, sample, across=across),
        citations=("Berg-Kirkpatrick et al. 2012", chosen.cited()),
        captions=captions(settings, sample, across=across),
        meanings=tables.MEANINGS,
    )


def _usual(sample: Sample) -> int:
    """As many test sets as make some 20,000 comparisons."""
    pairs = len(sample.systems) * (len(sample.systems) - 1) // 2
    return min(max(_COMPARISONS // pairs, 10), 200)


def _size(number: int) -> int:
    return number if number <= _SMALL else max(_SMALL, number // _SHARE)


def _population(scores: Any, selection: Selection) -> Sample:
    if isinstance(scores, Scores) and selection.dataset is None and len(scores.datasets) > 1:
        raise InputError(
            f"there are {len(scores.datasets)} datasets, and one is taken for the world.",
            fix=f"choose one, say dataset {scores.datasets[0]!r}, or look across them with across=True (--across).",
        )
    sample = systems_of(scores, selection, unpaired=False)
    if units_of(sample) < 2:
        raise InputError(
            f"there is 1 {unit_name(sample)}, and test sets are drawn from many.", fix="give the scores of more items."
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
