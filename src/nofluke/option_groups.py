"""Options that come together: how files are read, and which part of the scores is looked at. Each is described once.

Verbs state a group in their signature (`options.stating`); commands, requests and forms are made from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal, NamedTuple

from nofluke.options import (
    ADVANCED,
    COUNT,
    INPUT,
    NAME_OF_DRAWS,
    Clusters,
    Columns,
    Dataset,
    Format,
    HigherIsBetter,
    Metric,
    Missing,
    Opt,
    Printed,
    RatingFormat,
    Run,
    Runs,
    SystemA,
    SystemB,
    Weights,
)


@dataclass(frozen=True)
class ReadingTables:
    """How tables are read, whatever they hold."""

    format: Format = "auto"
    columns: Columns = None
    higher_is_better: HigherIsBetter = None


@dataclass(frozen=True)
class ReadingLogs:
    """What counts of logs of evaluation harnesses."""

    on_error: Annotated[
        Literal["missing", "zero"],
        Opt("In logs, an item whose run failed: missing, or zero (it counts as wrong).", ADVANCED),
    ] = "missing"
    on_unscored: Annotated[
        Literal["missing", "zero"],
        Opt("In logs, an item that the scorer could not judge: missing, or zero.", ADVANCED),
    ] = "missing"
    missing_runs: Annotated[
        Literal["average", "drop"],
        Opt("In logs, an item that lacks some of its runs: average those it has, or drop it.", ADVANCED),
    ] = "average"
    logs: Annotated[
        Literal["newest", "all"],
        Opt("Several logs of a system on a dataset: newest (of the complete ones), or all (as its runs).", ADVANCED),
    ] = "newest"
    system_by: Annotated[
        str | None,
        Opt(
            "In logs, what names a system: model, file, date or settings of the run, such as model,temperature.",
            ADVANCED,
            label="names of systems in logs",
        ),
    ] = None
    match_by: Annotated[
        Literal["id", "content"],
        Opt("In logs, what makes two items the same: their id, or their content (where ids have changed).", ADVANCED),
    ] = "id"


class Reduction(NamedTuple):
    """What a way to make one score of an item's runs needs: a number of runs, scores of 0 and 1, equally many runs."""

    takes_k: bool = False
    right_or_wrong: bool = False
    equally_many: bool = False
    told: str = ""


# With more runs the best is better, whatever the system: such ways need equally many of all.
REDUCTIONS = {
    "mean": Reduction(),
    "median": Reduction(),
    "max": Reduction(equally_many=True),
    "majority": Reduction(right_or_wrong=True, equally_many=True),
    "pass_at": Reduction(takes_k=True, right_or_wrong=True, told="at least one of K runs is right"),
    "best_of": Reduction(takes_k=True),
    "at_least": Reduction(takes_k=True, right_or_wrong=True, equally_many=True),
}


def ways_to_reduce(*, explained: bool = False) -> tuple[str, ...]:
    """Name all ways as a user writes them: pass_at_K."""
    return tuple(
        name + ("_K" if way.takes_k else "") + (f" ({way.told})" if explained and way.told else "")
        for name, way in REDUCTIONS.items()
    )


_WAYS = ways_to_reduce(explained=True)


@dataclass(frozen=True)
class Reading(ReadingLogs, ReadingTables):
    """How files are read: what `read` takes, and with it every command, request and form about scores."""

    reduce: Annotated[
        str,
        Opt(
            f"One score of an item from its runs: {', '.join(_WAYS[:-1])} or {_WAYS[-1]}.",
            ADVANCED,
        ),
    ] = "mean"


@dataclass(frozen=True)
class LargeReading(Reading):
    """The same where files may be larger than memory: what `read` takes, and with it every command that reads."""

    memory: Annotated[
        str | None,
        Opt(
            "Memory that large Parquet or CSV tables may take, such as 2GB: what needs more stays on disk.",
            ADVANCED,
            label="memory for reading",
        ),
    ] = None


@dataclass(frozen=True)
class Scoring(Reading):
    """How files that do not hold scores yet become scores: outputs with gold by a metric, counts by a formula."""

    gold: Annotated[
        Sequence[str],
        Opt(
            "The files are outputs: score them against this gold standard, or several references, with `metric`.",
            INPUT,
            label="gold answers",
            most=20,
        ),
    ] = ()
    metric_options: Annotated[
        Mapping[str, Any] | None,
        Opt("Options of the metric, NAME=VALUE.", ADVANCED, label="options of the metric", flag="metric_option"),
    ] = None
    formula: Annotated[
        str | None,
        Opt(
            "The files are tables of statistics, one row per item: score by this formula of column sums, such as "
            '"2*tp/(2*tp+fp+fn)" (n is the number of items).',
            ADVANCED,
        ),
    ] = None


Layout = Literal["auto", "wide", "long", "matrix"]


@dataclass(frozen=True)
class Rating:
    """How files of ratings are read: what `read_ratings` takes, and with it the command, its request and its form."""

    format: RatingFormat = "auto"
    columns: Annotated[
        Mapping[str, Any] | None,
        Opt(
            "Say which column is which: item=NAME, annotator=NAME, label=NAME; annotator=A,B chooses columns of a "
            "wide table; ignore=NAME skips a column.",
            INPUT,
        ),
    ] = None
    layout: Annotated[
        Layout,
        Opt(
            "wide (one column per annotator), long (one row per rating), matrix (counts of the labels of two "
            "annotators), or auto.",
            ADVANCED,
        ),
    ] = "auto"
    missing: Annotated[
        Sequence[str],
        Opt(
            "A text that means a missing rating, such as NA.", INPUT, label="words that mean a missing rating", most=20
        ),
    ] = ()


@dataclass(frozen=True)
class Looking:
    """Which part of a table of scores is looked at."""

    dataset: Dataset = None
    metric: Metric = None
    run: Run = None
    runs: Runs = "nested"
    missing: Missing = "refuse"
    weights: Weights = "equal"


@dataclass(frozen=True)
class Choosing(Looking):
    """The same, and what was sampled."""

    over: Annotated[
        Literal["items", "datasets"] | None,
        Opt(
            "With several datasets, what was sampled: items (these datasets), or datasets (others like them). Default: "
            "items.",
            INPUT,
        ),
    ] = None
    clusters: Clusters = True


@dataclass(frozen=True)
class Part:
    """Which part is looked at where nothing is averaged or put together: of independent groups, of a world of items."""

    dataset: Dataset = None
    metric: Metric = None
    run: Run = None
    missing: Missing = "refuse"
    clusters: Clusters = True


@dataclass(frozen=True)
class Units:
    """How items are put together."""

    unit: Annotated[int, Opt("Evaluation unit: this many adjacent items make one observation.", ADVANCED, COUNT)] = 1
    unit_statistic: Annotated[
        Literal["mean", "median"], Opt("A unit's score: mean or median of its items.", ADVANCED)
    ] = "mean"
    shuffle_seed: Annotated[
        int | None, Opt("Shuffle items with this seed before making units.", ADVANCED, NAME_OF_DRAWS)
    ] = None


@dataclass(frozen=True)
class Aligning(Units, Choosing):
    """All that makes a sample of a table of scores, but for its systems."""


@dataclass(frozen=True)
class TwoSystems:
    """Which two of many systems are compared."""

    a: SystemA = None
    b: SystemB = None


@dataclass(frozen=True)
class ReadingPValues(TwoSystems):
    """How a table of p-values is read: what `read_p_values` takes, and with it every command and request about them."""

    columns: Columns = None
    printed: Printed = None
    higher_is_better: HigherIsBetter = None


# What only logs of evaluation harnesses have.
OF_LOGS = tuple(field.name for field in fields(ReadingLogs))
# Options that make units of several items, which only items that are matched can be told.
UNITS = tuple(field.name for field in fields(Units))
# Options that say what several datasets are together.
AVERAGING = ("weights", "over")
# What chooses a sample of two systems from a table of scores.
SELECTING = ("a", "b", *(field.name for field in fields(Aligning)))
SELECTING_UNPAIRED = tuple(field.name for field in fields(Part))
