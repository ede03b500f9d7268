"""similarity: do similar systems need a smaller gain? (Berg-Kirkpatrick et al. 2012, sections 3.1 and 3.2)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from nofluke.studies.pairs.comparisons import DRAWS, JUST_SIGNIFICANT, Comparisons, compare_all, sample_of
from nofluke.studies.pairs.gains import series_of
from nofluke.studies.pairs.thresholds import PERCENTILE, WINDOW, Threshold, check_window, threshold
from nofluke.studies.pairs.words import CITATION, MEANINGS, amount, common_notes, few_note, gain_text, subject
from nofluke.studies.recording import check_count, signature_of
from nofluke.types import FloatArray, IntArray, Series, Study, frozen
from nofluke.verbs.ranking.inputs import Missing, Selection


def similarity(
    scores: Any,
    *,
    bins: int = 4,
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
    """Do systems whose outputs are more alike need a smaller gain to be told apart?

    For every pair the correlation of the two systems' item scores (for corpus metrics, of the items' shares in the
    score) is set against the gain the pair would need to be just significant, 1.645 standard errors of its difference.
    Pairs in `bins` of equal size by correlation get thresholds as in `gains`. For scores of equal spread the needed
    gain falls like sqrt(1 - correlation), the curve in the picture.

    >>> from nofluke.studies import simulate_scores
    >>> scores = simulate_scores({f"s{i}": i / 40 for i in range(12)}, n=400, kind="continuous", seed=1)
    >>> len(similarity(scores, bins=3).tables["bins"]["threshold"])
    3
    """
    check_window(window, percentile)
    sample = sample_of(scores, Selection(dataset, metric, run, missing, clusters=clusters))
    found = compare_all(sample, method, draws=draws, seed=seed, progress=progress)
    usable = np.flatnonzero(np.isfinite(found.correlation))
    number = check_count(bins, "bins", 2, max(2, min(50, usable.size)))
    order = usable[np.argsort(found.correlation[usable], kind="stable")]
    parts = [part for part in np.array_split(order, number) if part.size]
    limits = [threshold(found.gain[part], found.p_value[part], window, percentile) for part in parts]
    names = [_range(found.correlation[part]) for part in parts]
    labels = np.full(found.size, "no correlation", dtype=object)
    for name, part in zip(names, parts, strict=True):
        labels[part] = name
    settings = {
        "metric": found.metric,
        "method": method,
        "bins": number,
        "window": list(window),
        "percentile": percentile,
        "n": found.n,
        "systems": len(found.systems),
        "draws": found.resamples or None,
        "seed": seed if found.resamples else None,
    }
    return Study(
        name="similarity",
        title=f"Do similar systems need a smaller gain in {found.metric}?",
        question="Do systems whose outputs are more alike need a smaller gain to be told apart?",
        settings={name: value for name, value in settings.items() if value is not None},
        tables={"bins": _table(found, names, parts, limits)},
        series={
            "comparisons": _points(found, [str(label) for label in labels]),
            "law": _law(found, order),
        },
        charts=("similarity_curve",),
        headline=_headline(found, parts),
        sentences=_sentences(found, usable, names, limits),
        notes=(
            *few_note({f"correlation {name}": limit for name, limit in zip(names, limits, strict=True)}),
            *common_notes(found),
        ),
        citations=(CITATION,),
        signature=signature_of("similarity", settings),
        captions={"bins": _caption(found, window, percentile)},
        meanings=MEANINGS,
    )


def _range(correlation: FloatArray) -> str:
    return f"{correlation.min():.2f} to {correlation.max():.2f}"


def _table(
    found: Comparisons, names: list[str], parts: list[IntArray], limits: list[Threshold]
) -> dict[str, tuple[Any, ...]]:
    return {
        "correlation": tuple(names),
        "comparisons": tuple(int(part.size) for part in parts),
        "needed by the usual pair": tuple(float(np.median(found.needed[part])) for part in parts),
        "p near 0.05": tuple(limit.near for limit in limits),
        "threshold": tuple(limit.value for limit in limits),
    }


def _points(found: Comparisons, labels: list[str]) -> Series:
    plain = series_of(found, labels)
    return Series(plain.name, {**plain.columns, "needed": frozen(found.needed)}, plain.labels)


def _law(found: Comparisons, order: IntArray) -> Series:
    """The gain needed by two systems of the usual spread s: 1.645 s sqrt(2 (1 - correlation) / n)."""
    correlation = found.correlation[order]
    if not order.size:
        return Series("law", {"correlation": frozen([]), "needed": frozen([])}, {})
    unlike = np.sqrt(2.0 * np.maximum(1.0 - correlation, 1e-12))
    # The spread that fits the pairs best, in the middle.
    spread = float(np.median(found.needed[order] / (JUST_SIGNIFICANT * unlike)))
    grid = np.linspace(float(correlation[0]), float(correlation[-1]), 60)
    needed = JUST_SIGNIFICANT * spread * np.sqrt(2.0 * np.maximum(1.0 - grid, 0.0))
    return Series("law", {"correlation": frozen(grid), "needed": frozen(needed)}, {})


def _headline(found: Comparisons, parts: list[IntArray]) -> str:
    low, high = (float(np.median(found.needed[part])) for part in (parts[0], parts[-1]))
    if high < low:
        return (
            f"Similar systems need less: the least similar pairs need a gain of {amount(low)} in {found.metric} to be "
            f"just significant, the most similar {amount(high)}."
        )
    return (
        f"Similar systems do not need less here: the least similar pairs need a gain of {amount(low)} in "
        f"{found.metric} to be just significant, the most similar {amount(high)}."
    )


def _sentences(found: Comparisons, usable: IntArray, names: list[str], limits: list[Threshold]) -> tuple[str, ...]:
    agreement = _rank_correlation(found.correlation[usable], found.needed[usable])
    finding = (
        "as in the paper, likeness moves the curve to smaller gains"
        if agreement < -0.3
        else "unlike in the paper, likeness hardly moves the curve; the spread of the systems' scores differs more "
        "than their correlation"
    )
    known = [(name, limit) for name, limit in zip(names, limits, strict=True) if math.isfinite(limit.value)]
    ends = ""
    if len(known) > 1:
        (low, first), (high, last) = known[0], known[-1]
        ends = (
            f"By the paper's rule: {amount(first.value)} for correlations of {low} ({first.near} comparisons)"
            f", {amount(last.value)} for {high} ({last.near})."
        )
    text = (
        f"Over {subject(found)} the rank correlation between likeness and the gain needed is {agreement:.2f}: "
        f"{finding}.",
        ends,
    )
    return tuple(part for part in text if part)


def _rank_correlation(x: FloatArray, y: FloatArray) -> float:
    """Spearman's, as a description: pairs share systems, so no test of it is made."""
    if x.size < 3:
        return math.nan
    ranks = [np.argsort(np.argsort(values, kind="stable"), kind="stable").astype(np.float64) for values in (x, y)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def _caption(found: Comparisons, window: tuple[float, float], percentile: float) -> str:
    return (
        f"All pairs of {len(found.systems):,} systems on {found.n:,} items by the correlation of their item scores. "
        f"Needed by the usual pair: median of 1.645 standard errors of the difference in {found.metric}. Threshold: "
        f"{percentile:g}th percentile of the gains of comparisons with p from {window[0]:g} to {window[1]:g}. "
        f"P-values: {gain_text(found)}, one-sided."
    )
