"""What a MetricsReplication says: the claims about each metric alone and about all of them at once."""

from __future__ import annotations

from nofluke.types import Answer, MetricsReplication, Replication, Table
from nofluke.types.base import counted
from nofluke.words.notes import innermost, matters
from nofluke.words.numbers import level_text
from nofluke.words.replication import LABELS, SHOWN, VALID, at_least, names, tone
from nofluke.words.replication import headline as headline_of_one

_MOST_NAMES = 6
_MOST_NOTES = 3
_FOR_DETAILS = ("p_values.source", "p_values.printed_zeros", "p_values.bounds", "replicate.same_numbers")
_READINGS = (
    "For a claim about each metric the smallest count is taken; for a claim about all metrics at once, the largest "
    "p-value of each dataset. Neither needs a further correction for the number of metrics."
)


def answer(result: MetricsReplication) -> Answer:
    """Both readings in a sentence, the counts of every metric, and which test they come from."""
    first = first_of(result)
    return Answer(
        verdict=headline(result),
        table=_table(result),
        points=(("At least", f"Lower bounds by {LABELS[first.method]}, {VALID[first.dependence]}."),),
        notes=_notes(result),
        tone=tone(result.together),
    )


def first_of(result: MetricsReplication) -> Replication:
    """The replication of the first metric: all have the same systems, datasets and settings."""
    return next(iter(result.by_metric.values()))


def opposite_counts(result: MetricsReplication) -> tuple[int, int]:
    """On how many datasets the other system is better: for every metric alone, and by all at once."""
    opposites = [one.opposite.count if one.opposite is not None else 0 for one in result.by_metric.values()]
    together = result.together.opposite
    return min(opposites), together.count if together is not None else 0


def headline(result: MetricsReplication) -> str:
    """Say both readings of several metrics, and the other direction where something is shown there."""
    first = first_of(result)
    size, metrics = len(first.datasets), len(result.by_metric)
    sure = f"({level_text(1 - first.alpha)} confidence)"
    winner, loser = first.winner, first.loser
    ahead, behind = (result.count_each, result.together.count), opposite_counts(result)
    said = [_both_readings(winner, loser, ahead, size, metrics)] if any(ahead) else []
    said += [_both_readings(loser, winner, behind, size, metrics)] if any(behind) else []
    if not said:
        nowhere = f"on any of {counted(size, 'dataset')} by every metric"
        return f"{winner} is not shown to be better than {loser} {nowhere} {sure}."
    return f"{'; '.join(said)} {sure}."


def _both_readings(winner: str, loser: str, counts: tuple[int, int], size: int, metrics: int) -> str:
    each, together = counts
    alone = f"on {at_least(each, size)}" if each else "on no dataset for sure"
    at_once = f"on {at_least(together, size)}" if together else "on none"
    return (
        f"{winner} is better than {loser} {alone} by each of {metrics:,} metrics, and {at_once} by all of them at once"
    )


def sentences(result: MetricsReplication) -> tuple[str, ...]:
    """Every metric by itself, then what the two readings are."""
    told = [f"{metric}: {headline_of_one(one)}" for metric, one in result.by_metric.items()]
    return (*told, f"All metrics at once: {headline_of_one(result.together)}", _READINGS)


def rows_of(result: MetricsReplication, most: int = SHOWN) -> list[tuple[str, ...]]:
    """A row for every metric and for both readings: on how many datasets, and on which."""
    size = len(result.together.datasets)
    both = result.together.opposite is not None
    alone = opposite_counts(result)[0]
    rows: list[tuple[str, ...]] = []
    for metric, one in {**result.by_metric, "each metric": None, "all at once": result.together}.items():
        count = result.count_each if one is None else one.count
        other = alone if one is None else one.opposite.count if one.opposite is not None else 0
        named = "" if one is None else names(one.identified, most)
        rows.append((metric, f"{count:,} of {size:,}", *([f"{other:,} of {size:,}"] if both else []), named))
    return rows


def _table(result: MetricsReplication) -> Table:
    both = result.together.opposite is not None
    columns = ("metric", "better on", *(["worse on"] if both else []), "named as better")
    return Table(columns, tuple(rows_of(result, _MOST_NAMES)), figures=columns[1:-1])


def _notes(result: MetricsReplication) -> tuple[str, ...]:
    left = [note for note in result.notes if innermost(note).code not in _FOR_DETAILS and matters(note)]
    return tuple(str(note) for note in left)[:_MOST_NOTES]


def title(result: MetricsReplication) -> str:
    """What the report is about."""
    first = first_of(result)
    a, b = first.systems
    of = counted(len(result.by_metric), "metric")
    return f"{a} against {b} on {counted(len(first.datasets), 'dataset')} by {of}"


def caption(result: MetricsReplication) -> str:
    """What stands below the table of metrics."""
    first = first_of(result)
    return (
        f"Lower confidence bounds ({level_text(1 - first.level)}) by partial conjunction testing "
        f"({LABELS[first.method]}), {VALID[first.dependence]}. Each metric: the smallest of the counts. All at once: "
        "the largest p-value of each dataset over the metrics."
    )
