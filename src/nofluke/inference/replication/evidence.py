"""From scores or p-values of several datasets to one-sided evidence: scores are tested on each dataset's own items."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from nofluke.align import as_sample, differences
from nofluke.align.choose import two_systems
from nofluke.align.datasets import having, lacking_datasets, refuse_lacking_datasets, wanted_datasets
from nofluke.check import no_p_value, refuse_decision
from nofluke.errors import Fix, InputError, MethodError, Option, Verb, listing, named_as, without_effect
from nofluke.inference.power.detectable import detectable_difference
from nofluke.inference.recommend.default import preferred
from nofluke.inference.replication.analysis import Sided, one_sided, refuse_independence, same_row_numbers, shared_items
from nofluke.inference.replication.conclude import Evidence, Request
from nofluke.inference.resampling.corpus import refuse_undefined
from nofluke.inference.tests.corrected_resampled_t import unless_corrected
from nofluke.inference.tests.run import run_test
from nofluke.option_groups import Aligning
from nofluke.types import Interval, Note, PValues, Sample, Scores, TestResult, frozen, note

_SIDES = {"two-sided": ("greater", "less"), "greater": ("greater",), "less": ("less",)}


@dataclass(frozen=True, slots=True)
class Manner:
    """How each dataset is aligned and tested; `planned` also says what each could have found, which takes longest."""

    method: str = "auto"
    seed: int = 0
    aligning: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    progress: Callable[[int, int], None] | None = None
    planned: bool = True
    higher_is_better: bool | None = None

    @property
    def chosen(self) -> list[str]:
        """What is said about a part of the scores other than as usual."""
        usual = {one.name: one.default for one in fields(Aligning)}
        return [name for name, value in self.aligning.items() if value != usual[name]]


def evidence_from_scores(
    scores: Scores, a: str | None, b: str | None, metric: str | None, asked: Request, how: Manner
) -> Evidence:
    """Test two systems on every dataset of a score table, on one metric."""
    aligning = {name: value for name, value in how.aligning.items() if name != "dataset"}
    named = wanted_datasets(scores, how.aligning.get("dataset"))
    if len(scores.datasets) < 2:
        raise InputError(
            "the scores hold one dataset, and this analysis is about several.",
            where=listing([source.name for source in scores.sources], 2),
            fix=Fix(
                "for p-values name their column: ",
                named_as(p_value="NAME"),
                "; for scores that of the datasets: ",
                named_as(dataset="NAME"),
                "; for one dataset use ",
                Verb("compare"),
                ".",
            ),
        )
    systems = two_systems(scores, a, b)
    _refuse_shared_runs(how, asked)
    datasets = tuple(name for name in having(scores, metric) if named is None or name in named)
    datasets, lost = _common(scores, systems, datasets, aligning.get("missing", "refuse"))
    ids = {name: own for name, own in _ids_of(scores).items() if name in datasets}
    notes = (*lost, *_look_for_shared_items(ids, asked))
    samples = (scores.pair(*systems, dataset=name, metric=metric, **aligning) for name in datasets)
    return _evidence(datasets, samples, asked, how, notes)


def _common(
    scores: Scores, systems: tuple[str, str], datasets: tuple[str, ...], missing: str
) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    """Leave out datasets that a system has no score on, and say so; unless that was allowed, refuse them."""
    lacking = lacking_datasets(scores, systems)
    lost = tuple(name for name in datasets if any(name in own for own in lacking.values()))
    if lost and missing == "refuse":
        refuse_lacking_datasets(scores, systems, missing)
    kept = tuple(name for name in datasets if name not in lost)
    if len(kept) < 2:
        few = f"{kept[0]} is the only dataset" if kept else "there is no dataset"
        raise InputError(
            f"{few} that {listing(systems)} both have scores on, and this analysis is about several.",
            fix=Fix("score both on the same datasets, or for one of them use ", Verb("compare"), "."),
        )
    return kept, (note("replicate.datasets_dropped", datasets=lost),) if lost else ()


def evidence_from_samples(
    data: Mapping[str, Any], a: str | None, b: str | None, metric: str | None, asked: Request, how: Manner
) -> Evidence:
    """Test the two systems of every sample, score table or pair of sequences in {dataset: it}."""
    if how.aligning.get("dataset") is not None:
        raise without_effect(["dataset"], "all datasets that were given are looked at", Fix("give only these."))
    samples = {str(name): _sample(value, a, b, metric, how) for name, value in data.items()}
    named = {name: sample.ids for name, sample in samples.items() if sample.ids and sample.alignment.by == "id"}
    notes = _look_for_shared_items(named, asked)
    systems = {sample.systems for sample in samples.values()}
    if len(systems) > 1:
        raise InputError(
            f"the datasets hold different systems: {listing(sorted(map(str, systems)), 3)}.",
            fix=Fix(
                "give the same two systems for every dataset, in the same order: ",
                Option("a", "NAME"),
                " and ",
                Option("b", "NAME"),
                ".",
            ),
        )
    return _evidence(tuple(samples), iter(samples.values()), asked, how, notes)


def _sample(value: Any, a: str | None, b: str | None, metric: str | None, how: Manner) -> Sample:
    if isinstance(value, Scores):
        refuse_direction(how)
        return value.pair(a, b, metric=metric, **how.aligning)
    named = {"a": a, "b": b} if isinstance(value, Sample) else {}
    given = [name for name, told in {**named, "metric": metric}.items() if told is not None]
    if isinstance(value, Sample):
        given += ["higher_is_better"] if how.higher_is_better is not None else []
        unused, why = [*given, *how.chosen], "the samples hold two systems and their items as they are"
    else:
        unused, why = [*given, *(one for one in how.chosen if one != "missing")], "pairs of sequences are no table"
    if unused:
        raise without_effect(unused, why, Fix("leave it out, or give a table: nf.read(...)."))
    if isinstance(value, Sample):
        return value
    higher, missing = how.higher_is_better is not False, how.aligning.get("missing", "refuse")
    return as_sample(*value, names=(a or "A", b or "B"), higher_is_better=higher, missing=missing)


def refuse_direction(how: Manner) -> None:
    """A table of scores says itself which direction is better."""
    if how.higher_is_better is not None:
        raise InputError(
            "higher_is_better belongs to pairs of sequences; a table says it itself.",
            fix="say it when reading: nf.read(..., higher_is_better=False).",
        )


def _ids_of(scores: Scores) -> dict[str, list[str]]:
    if not scores.ids_given:
        return {}
    # Where it is known what items ask, an id alone does not make two items one.
    checks = np.zeros_like(scores.item.codes) if scores.checks is None else scores.checks
    rows = np.unique(np.stack([scores.dataset.codes, scores.item.codes, checks]), axis=1)
    labels = scores.item.labels
    named = [f"{labels[item]}:{check}" if check else labels[item] for _, item, check in rows.T.tolist()]
    return {
        name: [named[at] for at in np.flatnonzero(rows[0] == code).tolist()]
        for code, name in enumerate(scores.datasets)
    }


def _refuse_shared_runs(how: Manner, asked: Request) -> None:
    """One training run is scored on all datasets: if it fell well, it did so on all of them."""
    if how.aligning.get("runs", "nested") == "crossed" and asked.dependence == "independent":
        raise InputError(
            "the same training runs stand behind all datasets, which are then not independent.",
            fix=Fix("leave out ", Option("dependence"), ", or average the runs: ", Option("runs", "nested"), "."),
        )


def _items_dropped(samples: list[Sample]) -> tuple[Note, ...]:
    dropped = [sample.alignment.dropped for sample in samples if sample.alignment.dropped]
    return (note("replicate.items_dropped", items=sum(dropped), datasets=len(dropped)),) if dropped else ()


def _look_for_shared_items(ids: Mapping[str, Collection[str]], asked: Request) -> tuple[Note, ...]:
    shared = shared_items(ids)
    refuse_independence(asked.dependence, shared, by_ids=True)
    if shared is not None:
        return (shared,)
    return (note("replicate.same_numbers"),) if same_row_numbers(ids) else ()


def _evidence(
    datasets: tuple[str, ...], samples: Iterator[Sample], asked: Request, how: Manner, notes: tuple[Note, ...]
) -> Evidence:
    if how.options.get("stop") == "decision":
        raise no_p_value()
    sides = _SIDES[asked.alternative]
    level = asked.alpha / len(sides)
    kept: list[Sample] = []
    results: dict[str, list[TestResult]] = {side: [] for side in sides}
    for number, (name, sample) in enumerate(zip(datasets, samples, strict=True), 1):
        found = {side: _test(name, sample, side, level, len(datasets), how) for side in sides}
        for side, result in _with_interval(found, asked.alpha).items():
            results[side].append(result)
        kept.append(sample)
        if how.progress is not None:
            how.progress(number, len(datasets))
    _refuse_single_items(kept)
    first = kept[0]
    table = np.array([[sample.score(0), sample.score(1)] for sample in kept])
    return Evidence(
        systems=(first.systems[0], first.systems[1]),
        metric=first.metric,
        datasets=datasets,
        claims={side: _sided(of) for side, of in results.items()},
        scores=frozen(table),
        signs=frozen([_sign(sample) for sample in kept]),
        higher_is_better=first.higher_is_better,
        sizes=tuple(sample.n for sample in kept),
        tests={side: tuple(of) for side, of in results.items()},
        notes=(*notes, *_items_dropped(kept), *_notes(datasets, results[sides[0]], kept)),
        # At this level a dataset is named by Holm whatever the others show.
        detectable=tuple(
            detectable_difference(sample, level / len(kept), "greater").difference if how.planned else math.nan
            for sample in kept
        ),
    )


def _test(name: str, sample: Sample, side: Any, level: float, size: int, how: Manner) -> TestResult:
    refuse_undefined(sample, where=f"dataset {name}")
    method = preferred(sample) if how.method == "auto" else how.method
    result = run_test(sample, method, alternative=side, confidence_level=1 - level, seed=how.seed, **how.options)
    refuse_decision(result, f"dataset {name}")
    if math.isnan(result.p_value):
        raise MethodError(
            f"{result.method} gives no p-value: {' '.join(map(str, result.notes))}",
            where=f"dataset {name}",
            fix="use the recommended test (method 'auto'), or 'permutation'.",
        )
    computed = result.computed
    if computed.how == "monte-carlo" and (computed.resamples + 1) * level < size:
        raise MethodError(
            f"{computed.resamples:,} draws cannot give a p-value small enough for {size:,} datasets at {level:g}.",
            where=f"dataset {name}",
            fix=Fix(
                "draw at least ", Option("monte_carlo", str(math.ceil(size / level))), ", or leave it out: no draws."
            ),
        )
    return result


def _sided(results: list[TestResult]) -> Sided:
    return Sided(np.array([result.p_value for result in results]), np.array([result.log_p_value for result in results]))


def _with_interval(found: dict[str, TestResult], alpha: float) -> dict[str, TestResult]:
    """Where both directions were tested, put their limits together: that is the two-sided interval."""
    if len(found) < 2:
        return found
    low, high = found["greater"].interval, found["less"].interval
    if low is None or high is None:
        return found
    both = Interval(low.low, high.high, 1 - alpha, low.method)
    return {side: replace(result, interval=both) for side, result in found.items()}


def _sign(sample: Sample) -> float:
    """Who scores better on a dataset: by exact decimals for means, so that 0.1 + 0.2 and 0.3 are equal."""
    if sample.aggregate.linear and sample.paired:
        whole = differences(sample).integers
        if whole is not None:
            return float(np.sign(whole.sum()))
    a, b = sample.score(0), sample.score(1)
    if math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-15):
        return 0.0
    return 1.0 if (a > b) == sample.higher_is_better else -1.0


def _refuse_single_items(samples: list[Sample]) -> None:
    if all(sample.n == 1 for sample in samples):
        raise InputError(
            "every dataset has one score only, so no dataset can be tested by itself.",
            fix=Fix(
                "give scores of single items; to ask about the datasets as a whole, take each of them as an item: ",
                Verb("compare", ""),
                " (two systems) or ",
                Verb("rank", ""),
                " (many).",
            ),
        )


def _notes(datasets: tuple[str, ...], results: list[TestResult], samples: list[Sample]) -> list[Note]:
    """Every note once, with the datasets it belongs to."""
    homes: dict[Note, list[str]] = {}
    for name, result, sample in zip(datasets, results, samples, strict=True):
        # How many items were left out is counted over all datasets.
        told = [one for one in result.notes if one.code != "align.left_out"]
        for one in dict.fromkeys([*unless_corrected(sample.notes, result.method), *told]):
            homes.setdefault(one, []).append(name)
    return [
        one if len(where) == len(datasets) else note("replicate.on_datasets", datasets=where, note=one)
        for one, where in homes.items()
    ]


def evidence_from_p_values(given: PValues, asked: Request, sided: str) -> Evidence:
    """Turn p-values as given into one-sided evidence for the claims that are asked about."""
    refuse_independence(asked.dependence, given.shared)
    return Evidence(
        systems=given.systems,
        metric=given.metric,
        datasets=given.datasets,
        claims=_claims(given, asked.alternative, sided),
        scores=given.scores,
        signs=given.signs,
        higher_is_better=given.higher_is_better,
        notes=given.notes if not given.source else (note("p_values.source", source=given.source), *given.notes),
        as_given=sided == "one",
    )


def _claims(given: PValues, alternative: str, sided: str) -> dict[str, Sided]:
    if sided == "two":
        return one_sided(given.p_values, given.log_p_values, given.signs, given.datasets)
    if alternative == "two-sided":
        raise InputError(
            "one-sided p-values speak for one claim, and both directions are asked about.",
            fix=Fix(
                "give two-sided p-values with signs or scores (",
                Option("sided", "two"),
                "), or ask about 'A is better' alone: ",
                Option("alternative", "greater"),
                ".",
            ),
        )
    if alternative == "less":
        a, b = given.systems
        raise InputError(
            f'one-sided p-values speak for "{a} is better", and "{b} is better" is asked about.',
            fix=Fix(
                f'give p-values for "{b} is better" with {b} as the first system and leave the alternative out, or '
                "two-sided p-values with signs or scores: ",
                Option("sided", "two"),
                ".",
            ),
        )
    return {alternative: Sided(given.p_values, given.log_p_values)}
