"""nofluke study multiplicity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from nofluke.cli.options import Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.errors import InputError
from nofluke.options import Opt


def command() -> Callable[..., None]:
    """Build the command."""

    from nofluke.studies.multiplicity.study import multiplicity as study

    @takes(Output, Settings, verb=study)
    def multiplicity(
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
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
        with progress_bar("simulating", quiet=output.quiet) as progress:
            result = study(_groups(dependence), progress=progress, **asked)
        write(result, output)

    return multiplicity


def _groups(text: str) -> Any:
    if ":" not in text:
        return text
    try:
        return [(int(size), float(value)) for size, _, value in (part.partition(":") for part in text.split(","))]
    except ValueError:
        raise InputError(f"--dependence {text!r} is not understood.", fix="write, say, 34:0,33:0.2,33:0.5.") from None
