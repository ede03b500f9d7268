"""nofluke study: the papers' experiments, rerun on the user's own systems."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer

from nofluke.cli.command_line import Command, remember_beside, source_read
from nofluke.cli.inputs import part_of, read_sample, read_table
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.errors import InputError
from nofluke.option_groups import AVERAGING, UNITS
from nofluke.options import Opt
from nofluke.progress import progress_bar

# Study -> the question it answers.
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


class _OfScores(NamedTuple):
    """A study of scores alone: where its function is, what its bar says, and what its help says beside the question.

    `pair` says that it is of two systems, `tests` that it takes the options of tests.
    """

    place: str
    doing: str
    more: str = ""
    pair: bool = False
    tests: bool = False


# A new one is one line here and one above; a study that is told more has a function of its own below.
_OF_SCORES = {
    "similarity": _OfScores("pairs.similarity:similarity", "comparing pairs"),
    "test-size": _OfScores("pairs.by_test_size:by_test_size", "comparing pairs by size"),
    "calibration": _OfScores(
        "calibration_study:calibration",
        "testing pairs",
        "All items are taken for the world, and test sets are drawn from them; with --across the winner on one dataset "
        "is looked up on the others.",
        tests=True,
    ),
    "audit": _OfScores(
        "audit_study:audit",
        "drawing test sets",
        "Test sets are drawn from the items with the difference between A and B taken out; a test that keeps its "
        "promise is significant in at most alpha of them.",
        pair=True,
        tests=True,
    ),
}
# What two systems alone can be told, or single items.
_NOT_OF_MANY = ("a", "b", *UNITS, *AVERAGING)


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
    if name == "synthesize":
        from nofluke.cli.synthesize import command as synthesize

        return synthesize()
    return _TOLD_MORE[name]()


def _of_scores(name: str) -> Callable[..., None]:
    """Build the command of a study of scores alone, with the options of its function and, where it tests, of tests."""
    from nofluke.registry import TESTS

    one = _OF_SCORES[name]
    module, _, function = one.place.partition(":")
    study = getattr(import_module(f"nofluke.studies.{module}"), function)
    without = (
        *(() if one.pair else _NOT_OF_MANY),
        *(("alternative", "delta", "confidence_level") if one.tests else ()),
    )

    def run(
        inputs: Inputs,
        output: Output,
        asked: dict[str, Any],
    ) -> None:
        check_output(output)
        if one.pair:
            _run(study, one.doing, output, read_sample(inputs, quiet=output.quiet), **asked)
        else:
            _run(study, one.doing, output, read_table(inputs, quiet=output.quiet), **_look_at(inputs), **asked)

    run.__doc__ = "\n\n".join(filter(None, [STUDIES[name], one.more]))
    return takes(Inputs, Output, Settings, verb=study, methods=TESTS if one.tests else None, without=without)(run)


def _run(study: Callable[..., Any], doing: str, output: Output, *data: Any, **asked: Any) -> None:
    with progress_bar(doing, quiet=output.quiet) as progress:
        result = study(*data, progress=progress, **asked)
    write(result, output)


def _look_at(inputs: Inputs) -> dict[str, Any]:
    """Give what of the scores is looked at; items are not made into units."""
    return {name: value for name, value in part_of(inputs).items() if name not in (*UNITS, *AVERAGING)}


def _overlays(texts: Sequence[str], inputs: Inputs, *, quiet: bool) -> dict[str, Any]:
    """Read other comparisons: NAME=FILE or FILE; files under one NAME are outputs or scores of one set of systems."""
    from nofluke.readers.file_names import names_of

    after_files = iter(names_of([text for text in texts if "=" not in text]))
    files: dict[str, list[str]] = {}
    for text in texts:
        name, equals, path = text.partition("=")
        if not equals:
            name, path = next(after_files), text
        files.setdefault(name, []).append(path)
    return {name: _overlay(paths, inputs, quiet=quiet) for name, paths in files.items()}


def _overlay(paths: list[str], inputs: Inputs, *, quiet: bool) -> Any:
    from nofluke.studies.pairs.gains import stored_comparisons

    stored = stored_comparisons(paths[0]) if len(paths) == 1 else None
    if stored is not None:
        return stored
    return read_table(dataclasses.replace(inputs, files=paths), quiet=quiet)


def _gains() -> Callable[..., None]:
    from nofluke.studies.pairs.gains import gains as study

    @takes(Inputs, Output, Settings, verb=study, without=_NOT_OF_MANY)
    def gains(
        inputs: Inputs,
        output: Output,
        asked: dict[str, Any],
        groups: Annotated[
            str | None,
            Opt("A table that says which system is in which group (team, family): CSV or TSV."),
        ] = None,
        group_column: Annotated[
            str | None, Opt("The column of `groups` that holds the group, where there are several.")
        ] = None,
        overlay: Annotated[
            Sequence[str],
            Opt(
                "Other comparisons to lay over the picture, NAME=FILE: a file of scores, a stored study of gains "
                "(JSON), or a table with the columns gain and p_value."
            ),
        ] = (),
    ) -> None:
        """How large a gain is usually significant on this test set?"""
        from nofluke.readers.side_tables import read_groups

        check_output(output)
        scores = read_table(inputs, quiet=output.quiet)
        mapping = read_groups(groups, scores.systems, group_column) if groups is not None else None
        source = source_read()
        overlays: dict[str, Any] = _overlays(overlay, inputs, quiet=output.quiet)
        remember_beside(source, groups=groups, group_column=group_column, overlay=list(overlay))
        _run(study, "comparing pairs", output, scores, groups=mapping, overlay=overlays, **_look_at(inputs), **asked)

    return gains


def _domain() -> Callable[..., None]:
    from nofluke.studies.pairs.domain import domain as study

    @takes(Inputs, Output, Settings, verb=study, without=_NOT_OF_MANY)
    def domain(
        inputs: Inputs,
        output: Output,
        asked: dict[str, Any],
        domains: Annotated[
            str | None,
            Opt("A table that says which item is of which domain, where the scores have no dataset column."),
        ] = None,
        domain_column: Annotated[
            str | None, Opt("The column of `domains` that holds the domain, where there are several.")
        ] = None,
    ) -> None:
        """Is another gain needed on another test set?"""
        from nofluke.readers.side_tables import read_groups

        check_output(output)
        if inputs.dataset is not None:
            raise InputError("--dataset chooses one, and datasets are compared.", fix="leave --dataset out.")
        scores = read_table(inputs, quiet=output.quiet)
        mapping = None if domains is None else read_groups(domains, scores.item.labels, domain_column, what="item")
        remember_beside(source_read(), domains=domains, domain_column=domain_column)
        chosen = _look_at(inputs)
        chosen.pop("dataset")
        _run(study, "comparing pairs by test set", output, scores, domains=mapping, **chosen, **asked)

    return domain


def _multiplicity() -> Callable[..., None]:
    from nofluke.studies.multiplicity_study import multiplicity as study

    @takes(Output, Settings, verb=study)
    def multiplicity(
        output: Output,
        dependence: Annotated[
            str,
            Opt(
                "independent; dror (34 independent, 33 correlated at 0.2, 33 at 0.5); or groups DATASETS:CORRELATION "
                "with commas between them, such as 34:0,33:0.5."
            ),
        ] = "independent",
        *,
        asked: dict[str, Any],
    ) -> None:
        """How often does counting significant datasets claim too many?"""
        check_output(output)
        _run(study, "simulating", output, _groups(dependence), **asked)

    return multiplicity


def _groups(text: str) -> Any:
    if ":" not in text:
        return text
    try:
        return [(int(size), float(value)) for size, _, value in (part.partition(":") for part in text.split(","))]
    except ValueError:
        raise InputError(f"--dependence {text!r} is not understood.", fix="write, say, 34:0,33:0.2,33:0.5.") from None


def _sample_size() -> Callable[..., None]:
    from nofluke.studies.sample_size import sample_size_study

    @takes(Output, Settings, verb=sample_size_study)
    def sample_size(
        output: Output,
        a: Annotated[str | None, Opt("Law of the scores of A: normal(MEAN,SD) or beta(A,B).")] = None,
        b: Annotated[str | None, Opt("Law of the scores of B.")] = None,
        test: Annotated[str, Opt("With `a` and `b`: paired_t or wilcoxon.")] = "paired_t",
        *,
        asked: dict[str, Any],
    ) -> None:
        """What becomes of a p-value as the test set grows?

        Without --a and --b the four designs of Zhu et al. (2020), Figure 5, are simulated.
        """
        check_output(output)
        if (a is None) != (b is None):
            raise InputError("a law was given for one system only.", fix="give both --a and --b, or neither.")
        designs: dict[str, Any] = {} if a is None or b is None else {"designs": ((a, b, test),)}
        _run(sample_size_study, "simulating", output, **designs, **asked)

    return sample_size


_TOLD_MORE = {"gains": _gains, "domain": _domain, "multiplicity": _multiplicity, "sample-size": _sample_size}
