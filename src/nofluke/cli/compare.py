"""nofluke compare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from nofluke.cli.command_line import refuse_unused
from nofluke.cli.inputs import chosen_part, is_several, read_sample, read_samples, read_table
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.errors import InputError
from nofluke.option_groups import UNITS, Aligning, TwoSystems
from nofluke.options import Opt, options_of
from nofluke.progress import progress_bar

NOT_SUPPORTED = 3


def command() -> Callable[..., None]:
    """Build the command, with the options of all registered tests."""
    from nofluke.registry import TESTS
    from nofluke.verbs.compare import compare as verb

    @takes(Inputs, Output, Settings, verb=verb, methods=TESTS, paired=True, without=("confidence_level",))
    def compare(
        inputs: Inputs,
        output: Output,
        asked: dict[str, Any],
        require: Annotated[
            str | None, Opt("Exit 3 unless this is shown: better, or not-worse (with `margin`).")
        ] = None,
        against: Annotated[
            float | None, Opt("Compare one system (`a`) with this number, a published score, instead of another.")
        ] = None,
    ) -> None:
        """Is system A better than system B, or was it a fluke?"""
        import nofluke as nf
        from nofluke.inference.tests.claims import check_request, judge_claim
        from nofluke.words.margin import claim_sentence

        check_output(output)
        if against is not None:
            _against(inputs, output, against, asked, require)
            return
        method, margin = asked["method"], asked.get("margin")
        if not asked["bayes"]:
            refuse_unused(("rope",), "it belongs to the Bayesian answer", fix="give --bayes as well.")
        if require is not None:
            check_request(require, margin, asked["alternative"], asked["delta"], method)
        if is_several(inputs.metric):
            refuse_unused(("require",), "a release hangs on one metric")
            write(nf.compare(read_samples(inputs, quiet=output.quiet), **asked), output)
            return
        sample = read_sample(inputs, quiet=output.quiet)
        with progress_bar("drawing", quiet=output.quiet) as progress:
            result = nf.compare(sample, progress=progress, **asked)
        write(result, output)
        if require is not None:
            claim = judge_claim(result, require)
            typer.echo(claim_sentence(claim), err=True)
            if not claim.supported:
                raise typer.Exit(NOT_SUPPORTED)

    return compare


def _of_two_systems() -> list[str]:
    """What means nothing where one system is compared with a number: all that `estimate` does not take."""
    from nofluke.registry import TESTS
    from nofluke.verbs.compare import compare
    from nofluke.verbs.estimate import estimate

    # The level is that of its interval.
    taken = {"a", "alpha", *(option.name for option in options_of(estimate))}
    of_tests = (option for method in TESTS for option in method.options)
    offered = (*options_of(TwoSystems), *options_of(Aligning), *options_of(compare), *of_tests)
    return [name for name in dict.fromkeys(option.name for option in offered) if name not in taken]


def _against(inputs: Inputs, output: Output, against: float, asked: dict[str, Any], require: str | None) -> None:
    """Compare one system with a fixed number; exit 3 where a claim is required and not shown."""
    import nofluke as nf
    from nofluke.inference.tests.claims import refuse_two_runs

    refuse_unused(_of_two_systems(), "one system is compared with a number (--against)")
    if require not in (None, "better"):
        raise InputError(f"the claim {require} is about two systems.", fix="with --against require better.")
    scores = read_table(inputs, quiet=output.quiet)
    part = {name: value for name, value in chosen_part(inputs).items() if name not in UNITS}
    told = {"against": against, "alternative": asked["alternative"], "confidence_level": 1 - asked["alpha"]}
    result = nf.estimate(scores, inputs.a, seed=asked["seed"], **told, **part)
    write(result, output)
    if require is not None:
        refuse_two_runs(result.notes)
        if result.verdict != "better":
            raise typer.Exit(NOT_SUPPORTED)
