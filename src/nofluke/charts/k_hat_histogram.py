"""How many datasets each way of counting claims, in simulated studies: Figure 1 of Dror et al. 2017."""

from __future__ import annotations

from typing import Any

from nofluke.charts.drawing import Chart, altair_or_hint, data, finish, told
from nofluke.charts.theme import look
from nofluke.registry import CHARTS
from nofluke.types import Study
from nofluke.words import pictures
from nofluke.words.marks import claimed_says
from nofluke.words.numbers import hundredths
from nofluke.words.replication import LABELS

_TITLES = LABELS | {"count": "Counting"}
_RARE = 1e-3


@CHARTS.register(
    "k_hat_histogram", label="Histogram of the datasets claimed", takes=("Study",), cite="Dror et al. 2017"
)
def k_hat_histogram(study: Study) -> Chart:
    """How many datasets does each way of counting claim?"""
    alt = altair_or_hint()
    series = study.series["k-hat"]
    effects = int(study.settings["effects"])
    rows: list[dict[str, Any]] = [
        {
            "claimed": int(claimed),
            "share": float(share),
            "method": _title(method),
            "side": "more than the truth" if claimed > effects else "at most the truth",
            "says": claimed_says(_title(method), int(claimed), float(share)),
        }
        for claimed, share, method in zip(
            series.columns["k-hat"], series.columns["share"], series.labels["method"], strict=True
        )
    ]
    last = max((row["claimed"] for row in rows if row["share"] >= _RARE), default=1)
    last = max(last, effects + 2)
    kept = [row for row in rows if row["claimed"] <= last]
    order = list(dict.fromkeys(row["method"] for row in rows))
    x = alt.X("claimed:O", title="datasets claimed").axis(
        labelAngle=0, values=[value for value in range(last + 1) if last <= 20 or value % 5 == 0]
    )
    colour = alt.Color("side:N", title=None).scale(
        domain=["at most the truth", "more than the truth"], range=[look("a")["color"], look("b")["color"]]
    )
    bars = (
        alt.Chart(data(kept), width=270, height=130)
        .mark_bar()
        .encode(
            x=x.scale(domain=list(range(last + 1))),
            y=alt.Y("share:Q", title="share of studies").axis(format="%", tickCount=4).scale(domain=[0, 1]),
            color=colour.legend(orient="bottom"),
            **told(),
        )
    )
    panels = bars.facet(facet=alt.Facet("method:N", title=None, sort=order), columns=2).resolve_axis(x="independent")
    table = study.tables["too many claimed"]
    rates = zip(table["method"], table["k-hat > k"], strict=True)
    spoken = pictures.spoken_claims({_title(name): float(rate) for name, rate in rates})
    return finish(
        panels,
        **pictures.heading(
            "k_hat_histogram",
            _beyond(rows, last),
            effects=f"{effects or 'none'} of {study.settings['datasets']} datasets {'has' if effects <= 1 else 'have'}",
            claims=spoken,
        ),
        description=f"Histograms of the number of datasets claimed; too many are claimed by: {spoken}.",
    )


def _title(method: object) -> str:
    return _TITLES.get(str(method), str(method))


def _beyond(rows: list[dict[str, Any]], last: int) -> list[str]:
    """Say what lies beyond the right edge: claims so rare that their bars would not be seen."""
    shares: dict[str, float] = {}
    for row in rows:
        if row["claimed"] > last and row["share"] > 0:
            shares[row["method"]] = shares.get(row["method"], 0.0) + row["share"]
    if not shares:
        return []
    parts = [f"{method} in {hundredths(share, 1)}% of studies" for method, share in shares.items()]
    return [f"Not shown, more than {last}: {', '.join(parts)}"]
