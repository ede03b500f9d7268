"""A Bayes factor as a report: it has no sign and no interval, and means nothing without its prior."""

from __future__ import annotations

from nofluke.call import calls
from nofluke.registry import POSTERIORS
from nofluke.reports.build.citing import cited, told
from nofluke.types import Estimate, Report, Table
from nofluke.words import bayes_factor as words


def build_bayes_factor(result: Estimate) -> Report:
    """Say how strongly the data speak for a difference, or for none, under which prior."""
    usual = {option.name: option.default for option in POSTERIORS["bayes_factor"].options}
    given = told(result.call, "method")
    r = float(given.get("r", usual["r"]))
    name, value, claim = words.symbol(result), words.value(result), words.claim_of(result)
    n = result.n or 0
    return Report(
        kind="Estimate",
        title="Bayes factor",
        headline=words.headline(result),
        sentences=words.sentences(result),
        main=Table(
            columns=("claim", name, "r", "n"),
            rows=((claim, value, f"{r:.4g}", f"{n:,}"),),
            caption=words.caption(r),
            figures=(name, "r", "n"),
            explain=words.explanations(result),
        ),
        sections=(),
        records=({"name": result.name, "value": result.value, "r": r, "claim": claim, "signature": result.signature},),
        short=words.short(result, r, n),
        long=words.for_a_paper(result, r, n),
        notes=words.notes(result),
        citations=cited(("posterior", "bayes_factor")),
        calls=calls(result.call),
        settings={"bayes": result.name, **given},
        signature=result.signature,
    )
