"""nofluke power: plan, curve, detect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from nofluke.cli.command_line import Command, refuse_unused
from nofluke.cli.inputs import read_sample
from nofluke.cli.options import Inputs, Output, Settings, option_names, takes
from nofluke.cli.output import check_output, write
from nofluke.errors import InputError
from nofluke.options import Opt
from nofluke.progress import progress_bar


def command() -> typer.Typer:
    """Build the group of commands."""
    app = typer.Typer(
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.command("plan", cls=Command)(_plan())
    app.command("curve", cls=Command)(_curve())
    app.command("detect", cls=Command)(_detect())
    return app


def _plan() -> Any:
    from nofluke.verbs.sample_size import sample_size

    @takes(Output, Settings, verb=sample_size, without=("chart",))
    def plan(
        output: Output,
        asked: dict[str, Any],
        n: Annotated[
            Sequence[int] | int | None, Opt("Number of items (sign: of untied ones): gives the power instead.")
        ] = None,
    ) -> None:
        """How many items are needed (or, with --n, how often is it found)?"""
        from nofluke.verbs.power import planned

        check_output(output)
        _refuse_adjust(asked)
        if n is None:
            write(sample_size(**asked), output)
        else:
            refuse_unused(("power",), "--n asks for the power")
            del asked["power"]
            write(planned(n=n, **asked), output)

    return plan


def _curve() -> Any:
    from nofluke.registry import TESTS
    from nofluke.verbs.power_curve import power_curve

    @takes(Inputs, Output, Settings, verb=power_curve, methods=TESTS, without=("delta", "confidence_level"))
    def curve(
        inputs: Inputs,
        output: Output,
        asked: dict[str, Any],
    ) -> None:
        """How does the power grow with the number of items like these?"""
        check_output(output)
        unpaired = asked["method"] != "auto" and TESTS[asked["method"]].facts["needs"] == "unpaired"
        sample = read_sample(inputs, quiet=output.quiet, unpaired=unpaired)
        with progress_bar("drawing test sets", quiet=output.quiet) as progress:
            result = power_curve(sample, progress=progress, **asked)
        write(result, output)

    return curve


def _detect() -> Any:
    from nofluke.inference.power.terms import OF_DATA
    from nofluke.verbs.detectable_effect import detectable_effect, detected, detected_in

    @takes(Inputs, Output, Settings, verb=detectable_effect, without=("n_untied", "chart"))
    def detect(
        inputs: Inputs,
        output: Output,
        asked: dict[str, Any],
    ) -> None:
        """What could this test set have found, and what not?

        Give a file, or --n with --sd or --disagreement.
        """
        check_output(output)
        numbers = [name for name in OF_DATA if name in asked]
        if inputs.files and numbers:
            raise InputError(
                "both a file and numbers were given.", fix="give the file, or --n with --sd or --disagreement."
            )
        if not inputs.files and "n" not in asked:
            raise InputError(
                "what can be found depends on the number of items.",
                fix="give a file, or --n with --sd or --disagreement (--test sign: --n alone, of untied items).",
            )
        _refuse_adjust(asked)
        if inputs.files:
            refuse_unused(("test", "design_effect"), "the file says which test and how its items depend on each other")
            sample = read_sample(inputs, quiet=output.quiet)
            del asked["test"], asked["design_effect"]
            write(detected_in(sample, **asked), output)
            return
        refuse_unused(option_names(Inputs, but="files"), "there is no file to read")
        if asked["test"] == "sign" and "disagreement" not in asked:
            asked["n_untied"] = asked.pop("n")
        write(detected(**asked), output)

    return detect


def _refuse_adjust(asked: Mapping[str, Any]) -> None:
    if asked["tests"] == 1:
        refuse_unused(("adjust",), "a single test needs no correction", fix="give --tests N as well.")
