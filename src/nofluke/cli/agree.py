"""nofluke agree."""

# Without `from __future__ import annotations`: the help of --coefficient is built where the function is defined.
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from nofluke.cli.command_line import refuse_unused, remember_source, tell
from nofluke.cli.options import Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.errors import InputError
from nofluke.option_groups import Rating
from nofluke.options import Opt, listed, options_of
from nofluke.progress import progress_bar


def command() -> Callable[..., None]:
    """Build the command."""
    from nofluke.registry import AGREEMENT
    from nofluke.verbs.agree import agree as verb

    names = ", ".join(AGREEMENT.names())

    @takes(Rating, Output, Settings, verb=verb, methods=AGREEMENT, without=("name", "others"))
    def agree(
        rating: Rating,
        output: Output,
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
        *,
        asked: dict[str, Any],
    ) -> None:
        """Do annotators agree well enough to be a gold standard?"""
        import nofluke as nf
        from nofluke.words.sources import ratings_line

        check_output(output)
        if rating.layout == "matrix" and rating.columns:
            raise InputError("--layout matrix has no --columns.", fix="give one of them.")
        told = {option.name: getattr(rating, option.name) for option in options_of(Rating)}
        told["keep"] = tuple(listed(asked.get("annotators", ())))
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
