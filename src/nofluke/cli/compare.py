"""nofluke compare."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from nofluke.cli.command_line import refuse_unused
from nofluke.cli.inputs import read_sample
from nofluke.cli.options import Inputs, Output, Settings, method_options, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar

NOT_SUPPORTED = 3
_OWN = frozenset({"alternative", "delta", "confidence_level", "seed", "low", "high"})


def command() -> Callable[..., None]:
    """Build the command, with the options of all registered tests."""

    @takes(Inputs, Output, Settings, extra=method_options(_OWN, paired=True))
    def compare(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        extra: dict[str, Any],
        method: Annotated[
            str, typer.Option(help="The test; auto takes the recommended one. See nofluke methods.")
        ] = "auto",
        alternative: Annotated[str, typer.Option(help="two-sided, greater (A is better) or less.")] = "two-sided",
        alpha: Annotated[float, typer.Option(help="Level that decides the words and the interval.")] = 0.05,
        margin: Annotated[
            float | None, typer.Option(help="Largest loss you would accept, in score units: adds a verdict by margin.")
        ] = None,
        low: Annotated[float | None, typer.Option(help="Smallest possible score (for margins).")] = None,
        high: Annotated[float | None, typer.Option(help="Largest possible score (for margins).")] = None,
        require: Annotated[
            str | None, typer.Option(help="Exit 3 unless this is shown: better, or not-worse (with --margin).")
        ] = None,
        rules: Annotated[str, typer.Option(help="Rules that recommend a test: default or zhu2020.")] = "default",
        delta: Annotated[float, typer.Option(help="Difference under the null hypothesis, in score units.")] = 0.0,
        seed: Annotated[int, typer.Option(help="Seed of random draws, if any are made.")] = 0,
        normality_alpha: Annotated[float, typer.Option(help="Level of the normality test.")] = 0.05,
        bayes: Annotated[
            bool, typer.Option("--bayes", help="Add the Bayesian answer: how probable is it that A is better?")
        ] = False,
        rope: Annotated[
            str | None,
            typer.Option(help="With --bayes: differences too small to matter, one number (both sides) or LOW,HIGH."),
        ] = None,
    ) -> None:
        """Is system A better than system B, or was it a fluke?"""
        import nofluke as nf
        from nofluke.inference.tests.claims import check_request, judge_claim
        from nofluke.words.margin import claim_sentence

        check_output(output)
        if not bayes:
            refuse_unused(("rope",), "it belongs to the Bayesian answer", fix="give --bayes as well.")
        if margin is None and inputs.missing != "drop" and "low" not in _options_of(method):
            refuse_unused(
                ("low", "high"), "the range of scores matters for a --margin only", fix="give --margin as well."
            )
        if require is not None:
            check_request(require, margin, alternative, delta, method)
        sample = read_sample(inputs, quiet=output.quiet)
        with progress_bar("drawing", quiet=output.quiet) as progress:
            result = nf.compare(
                sample,
                method=method,
                alternative=alternative,
                alpha=alpha,
                margin=margin,
                low=low,
                high=high,
                rules=rules,
                delta=delta,
                seed=seed,
                normality_alpha=normality_alpha,
                bayes=bayes,
                rope=rope,
                progress=progress,
                **extra,
            )
        write(result, output)
        if require is not None:
            claim = judge_claim(result, require)
            typer.echo(claim_sentence(claim), err=True)
            if not claim.supported:
                raise typer.Exit(NOT_SUPPORTED)

    return compare


def _options_of(method: str) -> tuple[str, ...]:
    from nofluke.registry import TESTS

    return () if method == "auto" else tuple(TESTS[method].option_names())
