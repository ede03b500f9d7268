"""A Bayes factor as a report: it has no sign and no interval, and means nothing without its prior."""

from __future__ import annotations

import math

from nofluke.reports.build.citing import cited, fields_of
from nofluke.types import Estimate, Report, Table


def build_bayes_factor(result: Estimate) -> Report:
    """Say how strongly the data speak for a difference, or for none, under which prior."""
    fields = fields_of(result.signature)
    r = float(fields.get("r", math.sqrt(0.5)))
    name = "log BF10" if fields.get("log") == "True" else "BF10"
    claim = {"greater": "A is better", "less": "A is worse"}.get(fields.get("alternative", ""), "A and B differ")
    value = (
        "undefined" if math.isnan(result.value) else "infinity" if math.isinf(result.value) else f"{result.value:.4g}"
    )
    meaning = result.notes[0][:1].upper() + result.notes[0][1:]
    prior = f"Cauchy prior with scale r = {r:.4g} on the difference in standard deviations"
    n = int(fields.get("n", "0"))
    return Report(
        kind="Estimate",
        title="Bayes factor",
        headline=f"{name} = {value} (JZS, r = {r:.4g}, claim: {claim}).",
        sentences=(meaning,),
        main=Table(
            columns=("claim", name, "r", "n"),
            rows=((claim, value, f"{r:.4g}", f"{n:,}"),),
            caption=f"JZS Bayes factor of the claim against exactly equal means; {prior}.",
            figures=(name, "r", "n"),
            explain={
                "claim": "what is compared with exactly equal means",
                name: "how many times more probable the data are under the claim",
                "r": "scale of the Cauchy prior on the difference in standard deviations",
            },
        ),
        sections=(),
        records=({"name": result.name, "value": result.value, "r": r, "claim": claim, "signature": result.signature},),
        short=f"{name} = {value} (JZS, r = {r:.4g}; n = {n:,}).",
        long=f"The JZS Bayes factor for the claim that {claim} is {name} = {value} ({prior}; n = {n:,}).",
        notes=result.notes[1:],
        citations=cited(("posterior", "bayes_factor")),
        settings={key: text for key, text in fields.items() if key not in ("nofluke", "n")},
        signature=result.signature,
    )
