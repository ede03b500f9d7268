"""The report of a posterior: three probabilities, prior, region, and the single datasets of a hierarchical model."""

from __future__ import annotations

import math

import pytest

import nofluke as nf
from nofluke.reports.build.posterior import build_posterior, posterior_section
from support.quantities.bayes import posterior

A, B = [1, 1, 1, 0, 1, 1, 1, 1], [0, 0, 1, 0, 0, 0, 1, 1]


def test_all_that_a_paper_needs() -> None:
    result = posterior(A, B, rope=0.05)
    report = build_posterior(result)
    assert report.headline == "P(A better) = 0.974, P(practically equivalent) = 0.017, P(B better) = 0.009."
    assert report.main.columns == (
        "model",
        "P(A better)",
        "P(equivalent)",
        "P(B better)",
        "estimate",
        "95% credible interval",
    )
    assert report.main.rows[0][1:4] == ("0.974", "0.017", "0.009")
    assert "Jeffreys" in report.main.caption
    assert "-0.05 to 0.05" in report.main.caption
    assert report.records[0]["p_better"] == result.p_better
    assert report.short == (
        "P(A better) = 0.974, P(practically equivalent) = 0.017, P(B better) = 0.009 (practically equivalent: -0.05 to "
        "0.05) (Dirichlet model of 0/1 pairs, n = 8)."
    )
    assert "prior: Jeffreys, 0.5 imagined items" in report.long
    assert report.citations == ("Jeffreys 1946; Agresti and Min 2005",)
    assert "method='dirichlet', rope=0.05" in report.calls["Python"]


def test_without_a_region_nothing_is_said_about_equality() -> None:
    report = build_posterior(posterior(A, B))
    assert "P(equivalent)" not in report.main.columns
    assert "equivalen" not in report.headline
    assert "Region of practical equivalence: none stated" in " ".join(report.sentences)
    assert math.isnan(report.records[0]["p_equal"])


def test_draws_and_seed_are_stated() -> None:
    report = build_posterior(posterior(A, B, "signed_rank", draws=1_000, seed=3))
    assert report.settings["draws"] == 1_000
    assert "1,000 random draws, seed 3" in report.long
    assert "seed=3" in report.calls["Python"]


def test_single_datasets() -> None:
    data = {"news": ([0.5, 0.7, 0.6], [0.4, 0.5, 0.6]), "web": ([0.5, 0.3, 0.6], [0.6, 0.5, 0.6])}
    report = build_posterior(posterior(data))
    table = report.sections[0].table
    assert table is not None
    assert [row[0] for row in table.rows] == ["news", "web"]
    assert len(table.bars) == 2


def test_what_cannot_be_said() -> None:
    result = posterior([0.5], [0.4])
    report = build_posterior(result)
    assert report.short == report.long == report.headline
    assert report.headline.endswith("One difference shows no variation; at least 2 are needed.")
    assert "One difference" not in " ".join(report.notes)
    assert report.main.rows[0][1] == "unknown"


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "json", "csv"])
def test_every_writer_takes_it(form: str) -> None:
    assert "0.974" in nf.report(posterior(A, B, rope=0.05), format=form)


def test_no_section_where_none_was_asked_for() -> None:
    assert posterior_section(None) == ()
    section = posterior_section(posterior(A, B))[0]
    assert section.title == "The Bayesian answer (Dirichlet model of 0/1 pairs)"
    assert section.paragraphs[0] == "P(A better) = 0.985, P(B better) = 0.015."


def test_a_bayes_factor_has_no_side_and_states_its_prior() -> None:
    from nofluke.reports.build import build

    report = build(nf.bayes([0.1, 0.5, 0.3, 0.6], [0.2, 0.3, 0.1, 0.2], "bayes_factor", r=1.0))
    assert report.headline == "BF10 = 0.879."
    assert report.sentences == (
        "The data are 1.14 times more probable if the means of A and B are exactly equal than if they differ.",
    )
    assert "scale r = 1 " in report.main.caption
    assert "the claim that A and B differ is BF10 = 0.879" in report.long
    assert "Positive" not in nf.report(nf.bayes(A, B, "bayes_factor"), format="text")
    assert "undefined" in build(nf.bayes([0.5], [0.4], "bayes_factor")).headline
