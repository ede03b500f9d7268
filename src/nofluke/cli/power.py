"""nofluke power: plan, curve, detect."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any

import typer

from nofluke.cli.command_line import Command, refuse_unused
from nofluke.cli.inputs import read_sample
from nofluke.cli.options import Inputs, Output, Settings, method_options, option_names, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.errors import InputError

_OWN = frozenset({"alternative", "delta", "confidence_level", "seed"})


@dataclasses.dataclass(frozen=True, slots=True)
class Level:
    """How strict the test is."""

    alpha: Annotated[float, typer.Option(help="Level of the test.")] = 0.05
    alternative: Annotated[str, typer.Option(help="two-sided, greater (A is better) or less.")] = "two-sided"
    margin: Annotated[
        float | None, typer.Option(help="Largest loss you would accept: plan to show that A is not worse by more.")
    ] = None
    tests: Annotated[int, typer.Option(help="Number of tests made together: each is planned at alpha / tests.")] = 1


@dataclasses.dataclass(frozen=True, slots=True)
class Stated:
    """What is assumed to be true; for replicate, lists with commas give one value for each dataset."""

    test: Annotated[
        str,
        typer.Option(
            help="paired_t, permutation, wilcoxon, student_t, welch_t, sign, mcnemar, tango or replicate; auto takes "
            "mcnemar for accuracies, else paired_t."
        ),
    ] = "auto"
    difference: Annotated[
        str | None, typer.Option(help="The smallest true difference that would matter, in score units.")
    ] = None
    sd: Annotated[
        str | None,
        typer.Option(help="Standard deviation of the differences of items (unpaired tests: of the scores)."),
    ] = None
    sd_b: Annotated[str | None, typer.Option(help="welch_t: standard deviation of the scores of B.")] = None
    accuracy_a: Annotated[str | None, typer.Option(help="0/1 scores: true accuracy of A.")] = None
    accuracy_b: Annotated[str | None, typer.Option(help="0/1 scores: true accuracy of B.")] = None
    disagreement: Annotated[
        str | None, typer.Option(help="0/1 scores: share of items that exactly one system gets right.")
    ] = None
    p10: Annotated[str | None, typer.Option("--p10", help="0/1 scores: share of items that only A gets right.")] = None
    p01: Annotated[str | None, typer.Option("--p01", help="0/1 scores: share of items that only B gets right.")] = None
    prob_a_better: Annotated[
        str | None, typer.Option(help="sign: share of untied items on which A is truly better.")
    ] = None
    design_effect: Annotated[
        float, typer.Option(help="Design effect of clusters: how many items carry the information of one.")
    ] = 1.0


@dataclasses.dataclass(frozen=True, slots=True)
class Datasets:
    """The plan of a replicability analysis."""

    datasets: Annotated[int | None, typer.Option(help="replicate: number of datasets.")] = None
    claim: Annotated[int | None, typer.Option(help="replicate: on how many of them A is to be shown better.")] = None
    each: Annotated[str, typer.Option(help="replicate: the test of each dataset.")] = "auto"


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
    @takes(Stated, Datasets, Level, Output, Settings)
    def plan(
        stated: Stated,
        datasets: Datasets,
        level: Level,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        power: Annotated[float, typer.Option(help="How often the difference is to be found.")] = 0.8,
        n: Annotated[
            str | None, typer.Option(help="Number of items (sign: of untied ones): gives the power instead.")
        ] = None,
        adjust: Annotated[str, typer.Option(help="Correction for --tests: holm or bonferroni.")] = "holm",
    ) -> None:
        """How many items are needed (or, with --n, how often is it found)?"""
        from nofluke.verbs.power import planned
        from nofluke.verbs.sample_size import sample_size

        check_output(output)
        given = {**_fields(stated), **_fields(datasets), **_fields(level), "adjust": adjust}
        _refuse_adjust(level)
        if n is None:
            write(sample_size(**given, power=power), output)
        else:
            refuse_unused(("power",), "--n asks for the power")
            write(planned(n=_number(n, "n"), **given), output)

    return plan


def _curve() -> Any:
    @takes(Inputs, Output, Settings, Level, extra=method_options(_OWN | {"form"}))
    def curve(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        level: Level,
        extra: dict[str, Any],
        method: Annotated[str, typer.Option(help="The test; auto takes the recommended one.")] = "auto",
        difference: Annotated[
            str | None,
            typer.Option(
                help="The smallest true difference that would matter, in score units; observed draws the curve at the "
                "pilot's own difference, which is no evidence."
            ),
        ] = None,
        form: Annotated[
            str, typer.Option(help="pilot draws the file's items; normal draws normal differences.")
        ] = "pilot",
        test_form: Annotated[
            str | None, typer.Option(help="The option form of the test (bootstrap, permutation).")
        ] = None,
        sd: Annotated[float | None, typer.Option(help="Form normal: standard deviation of the differences.")] = None,
        sizes: Annotated[str, typer.Option(help="How many sizes, or the sizes with commas between them.")] = "20",
        up_to: Annotated[int | None, typer.Option(help="The largest size. Default: enough to reach the power.")] = None,
        iterations: Annotated[int, typer.Option(help="Test sets drawn at each size.")] = 200,
        power: Annotated[float, typer.Option(help="How often the difference is to be found.")] = 0.8,
        seed: Annotated[int, typer.Option(help="Seed of the draws.")] = 0,
    ) -> None:
        """How does the power grow with the number of items like these?"""
        import nofluke as nf
        from nofluke.registry import TESTS

        check_output(output)
        unpaired = method != "auto" and TESTS[method].facts["needs"] == "unpaired"
        sample = read_sample(inputs, quiet=output.quiet, unpaired=unpaired)
        if "," in sizes:
            refuse_unused(("up_to",), "--sizes names every size")
        wanted: Any = "observed" if difference == "observed" else _number(difference, "difference")
        with progress_bar("drawing test sets", quiet=output.quiet) as progress:
            result = nf.power_curve(
                sample,
                method=method,
                difference=wanted,
                form=form,
                test_form=test_form,
                sd=sd,
                sizes=_sizes(sizes),
                up_to=up_to,
                iterations=iterations,
                power=power,
                seed=seed,
                progress=progress,
                **_fields(level),
                **extra,
            )
        write(result, output)

    return curve


def _detect() -> Any:
    @takes(Inputs, Output, Settings, Level)
    def detect(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        level: Level,
        test: Annotated[str, typer.Option(help="Without a file: the test, as in power plan.")] = "auto",
        n: Annotated[int | None, typer.Option(help="Without a file: the number of items (sign: untied ones).")] = None,
        sd: Annotated[float | None, typer.Option(help="Without a file: standard deviation of the differences.")] = None,
        sd_b: Annotated[
            float | None, typer.Option(help="Without a file, welch_t: standard deviation of the scores of B.")
        ] = None,
        disagreement: Annotated[
            float | None, typer.Option(help="Without a file, 0/1 scores: share of items that one system gets right.")
        ] = None,
        design_effect: Annotated[
            float, typer.Option(help="Without a file: how many clustered items carry the information of one.")
        ] = 1.0,
        power: Annotated[float, typer.Option(help="How often the difference is to be found.")] = 0.8,
        adjust: Annotated[str, typer.Option(help="Correction for --tests: holm or bonferroni.")] = "holm",
    ) -> None:
        """What could this test set have found, and what not?"""
        from nofluke.verbs.detectable_effect import detected, detected_in

        check_output(output)
        untied = test == "sign" and disagreement is None
        numbers = {"n_untied" if untied else "n": n, "sd": sd, "sd_b": sd_b, "disagreement": disagreement}
        if inputs.files and any(value is not None for value in numbers.values()):
            raise InputError(
                "both a file and numbers were given.", fix="give the file, or --n with --sd or --disagreement."
            )
        if not inputs.files and n is None:
            raise InputError(
                "what can be found depends on the number of items.",
                fix="give a file, or --n with --sd or --disagreement (--test sign: --n alone, of untied items).",
            )
        _refuse_adjust(level)
        if inputs.files:
            refuse_unused(("test", "design_effect"), "the file says which test and how its items depend on each other")
            sample = read_sample(inputs, quiet=output.quiet)
            write(detected_in(sample, power=power, adjust=adjust, **_fields(level)), output)
        else:
            refuse_unused(option_names(Inputs, but="files"), "there is no file to read")
            assumed = {"design_effect": design_effect, "adjust": adjust, **_fields(level)}
            write(detected(test, power=power, **numbers, **assumed), output)

    return detect


def _refuse_adjust(level: Level) -> None:
    if level.tests == 1:
        refuse_unused(("adjust",), "a single test needs no correction", fix="give --tests N as well.")


def _fields(group: Any) -> dict[str, Any]:
    """Give the options of a group by name, numbers read."""
    values = {field.name: getattr(group, field.name) for field in dataclasses.fields(group)}
    words = ("test", "alternative", "each")
    return {name: value if name in words else _number(value, name) for name, value in values.items()}


def _number(value: Any, name: str) -> Any:
    """Read a number, or several with commas between them."""
    if not isinstance(value, str):
        return value
    try:
        numbers = [float(part) for part in value.split(",")]
    except ValueError:
        raise InputError(
            f"--{name.replace('_', '-')} {value!r} is not a number.", fix="give a number such as 0.01."
        ) from None
    return numbers[0] if len(numbers) == 1 else numbers


def _sizes(text: str) -> Any:
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        raise InputError(
            f"--sizes {text!r} is not a whole number.", fix="give 20, or sizes such as 100,200,400."
        ) from None
    return numbers[0] if len(numbers) == 1 else numbers
