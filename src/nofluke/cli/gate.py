"""nofluke gate."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from nofluke.cli.command_line import refuse_unused, remember, remember_beside, remember_source, source_read
from nofluke.cli.options import Output, Plain, Settings, refuse_ending, takes
from nofluke.cli.output import check_output, this_run, write
from nofluke.errors import InputError, NoflukeError
from nofluke.options import INPUT, OUTPUT, Opt

FAILED = 3
_FORMATS = ("text", "markdown", "json", "junit", "html")
_SUFFIXES = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".json": "json",
    ".xml": "junit",
    ".html": "html",
    ".txt": "text",
}
# The summary of a job on GitHub, which several steps write to.
_SUMMARY = "GITHUB_STEP_SUMMARY"
# Where GitHub, GitLab, Jenkins, CircleCI, Buildkite and Azure say which commit is judged.
_COMMITS = ("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT", "CIRCLE_SHA1", "BUILDKITE_COMMIT", "BUILD_SOURCEVERSION")


@dataclass(frozen=True, slots=True)
class Outputs:
    """Where the answer goes, and in which forms."""

    format: Annotated[
        str,
        typer.Option(
            "--format",
            help=f"{', '.join(_FORMATS[:-1])} or {_FORMATS[-1]}; for files whose ending says nothing.",
            rich_help_panel=OUTPUT,
        ),
    ] = "text"
    output: Annotated[
        list[str] | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the answer to this file, by its ending .md, .json, .xml (JUnit), .html, .txt. May be repeated.",
            callback=remember,
            rich_help_panel=OUTPUT,
        ),
    ] = None
    details: Annotated[
        bool, typer.Option("--details", help="Print the whole answer: all rows and notes.", rich_help_panel=OUTPUT)
    ] = False
    plain: Plain = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print the verdict alone.", rich_help_panel=OUTPUT)] = (
        False
    )

    @property
    def files(self) -> list[tuple[str, str]]:
        """Every file with its format."""
        return [(file, _SUFFIXES.get(Path(file).suffix.casefold(), self.format)) for file in self.output or ()]

    def to(self, format: str) -> Output:
        """How one of the answers is written to standard output."""
        return Output(format=format, details=self.details, plain=self.plain, quiet=self.quiet)


def command() -> Callable[..., None]:
    """Build the command."""
    from nofluke.verbs.gate import gate as verb

    @takes(Outputs, Settings, verb=verb)
    def gate(
        outputs: Outputs,
        *,
        baseline: Annotated[
            list[str] | None,
            typer.Option(
                help="Logs or scores of what is released: a file, a folder, or kept scores. Repeated: its runs.",
                rich_help_panel=INPUT,
            ),
        ] = None,
        candidate: Annotated[
            list[str] | None,
            typer.Option(help="The same of what is to be released. Repeated: its runs.", rich_help_panel=INPUT),
        ] = None,
        self_: Annotated[
            list[str] | None,
            typer.Option(
                "--self", help="Instead: compare the runs of one system with each other.", rich_help_panel=INPUT
            ),
        ] = None,
        asked: dict[str, Any],
        record: Annotated[
            str | None, Opt("Append this look to a file (JSON lines), and warn of a second look at a commit.", OUTPUT)
        ] = None,
    ) -> None:
        """May the candidate take the place of the baseline?

        Exit 0: passed. 3: failed (worse, not shown, or blind). 2: it could not be judged.
        """
        check_output(outputs.to(outputs.format), _FORMATS)
        for file in outputs.output or ():
            refuse_ending(file)
        try:
            result = _checked_against_itself(self_, asked) if self_ else _judged(baseline, candidate, asked)
            result = result if self_ else _dated(result, record)
        except NoflukeError as error:
            _write_failure(error, outputs, asked["name"])
            raise
        _write(result, outputs)
        if result.outcome not in ("passed", "nothing found"):
            raise typer.Exit(FAILED)

    return gate


def _judged(baseline: list[str] | None, candidate: list[str] | None, asked: dict[str, Any]) -> Any:
    from nofluke.progress import progress_bar
    from nofluke.verbs.gate import gate as verb

    for side, given in (("baseline", baseline), ("candidate", candidate)):
        if not given:
            raise InputError(f"no {side} was given.", fix=f"name its logs or scores: --{side} PATH.")
    _remember({"baseline": baseline or [], "candidate": candidate or []}, asked)
    with progress_bar("judging", quiet=not sys.stderr.isatty()) as progress:
        return verb(baseline, candidate, workers=os.cpu_count() or 1, progress=progress, **asked)


def _checked_against_itself(runs: list[str], asked: dict[str, Any]) -> Any:
    from nofluke.options import options_of
    from nofluke.verbs.gate import gate
    from nofluke.verbs.self_check import self_check as verb

    known = {option.name for option in options_of(verb)}
    others = [option.flag for option in options_of(gate) if option.name not in known]
    refuse_unused(
        ("baseline", "candidate", "record", *others), "--self compares the runs of one system with each other"
    )
    _remember({"self": runs}, asked)
    told = {name: value for name, value in asked.items() if name in known}
    return verb(runs, workers=os.cpu_count() or 1, **told)


def _remember(sides: dict[str, list[str]], asked: dict[str, Any]) -> None:
    """Keep which files were given, for files of options and for reports that say how to repeat the run."""
    remember_source("sides", [f"{side}={path}" for side, paths in sides.items() for path in paths])
    columns = [f"{role}={name}" for role, name in (asked.get("columns") or {}).items()]
    remember_beside(source_read(), columns=columns)


def _dated(result: Any, record: str | None) -> Any:
    """Say when and at which commit the gate was asked; where there is a record, which look at it this is."""
    from nofluke.cli.looks import recorded
    from nofluke.types import Look

    commit = next((os.environ[name] for name in _COMMITS if os.environ.get(name)), "")
    time = datetime.now(UTC).isoformat(timespec="seconds")
    return replace(result, look=Look(time, commit)) if record is None else recorded(result, record, time, commit)


def _write(result: Any, outputs: Outputs) -> None:
    """Print the answer, and write every file in its own form."""
    from nofluke.reports import rendered

    # Every form of a gate says how it was asked.
    run = this_run("json")
    write(result, outputs.to("text" if outputs.output else outputs.format), run)
    for file, form in outputs.files:
        _put(rendered(result, form, run), file, quiet=outputs.quiet)


def _write_failure(error: NoflukeError, outputs: Outputs, name: str) -> None:
    """Write to every file that nothing could be judged: who looks there must not find an older answer."""
    for file, form in outputs.files:
        _put(failure_in(error, form, name), file, quiet=True)
    if not outputs.output and outputs.format in ("markdown", "junit"):
        typer.echo(failure_in(error, outputs.format, name))


def failure_in(error: NoflukeError, format: str, name: str) -> str:
    """Give an error in one of the forms of an answer."""
    import html
    import json

    from nofluke.reports.gate_comment import failure_comment
    from nofluke.reports.junit import failure_junit

    if format == "json":
        return json.dumps({"ok": False, "errors": [error.to_dict("shell")]}, indent=2, ensure_ascii=False)
    return {
        "markdown": lambda: failure_comment(error, name),
        "junit": lambda: failure_junit(error, name),
        "html": lambda: f'<!doctype html><meta charset="utf-8"><pre>{html.escape(error.said("shell"))}</pre>',
        "text": lambda: f"error: {error.said('shell')}",
    }[format]()


def _put(text: str, file: str, *, quiet: bool) -> None:
    """Write to a file; to the summary of a job below what other steps have written."""
    mode = "a" if file == os.environ.get(_SUMMARY) else "w"
    try:
        with Path(file).open(mode, encoding="utf-8") as target:
            target.write(text + "\n")
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}.", where=file, fix="check --output.") from None
    if not quiet:
        typer.echo(f"wrote {file}", err=True)
