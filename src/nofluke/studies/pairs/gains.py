"""gains: how large a gain is usually significant? (Berg-Kirkpatrick et al. 2012, section 3)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nofluke.errors import InputError
from nofluke.studies.pairs.comparisons import DRAWS, Comparisons, compare_all, sample_of
from nofluke.studies.pairs.labels import ALL, label_order, label_pairs, mask
from nofluke.studies.pairs.thresholds import PERCENTILE, WINDOW, Threshold, check_window, threshold
from nofluke.studies.pairs.words import CITATION, MEANINGS, common_notes, few_note, gain_text, headline_of, sentences_of
from nofluke.studies.recording import signature_of
from nofluke.types import Series, Study, frozen
from nofluke.verbs.ranking.inputs import Missing, Selection

Overlay = Comparisons | Series | Any


def gains(
    scores: Any,
    *,
    groups: Mapping[str, str] | None = None,
    special: Sequence[str] = (),
    overlay: Mapping[str, Overlay] | None = None,
    method: str = "bootstrap",
    window: tuple[float, float] = WINDOW,
    percentile: float = PERCENTILE,
    dataset: str | None = None,
    metric: str | None = None,
    run: str | None = None,
    missing: Missing = "refuse",
    clusters: bool = True,
    draws: int = DRAWS,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Study:
    """How large a gain is usually significant on this test set?

    Takes Scores, or {name: scores of the same items}, of many systems. Every pair gives one point: the gain of the
    better system and 1 - p, the p-value in the direction of the gain. The threshold of a label is the 95th percentile
    of the gains of comparisons with p from 0.04 to 0.06. `groups` maps systems to groups (teams, model families): pairs
    are labelled same group, different groups, or other; `special` groups are a label of their own. `overlay` lays
    other comparisons over the picture, {name: scores of other systems, or a Series with gain and p_value}.

    A threshold is no test: it holds for this test set and for systems like these (see the notes).

    >>> from nofluke.studies import simulate_scores
    >>> scores = simulate_scores({f"s{i}": i / 40 for i in range(12)}, n=200, seed=1)
    >>> gains(scores).tables["thresholds"]["comparisons"]
    (66,)
    """
    check_window(window, percentile)
    selection = Selection(dataset, metric, run, missing, clusters=clusters)
    sample = sample_of(scores, selection)
    found = compare_all(sample, method, draws=draws, seed=seed, progress=progress)
    labels = label_pairs(found.systems, found.better, found.worse, groups, special)
    order = label_order(labels)
    by_label = {
        label: threshold(found.gain[chosen], found.p_value[chosen], window, percentile)
        for label, chosen in ((one, mask(labels, one)) for one in order)
    }
    if len(order) > 1:
        by_label[ALL] = threshold(found.gain, found.p_value, window, percentile)
    series = {"comparisons": series_of(found, labels)}
    for name, other in (overlay or {}).items():
        series[name] = _overlaid(name, other, selection, method, draws, seed, series)
    settings = {
        "metric": found.metric,
        "method": method,
        "window": list(window),
        "percentile": percentile,
        "n": found.n,
        "systems": len(found.systems),
        "groups": None if groups is None else len(set(groups.values())),
        "special": list(special) or None,
        "overlay": list(overlay or ()) or None,
        "draws": found.resamples or None,
        "seed": seed if found.resamples else None,
    }
    return Study(
        name="gains",
        title=f"How large a gain in {found.metric} is usually significant?",
        question="How large a gain is usually significant on this test set?",
        settings={name: value for name, value in settings.items() if value is not None},
        tables={"thresholds": _table(found, labels, by_label, percentile)},
        series=series,
        charts=("gain_scatter",),
        headline=headline_of(found, by_label, percentile),
        sentences=sentences_of(found, by_label),
        notes=(*few_note(by_label), *common_notes(found)),
        citations=(CITATION,),
        signature=signature_of("gains", settings),
        captions={"thresholds": _caption(found, window, percentile)},
        meanings=MEANINGS,
    )


def series_of(found: Comparisons, labels: Sequence[str], name: str = "comparisons") -> Series:
    """Give every comparison as a point, with the names of its systems."""
    return Series(
        name,
        {
            "gain": frozen(found.gain),
            "confidence": frozen(1.0 - found.p_value),
            "p_value": frozen(found.p_value),
            "correlation": frozen(found.correlation),
        },
        {
            "label": tuple(labels),
            "better": tuple(found.systems[i] for i in found.better.tolist()),
            "worse": tuple(found.systems[i] for i in found.worse.tolist()),
        },
    )


def _overlaid(
    name: str, other: Overlay, selection: Selection, method: str, draws: int, seed: int, taken: Mapping[str, Series]
) -> Series:
    if name in taken:
        raise InputError(f"two sets of comparisons are called {name!r}.", fix="give the overlay another name.")
    if isinstance(other, Study):
        other = other.series["comparisons"]
    if isinstance(other, Series):
        lacking = [column for column in ("gain", "p_value") if column not in other.columns]
        if lacking:
            raise InputError(f"the overlay {name!r} has no column {lacking[0]!r}.", fix="give gain and p_value.")
        p = np.asarray(other.columns["p_value"])
        columns = {"gain": other.columns["gain"], "confidence": frozen(1.0 - p), "p_value": frozen(p)}
        return Series(name, columns, {"label": (name,) * len(p)})
    # Of the same metric, whatever its name in the other table.
    metric = selection.metric if getattr(other, "metrics", (None,)) != ("",) else None
    found = compare_all(sample_of(other, Selection(metric=metric)), method, draws=draws, seed=seed)
    return series_of(found, (name,) * found.size, name)


def _table(
    found: Comparisons, labels: Sequence[str], by_label: Mapping[str, Threshold], percentile: float
) -> dict[str, tuple[Any, ...]]:
    rows = by_label.values()
    return {
        "pairs": tuple(by_label),
        "comparisons": tuple(row.all for row in rows),
        "p near 0.05": tuple(row.near for row in rows),
        "usual gain": tuple(row.median for row in rows),
        "threshold": tuple(row.value for row in rows),
        "needed by most": tuple(_needed(found, labels, label, percentile) for label in by_label),
        "significant above": tuple(row.kept for row in rows),
        "significant below": tuple(row.missed for row in rows),
    }


def _needed(found: Comparisons, labels: Sequence[str], label: str, percentile: float) -> float:
    chosen = found.needed if label == ALL else found.needed[mask(labels, label)]
    return float(np.percentile(chosen, percentile)) if chosen.size else math.nan


def _caption(found: Comparisons, window: tuple[float, float], percentile: float) -> str:
    return (
        f"Gains in {found.metric} of all pairs of {len(found.systems):,} systems on {found.n:,} items. Threshold: "
        f"{percentile:g}th percentile of the gains of comparisons with p from {window[0]:g} to {window[1]:g}; usual "
        f"gain: their median. Needed by most: {percentile:g}th percentile over all pairs of 1.645 standard errors of "
        f"the pair's difference. P-values: {gain_text(found)}, one-sided in the direction of the gain. "
        "Significant above and below: share of the comparisons with a gain of at least, or less than, the threshold "
        "that have p < 0.05."
    )
