"""nofluke agree."""

# Without `from __future__ import annotations`: the help of --coefficient is built where the function is defined.
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from nofluke.cli.command_line import refuse_unused, remember_source, tell
from nofluke.cli.inputs import columns_of
from nofluke.cli.options import Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.errors import InputError
from nofluke.options import ADVANCED, INPUT, Opt, listed
from nofluke.types.file_kinds import TABLES_IN_WORDS


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
                f"One of {names}; default krippendorff_alpha. May be repeated: the first is explained, the others "
                "stand beside it."
            ),
        ] = (),
        columns: Annotated[
            list[str] | None,
            typer.Option(
                help="Say which column is which: item=NAME, annotator=NAME, label=NAME; annotator=A,B chooses columns "
                "of a wide table; ignore=NAME skips a column. May be repeated.",
                rich_help_panel=INPUT,
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
        input_format: Annotated[str, Opt(TABLES_IN_WORDS, ADVANCED)] = "auto",
        missing: Annotated[Sequence[str], Opt("A text that means a missing rating, such as NA. May be repeated.")] = (),
        *,
        asked: dict[str, Any],
    ) -> None:
        """Do annotators agree well enough to be a gold standard?"""
        import nofluke as nf
        from nofluke.words.sources import ratings_line

        check_output(output)
        roles = columns_of(columns)
        if layout == "matrix" and roles:
            raise InputError("--layout matrix has no --columns.", fix="give one of them.")
        kept = tuple(listed(asked.get("annotators", ())))
        told: dict[str, Any] = {"format": input_format, "layout": layout, "missing": tuple(missing or ())}
        told |= {"columns": roles, "keep": kept}
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
