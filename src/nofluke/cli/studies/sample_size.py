"""nofluke study sample-size."""

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

    from nofluke.studies.sample_size.study import sample_size_study

    @takes(Output, Settings, verb=sample_size_study)
    def sample_size(
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
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
        with progress_bar("simulating", quiet=output.quiet) as progress:
            result = sample_size_study(**designs, progress=progress, **asked)
        write(result, output)

    return sample_size
