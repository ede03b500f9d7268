"""nofluke study synthesize."""

from __future__ import annotations

import csv
import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nofluke.cli.command_line import remember_source
from nofluke.cli.options import Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.errors import InputError, unknown
from nofluke.options import Opt
from nofluke.progress import progress_bar

if TYPE_CHECKING:
    from nofluke.types import Scores

EXAMPLES = ("digits",)


def command() -> Callable[..., None]:
    """Build the command, with the options of training commands."""
    from nofluke.studies.synthesis import synthesized
    from nofluke.studies.training_command import synthesize_command

    @takes(Output, Settings, verb=synthesize_command)
    def synthesize(
        output: Output,
        example: Annotated[
            str | None, Opt("digits: three models read handwritten digits (needs scikit-learn).")
        ] = None,
        command: Annotated[
            Sequence[str],
            Opt("A model of your own, NAME=COMMAND, with the places {train}, {test}, {output} and {seed}."),
        ] = (),
        train: Annotated[Sequence[str], Opt("Training file, one example a line; several belong together.")] = (),
        test: Annotated[str | None, Opt("Test file, given to the command as {test}.")] = None,
        gold: Annotated[Sequence[str], Opt("Gold standard that the outputs are scored against.")] = (),
        *,
        asked: dict[str, Any],
        scores: Annotated[str | None, Opt("Write the scores to this CSV file.")] = None,
        groups: Annotated[str | None, Opt("Write system, model and training size to this CSV.")] = None,
    ) -> None:
        """How do systems from resampled training sets score?"""
        check_output(output)
        if example is None and not command:
            raise InputError("there is nothing to train.", fix="give --example digits, or --command NAME=COMMAND.")
        if example is not None and command:
            raise InputError("both --example and --command were given.", fix="give one of them.")
        check_targets({"scores": scores, "groups": groups})
        files = {"command": tuple(command), "train": tuple(train), "test": test, "gold": tuple(gold), "groups": groups}
        told = {name: value for name, value in asked.items() if name != "keep"}
        remember_source("synthesize", (), {"example": example, **files, **told})
        with progress_bar("training systems", quiet=output.quiet) as progress:
            if example is not None:
                made = _example(example, {**asked, "progress": progress})
            else:
                made = _commands(command, train, test, {**asked, "gold": _gold(gold), "progress": progress})
        try:
            if groups is not None:
                write_groups(made, Path(groups), quiet=output.quiet)
            if scores is not None:
                write_scores(made, Path(scores), quiet=output.quiet)
        finally:
            # What was trained is told, whatever could not be written.
            write(synthesized(made, {"seed": asked["seed"]}), output)

    return synthesize


def check_targets(targets: Mapping[str, str | None]) -> None:
    """Refuse files that cannot be written before anything is trained; targets are {option: file}."""
    for option, file in targets.items():
        if file is not None and (Path(file).is_dir() or not Path(file).absolute().parent.is_dir()):
            what = "is a folder." if Path(file).is_dir() else "lies in a folder that is not there."
            raise InputError(what, where=file, fix=f"give --{option} a file in a folder that exists.")


def _gold(files: Sequence[str]) -> Any:
    if not files:
        return None
    return files[0] if len(files) == 1 else [Path(path) for path in files]


def _example(name: str, asked: dict[str, Any]) -> Scores:
    from nofluke.studies.digits_example import synthesize_digits

    if name not in EXAMPLES:
        raise unknown("example", name, EXAMPLES)
    takes_them = inspect.signature(synthesize_digits).parameters
    return synthesize_digits(**{option: value for option, value in asked.items() if option in takes_them})


def _commands(commands: Sequence[str], train: Sequence[str], test: str | None, settings: dict[str, Any]) -> Scores:
    from nofluke.studies.training_command import synthesize_command

    if not train or test is None:
        raise InputError("a command needs training and test files.", fix="give --train FILE and --test FILE.")
    named = {}
    for given in commands:
        name, equals, line = given.partition("=")
        if not equals or "{" in name:
            raise InputError(f"--command {given!r} is not NAME=COMMAND.", fix='write, say, mymodel="train.sh {train}".')
        named[name.strip()] = line
    return synthesize_command(named, train, test, **settings)


def write_scores(scores: Scores, path: Path, *, quiet: bool) -> None:
    """Write one row an item, one column a system; only metrics with a score for every item can be written so."""
    if not all(aggregate.linear for aggregate in scores.aggregates.values()):
        raise InputError(
            f"{scores.metrics[0]} has no score for single items that a table could hold.",
            fix="keep the outputs (--keep FOLDER) and give them to the other studies with --gold and --metric.",
        )
    items, systems = len(scores.item.labels), len(scores.systems)
    table = [[""] * systems for _ in range(items)]
    for row, (item, system) in enumerate(zip(scores.item.codes, scores.system.codes, strict=True)):
        table[item][system] = f"{scores.statistics[row, 0]:.15g}"
    rows = [[label, *cells] for label, cells in zip(scores.item.labels, table, strict=True)]
    _write(path, ["item", *scores.systems], rows, quiet=quiet)


def write_groups(scores: Scores, path: Path, *, quiet: bool) -> None:
    """Write which model and training size each system has."""
    from nofluke.studies.synthesis import recipe_of

    made = [recipe_of(name) for name in scores.systems]
    rows = [[recipe.name, recipe.model, str(recipe.size)] for recipe in made]
    _write(path, ["system", "group", "training size"], rows, quiet=quiet)


def _write(path: Path, header: list[str], rows: list[list[str]], *, quiet: bool) -> None:
    from nofluke.readers.writing import safe_cell

    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(map(safe_cell, row) for row in [header, *rows])
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}.", where=str(path), fix="check the folder.") from None
    if not quiet:
        typer.echo(f"wrote {path}", err=True)
