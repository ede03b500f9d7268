"""The posterior of the difference with its region of practical equivalence."""

from __future__ import annotations

import math

import numpy as np

from nofluke.charts.drawing import Chart, altair_or_hint, data, finish, shortened, told
from nofluke.charts.refusing import Needs
from nofluke.charts.theme import COLOURS, look
from nofluke.registry import CHARTS
from nofluke.types import Comparison, Posterior
from nofluke.words import pictures
from nofluke.words.marks import probability_says
from nofluke.words.posterior import in_a_line, parameter, probabilities


def _posterior_of(result: Posterior | Comparison) -> Posterior | None:
    """The posterior itself, or that of a comparison which asked for one."""
    return result if isinstance(result, Posterior) else result.posterior


def _known(result: Posterior | Comparison) -> bool:
    found = _posterior_of(result)
    return found is not None and found.known


@CHARTS.register(
    "posterior",
    label="Posterior with region of equivalence",
    takes=("Posterior", "Comparison"),
    applies=Needs("the Bayesian answer (compare with bayes, --bayes), and data that give one", _known),
    cite="Benavoli 2017",
)
def posterior(result: Posterior | Comparison) -> Chart:
    """How probable is it that A is better, equal in practice, or worse?"""
    found = _posterior_of(result)
    if found is None:
        raise TypeError("a comparison without a posterior was refused before")
    return _chart(found)


def _chart(result: Posterior) -> Chart:
    chart = _density(result) if len(result.grid) > 1 else _three_bars(result)
    a, b = (shortened(name, 24) for name in result.systems)
    first = probabilities(result.about, (a, b), (result.p_better, math.nan, math.nan), result.draws)
    others = probabilities(result.about, (a, b), (math.nan, result.p_equal, result.p_worse), result.draws)
    return finish(
        chart,
        **pictures.heading(
            "posterior",
            _explained(result),
            first=first,
            model=result.label,
            others=others,
        ),
        description=pictures.spoken_posterior(result, f"{first}, {others}"),
    )


def _explained(result: Posterior) -> list[str]:
    """What the marks on the curve are."""
    if not len(result.grid) > 1:
        return []
    line = (
        f"; line at the foot: {result.interval.level * 100:g}% credible interval" if result.interval is not None else ""
    )
    return [f"dashed: no difference{line}"]


def _density(result: Posterior) -> Chart:
    alt = altair_or_hint()
    low, high = result.rope if result.rope is not None else (result.null, result.null)
    a, b = (shortened(name, 24) for name in result.systems)
    parts = {f"{a} better": (high, math.inf), f"{b} better": (-math.inf, low), "practically equivalent": (low, high)}
    rows = [
        {"x": x, "density": y, "part": part}
        for part, (start, end) in parts.items()
        for x, y in _between(result, start, end)
    ]
    names = list(parts) if result.rope is not None else list(parts)[:2]
    base = alt.Chart(data([row for row in rows if row["part"] in names]), width=520, height=260)
    areas = base.mark_area(opacity=0.75, line=False, aria=False).encode(
        x=alt.X("x:Q", title=parameter(result)).scale(zero=False, nice=False),
        y=alt.Y("density:Q", title=None, stack=None).axis(labels=False, ticks=False, grid=False),
        color=alt.Color("part:N", title=None).scale(domain=names).legend(orient="bottom"),
    )
    layers = [*_region(result), areas]
    if result.interval is not None:
        row = {"low": result.interval.low, "high": result.interval.high, "says": in_a_line(result)}
        span = alt.Chart(data([row])).mark_rule(**look("ink"), strokeWidth=4)
        layers.append(span.encode(x="low:Q", x2="high:Q", y=alt.value(254), **told()))
    layers.append(alt.Chart(data([{"at": result.null}])).mark_rule(**look("zero")).encode(x="at:Q"))
    return alt.layer(*layers)


def _between(result: Posterior, start: float, end: float) -> list[tuple[float, float]]:
    """The curve from start to end, with points on both ends, so that neighbouring parts touch."""
    grid, density = result.grid, result.density
    first, last = max(start, float(grid[0])), min(end, float(grid[-1]))
    if first >= last:
        return []
    inner = grid[(grid > first) & (grid < last)]
    places = [first, *map(float, inner), last]
    return list(zip(places, map(float, np.interp(places, grid, density)), strict=True))


def _region(result: Posterior) -> list[Chart]:
    """The region of practical equivalence, shaded and named, as far as the picture reaches."""
    if result.rope is None:
        return []
    alt = altair_or_hint()
    low, high = (min(max(end, float(result.grid[0])), float(result.grid[-1])) for end in result.rope)
    start, end = result.rope
    row = {
        "low": low,
        "high": high,
        "middle": (low + high) / 2,
        "said": f"practically equivalent: {start:g} to {end:g}",
    }
    base = alt.Chart(data([row]))
    shade = base.mark_rect(color=COLOURS["wash"], aria=False).encode(x="low:Q", x2="high:Q")
    name = base.mark_text(**look("label"), baseline="bottom").encode(x="middle:Q", y=alt.value(-4), text="said:N")
    return [shade, name]


def _three_bars(result: Posterior) -> Chart:
    alt = altair_or_hint()
    a, b = (shortened(name, 24) for name in result.systems)
    shares = {f"{a} better": result.p_better, f"{b} better": result.p_worse, "practically equivalent": result.p_equal}
    rows = [
        {"part": part, "p": p, "text": f"{p:.3f}", "says": probability_says(part, p)}
        for part, p in shares.items()
        if math.isfinite(p)
    ]
    names = [row["part"] for row in rows]
    base = alt.Chart(data(rows), width=460, height=alt.Step(34))
    y = alt.Y("part:N", sort=names, title=None).axis(ticks=False)
    bars = base.mark_bar().encode(
        x=alt.X("p:Q", title="probability").scale(domain=[0, 1]),
        y=y,
        color=alt.Color("part:N", legend=None).scale(domain=names),
        **told(),
    )
    texts = base.mark_text(**look("label"), align="left", dx=5).encode(x="p:Q", y=y, text="text:N")
    return alt.layer(bars, texts)
