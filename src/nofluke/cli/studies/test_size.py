"""nofluke study test-size."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nofluke.cli.inputs import read_table
from nofluke.cli.options import Inputs, Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.cli.studies.pairs import NOT_OF_MANY, look_at


def command() -> Callable[..., None]:
    """Build the command."""
    from nofluke.studies.pairs.by_test_size import by_test_size as study

    @takes(Inputs, Output, Settings, verb=study, without=NOT_OF_MANY)
    def test_size(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        asked: dict[str, Any],
    ) -> None:
        """How does the gain needed shrink as the test set grows?"""
        check_output(output)
        scores = read_table(inputs, quiet=output.quiet)
        with progress_bar("comparing pairs by size", quiet=output.quiet) as progress:
            result = study(scores, progress=progress, **look_at(inputs), **asked)
        write(result, output)

    return test_size
