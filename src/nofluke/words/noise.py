"""Where the uncertainty of a difference comes from, items or training runs, and what more of either would buy."""

from __future__ import annotations

import math

from nofluke.types import Noise, Table
from nofluke.types.base import counted
from nofluke.words.numbers import figure

TITLE = "Where the noise comes from"


def noise_table(noise: Noise, systems: tuple[str, ...], items: str) -> Table:
    """A row for items and for the runs of each system: its share of the variance, as a standard error too."""
    parts = {f"items ({items})": noise.items}
    for name, variance, number in zip(systems, noise.runs, noise.n_runs, strict=True):
        parts[f"runs of {name} ({number})"] = variance / number
    total = sum(parts.values())
    rows = tuple(
        (
            source,
            figure(variance**0.5, noise.standard_error),
            f"{variance / total:.0%}" if total else "0%",
        )
        for source, variance in parts.items()
    )
    return Table(
        columns=("from", "standard error", "share of the variance"),
        rows=(*rows, ("all", figure(noise.standard_error, noise.standard_error), "100%")),
        caption=noise_sentence(noise),
        figures=("standard error", "share of the variance"),
        explain={
            "standard error": "how far the difference would be off if nothing else varied",
            "share of the variance": "squares of standard errors add up; runs are counted without what items explain",
        },
    )


def noise_sentence(noise: Noise) -> str:
    """Say what twice as many items, or runs, would buy."""
    now, items, runs = (
        figure(one, noise.standard_error) for one in (noise.standard_error, noise.twice_items, noise.twice_runs)
    )
    plan = ""
    if not math.isnan(noise.sd):
        named = {"sd": noise.sd, "run_sd": noise.run_sd, "answer_sd": noise.answer_sd}
        stated = (f"{name} = {value:.2g}" for name, value in named.items())
        plan = f" A plan of other numbers (power plan) takes {', '.join(stated)}."
    twice = " and ".join(dict.fromkeys(counted(2 * number, "run") for number in noise.n_runs))
    return (
        f"Twice as many items would bring the standard error from {now} to {items}; twice as many runs ({twice}) to "
        f"{runs}.{plan}"
    )
