"""nofluke agree."""

# Without `from __future__ import annotations`: the help of --coefficient is built where the function is defined.
from collections.abc import Callable
from typing import Annotated

import typer

from nofluke.cli.command_line import refuse_unused, tell
from nofluke.cli.inputs import columns_of
from nofluke.cli.options import Output, Settings, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.progress import progress_bar
from nofluke.errors import InputError
from nofluke.types.file_kinds import TABLES_IN_WORDS


def command() -> Callable[..., None]:
    """Build the command."""
    from nofluke.registry import AGREEMENT

    names = ", ".join(AGREEMENT.names())

    @takes(Output, Settings)
    def agree(
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        file: Annotated[
            str,
            typer.Argument(help="Ratings: one column per annotator, or item, annotator and label; - is stdin."),
        ],
        coefficient: Annotated[
            list[str] | None,
            typer.Option(
                help=f"One of {names}; default krippendorff_alpha. May be repeated: the first is explained, the others "
                "stand beside it."
            ),
        ] = None,
        columns: Annotated[
            list[str] | None,
            typer.Option(
                help="Say which column is which: item=NAME, annotator=NAME, label=NAME; annotator=A,B chooses columns "
                "of a wide table; ignore=NAME skips a column. May be repeated."
            ),
        ] = None,
        layout: Annotated[
            str,
            typer.Option(
                help="wide (one column per annotator), long (one row per rating), matrix (counts of the labels of two "
                "annotators), or auto."
            ),
        ] = "auto",
        input_format: Annotated[str, typer.Option(help=TABLES_IN_WORDS)] = "auto",
        missing: Annotated[
            list[str] | None, typer.Option(help="A text that means a missing rating, such as NA. May be repeated.")
        ] = None,
        annotators: Annotated[str | None, typer.Option(help="Only these annotators: A,B,C.")] = None,
        categories: Annotated[
            str | None, typer.Option(help="All labels from lowest to highest: low,medium,high.")
        ] = None,
        level: Annotated[
            str | None, typer.Option(help="krippendorff_alpha: nominal, ordinal, interval or ratio.")
        ] = None,
        weights: Annotated[
            str | None, typer.Option(help="cohen_kappa: none, linear, quadratic; gwet_ac2: linear, quadratic, ordinal.")
        ] = None,
        interval: Annotated[str | None, typer.Option(help="How the interval is made: log, normal, bootstrap.")] = None,
        confidence_level: Annotated[float, typer.Option(help="Level of the interval.")] = 0.95,
        n_resamples: Annotated[int, typer.Option(help="Draws of the bootstrap.")] = 9999,
        seed: Annotated[int, typer.Option(help="Seed of the shuffles and the bootstrap.")] = 0,
        width: Annotated[
            float | None, typer.Option(help="Say how many items would make the interval this wide.")
        ] = None,
        rules: Annotated[str, typer.Option(help="Whose words: landis_koch, krippendorff or none.")] = "landis_koch",
        disputed: Annotated[int, typer.Option(help="How many of the most disputed items to list.")] = 10,
    ) -> None:
        """Do annotators agree well enough to be a gold standard?"""
        import nofluke as nf
        from nofluke.words.sources import ratings_line

        check_output(output)
        roles = columns_of(columns)
        if layout == "matrix" and roles:
            raise InputError("--layout matrix has no --columns.", fix="give one of them.")
        kept = () if annotators is None else _split(annotators)
        ratings = nf.read_ratings(
            file,
            input_format,
            layout=layout,  # type: ignore[arg-type]  # checked where it is read
            missing=tuple(missing or ()),
            columns=roles,
            keep=kept,
        )
        of_file = ratings.source.notes if ratings.source else ()
        # What changes the answer is said there.
        tell([ratings_line(ratings)], [note for note in of_file if note not in ratings.notes], quiet=output.quiet)
        if interval != "bootstrap":
            refuse_unused(("n_resamples",), "only --interval bootstrap draws")
        given = {"level": level, "weights": weights, "interval": interval}
        chosen = coefficient or ["krippendorff_alpha"]
        with progress_bar("drawing", quiet=output.quiet) as progress:
            result = nf.agree(
                ratings,
                chosen[0],
                others=chosen[1:],
                annotators=kept or None,
                categories=None if categories is None else _split(categories),
                rules=rules,
                width=width,
                disputed=disputed,
                progress=progress,
                confidence_level=confidence_level,
                n_resamples=n_resamples,
                seed=seed,
                **{name: value for name, value in given.items() if value is not None},
            )
        write(result, output)

    return agree


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(","))
