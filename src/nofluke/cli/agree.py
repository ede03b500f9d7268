"""nofluke agree."""

# Without `from __future__ import annotations`: the help of --coefficient is built where the function is defined.
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import typer

from nofluke.cli.command_line import refuse_unused, remember_source, tell
from nofluke.cli.options import Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.errors import InputError
from nofluke.options import ADVANCED, INPUT, Format, Opt, listed


def command() -> Callable[..., None]:
    """Build the command."""
    from nofluke.registry import AGREEMENT
    from nofluke.verbs.agree import agree as verb

    names = ", ".join(AGREEMENT.names())

    @takes(Output, Settings, verb=verb, methods=AGREEMENT, without=("name", "others"))
    def agree(
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        file: Annotated[
            str,
            typer.Argument(help="Ratings: one column per annotator, or item, annotator and label; - is stdin."),
        ],
        coefficient: Annotated[
            Sequence[str],
            Opt(
                f"One of {names}; default krippendorff_alpha. Of several the first is explained, the others stand "
                "beside it."
            ),
        ] = (),
        columns: Annotated[
            Mapping[str, Any] | None,
            Opt(
                "Say which column is which: item=NAME, annotator=NAME, label=NAME; annotator=A,B chooses columns of a "
                "wide table; ignore=NAME skips a column.",
                INPUT,
            ),
        ] = None,
        layout: Annotated[
            str,
            Opt(
                "wide (one column per annotator), long (one row per rating), matrix (counts of the labels of two "
                "annotators), or auto.",
                ADVANCED,
            ),
        ] = "auto",
        input_format: Format = "auto",
        missing: Annotated[Sequence[str], Opt("A text that means a missing rating, such as NA.")] = (),
        *,
        asked: dict[str, Any],
    ) -> None:
        """Do annotators agree well enough to be a gold standard?"""
        import nofluke as nf
        from nofluke.words.sources import ratings_line

        check_output(output)
        if layout == "matrix" and columns:
            raise InputError("--layout matrix has no --columns.", fix="give one of them.")
        kept = tuple(listed(asked.get("annotators", ())))
        told: dict[str, Any] = {"format": input_format, "layout": layout, "missing": tuple(missing or ())}
        told |= {"columns": columns, "keep": kept}
        ratings = nf.read_ratings(file, **told)
        remember_source("read_ratings", [file], told)
        of_file = ratings.source.notes if ratings.source else ()
        # What changes the answer is said there.
        tell([ratings_line(ratings)], [note for note in of_file if note not in ratings.notes], quiet=output.quiet)
        if asked.get("interval") != "bootstrap":
            refuse_unused(("n_resamples",), "only --interval bootstrap draws")
        first, *others = listed(coefficient) or ["krippendorff_alpha"]
        with progress_bar("drawing", quiet=output.quiet) as progress:
            result = nf.agree(ratings, first, others=others, progress=progress, **asked)
        write(result, output)

    return agree
