"""What one system's own score says: the score with its interval, and whether it is beyond a given number."""

from __future__ import annotations

import math

from nofluke.types import Answer, Interval, SystemScore
from nofluke.types.base import counted
from nofluke.words.computed import interval_method
from nofluke.words.names import better_scores
from nofluke.words.numbers import about_chance, figure, interval_text, opened, p_text, scale_of
from nofluke.words.test_result import answer_notes

_TESTS = {
    "binomial": "exact binomial test",
    "score": "score test of the average",
    "t": "t-test of the mean",
    "delta": "t-test by the delta method",
    "bootstrap": "bootstrap of items (9,999 resamples)",
}
_TURNED = {"two-sided": "two-sided", "greater": "less", "less": "greater"}
_WEIGHTS = {"equal": "every dataset counts the same", "items": "every item counts the same", "given": "as weighted"}


def answer(result: SystemScore) -> Answer:
    """The score, what it is tested against, how both were found, and the notes that change how to read them."""
    points = (
        ("Chance", chance_sentence(result)),
        ("Metric", "" if result.metric in ("", "score") else f"{result.metric} ({better_scores(result)})."),
        ("Interval", interval_sentence(result)),
        ("Test", run_sentence(result)),
    )
    return Answer(
        verdict=headline(result),
        points=tuple(point for point in points if point[1]),
        notes=answer_notes(result.notes),
        tone="" if result.against is None else {"better": "settled", "worse": "worse"}.get(result.verdict, "open"),
    )


def headline(result: SystemScore) -> str:
    """The answer: the score with its interval, or on which side of the number it is."""
    name, p = result.systems[0], p_of(result)
    if result.against is None:
        return f"{name} scores {value_text(result)} on {scored_on(result)}."
    number = f"{result.against:g}"
    if result.verdict == "undefined":
        return f"{name} scores {value_text(result)}; that cannot be tested against {number}."
    if result.verdict in ("better", "worse"):
        return f"{name} is {result.verdict} than {number}: it scores {value_text(result)}, {p}."
    if result.alternative != "two-sided":
        claim = "better" if result.alternative == "greater" else "worse"
        return f"{name} is not shown to be {claim} than {number}: it scores {value_text(result)}, {p}."
    told = f"{name}, which scores {value_text(result)}, from {number}"
    return f"No clear answer: {scored_on(result)} cannot tell {told} ({p})."


def value_text(result: SystemScore) -> str:
    """The score and its interval, to the digits that matter."""
    scale, null = scale_of(result), math.nan if result.against is None else result.against
    shown = shown_interval(result)
    interval = "" if shown is None else f" ({interval_text(shown, scale, null)})"
    return f"{figure(result.value, scale)}{interval}"


def shown_interval(result: SystemScore) -> Interval | None:
    """The interval of the score; a one-sided one is open on the side where it ends only because shares do."""
    if result.interval is None or result.test not in ("binomial", "score"):
        return result.interval
    return opened(result.interval, result.alternative if result.higher_is_better else _TURNED[result.alternative], 0.0)


def scored_on(result: SystemScore) -> str:
    """On what the system was scored."""
    items = counted(result.n or 0, "item")
    if result.n_datasets:
        several = counted(result.n_datasets, "dataset")
        pooled = result.call is not None and result.call.options.get("weights") == "items"
        return f"all {items} of {several}" if pooled else f"the average of {several} ({items})"
    return items


def p_of(result: SystemScore) -> str:
    """The p-value as it is printed, with its side."""
    side = "" if result.alternative == "two-sided" else ", one-sided"
    return f"{p_text(result.p_value, '=', result.alpha)}{side}"


def chance_sentence(result: SystemScore) -> str:
    """Say what the p-value means."""
    if result.against is None or math.isnan(result.p_value) or result.p_value > 0.95:
        return ""
    far = {"two-sided": "far from it, in either direction", "greater": "good", "less": "bad"}[result.alternative]
    return f"If the true score were {result.against:g}, {about_chance(result.p_value)} would show a score this {far}."


def interval_sentence(result: SystemScore) -> str:
    """Say how the interval was made, and what it takes as sampled."""
    if result.interval is None:
        return ""
    over = [f"items in {counted(result.clusters, 'cluster')}"] if result.clusters else []
    # Where every item counts the same, datasets are one pool, and differences between them are noise of items.
    of = "of" if result.weighting == "items" else "within"
    within = f"items {of} {counted(result.n_datasets, 'dataset')} ({_WEIGHTS.get(result.weighting, '')})"
    over += [within] if result.n_datasets else []
    over += [counted(result.runs, "training run")] if result.runs else []
    made = interval_method(result.interval)
    return f"{made[:1].upper()}{made[1:]}" + (f", over {' and '.join(over)}." if over else ".")


def run_sentence(result: SystemScore) -> str:
    """Name the test of the number."""
    if result.against is None or not result.test:
        return ""
    name, (system, number) = _TESTS[result.test], (result.systems[0], f"{result.against:g}")
    side = {
        "two-sided": "two-sided",
        "greater": f"one-sided ({system} better)",
        "less": f"one-sided ({system} worse)",
    }[result.alternative]
    return f"{name[:1].upper()}{name[1:]} against {number}, {side}."


def in_short(result: SystemScore) -> str:
    """The half line for a paper."""
    tested = "" if result.against is None else f", against {result.against:g}: {p_of(result)}"
    return f"{result.systems[0]}: {value_text(result)}, n = {result.n or 0:,}{tested}."


def for_a_paper(result: SystemScore) -> str:
    """The sentence for a paper."""
    name, where = result.systems[0], f" on {result.dataset}" if result.dataset else ""
    by = f"by {result.metric} ({better_scores(result)})"
    said = f"{name} scores {value_text(result)} {by}{where}, on {scored_on(result)}."
    parts = [said, f"Interval: {interval_sentence(result)}" if result.interval is not None else ""]
    if result.against is not None and not math.isnan(result.p_value):
        parts.append(f"{run_sentence(result)[:-1]}: {p_text(result.p_value, '=', result.alpha)}.")
    return " ".join(part for part in parts if part)
