"""nofluke study calibration."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nofluke.cli.inputs import read_table
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.cli.studies.pairs import NOT_OF_MANY, look_at


def command() -> Callable[..., None]:
    """Build the command, with the options of all registered tests."""
    from nofluke.registry import TESTS
    from nofluke.studies.calibration.study import calibration as study

    left_out = (*NOT_OF_MANY, "alternative", "delta", "confidence_level")

    @takes(Inputs, Output, Settings, verb=study, methods=TESTS, without=left_out)
    def calibration(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        asked: dict[str, Any],
    ) -> None:
        """How often is the winner truly better, by p-value?

        All items are taken for the world, and test sets are drawn from them; with --across the winner on one dataset is
        looked up on the others.
        """
        check_output(output)
        scores = read_table(inputs, quiet=output.quiet)
        with progress_bar("testing pairs", quiet=output.quiet) as progress:
            result = study(scores, progress=progress, **look_at(inputs), **asked)
        write(result, output)

    return calibration
