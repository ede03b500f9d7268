"""Options that come together: how files are read, and which part of the scores is looked at. Each is described once.

Verbs state a group in their signature (`options.stating`); commands, requests and forms are made from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Annotated, Any, Literal

from nofluke.options import (
    ADVANCED,
    INPUT,
    Clusters,
    Columns,
    Dataset,
    Format,
    HigherIsBetter,
    Logs,
    MatchBy,
    Metric,
    Missing,
    MissingRuns,
    OnError,
    OnUnscored,
    Opt,
    Over,
    Reduce,
    Run,
    Runs,
    ShuffleSeed,
    SystemA,
    SystemB,
    SystemBy,
    Unit,
    UnitStatistic,
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

    on_error: OnError = "missing"
    on_unscored: OnUnscored = "missing"
    missing_runs: MissingRuns = "average"
    logs: Logs = "newest"
    system_by: SystemBy = None
    match_by: MatchBy = "id"


@dataclass(frozen=True)
class Reading(ReadingLogs, ReadingTables):
    """How files are read: what `read` takes, and with it every command, request and form about scores."""

    reduce: Reduce = "mean"


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

    format: Format = "auto"
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

    over: Over = None
    clusters: Clusters = True


@dataclass(frozen=True)
class Unpaired:
    """Of independent groups less is to be chosen: nothing is matched, averaged or put together."""

    dataset: Dataset = None
    metric: Metric = None
    run: Run = None
    missing: Missing = "refuse"
    clusters: Clusters = True


@dataclass(frozen=True)
class Units:
    """How items are put together."""

    unit: Unit = 1
    unit_statistic: UnitStatistic = "mean"
    shuffle_seed: ShuffleSeed = None


@dataclass(frozen=True)
class Aligning(Units, Choosing):
    """All that makes a sample of a table of scores, but for its systems."""


@dataclass(frozen=True)
class TwoSystems:
    """Which two of many systems are compared."""

    a: SystemA = None
    b: SystemB = None


# What only logs of evaluation harnesses have.
OF_LOGS = tuple(field.name for field in fields(ReadingLogs))
# Options that make units of several items, which only items that are matched can be told.
UNITS = tuple(field.name for field in fields(Units))
# Options that say what several datasets are together.
AVERAGING = ("weights", "over")
# What chooses a sample of two systems from a table of scores.
SELECTING = ("a", "b", *(field.name for field in fields(Aligning)))
SELECTING_UNPAIRED = tuple(field.name for field in fields(Unpaired))
