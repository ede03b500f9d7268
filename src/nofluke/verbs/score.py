"""score: outputs and gold become scores."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

from nofluke.errors import By, Fix, InputError, MethodError, named_as
from nofluke.metrics.as_scores import as_scores, signature_note
from nofluke.metrics.extract import extract
from nofluke.metrics.outputs.resolve import Resolved, resolve
from nofluke.metrics.outputs.sources import kind_of
from nofluke.metrics.statistics import ItemStatistics
from nofluke.metrics.texts import Lines
from nofluke.noting import called
from nofluke.option_groups import Looking, ReadingTables
from nofluke.options import Missing, Opt, parted, stating
from nofluke.readers.given import named_sources
from nofluke.registry import METRICS, Method
from nofluke.types import Scored, Scores

Progress = Callable[[int, int], None]


@stating(ReadingTables)
def score(
    metric: str | Callable[..., Any],
    outputs: Any,
    gold: Any = None,
    *,
    cache: bool = True,
    workers: int = 1,
    progress: Progress | None = None,
    **options: Any,
) -> Scores:
    """How do these systems score against the gold standard, item by item?

    `outputs` maps names of systems to files ("-" is standard input) or lists of lines, or is a file or a list of files;
    `gold` is a file or list of lines, or a list of them where a metric takes several references. A file holds one
    output per line, or is a table (CSV, TSV, JSON, JSON lines, Parquet): with a column for each system, with columns
    system and output, or with a column called like the system. `columns` names what is not found by its name:
    {"output": ..., "gold": ..., "item": ..., "system": ..., "dataset": ..., "run": ..., "cluster": ...}, and with
    "ignore" what is none of these; gold may be a column of the outputs' own table. Runs of an item are averaged when
    systems are compared. format="lines" takes every line of a file as it is. Items are matched by id where both sides
    have ids. Options belong to the metric (see `methods`). The result holds per-item statistics and the formula that
    turns their sums into the score, so that corpus metrics are tested properly and never recomputed from text.
    Statistics are cached by content (cache=False, or NOFLUKE_CACHE=off, turns that off); `workers` processes share the
    work.

    `metric` may be your own function. It gets an output line and its gold line, and gives the item's score, or several
    statistics (`names`) with an `aggregate` formula of their sums, such as "2*tp/(pred+gold)". With whole=True it gets
    the list of all outputs and that of all golds: then every resample is scored anew, by `workers` processes if asked.
    Higher is better unless higher_is_better=False.

    >>> import nofluke as nf
    >>> scores = nf.score("accuracy", {"A": ["yes", "no"], "B": ["no", "no"]}, ["yes", "no"])
    >>> scores.pair("A", "B").score(0)
    1.0
    """
    _refuse_nameless(outputs, gold)
    how, options = parted(ReadingTables, options)
    columns = how.columns
    if callable(metric):
        found = resolve(outputs, gold, "texts", columns, how.format)
        return _score_by_function(metric, found, how.higher_is_better, workers, progress, options)
    method = METRICS[metric]
    kind = kind_of(str(method.facts["task"]))
    if kind in ("labels", "numbers"):
        named = {"output": options.pop("column", None), "gold": options.pop("gold_column", None)}
        columns = {role: name for role, name in {**named, **(columns or {})}.items() if name is not None}
    if how.higher_is_better is not None:
        raise MethodError(
            f"whether higher {method.name} is better is known.", fix="leave higher_is_better to your own functions."
        )
    settings = method.check_options(options)
    found = resolve(outputs, gold, kind, columns, how.format)
    if found.gold is None and _needs_gold(method):
        raise InputError(
            f"{method.name} compares outputs with gold, and none was given.",
            fix=Fix("give gold", By(shell=": --gold FILE"), "; or name its column: ", named_as(gold="NAME"), "."),
        )
    statistics = extract(
        method.name, found.outputs, found.gold, settings, cache=cache, workers=workers, progress=progress
    )
    better = bool(method.facts["higher_is_better"])
    return _scores(method.name, statistics, found, better)


def _refuse_nameless(outputs: Any, gold: Any) -> None:
    """Refuse no outputs at all, and bare lines, which belong to a system."""
    sized = isinstance(outputs, Mapping | Sequence)
    if outputs is None or (sized and not outputs):
        raise InputError("no system outputs were given.", fix="name at least one: {'A': 'hyp.txt'}.")
    if isinstance(outputs, str | Mapping) or not sized or isinstance(gold, str | os.PathLike) or gold is None:
        return
    if not any(isinstance(one, str | os.PathLike) and os.path.exists(str(one).rpartition("=")[2]) for one in outputs):
        raise InputError("the outputs belong to no system.", fix="name it: {'A': [...]}, or give files.")


def _scores(name: str, statistics: Mapping[str, ItemStatistics], found: Resolved, better: bool) -> Scores:
    told = {system: found.with_items(system, one) for system, one in statistics.items()}
    return as_scores(
        name,
        told,
        higher_is_better=better,
        places=_places(found.outputs),
        datasets=found.datasets,
        runs=found.runs,
        notes=found.notes,
        sources=found.sources,
        gold=_places({"gold": found.gold}).get("gold", ""),
    )


def _score_by_function(
    function: Callable[..., Any],
    found: Resolved,
    higher_is_better: bool | None,
    workers: int,
    progress: Progress | None,
    options: Mapping[str, Any],
) -> Scores:
    from nofluke.metrics.black_box import black_box_statistics
    from nofluke.metrics.custom import callable_metric

    unknown = set(options) - {"aggregate", "names", "name", "whole"}
    if unknown:
        raise MethodError(
            f"a metric of your own has no option {sorted(unknown)[0]!r}.",
            fix="options are aggregate, names, name and whole; functools.partial gives your function its own.",
        )
    outputs, gold = found.outputs, found.gold
    if gold is None:
        raise InputError("your function compares outputs with gold, and none was given.", fix="give gold.")
    name = str(options.get("name") or getattr(function, "__name__", type(function).__name__))
    if options.get("whole"):
        if "aggregate" in options or "names" in options:
            raise MethodError("whole=True has one score and no statistics.", fix="leave aggregate and names out.")
        statistics = black_box_statistics(function, outputs, gold, name=name, workers=workers)
    else:
        own = callable_metric(function, options.get("aggregate"), options.get("names", ("score",)), name)
        statistics = {}
        for system, output in outputs.items():
            statistics[system] = own(output, gold)
            if progress is not None:
                progress(len(statistics), len(outputs))
    return _scores(name, statistics, found, higher_is_better is not False)


@stating(ReadingTables)
def from_statistics(tables: Any, formula: str, *, metric: str = "score", **stated: Any) -> Scores:
    """Which scores do tables of per-item statistics make, by a formula of their sums?

    `tables` maps names of systems to files (CSV, TSV, JSON, JSON lines, Parquet), mappings of columns, or frames, one
    row per item; or it is one such table with a column of systems. `formula` is an expression of column sums such as
    "2*tp/(2*tp+fp+fn)", where n is the number of items; arithmetic, min, max, exp, log, sqrt and abs are understood,
    nothing else is evaluated. Columns called item or id, cluster or document, dataset, run or seed, and system are what
    they say; `columns` names others ({"item": "segment"}), and with "ignore" what is none of these. An empty cell makes
    the item missing. Ratios of sums get exact tests.

    >>> import nofluke as nf
    >>> a, b = {"hits": [1, 1, 0], "all": [1, 2, 2]}, {"hits": [1, 0, 0], "all": [1, 2, 2]}
    >>> nf.from_statistics({"A": a, "B": b}, "hits/all").pair().score(0)
    0.4
    """
    from nofluke.metrics.outputs.statistics_tables import read_statistics

    how = ReadingTables(**stated)
    found = read_statistics(tables, formula, how.columns or {}, how.format)
    return as_scores(
        metric,
        found.statistics,
        higher_is_better=how.higher_is_better is not False,
        places=found.places,
        datasets=found.datasets,
        runs=found.runs,
        sources=found.sources,
    )


def _places(outputs: Mapping[str, Any]) -> dict[str, str]:
    return {
        name: output.name if isinstance(output, Lines) else str(output)
        for name, output in outputs.items()
        if isinstance(output, str | os.PathLike | Lines)
    }


@called("score", "scores", "scores")
@stating(Looking)
def scored(
    scores: Scores,
    *,
    interval: Annotated[bool, Opt("Give every score with its 95% interval; takes files of scores too.")] = False,
    **stated: Any,
) -> Scored:
    """What does each system score over all items, or on the average of several datasets?

    missing="drop" leaves out items that not all systems have, for all of them, and says how many. interval=True gives
    each score with its 95% interval, as `estimate` does; intervals that overlap say nothing about a difference.
    """
    from nofluke.align import select
    from nofluke.inference.own_score import Question, own_score
    from nofluke.inference.tests.crossed_runs import notes_on_few_runs

    sample = select(scores, scores.systems, **stated)
    strata = sample.strata
    question = Question("auto", None, "two-sided", 0.95, 0)
    places = enumerate(sample.systems if interval else ())
    found = {name: own_score(sample, place, question) for place, name in places}
    why = dict.fromkeys(told for one in found.values() for told in one.notes)
    of_intervals = (*why, *notes_on_few_runs(sample)) if interval else ()
    left_out = (sample.alignment.as_note(),) if sample.alignment.dropped else ()
    said = signature_note(sample.metric, sample.metric_signature)
    return Scored(
        metric=sample.metric,
        higher_is_better=sample.higher_is_better,
        n=sample.n,
        scores={name: sample.score(index) for index, name in enumerate(sample.systems)},
        dataset=sample.dataset,
        notes=(*(one for one in sample.notes if one not in said), *left_out, *of_intervals),
        signature=sample.metric_signature,
        intervals={name: one.interval for name, one in found.items() if one.interval is not None},
        n_datasets=0 if strata is None else len(strata.names),
        weighting="" if strata is None else strata.weighting,
    )


def system_scores(scores: Scores, metric: str | None = None, missing: Missing = "refuse") -> dict[str, float]:
    """Give the score of every system over all items, by name."""
    return dict(scored(scores, metric=metric, missing=missing).scores)


def made_with_gold(metric: str, files: Sequence[Any]) -> bool:
    """Whether all files hold counts that were made with gold, which the metric reads: evalb's tables."""
    if metric not in METRICS or _needs_gold(METRICS[metric]):
        return False
    from nofluke.metrics.formats.evalb import is_evalb_table
    from nofluke.metrics.texts import read_lines

    paths = [str(path) for _, _, path in named_sources(files)]
    # What is no text is none of these tables, and may be another one.
    with suppress(InputError):
        return all(os.path.isfile(path) and is_evalb_table(read_lines(path)) for path in paths)
    return False


def holds_gold(metric: str, files: Sequence[Any], format: str) -> bool:
    """Whether files are tables of outputs with a column of gold in one of them, to be scored by a metric."""
    from nofluke.readers.outputs import gold_beside_outputs

    # A metric that is not known is named as such by whoever scores.
    kind = kind_of(str(METRICS[metric].facts["task"])) if metric in METRICS else "labels"
    sources = named_sources(files)
    names = [name for name, _, _ in sources if name is not None]
    return any(gold_beside_outputs(source, kind, names, format) for _, _, source in sources)


def _needs_gold(method: Method) -> bool:
    return inspect.signature(method.function).parameters["gold"].default is inspect.Parameter.empty
