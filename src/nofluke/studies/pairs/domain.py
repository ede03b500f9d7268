"""domain: is the gain that is needed another one on another test set? (Berg-Kirkpatrick et al. 2012, Figure 11)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.studies.pairs.comparisons import DRAWS, Comparisons, compare_all, sample_of
from nofluke.studies.pairs.gains import series_of
from nofluke.studies.pairs.segments import Take, check_take, items_of, segment
from nofluke.studies.pairs.thresholds import PERCENTILE, WINDOW, Threshold, check_window, threshold
from nofluke.studies.pairs.words import CITATION, MEANINGS, amount, common_notes, few_note, gain_text
from nofluke.studies.recording import signature_of
from nofluke.types import Sample, Scores, Series, Study, frozen
from nofluke.verbs.ranking.inputs import Missing, Selection


def domain(
    scores: Any,
    *,
    domains: Mapping[str, str] | None = None,
    size: int | None = None,
    take: Take = "first",
    method: str = "bootstrap",
    window: tuple[float, float] = WINDOW,
    percentile: float = PERCENTILE,
    metric: str | None = None,
    run: str | None = None,
    missing: Missing = "refuse",
    clusters: bool = True,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Study:
    """Is the gain that is usually significant another one on another test set of the same size?

    Takes Scores with several datasets, or {dataset: Scores}, or one dataset and `domains`, {item id: domain}. Of every
    dataset `size` items are taken (default: as many as the smallest has), the first or random ones, and all pairs are
    compared on them as in `gains`.

    >>> from nofluke.studies import simulate_scores
    >>> abilities = {f"s{i}": i / 40 for i in range(10)}
    >>> news, web = (simulate_scores(abilities, n=200, seed=seed) for seed in (1, 2))
    >>> domain({"news": news, "web": web}).tables["domains"]["test set"]
    ('news', 'web')
    """
    check_window(window, percentile)
    check_take(take)
    samples = _samples(scores, domains, Selection(None, metric, run, missing, clusters=clusters))
    least = min(sample.n for sample in samples.values())
    taken = least if size is None else size
    if not 2 <= taken <= least:
        raise InputError(f"{taken} items cannot be taken of every test set.", fix=f"the smallest has {least:,}.")
    found: dict[str, Comparisons] = {}
    for place, (name, sample) in enumerate(samples.items()):
        found[name] = compare_all(segment(sample, taken, take, seed), method, draws=draws, seed=seed)
        if progress is not None:
            progress(place + 1, len(samples))
    limits = {name: threshold(one.gain, one.p_value, window, percentile) for name, one in found.items()}
    usual = {name: float(np.median(one.needed)) if one.size else math.nan for name, one in found.items()}
    one = next(iter(found.values()))
    settings = {
        "metric": one.metric,
        "method": method,
        "datasets": list(samples),
        "size": taken,
        "take": take,
        "window": list(window),
        "percentile": percentile,
        "systems": len(one.systems),
        "draws": one.resamples or None,
        "seed": seed if one.resamples or take == "random" else None,
    }
    return Study(
        name="domain",
        title=f"Is the gain in {one.metric} that is needed another one on another test set?",
        question="Is the gain that is usually significant another one on another test set of the same size?",
        settings={name: value for name, value in settings.items() if value is not None},
        tables={"domains": _table(samples, limits, usual)},
        series=_series(found),
        charts=("gain_scatter",),
        headline=_headline(one.metric, taken, usual, limits),
        sentences=_sentences(usual),
        notes=(*few_note(limits), *common_notes(one)),
        citations=(CITATION,),
        signature=signature_of("domain", settings),
        captions={"domains": _caption(one, taken, take, window, percentile)},
        meanings=MEANINGS,
    )


def _samples(scores: Any, domains: Mapping[str, str] | None, selection: Selection) -> dict[str, Sample]:
    samples = dict(_parts(scores, domains, selection))
    if len(samples) < 2:
        raise InputError(
            f"test sets are compared, and there is {len(samples)}.",
            fix="give scores with a dataset column, or say which item is of which domain (--domains FILE).",
        )
    return samples


def _parts(scores: Any, domains: Mapping[str, str] | None, selection: Selection) -> dict[str, Sample]:
    if domains is not None:
        return _by_domain(sample_of(scores, selection), domains)
    if isinstance(scores, Scores):
        return {name: sample_of(scores, _of(selection, name)) for name in scores.datasets}
    if isinstance(scores, Mapping) and all(isinstance(one, Scores | Sample | Mapping) for one in scores.values()):
        return {str(name): sample_of(one, selection) for name, one in scores.items()}
    raise InputError(
        f"a {type(scores).__name__} holds no test sets.", fix="give Scores with several datasets, or {dataset: Scores}."
    )


def _of(selection: Selection, dataset: str) -> Selection:
    return Selection(dataset or None, selection.metric, selection.run, selection.missing, clusters=selection.clusters)


def _by_domain(sample: Sample, domains: Mapping[str, str]) -> dict[str, Sample]:
    ids = sample.ids or tuple(str(place + 1) for place in range(sample.n))
    lacking = [item for item in ids if item not in domains]
    if len(lacking) == len(ids):
        raise InputError(f"no item has a domain: {ids[0]!r} is not in the table.", fix="check the ids of the items.")
    labels = np.array([domains.get(item, "") for item in ids])
    return {name: items_of(sample, np.flatnonzero(labels == name)) for name in dict.fromkeys(labels.tolist()) if name}


def _table(
    samples: dict[str, Sample], limits: dict[str, Threshold], usual: dict[str, float]
) -> dict[str, tuple[Any, ...]]:
    return {
        "test set": tuple(samples),
        "items there": tuple(sample.n for sample in samples.values()),
        "p near 0.05": tuple(limits[name].near for name in samples),
        "threshold": tuple(limits[name].value for name in samples),
        "needed by the usual pair": tuple(usual[name] for name in samples),
    }


def _series(found: dict[str, Comparisons]) -> dict[str, Series]:
    parts = {name: series_of(one, (name,) * one.size, name) for name, one in found.items()}
    needed = frozen([float(np.median(one.needed)) if one.size else math.nan for one in found.values()])
    return {"needed": Series("needed", {"needed": needed}, {"label": tuple(found)}), **parts}


def _headline(metric: str, size: int, usual: dict[str, float], limits: dict[str, Threshold]) -> str:
    known = {name: limit.value for name, limit in limits.items() if math.isfinite(limit.value)}
    values, what = (known, "is usually significant") if len(known) > 1 else (usual, "is what the usual pair needs")
    low, high = min(values, key=lambda name: values[name]), max(values, key=lambda name: values[name])
    return (
        f"On {size:,} items each, a gain in {metric} of {amount(values[low])} ({low}) to {amount(values[high])} "
        f"({high}) {what}."
    )


def _sentences(usual: dict[str, float]) -> tuple[str, ...]:
    low, high = min(usual.values()), max(usual.values())
    ratio = high / low
    finding = (
        "as in the paper, the test set matters little once its size is fixed"
        if ratio <= 1.25
        else "unlike in the paper, the test set matters even when its size is fixed, and the threshold of one does not "
        "serve for another"
    )
    return (f"The gain that the usual pair needs differs by a factor of {ratio:.2f} between test sets: {finding}.",)


def _caption(one: Comparisons, size: int, take: Take, window: tuple[float, float], percentile: float) -> str:
    which = "the first" if take == "first" else "random"
    return (
        f"All pairs of {len(one.systems):,} systems on {which} {size:,} items of every test set, gain in {one.metric}. "
        f"Threshold: {percentile:g}th percentile of the gains of comparisons with p from {window[0]:g} to "
        f"{window[1]:g}. Needed by the usual pair: median over pairs of 1.645 standard errors. P-values: "
        f"{gain_text(one)}, one-sided."
    )
