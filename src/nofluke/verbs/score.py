"""score: outputs and gold become scores."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nofluke.errors import InputError, MethodError
from nofluke.metrics.extract import extract
from nofluke.readers.file_names import names_of
from nofluke.registry import METRICS, Method
from nofluke.types import Scored, Scores
from nofluke.verbs.scoring.assemble import as_scores, signature_note
from nofluke.verbs.scoring.standard_input import with_standard_input

Progress = Callable[[int, int], None]


def score(
    metric: str | Callable[..., Any],
    outputs: Mapping[str, Any],
    gold: Any = None,
    *,
    higher_is_better: bool | None = None,
    cache: bool = True,
    workers: int = 1,
    progress: Progress | None = None,
    **options: Any,
) -> Scores:
    """How do these systems score against the gold standard, item by item?

    `outputs` maps names of systems to files ("-" is standard input) or lists of lines; `gold` is the same, or a list of
    them where a metric takes several references. Options belong to the metric (see `methods`). The result holds
    per-item statistics and the formula that turns their sums into the score, so that corpus metrics are tested properly
    and never recomputed from text. Statistics are cached by content (cache=False, or NOFLUKE_CACHE=off, turns that
    off); `workers` processes share the work.

    `metric` may be your own function. It gets an output line and its gold line, and gives the item's score, or several
    statistics (`names`) with an `aggregate` formula of their sums, such as "2*tp/(pred+gold)". With whole=True it gets
    the list of all outputs and that of all golds: then every resample is scored anew, by `workers` processes if asked.
    Higher is better unless higher_is_better=False.

    >>> import nofluke as nf
    >>> scores = nf.score("accuracy", {"A": ["yes", "no"], "B": ["no", "no"]}, ["yes", "no"])
    >>> scores.pair("A", "B").score(0)
    1.0
    """
    if not outputs:
        raise InputError("no system outputs were given.", fix="name at least one: {'A': 'hyp.txt'}.")
    outputs, gold = with_standard_input(outputs, gold)
    if callable(metric):
        return _score_by_function(metric, outputs, gold, higher_is_better, workers, progress, options)
    method = METRICS[metric]
    if gold is None and _needs_gold(method):
        raise InputError(
            f"{method.name} compares outputs with gold, and none was given.", fix="give gold (--gold FILE)."
        )
    if higher_is_better is not None:
        raise MethodError(
            f"whether higher {method.name} is better is known.", fix="leave higher_is_better to your own functions."
        )
    settings = method.check_options(options)
    statistics = extract(method.name, outputs, gold, settings, cache=cache, workers=workers, progress=progress)
    better = bool(method.facts["higher_is_better"])
    return as_scores(method.name, statistics, higher_is_better=better, places=_places(outputs))


def _score_by_function(
    function: Callable[..., Any],
    outputs: Mapping[str, Any],
    gold: Any,
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
    return as_scores(name, statistics, higher_is_better=higher_is_better is not False)


def from_statistics(
    tables: Mapping[str, Any], formula: str, *, metric: str = "score", higher_is_better: bool = True
) -> Scores:
    """Which scores do tables of per-item statistics make, by a formula of their sums?

    `tables` maps names of systems to CSV or TSV files, mappings of columns, or frames, one row per item. `formula` is
    an expression of column sums such as "2*tp/(2*tp+fp+fn)", where n is the number of items; arithmetic, min, max, exp,
    log, sqrt and abs are understood, nothing else is evaluated. A column item or id names the items, cluster or
    document what belongs together. Ratios of sums get exact tests.

    >>> import nofluke as nf
    >>> a, b = {"hits": [1, 1, 0], "all": [1, 2, 2]}, {"hits": [1, 0, 0], "all": [1, 2, 2]}
    >>> nf.from_statistics({"A": a, "B": b}, "hits/all").pair().score(0)
    0.4
    """
    from nofluke.metrics.custom import table_statistics

    if not isinstance(tables, Mapping) or not tables:
        raise InputError("no tables were given.", fix="name at least one: {'A': 'counts_a.csv'}.")
    tables, _ = with_standard_input(tables)
    statistics = {str(system): table_statistics(table, formula) for system, table in tables.items()}
    return as_scores(metric, statistics, higher_is_better=higher_is_better, places=_places(tables))


def _places(outputs: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(output) for name, output in outputs.items() if isinstance(output, str | os.PathLike)}


def scored(
    scores: Scores,
    *,
    dataset: str | None = None,
    metric: str | None = None,
    run: str | None = None,
    missing: str = "refuse",
) -> Scored:
    """What does each system score over all items?

    missing="drop" leaves out items that not all systems have, for all of them, and says how many.
    """
    from nofluke.align import select

    sample = select(scores, scores.systems, dataset=dataset, metric=metric, run=run, missing=missing)  # type: ignore[arg-type]  # checked there
    left_out = (f"{sample.alignment}.",) if sample.alignment.dropped else ()
    said = signature_note(sample.metric, sample.metric_signature)
    return Scored(
        metric=sample.metric,
        higher_is_better=sample.higher_is_better,
        n=sample.n,
        scores={name: sample.score(index) for index, name in enumerate(sample.systems)},
        dataset=sample.dataset,
        notes=(*(note for note in sample.notes if note not in said), *left_out),
        signature=sample.metric_signature,
    )


def system_scores(scores: Scores, metric: str | None = None, missing: str = "refuse") -> dict[str, float]:
    """Give the score of every system over all items, by name."""
    return dict(scored(scores, metric=metric, missing=missing).scores)


def made_with_gold(metric: str, files: Sequence[str]) -> bool:
    """Whether all files hold counts that were made with gold, which the metric reads: evalb's tables."""
    if metric not in METRICS or _needs_gold(METRICS[metric]):
        return False
    from nofluke.metrics.formats.evalb import is_evalb_table
    from nofluke.metrics.texts import read_lines

    return all(os.path.isfile(file) and is_evalb_table(read_lines(file)) for file in files)


def _needs_gold(method: Method) -> bool:
    return inspect.signature(method.function).parameters["gold"].default is inspect.Parameter.empty


def named_outputs(files: Sequence[str]) -> dict[str, str]:
    """Read NAME=FILE arguments; a bare FILE names the system after itself."""
    bare = [given for given in files if "=" not in given or os.path.exists(given)]
    after_files = iter(names_of(bare))
    named: dict[str, str] = {}
    for given in files:
        name, _, path = given.partition("=")
        if given in bare:
            name, path = next(after_files), given
        if not name:
            raise InputError(f"{given!r} names no system before the =.", fix="write NAME=FILE, or FILE alone.")
        if name in named:
            raise InputError(f"two systems are called {name!r}.", fix="name them: A=hyp1.txt B=hyp2.txt.")
        named[name] = path
    return named
