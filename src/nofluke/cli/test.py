"""nofluke test."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from nofluke.cli.command_line import refuse_unused
from nofluke.cli.inputs import read_sample, sample_of_counts
from nofluke.cli.options import Inputs, Output, Settings, option_names, takes
from nofluke.cli.output import check_output, write
from nofluke.options import Opt
from nofluke.progress import progress_bar


def command() -> Callable[..., None]:
    """Build the command, with the options of all registered tests."""
    from nofluke.registry import TESTS
    from nofluke.verbs.test import test as verb

    @takes(Inputs, Output, Settings, verb=verb, methods=TESTS, without=("chart",))
    def test(
        inputs: Inputs,
        output: Output,
        asked: dict[str, Any],
        counts: Annotated[
            str | None,
            Opt("Instead of files: items that both, only A, only B, neither got right, as 40,12,5,43."),
        ] = None,
    ) -> None:
        """Could the difference be a fluke, by one test of your choice?"""
        import nofluke as nf

        check_output(output)
        if counts is not None:
            refuse_unused(option_names(Inputs, but="files"), "four counts are all there is to read")
            sample = sample_of_counts(counts, inputs)
        else:
            method = asked["method"]
            unpaired = method != "auto" and TESTS[method].facts["needs"] == "unpaired"
            sample = read_sample(inputs, quiet=output.quiet, unpaired=unpaired)
        with progress_bar("drawing", quiet=output.quiet) as progress:
            result = nf.test(sample, progress=progress, **asked)
        write(result, output)

    return test
