"""From the command line's files and options to the aligned sample."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from nofluke.cli.command_line import refuse_unused, remember_source, tell
from nofluke.cli.options import Inputs
from nofluke.cli.p_inputs import hold
from nofluke.errors import InputError
from nofluke.option_groups import SELECTING_UNPAIRED, UNITS, Aligning, LargeReading, Reading, Scoring
from nofluke.options import options_of
from nofluke.progress import progress_bar
from nofluke.types import Sample, Scores


def part_of(inputs: Inputs) -> dict[str, Any]:
    """Say which part of the scores is looked at and how its items are matched; scored outputs have one metric."""
    refuse_unused(("runs",), "claims about training are made by nofluke compare, rank and replicate")
    return chosen_part(inputs, but=("runs",))


def chosen_part(inputs: Inputs, but: tuple[str, ...] = ()) -> dict[str, Any]:
    """The same, with runs kept apart where that was asked for."""
    part = {field.name: getattr(inputs, field.name) for field in fields(Aligning) if field.name not in but}
    return part | ({"metric": None} if inputs.gold or inputs.formula else {})


def read_sample(inputs: Inputs, *, quiet: bool, unpaired: bool = False) -> Sample:
    """Read and align (or, for unpaired tests, only select); say on stderr how the columns were understood."""
    scores = read_table(inputs, quiet=quiet)
    part = chosen_part(inputs)
    if unpaired:
        refuse_unused(UNITS, "units are made of the same items of both systems, and the test is unpaired")
        refuse_unused(("weights", "over", "runs"), "an unpaired test looks at one dataset")
        return scores.unpaired(inputs.a, inputs.b, **{name: part[name] for name in SELECTING_UNPAIRED})
    return scores.pair(inputs.a, inputs.b, **part)


def is_several(metric: str | None) -> bool:
    """Whether several metrics are named, with commas between them."""
    from nofluke.registry import METRICS

    return metric is not None and "," in metric and metric not in METRICS


def read_samples(inputs: Inputs, *, quiet: bool) -> dict[str, Sample]:
    """Read and align the scores of several metrics: of one table, or of outputs that are scored by each of them."""
    from nofluke.options import listed

    metrics = listed(inputs.metric or "")
    if inputs.gold or any(scores_without_gold(name, inputs.files or [], inputs) for name in metrics):
        return {
            name: read_sample(replace(inputs, metric=name), quiet=quiet or at > 0) for at, name in enumerate(metrics)
        }
    scores = read_table(replace(inputs, metric=None), quiet=quiet)
    part = {name: value for name, value in chosen_part(inputs).items() if name != "metric"}
    return {name: scores.pair(inputs.a, inputs.b, metric=name, **part) for name in metrics}


def read_table(inputs: Inputs, *, quiet: bool, source: Any = None) -> Scores:
    """Read all scores (of the files, or of a source already opened); say on stderr how columns were understood."""
    from nofluke.verbs.read import read

    if not inputs.files:
        raise InputError("no file was given.", fix="name a file with the scores of both systems, or two files.")
    # Standard input alone is kept, so that it can be looked at before it is read.
    files = [hold("-")] if source is None and inputs.files == ["-"] else list(inputs.files)
    if inputs.formula is not None or inputs.gold or scores_without_gold(inputs.metric, files, inputs):
        scores = scored_files(files, inputs.metric, inputs, quiet=quiet)
    else:
        refuse_unused(("metric_option",), "it belongs to outputs that are scored against --gold")
        given: Any = source if source is not None else files[0] if len(files) == 1 else files
        told = told_to(read, inputs)
        scores = read_files(given, told, quiet=quiet)
        remember_source("read", inputs.files, told)
    # Without clusters, --no-clusters says nothing wrong.
    if scores.cluster is None and inputs.clusters:
        refuse_unused(("clusters",), "no clusters are known", fix="name their column: --columns cluster=NAME.")
    tell_sources(scores, quiet=quiet)
    return scores


def read_files(given: Any, told: Mapping[str, Any], *, quiet: bool) -> Scores:
    """Read scores or logs; many logs are read by all processors, with a bar."""
    from nofluke.verbs.read import read

    with progress_bar("reading", quiet=quiet) as progress:
        return read(given, workers=os.cpu_count() or 1, progress=progress, **told)


def told_to(reader: Callable[..., Any], reading: Reading) -> dict[str, Any]:
    """What a function that reads is told: those of its options of reading that are not as it has them anyway."""
    takes = inspect.signature(reader).parameters
    return {
        option.name: getattr(reading, option.name)
        for option in options_of(LargeReading)
        if option.name in takes and getattr(reading, option.name, option.default) not in (option.default, {})
    }


def tell_sources(scores: Scores, *, quiet: bool) -> None:
    """Say on stderr what was read and how its columns were understood, so that a wrong guess is seen first."""
    from nofluke.words.sources import scores_lines

    tell(scores_lines(scores), [note for source in scores.sources for note in source.notes], quiet=quiet)


def scored_files(files: Sequence[Any], metric: str | None, how: Scoring, *, quiet: bool) -> Scores:
    """Score tables of statistics by a formula, or outputs against gold by a metric."""
    if how.formula is not None:
        if how.gold:
            raise InputError("--formula scores tables of statistics, and --gold outputs.", fix="give one of them.")
        refuse_unused(("metric_option",), "the scores come from --formula")
        return _from_statistics(files, how.formula, metric, how)
    if metric is None:
        message = "outputs are scored against --gold by a metric."
        raise InputError(message, fix=f"name it: {metric_to_name(how.gold)}.")
    refuse_unused(("higher_is_better",), f"the direction of {metric} is known")
    return _from_outputs(files, metric, how, quiet=quiet)


def _from_outputs(files: Sequence[Any], metric: str, how: Scoring, *, quiet: bool) -> Scores:
    """Score outputs against the gold standard; options of the metric are read in the types it declares."""
    from nofluke.registry import METRICS
    from nofluke.verbs.score import score

    known = {option.name: option for option in METRICS[metric].options}
    given = {
        name: _typed(value, known[name].type) if name in known else value
        for name, value in (how.metric_options or {}).items()
    }
    golds, reading = tuple(how.gold), told_to(score, how)
    remember_source("score", files, {**reading, **given}, metric=metric, gold=golds)
    reference: Any = golds[0] if len(golds) == 1 else [Path(path) for path in golds] or None
    with progress_bar("scoring", quiet=quiet) as progress:
        workers = os.cpu_count() or 1
        return score(metric, list(files), reference, workers=workers, progress=progress, **reading, **given)


def metric_to_name(gold: Sequence[str]) -> str:
    """Give the option that names a metric, one that fits the gold standard where it can be looked at."""
    from nofluke.readers.unscored import fitting_metrics

    usual, *others = next(filter(None, map(fitting_metrics, gold)), ()) or ("NAME",)
    more = f" (or {', '.join(others)})" if others else ""
    return f"--metric {usual}{', say' if usual != 'NAME' else ''}{more}; nofluke methods --kind metric lists all"


def _from_statistics(files: Sequence[Any], formula: str, metric: str | None, how: Scoring) -> Scores:
    """Score tables of statistics by a formula of their sums."""
    from nofluke.verbs.score import from_statistics

    reading = told_to(from_statistics, how)
    remember_source("from_statistics", files, reading, metric=metric or "", formula=formula)
    return from_statistics(list(files), formula, metric=metric or "score", **reading)


def scores_without_gold(metric: str | None, files: Sequence[Any], reading: Reading) -> bool:
    """Whether the files hold outputs to be scored: gold is a column of theirs, or was used already (evalb's tables)."""
    if (reading.columns or {}).keys() & {"gold", "output"}:
        return True
    if metric is None:
        return False
    from nofluke.verbs.score import holds_gold, made_with_gold

    if made_with_gold(metric, files):
        return True
    found = holds_gold(metric, files, reading.format)
    for file in files:
        if hasattr(file, "seek"):
            file.seek(0)
    return found


def _typed(text: str, kind: type) -> Any:
    if kind is bool:
        return {"true": True, "false": False, "yes": True, "no": False}.get(text.casefold(), text)
    if kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            return text
    return text


def sample_of_counts(text: str, inputs: Inputs) -> Sample:
    """Make the sample that four counts of right and wrong answers stand for."""
    from nofluke.align import sample_from_counts

    if inputs.files:
        raise InputError("both a file and --counts were given.", fix="give one of them.")
    parts = text.replace(" ", "").split(",")
    if len(parts) != 4 or not all(part.isdecimal() for part in parts):
        raise InputError(
            f"--counts {text!r} is not four whole numbers.",
            fix="give the items that both, only A, only B and neither got right, such as 40,12,5,43.",
        )
    remember_source("counts", given=tuple(parts))
    both, only_a, only_b, neither = (int(part) for part in parts)
    return sample_from_counts(both, only_a, only_b, neither)
