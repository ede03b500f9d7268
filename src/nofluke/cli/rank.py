"""nofluke rank."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

import typer

from nofluke.cli.command_line import refuse_unused
from nofluke.cli.inputs import read_table
from nofluke.cli.options import Inputs, Output, Settings, method_options, takes
from nofluke.cli.output import check_output, write, write_text
from nofluke.cli.progress import progress_bar
from nofluke.errors import InputError

_OWN = frozenset({"alternative", "delta", "confidence_level", "seed"})


def command() -> Callable[..., None]:
    """Build the command, with the options of all registered tests."""

    @takes(Inputs, Output, Settings, extra=method_options(_OWN))
    def rank(
        inputs: Inputs,
        output: Output,
        settings: Settings,  # noqa: ARG001 (read before the command runs)
        extra: dict[str, Any],
        systems: Annotated[
            list[str] | None, typer.Option(help="Rank only these systems: A,B,C. May be repeated.")
        ] = None,
        pairs: Annotated[
            str | None, typer.Option(help="Also write the table of all pairs to this CSV file; - is stdout.")
        ] = None,
        method: Annotated[
            str, typer.Option(help="The test of each pair; auto takes the one that compare would take.")
        ] = "auto",
        adjust: Annotated[
            str, typer.Option(help="Correction for the number of pairs: holm, bonferroni, max_t, bh, by or none.")
        ] = "holm",
        alpha: Annotated[float, typer.Option(help="Significance level: how often any claim may be false.")] = 0.05,
        family: Annotated[
            str,
            typer.Option(
                help="directions: two one-sided claims per pair, so that rank ranges hold; pairs: one test per "
                "pair, as other tools do."
            ),
        ] = "directions",
        alternative: Annotated[
            str,
            typer.Option(
                help="two-sided; greater with --family pairs (one-sided for the better score, to reproduce published "
                "figures) or with --baseline (better than it)."
            ),
        ] = "two-sided",
        baseline: Annotated[
            str | None, typer.Option(help="Test only pairs with this system, which was fixed beforehand.")
        ] = None,
        exact: Annotated[str, typer.Option(help="P-values computed exactly: near the verdict, or all.")] = "near",
        n_resamples: Annotated[int, typer.Option(help="Shared sign flips of max_t.")] = 9_999,
        seed: Annotated[int, typer.Option(help="Seed of random draws, if any are made.")] = 0,
    ) -> None:
        """Which of many systems are really better than which?"""
        import nofluke as nf
        from nofluke.reports.build.ranking_tables import pair_records
        from nofluke.reports.plain import records_csv

        check_output(output)
        if inputs.a is not None or inputs.b is not None:
            raise InputError("--a and --b choose two systems, and rank compares all.", fix="use nofluke compare.")
        if adjust != "max_t":
            refuse_unused(("n_resamples",), "only --adjust max_t draws flips")
        if method not in ("auto", "permutation", "bootstrap"):
            refuse_unused(("exact",), f"{method} has one way to its p-values")
        scores = read_table(inputs, quiet=output.quiet)
        with progress_bar("testing pairs", quiet=output.quiet) as progress:
            result = nf.rank(
                scores,
                systems=_named(systems, scores.systems),
                method=method,
                adjust=adjust,
                alpha=alpha,
                family=family,  # type: ignore[arg-type]  # checked there, with a message
                alternative=alternative,  # type: ignore[arg-type]
                baseline=baseline,
                exact=exact,  # type: ignore[arg-type]
                n_resamples=n_resamples,
                seed=seed,
                dataset=inputs.dataset,
                metric=None if inputs.gold else inputs.metric,
                run=inputs.run,
                missing=inputs.missing,  # type: ignore[arg-type]
                clusters=inputs.clusters,
                unit=inputs.unit,
                unit_statistic=inputs.unit_statistic,  # type: ignore[arg-type]
                shuffle_seed=inputs.shuffle_seed,
                progress=progress,
                **extra,
            )
        write(result, output)
        if pairs is not None:
            write_text(records_csv(list(pair_records(result))), replace(output, output=pairs, format="csv"))

    return rank


def _named(texts: list[str] | None, known: tuple[str, ...]) -> list[str] | None:
    """Read names with commas between them; a name may hold a comma itself."""
    if texts is None:
        return None
    parts = ([text] if text in known else text.split(",") for text in texts)
    return [name.strip() for names in parts for name in names]
