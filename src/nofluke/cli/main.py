"""The entry point: loads only the command that was asked for, and turns errors into one message and exit 2."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any

import typer

from nofluke import __version__
from nofluke.cli.command_line import Command, on_stderr
from nofluke.errors import InputError, NoflukeError, speaking_on

# Command -> the question it answers; the module of the same name in this room holds it (a test keeps them equal).
COMMANDS = {
    "compare": "Is system A better than system B, or was it a fluke?",
    "gate": "May the candidate take the place of the baseline?",
    "test": "Could the difference be a fluke, by one test of your choice?",
    "rank": "Which of many systems are really better than which?",
    "replicate": "On how many datasets is A better than B, and on which?",
    "correct": "Which of many p-values are still significant?",
    "power": "How many items are needed, and what could these have found?",
    "agree": "Do annotators agree well enough to be a gold standard?",
    "study": "When can a gain be trusted? Published studies on your systems.",
    "score": "How do systems score against a gold standard?",
    "read": "What do these files or logs hold?",
    "report": "How does a stored result read as a page, a table or text?",
    "serve": "The same in a browser: drop a file, see whether it was a fluke.",
    "mcp": "The same for an assistant, as tools (Model Context Protocol).",
    "methods": "Which methods are there, with which options?",
    "demo": "What does nofluke do? The main job on simulated data.",
    "doctor": "What is installed, and what is missing?",
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command; exit 0 = computed, 2 = bad input or usage."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    # Matrices are small here: threads of the linear algebra would mostly wait for each other. Before numpy loads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        with speaking_on("shell"):
            build(_words_so_far(given))(args=given, prog_name="nofluke", standalone_mode=True)
    except NoflukeError as error:
        _tell(error, given)
        raise SystemExit(2) from None
    except OSError as error:
        # The reader (head, less) going away is nothing wrong; a full disk is.
        if not isinstance(error, BrokenPipeError):
            print(f"error: the result cannot be written: {error.strerror}.", file=sys.stderr)  # noqa: T201
        # Keep the interpreter from complaining about the same stream at exit.
        sys.stdout = None
        raise SystemExit(0 if isinstance(error, BrokenPipeError) else 2) from None


def _words_so_far(given: list[str]) -> list[str]:
    """What is typed; while a shell asks how it may go on, what stands on its line: that command is loaded."""
    if "_NOFLUKE_COMPLETE" not in os.environ:
        return given
    completion: Any = import_module("typer.completion")
    completion.completion_init()
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    return line.split()[1:]


def build(given: Sequence[str]) -> Callable[..., Any]:
    """Make the application with the named command loaded and all others as headings only."""
    app = typer.Typer(
        help="Is system A really better than system B, or was it a fluke?",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    asked = next((argument for argument in given if not argument.startswith("-")), "")
    if asked not in COMMANDS and os.path.exists(asked) and "_NOFLUKE_COMPLETE" not in os.environ:
        fix = f"say what is asked of it: nofluke compare {shlex.quote(asked)}, or nofluke rank for many systems."
        raise InputError("this is no command.", where=asked, fix=fix)
    for name, question in COMMANDS.items():
        made = _loaded(name, given) if name == asked else _heading
        if isinstance(made, typer.Typer):
            # A command with commands of its own, such as `power plan`.
            app.add_typer(made, name=name, help=question)
        else:
            app.command(name, cls=Command, help=None if name == asked else question)(made)
    return app


def _loaded(name: str, given: Sequence[str]) -> Any:
    maker = import_module(f"nofluke.cli.{name}").command
    # A group of many commands loads the one that is named.
    return maker(given) if name == "study" else maker()


def _heading() -> None:
    """Stand for a command in the list of commands."""


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"nofluke {__version__}")
        raise typer.Exit


def _root(
    version: bool = typer.Option(
        False, "--version", help="Print the version and stop.", is_eager=True, callback=_print_version
    ),
) -> None:
    """Hold the options that stand before any command."""


def _tell(error: NoflukeError, given: Sequence[str]) -> None:
    wants_json = "--format=json" in given or ("--format", "json") in pairwise(given)
    if wants_json:
        typer.echo(json.dumps({"ok": False, "errors": [error.to_dict("shell")]}, indent=2, ensure_ascii=False))
    else:
        said = f"error: {error.said('shell')}".split("\n")
        typer.echo("\n".join(line for one in said for line in on_stderr(one)), err=True)
