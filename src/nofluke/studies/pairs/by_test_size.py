"""by_test_size: how does the gain needed shrink with the test set? (Berg-Kirkpatrick et al. 2012, section 4.1)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from nofluke.studies.pairs.comparisons import DRAWS, Comparisons, compare_all, sample_of
from nofluke.studies.pairs.gains import series_of
from nofluke.studies.pairs.segments import Take, check_sizes, check_take, doubling_sizes, segment
from nofluke.studies.pairs.thresholds import FEW, PERCENTILE, WINDOW, Threshold, check_window, threshold
from nofluke.studies.pairs.words import CITATION, MEANINGS, amount, common_notes, few_note, gain_text
from nofluke.studies.recording import signature_of
from nofluke.types import Series, Study, frozen
from nofluke.verbs.ranking.inputs import Missing, Selection

# The usual needed gain so many times off the square-root law is not due to size alone.
_FAR_OFF = 1.2


def by_test_size(
    scores: Any,
    *,
    sizes: Sequence[int] | None = None,
    take: Take = "first",
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
    """How does the gain that is usually significant shrink as the test set grows?

    All pairs are compared on the first 100, 200, 400 ... items (take="first", as in the paper) or on random ones (a
    larger set holds the smaller ones), and every size gets its threshold, as in `gains`. By the square-root law twice
    the items make it 0.71 times as large. The usual needed gain is the median over all pairs of 1.645 standard errors:
    it uses every pair, so it is steadier than the threshold.

    >>> from nofluke.studies import simulate_scores
    >>> scores = simulate_scores({f"s{i}": i / 40 for i in range(12)}, n=400, seed=1)
    >>> by_test_size(scores, sizes=(100, 400)).tables["sizes"]["items"]
    (100, 400)
    """
    check_window(window, percentile)
    check_take(take)
    sample = sample_of(scores, Selection(dataset, metric, run, missing, clusters=clusters))
    chosen = doubling_sizes(sample.n) if sizes is None else check_sizes(sizes, sample.n)
    found: dict[int, Comparisons] = {}
    for place, size in enumerate(chosen):
        found[size] = compare_all(segment(sample, size, take, seed), method, draws=draws, seed=seed)
        if progress is not None:
            progress(place + 1, len(chosen))
    limits = {size: threshold(one.gain, one.p_value, window, percentile) for size, one in found.items()}
    usual = {size: float(np.median(one.needed)) if one.size else math.nan for size, one in found.items()}
    last = found[chosen[-1]]
    settings = {
        "metric": last.metric,
        "method": method,
        "sizes": list(chosen),
        "take": take,
        "window": list(window),
        "percentile": percentile,
        "n": sample.n,
        "systems": len(sample.systems),
        "draws": last.resamples or None,
        "seed": seed if last.resamples or take == "random" else None,
    }
    return Study(
        name="test-size",
        title=f"How does the gain in {last.metric} that is needed shrink with the test set?",
        question="How does the gain that is usually significant shrink as the test set grows?",
        settings={name: value for name, value in settings.items() if value is not None},
        tables={"sizes": _table(chosen, limits, usual)},
        series=_series(found, chosen, limits, usual),
        charts=("threshold_by_size", "gain_scatter"),
        headline=_headline(last.metric, chosen, limits, usual),
        sentences=_sentences(take, last, chosen, limits, usual),
        notes=(
            *few_note({f"{size:,} items": limit for size, limit in limits.items()}),
            *common_notes(last),
        ),
        citations=(CITATION,),
        signature=signature_of("test-size", settings),
        captions={"sizes": _caption(last, take, window, percentile)},
        meanings=MEANINGS,
    )


def _table(sizes: tuple[int, ...], limits: dict[int, Threshold], usual: dict[int, float]) -> dict[str, tuple[Any, ...]]:
    return {
        "items": sizes,
        "p near 0.05": tuple(limits[size].near for size in sizes),
        "threshold": tuple(limits[size].value for size in sizes),
        "needed by the usual pair": tuple(usual[size] for size in sizes),
        "times the size before": tuple(
            math.nan if place == 0 else usual[size] / usual[sizes[place - 1]] for place, size in enumerate(sizes)
        ),
        "by the square-root law": tuple(
            math.nan if place == 0 else math.sqrt(sizes[place - 1] / size) for place, size in enumerate(sizes)
        ),
    }


def _series(
    found: dict[int, Comparisons], sizes: tuple[int, ...], limits: dict[int, Threshold], usual: dict[int, float]
) -> dict[str, Series]:
    curve = Series(
        "thresholds",
        {
            "items": frozen([float(size) for size in sizes]),
            "threshold": frozen([limits[size].value for size in sizes]),
            "needed": frozen([usual[size] for size in sizes]),
            "near": frozen([float(limits[size].near) for size in sizes]),
        },
        {},
    )
    names = {size: f"{size:,} items" for size in sizes}
    points = {names[size]: series_of(one, (names[size],) * one.size, names[size]) for size, one in found.items()}
    return {"thresholds": curve, **points}


def _headline(metric: str, sizes: tuple[int, ...], limits: dict[int, Threshold], usual: dict[int, float]) -> str:
    known = [size for size in sizes if math.isfinite(limits[size].value)]
    if len(known) < 2:
        return (
            f"From {sizes[0]:,} to {sizes[-1]:,} items the gain in {metric} that the usual pair needs falls from "
            f"{amount(usual[sizes[0]])} to {amount(usual[sizes[-1]])}; too few comparisons are "
            "near 0.05 for thresholds."
        )
    low, high = known[0], known[-1]
    return (
        f"On {low:,} items a gain of {amount(limits[low].value)} in {metric} is usually significant, on {high:,} items "
        f"one of {amount(limits[high].value)}."
    )


def _sentences(
    take: Take, last: Comparisons, sizes: tuple[int, ...], limits: dict[int, Threshold], usual: dict[int, float]
) -> tuple[str, ...]:
    first, end = sizes[0], sizes[-1]
    if len(sizes) < 2:
        return ()
    seen, law = usual[end] / usual[first], math.sqrt(first / end)
    return (
        f"With {end / first:.3g} times the items the usual pair needs {seen:.2f} times the gain; the square-root law "
        f"says {law:.2f}. Returns diminish: to halve the gain takes four times the items.",
        *_off_the_law(take, seen / law),
        *_falling([limits[size] for size in sizes]),
        _leftover(last),
    )


def _falling(limits: Sequence[Threshold]) -> tuple[str, ...]:
    known = [limit for limit in limits if limit.near]
    if len(known) < 2:
        return ()
    few = " (some rest on few comparisons)" if min(limit.near for limit in known) < FEW else ""
    if all(later.value < earlier.value for earlier, later in pairwise(known)):
        return (f"As in the paper, the threshold falls with every larger size{few}.",)
    return (f"Unlike in the paper, the threshold does not fall with every larger size{few}.",)


def _off_the_law(take: Take, ratio: float) -> tuple[str, ...]:
    """Say when the sizes do not differ in size alone."""
    if take == "random" or abs(math.log(ratio)) < math.log(_FAR_OFF):
        return ()
    return (
        "That is far from the law: the first items seem to be of another kind than the later ones; random items "
        "(--take random) show size alone.",
    )


def _leftover(last: Comparisons) -> str:
    """Say how far the gain alone decides on the largest set."""
    significant = last.p_value < 0.05
    if not significant.any() or significant.all():
        return "On all items the gain alone separates significant comparisons from the others."
    low, high = float(last.gain[significant].min()), float(last.gain[~significant].max())
    if low > high:
        return "On all items the gain alone separates significant comparisons from the others."
    between = int(((last.gain >= low) & (last.gain <= high)).sum())
    return (
        f"Even on {last.n:,} items gains from {amount(low)} to {amount(high)} are significant for some pairs and not "
        f"for others ({between:,} of {last.size:,} comparisons): a large test set does not replace the test."
    )


def _caption(last: Comparisons, take: Take, window: tuple[float, float], percentile: float) -> str:
    which = "the first items" if take == "first" else "random items (larger sets hold the smaller ones)"
    return (
        f"All pairs of {len(last.systems):,} systems on {which} of {last.n:,}, gain in {last.metric}. Threshold: "
        f"{percentile:g}th percentile of the gains of comparisons with p from {window[0]:g} to {window[1]:g}. Needed "
        f"by the usual pair: median over pairs of 1.645 standard errors. P-values: {gain_text(last)}, one-sided."
    )
