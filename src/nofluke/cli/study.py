"""nofluke study: the papers' experiments, rerun on the user's own systems."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

import typer

from nofluke.cli.command_line import Command

# Study -> the question it answers; its module in nofluke.cli.studies builds the command. A new study is one line here.
STUDIES: dict[str, str] = {
    "gains": "How large a gain is usually significant on this test set?",
    "similarity": "Do similar systems need a smaller gain?",
    "test-size": "How does the gain needed shrink as the test set grows?",
    "domain": "Is another gain needed on another test set?",
    "calibration": "How often is the winner truly better, by p-value?",
    "audit": "Does a test keep its promise on data like these?",
    "synthesize": "How do systems from resampled training sets score?",
    "multiplicity": "How often does counting significant datasets claim too many?",
    "sample-size": "What becomes of a p-value as the test set grows?",
}


def command(given: Sequence[str] = ()) -> typer.Typer:
    """Build the group of commands; of a command line only the study that it names is loaded."""
    app = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for name, question in STUDIES.items():
        module = f"nofluke.cli.studies.{name.replace('-', '_')}"
        made = import_module(module).command() if name in given else _heading
        app.command(name, cls=Command, help=None if name in given else question)(made)
    return app


def _heading() -> None:
    """Stand for a study in the list of studies."""
