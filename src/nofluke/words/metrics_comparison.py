"""What a MetricsComparison says: by which of several metrics one system is better, corrected for their number."""

from __future__ import annotations

from nofluke.types import Answer, Comparison, MetricsComparison, Table
from nofluke.words.numbers import figure, level_text, p_digits, signed
from nofluke.words.tasks import averaged_over, headings, interval_text_of
from nofluke.words.test_result import run_sentence

_SAID = {"better": "better", "worse": "worse", "inconclusive": "unclear", "undefined": "no p-value"}
_MOST_NOTES = 3


def answer(result: MetricsComparison) -> Answer:
    """By how many metrics who is better, a row for each metric, and which tests were run."""
    tests = dict.fromkeys(run_sentence(one.test, with_n=False) for one in result.by_metric.values())
    return Answer(
        verdict=headline(result),
        table=table(result),
        points=(
            ("Level", f"{_all(len(result.by_metric))} together are judged at {level_text(result.alpha)} (Holm)."),
            *(("Test", test) for test in tests),
        ),
        notes=tuple(dict.fromkeys(str(note) for note in result.notes))[:_MOST_NOTES],
        tone="settled" if "better" in result.verdicts.values() else "open",
    )


def _all(size: int) -> str:
    return "Both metrics" if size == 2 else f"All {size:,} metrics"


def headline(result: MetricsComparison) -> str:
    """Name the metrics by which each system is better; the others are unclear."""
    a, b = result.systems
    size = len(result.by_metric)
    better = [name for name, verdict in result.verdicts.items() if verdict == "better"]
    worse = [name for name, verdict in result.verdicts.items() if verdict == "worse"]
    where = averaged_over(next(iter(result.by_metric.values())))
    if not better and not worse:
        none = "neither metric" if size == 2 else f"none of {size:,} metrics"
        return f"No clear winner: {none} shows a clear difference between {a} and {b}{where}."
    told = [
        f"{winner} is better than {loser}{where} by {_by(names, size)}"
        for winner, loser, names in ((a, b, better), (b, a, worse))
        if names
    ]
    rest = size - len(better) - len(worse)
    unclear = f"; {rest:,} {'is' if rest == 1 else 'are'} unclear" if rest else ""
    return f"{', and '.join(told)}{unclear}."


def _by(names: list[str], size: int) -> str:
    if len(names) == size:
        return "both metrics" if size == 2 else f"all {size:,} metrics"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def table(result: MetricsComparison) -> Table:
    """A row for each metric: both scores, the lead of the first system, its interval and the corrected p-value."""
    a, b = headings(result.systems)
    rows = tuple(_row(result, metric, one) for metric, one in result.by_metric.items())
    level = level_text(1 - result.alpha)
    columns = ("metric", a, b, "difference", f"{level} CI", "verdict", "p (Holm)")
    lower = [metric for metric, one in result.by_metric.items() if not one.higher_is_better]
    told = f"Lower is better: {', '.join(lower)}; a positive difference favours {result.systems[0]}." if lower else ""
    explain = {name: f"the score of {system}" for name, system in zip((a, b), result.systems, strict=True)}
    return Table(columns, rows, told, figures=(a, b, "difference", "p (Holm)"), explain=explain)


def caption(result: MetricsComparison) -> str:
    """Say under the table of a paper which tests were run on how many items, and what was corrected."""
    first = next(iter(result.by_metric.values()))
    tests = ", ".join(dict.fromkeys(one.test.label for one in result.by_metric.values()))
    a, b = result.systems
    return (
        f"{a} against {b} on the same n = {first.n:,} items. p: {tests}, {first.test.alternative}, corrected for "
        f"{len(result.by_metric):,} metrics (Holm). {table(result).caption}".strip()
    )


def _row(result: MetricsComparison, metric: str, one: Comparison) -> tuple[str, ...]:
    mean = one.effects["mean_difference"]
    scale = mean.standard_error
    return (
        metric,
        *(figure(score, scale) for score in one.scores),
        signed(mean.value, scale),
        interval_text_of(mean.interval, scale, turned=False),
        _SAID[result.verdicts[metric]],
        p_digits(result.adjusted[metric], result.alpha),
    )


def sentences(result: MetricsComparison) -> tuple[str, ...]:
    """What the family is."""
    return (f"P-values are corrected for {len(result.by_metric):,} metrics (Holm); intervals are those of each alone.",)


def title(result: MetricsComparison) -> str:
    """What the report is about."""
    a, b = result.systems
    return f"{a} against {b} by {len(result.by_metric):,} metrics"
