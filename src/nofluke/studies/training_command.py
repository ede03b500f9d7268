"""Many systems from a user's own training command, run on resampled training files."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np

from nofluke.check import check_count
from nofluke.errors import Fix, InputError, Option, unknown
from nofluke.executors import is_spread, ordered, using
from nofluke.options import Opt
from nofluke.studies.synthesis import (
    SYSTEMS,
    Recipe,
    Seed,
    Sizes,
    Systems,
    recipes,
    resampled_rows,
    scores_of,
    training_seed,
)
from nofluke.types import Scores, note

Progress = Callable[[int, int], None] | None


@dataclass(frozen=True, slots=True)
class _Job:
    """One run of a command in a folder of its own."""

    recipe: Recipe
    words: tuple[str, ...]
    folder: Path

    @property
    def output(self) -> Path:
        """Where the command writes one line for each test item."""
        return self.folder / "output"


def synthesize_command(
    commands: Mapping[str, str],
    train: Sequence[str | Path],
    test: str | Path,
    *,
    metric: Annotated[str | None, Opt("Metric; without one, commands write scores.")] = None,
    gold: Any = None,
    metric_options: Mapping[str, Any] | None = None,
    sizes: Sizes = None,
    systems: Systems = None,
    failures: Annotated[Literal["refuse", "drop"], Opt("Commands that fail: refuse or drop.")] = "refuse",
    keep: Annotated[str | Path | None, Opt("Keep training files and outputs in this folder.")] = None,
    workers: Annotated[int, Opt("Commands run at a time.")] = 1,
    seed: Seed = 0,
    progress: Progress = None,
    executor: Any = None,
) -> Scores:
    """What would many systems score that a training command makes from resampled training files?

    `commands` are {name: command line} with the places {train} (several training files: {train1}, {train2}, whose lines
    belong together), {test}, {output} and {seed}. A command reads the resampled training files and the test file, and
    writes one line for each test item to {output}: outputs, which are scored with `metric` against `gold`, or, without
    a metric, the item's score. failures="drop" leaves out systems whose command fails, as the paper had to. Everything
    is kept in the folder `keep`, if one is named. `executor` says who runs the commands, as in `compare`; several
    machines must all see that folder.
    """
    from nofluke.metrics.texts import read_lines

    if not commands:
        raise InputError("no command was given.", fix="give NAME=COMMAND with {train}, {test} and {output} in it.")
    if (metric is None) != (gold is None):
        raise InputError("outputs are scored by a metric against gold.", fix="give both, or neither of them.")
    if failures not in ("refuse", "drop"):
        raise unknown("value of failures", str(failures), ("refuse", "drop"))
    check_count(workers, "workers", 1, 1_000)
    files = [read_lines(path).lines for path in train]
    rows = _parallel(files, train)
    plan = recipes(list(commands), [rows] if sizes is None else sizes, SYSTEMS if systems is None else systems)
    with tempfile.TemporaryDirectory(prefix="nofluke-") as made:
        root = Path(made if keep is None else keep).resolve()
        jobs = [
            _job(number, recipe, commands[recipe.model], files, rows, Path(test).resolve(), root, seed)
            for number, recipe in enumerate(plan)
        ]
        with using(executor):
            failed = _run_all(jobs, workers, progress)
        kept = [job for job in jobs if job.recipe not in failed]
        if failed and (failures == "refuse" or not kept):
            recipe, reason = next(iter(failed.items()))
            raise InputError(
                f"{len(failed)} of {len(jobs)} commands failed, the first for {recipe.name!r}: {reason}",
                fix=Fix("try the command by hand, or leave failing systems out: ", Option("failures", "drop"), "."),
            )
        scores = _scored(kept, metric, gold, metric_options or {}, seed)
    if failed:
        said = note("study.failed_commands", failed=len(failed), systems=len(jobs))
        scores = replace(scores, notes=(*scores.notes, said))
    return scores


def _parallel(files: Sequence[Sequence[str]], names: Sequence[str | Path]) -> int:
    if not files or not files[0]:
        raise InputError("there are no training lines.", fix="name a training file with one example a line.")
    for lines, name in zip(files, names, strict=True):
        if len(lines) != len(files[0]):
            raise InputError(
                f"{len(lines):,} lines, and the first training file has {len(files[0]):,}.",
                where=str(name),
                fix="lines of training files belong together one by one.",
            )
    return len(files[0])


def _job(
    number: int,
    recipe: Recipe,
    command: str,
    files: Sequence[Sequence[str]],
    rows: int,
    test: Path,
    root: Path,
    seed: int,
) -> _Job:
    """Write the training files of a system and fill in its command line."""
    folder = root / f"system{number + 1:04d}"
    folder.mkdir(parents=True, exist_ok=True)
    # What an earlier run left in a kept folder must not pass for this one's.
    (folder / "output").unlink(missing_ok=True)
    chosen = resampled_rows(recipe, rows, seed).tolist()
    places = {"test": str(test), "output": str(folder / "output"), "seed": str(training_seed(seed, number + 1))}
    for index, lines in enumerate(files, start=1):
        path = folder / f"train{index}"
        path.write_text("".join(f"{lines[row]}\n" for row in chosen), encoding="utf-8")
        places[f"train{index}"] = str(path)
    places["train"] = places["train1"]
    for place in ("{train", "{output}"):
        if place not in command:
            raise InputError(f"the command {command!r} has no place {place.rstrip('}')}}}.", fix="put it in.")
    words = []
    for word in shlex.split(command):
        for place, value in places.items():
            word = word.replace(f"{{{place}}}", value)
        words.append(word)
    return _Job(recipe, tuple(words), folder)


def _run_all(jobs: Sequence[_Job], workers: int, progress: Progress) -> dict[Recipe, str]:
    """Run all commands, so many at a time, or by whoever works now; give the reasons of those that failed."""
    with nullcontext() if is_spread() else ThreadPoolExecutor(workers) as pool, using(pool):
        reasons = list(ordered(_run, None, jobs, progress))
    return {job.recipe: reason for job, reason in zip(jobs, reasons, strict=True) if reason}


def _run(_shared: None, job: _Job) -> str:
    try:
        ran = subprocess.run(job.words, capture_output=True, text=True, check=False)
    except OSError as error:
        return f"{job.words[0]}: {error.strerror}."
    if ran.returncode:
        last = (ran.stderr.strip().splitlines() or ["no message"])[-1]
        return f"exit code {ran.returncode}: {last}"
    return "" if job.output.is_file() else "it wrote no output file."


def _scored(jobs: Sequence[_Job], metric: str | None, gold: Any, options: Mapping[str, Any], seed: int) -> Scores:
    from nofluke.verbs.score import score

    if metric is not None:
        outputs = {job.recipe.name: job.output for job in jobs}
        return score(metric, outputs, gold, **options)
    columns = [_numbers(job) for job in jobs]
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        raise InputError(
            f"the commands wrote between {min(lengths):,} and {max(lengths):,} scores.",
            fix="write one for each test item.",
        )
    plan = [job.recipe for job in jobs]
    return scores_of(plan, np.array(columns).T, "score", seed, higher_is_better=True)


def _numbers(job: _Job) -> list[float]:
    from nofluke.metrics.texts import read_lines

    numbers = []
    for line, text in enumerate(read_lines(job.output).lines, start=1):
        try:
            numbers.append(float(text))
        except ValueError:
            raise InputError(
                f"{text!r} is no score.",
                where=f"output of {job.recipe.name!r}, line {line}",
                fix="write one number for each test item, or give a metric and gold to score outputs.",
            ) from None
    return numbers
