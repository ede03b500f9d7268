"""nofluke study: the papers' experiments, rerun on the user's own systems."""

from __future__ import annotations

from importlib import import_module

import typer

from nofluke.cli.command_line import Command

# Study -> "module:function" in nofluke.cli.studies; the function builds the command. A new study is one line here.
STUDIES: dict[str, str] = {
    "gains": "gains:command",
    "similarity": "similarity:command",
    "test-size": "by_test_size:command",
    "domain": "domain:command",
    "calibration": "calibration:command",
    "audit": "audit:command",
    "synthesize": "synthesize:command",
    "multiplicity": "multiplicity:command",
    "sample-size": "sample_size:command",
}


def command() -> typer.Typer:
    """Build the group of commands; none of them loads its study before it runs."""
    app = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for name, place in STUDIES.items():
        module, _, function = place.partition(":")
        app.command(name, cls=Command)(getattr(import_module(f"nofluke.cli.studies.{module}"), function)())
    return app
