"""nofluke demo."""

from __future__ import annotations

from collections.abc import Callable

from nofluke.cli.options import Output, takes
from nofluke.cli.output import check_output, write

_SETTINGS = {"n": 800, "kind": "continuous", "correlation": 0.7, "clusters": 80, "seed": 7}


def command() -> Callable[..., None]:
    """Build the command."""

    @takes(Output)
    def demo(output: Output) -> None:
        """What does nofluke do? The main job on simulated data."""
        import typer

        import nofluke as nf
        from nofluke.studies import simulate_scores
        from nofluke.words.sources import DEMO

        check_output(output)
        scores = simulate_scores({"new": 0.12, "baseline": 0.0}, **_SETTINGS)  # type: ignore[arg-type]
        if not output.quiet:
            typer.echo(f"{DEMO}\n", err=True)
        write(nf.compare(scores.pair("new", "baseline")), output)

    return demo
