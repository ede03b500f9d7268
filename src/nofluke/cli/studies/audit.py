"""nofluke study audit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nofluke.cli.inputs import read_sample
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar


def command() -> Callable[..., None]:
    """Build the command, with the options of all registered tests."""
    from nofluke.registry import TESTS
    from nofluke.studies.audit.study import audit as study

    @takes(Inputs, Output, Settings, verb=study, methods=TESTS, without=("alternative", "delta", "confidence_level"))
    def audit(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        asked: dict[str, Any],
    ) -> None:
        """Does a test keep its promise on data like these?

        Test sets are drawn from the items with the difference between A and B taken out; a test that keeps its promise
        is significant in at most alpha of them.
        """
        check_output(output)
        sample = read_sample(inputs, quiet=output.quiet)
        with progress_bar("drawing test sets", quiet=output.quiet) as progress:
            result = study(sample, progress=progress, **asked)
        write(result, output)

    return audit
