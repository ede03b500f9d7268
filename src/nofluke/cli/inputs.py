"""From the command line's files and options to the aligned sample."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nofluke.cli.command_line import refuse_unused, remember_source, tell
from nofluke.cli.options import Inputs
from nofluke.cli.p_inputs import hold
from nofluke.cli.progress import progress_bar
from nofluke.errors import InputError, did_you_mean
from nofluke.options import SELECTING, SELECTING_UNPAIRED
from nofluke.types import Sample, Scores

# Options that make units of several items.
UNITS = ("unit", "unit_statistic", "shuffle_seed")


def part_of(inputs: Inputs) -> dict[str, Any]:
    """Say which part of the scores is looked at and how its items are matched; scored outputs have one metric."""
    part = {name: getattr(inputs, name) for name in SELECTING if name not in ("a", "b")}
    return part | ({"metric": None} if inputs.gold or inputs.formula else {})


def read_sample(inputs: Inputs, *, quiet: bool, unpaired: bool = False) -> Sample:
    """Read and align (or, for unpaired tests, only select); say on stderr how the columns were understood."""
    scores = read_table(inputs, quiet=quiet)
    part = part_of(inputs)
    if unpaired:
        refuse_unused(UNITS, "units are made of the same items of both systems, and the test is unpaired")
        refuse_unused(("weights", "over"), "an unpaired test looks at one dataset")
        return scores.unpaired(inputs.a, inputs.b, **{name: part[name] for name in SELECTING_UNPAIRED})
    return scores.pair(inputs.a, inputs.b, **part)


def read_table(inputs: Inputs, *, quiet: bool, source: Any = None) -> Scores:
    """Read all scores (of the files, or of a source already opened); say on stderr how columns were understood."""
    from nofluke.verbs.read import read

    if not inputs.files:
        raise InputError("no file was given.", fix="name a file with the scores of both systems, or two files.")
    columns = columns_of(inputs.columns)
    # Standard input alone is kept, so that it can be looked at before it is read.
    files = [hold("-")] if source is None and inputs.files == ["-"] else list(inputs.files)
    reading: dict[str, Any] = {"columns": columns, "format": inputs.input_format}
    if inputs.formula is not None:
        if inputs.gold:
            raise InputError("--formula scores tables of statistics, and --gold outputs.", fix="give one of them.")
        refuse_unused(("metric_option",), "the scores come from --formula")
        lower = inputs.lower_is_better is True
        scores = scores_from_statistics(files, inputs.formula, inputs.metric, reading, lower_is_better=lower)
    elif inputs.gold or scores_without_gold(inputs.metric, files, **reading):
        if inputs.metric is None:
            message = "outputs are scored against --gold by a metric."
            raise InputError(message, fix=f"name it: {metric_to_name(inputs.gold or ())}.")
        refuse_unused(("lower_is_better",), f"the direction of {inputs.metric} is known")
        options = inputs.metric_option
        scores = scores_from_outputs(files, inputs.metric, inputs.gold, options, reading, quiet=quiet)
    else:
        refuse_unused(("metric_option",), "it belongs to outputs that are scored against --gold")
        given: Any = source if source is not None else files[0] if len(files) == 1 else files
        told = read_as_scores(inputs)
        scores = read(given, **told)
        remember_source("read", inputs.files, told)
    _refuse_without_effect(inputs, scores)
    tell_sources(scores, quiet=quiet)
    return scores


def read_as_scores(inputs: Inputs) -> dict[str, Any]:
    """What files of scores are read with."""
    direction = None if inputs.lower_is_better is None else not inputs.lower_is_better
    return {"format": inputs.input_format, "higher_is_better": direction, "columns": columns_of(inputs.columns)}


def _refuse_without_effect(inputs: Inputs, scores: Scores) -> None:
    # Without clusters, --no-clusters says nothing wrong.
    if scores.cluster is None and inputs.clusters:
        refuse_unused(("clusters",), "no clusters are known", fix="name their column: --columns cluster=NAME.")


def tell_sources(scores: Scores, *, quiet: bool) -> None:
    """Say on stderr what was read and how its columns were understood, so that a wrong guess is seen first."""
    from nofluke.words.sources import scores_lines

    tell(scores_lines(scores), [note for source in scores.sources for note in source.notes], quiet=quiet)


def scores_from_outputs(
    files: Sequence[Any],
    metric: str,
    gold: Sequence[str] | None,
    options: Sequence[str] | None,
    reading: Mapping[str, Any],
    *,
    quiet: bool,
) -> Scores:
    """Score outputs against the gold standard; options are NAME=VALUE, read in the type the metric declares."""
    from nofluke.registry import METRICS
    from nofluke.verbs.score import score

    known = {option.name: option for option in METRICS[metric].options}
    given: dict[str, Any] = {}
    for part in options or ():
        name, equals, value = part.partition("=")
        if not equals:
            raise InputError(f"--metric-option {part!r} is not NAME=VALUE.", fix="write, say, tokenize=none.")
        if name in given:
            raise InputError(f"--metric-option {name} is given twice.", fix="give one value.")
        given[name] = _typed(value, known[name].type) if name in known else value
    golds = tuple(gold or ())
    remember_source("score", files, {**reading, **given}, metric=metric, gold=golds)
    reference: Any = golds[0] if len(golds) == 1 else [Path(path) for path in golds] or None
    with progress_bar("scoring", quiet=quiet) as progress:
        workers = os.cpu_count() or 1
        return score(metric, list(files), reference, workers=workers, progress=progress, **reading, **given)


def metric_to_name(gold: Sequence[str]) -> str:
    """Give the option that names a metric, one that fits the gold standard where it can be looked at."""
    from nofluke.metrics.outputs.fitting import fitting_metrics

    usual, *others = next(filter(None, map(fitting_metrics, gold)), ()) or ("NAME",)
    more = f" (or {', '.join(others)})" if others else ""
    return f"--metric {usual}{', say' if usual != 'NAME' else ''}{more}; nofluke methods --kind metric lists all"


def scores_from_statistics(
    files: Sequence[Any], formula: str, metric: str | None, reading: Mapping[str, Any], *, lower_is_better: bool
) -> Scores:
    """Score tables of statistics by a formula of their sums."""
    from nofluke.verbs.score import from_statistics

    direction: dict[str, Any] = {"higher_is_better": False} if lower_is_better else {}
    remember_source("from_statistics", files, {**direction, **reading}, metric=metric or "", formula=formula)
    return from_statistics(list(files), formula, metric=metric or "score", **direction, **reading)


def scores_without_gold(metric: str | None, files: Sequence[Any], columns: Mapping[str, Any], format: str) -> bool:
    """Whether the files hold outputs to be scored: gold is a column of theirs, or was used already (evalb's tables)."""
    from nofluke.verbs.score import holds_gold, made_with_gold

    if metric is not None and made_with_gold(metric, files):
        return True
    found = holds_gold(metric, files, columns, format)
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


def columns_of(given: Sequence[str] | None) -> dict[str, str]:
    """Read --columns ROLE=NAME into names by role; whether a role belongs to a question, its reader says."""
    from nofluke.readers.aliases import ROLES, SEVERAL

    mapping: dict[str, str] = {}
    # Roles may also be joined by commas; a comma before anything but ROLE= belongs to the column names.
    following = "|".join(ROLES)
    for part in (p for one in given or () for p in re.split(rf",\s*(?=(?:{following})=)", one)):
        role, equals, column = part.partition("=")
        if not equals or not column:
            raise InputError(f"--columns {part!r} is not ROLE=NAME.", fix="write, say, --columns item=segment.")
        if role not in ROLES:
            raise InputError(
                f"--columns {part!r}: {role!r} is not a role.",
                fix=f"{did_you_mean(role, ROLES)}roles are {', '.join(ROLES)}.",
            )
        if role in mapping and role not in SEVERAL:
            raise InputError(
                f"--columns names two columns as {role}: {mapping[role]!r} and {column!r}.", fix="name one of them."
            )
        mapping[role] = f"{mapping[role]},{column}" if role in mapping else column
    return mapping


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
