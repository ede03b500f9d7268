"""nofluke study: the papers' experiments, rerun on the user's own systems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import typer

from nofluke.cli.command_line import Command
from nofluke.cli.inputs import read_sample, read_table
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.cli.studies.pairs import NOT_OF_MANY, look_at

# Study -> the question it answers. Its function is in nofluke.studies, its command here or, where it reads more than
# scores, in a module of its own in nofluke.cli.studies. A new study is one line here.
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
# Studies of scores alone: their functions, and what their bars say.
_OF_SCORES = {
    "similarity": ("pairs.similarity:similarity", "comparing pairs"),
    "test-size": ("pairs.by_test_size:by_test_size", "comparing pairs by size"),
    "calibration": ("calibration.study:calibration", "testing pairs"),
    "audit": ("audit.study:audit", "drawing test sets"),
}
_MORE = {
    "calibration": "All items are taken for the world, and test sets are drawn from them; with --across the winner on "
    "one dataset is looked up on the others.",
    "audit": "Test sets are drawn from the items with the difference between A and B taken out; a test that keeps its "
    "promise is significant in at most alpha of them.",
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
        app.command(name, cls=Command, help=None if name in given else question)(
            _loaded(name) if name in given else _heading
        )
    return app


def _heading() -> None:
    """Stand for a study in the list of studies."""


def _loaded(name: str) -> Callable[..., None]:
    if name in _OF_SCORES:
        return _of_scores(name)
    made: Callable[..., None] = import_module(f"nofluke.cli.studies.{name.replace('-', '_')}").command()
    return made


def _of_scores(name: str) -> Callable[..., None]:
    """Build the command of a study of scores alone, with the options of its function and, where it tests, of tests."""
    from nofluke.registry import TESTS

    place, doing = _OF_SCORES[name]
    module, _, function = place.partition(":")
    study = getattr(import_module(f"nofluke.studies.{module}"), function)
    two_systems, tests = name == "audit", name in ("audit", "calibration")
    without = (*(() if two_systems else NOT_OF_MANY), *(("alternative", "delta", "confidence_level") if tests else ()))

    def run(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        asked: dict[str, Any],
    ) -> None:
        check_output(output)
        if two_systems:
            data: Any = read_sample(inputs, quiet=output.quiet)
            part: dict[str, Any] = {}
        else:
            data, part = read_table(inputs, quiet=output.quiet), look_at(inputs)
        with progress_bar(doing, quiet=output.quiet) as progress:
            result = study(data, progress=progress, **part, **asked)
        write(result, output)

    run.__doc__ = "\n\n".join(filter(None, [STUDIES[name], _MORE.get(name)]))
    return takes(Inputs, Output, Settings, verb=study, methods=TESTS if tests else None, without=without)(run)
