"""The sentences for a paper: test, alpha, effect size, n and power in every kind (Zhu et al. 2020, section 2.3)."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.charts import draw
from nofluke.errors import MethodError
from nofluke.inference.power.detectable import detectable_difference
from nofluke.registry import AGREEMENT
from nofluke.reports.build import build
from nofluke.types import Ranking, Replication, Sample, note
from nofluke.verbs.detectable_effect import detected
from nofluke.words.ranking_details import p_values_are, sentences
from reports.kinds import A, B, sample


def systems(seed: int = 0) -> dict[str, list[float]]:
    """Four systems of growing ability on the same 80 items."""
    draws = np.random.default_rng(seed)
    items = draws.normal(size=80)
    return {f"s{ability}": (items + 0.5 * ability + draws.normal(size=80)).tolist() for ability in range(4)}


def test_the_bayesian_answer_is_in_sentences_table_and_caption() -> None:
    result = nf.compare(sample(), bayes=True, rope=0.01)
    assert result.posterior is not None
    report = build(result)
    for text in (report.short, report.long):
        assert f"P(new better) = {result.posterior.p_better:.3f}" in text
        assert "P(practically equivalent) = " in text
        assert "practically equivalent: -0.01 to 0.01" in text
    assert "prior: " in report.long
    assert report.main.columns[-1] == "P(better)"
    assert [row[-1] for row in report.main.rows] == [
        f"{p:.3f}" for p in (result.posterior.p_better, result.posterior.p_worse)
    ]
    assert "P(better): posterior probability" in report.main.caption
    assert str(result.posterior.prior) in report.main.caption


def test_without_the_bayesian_answer_nothing_is_said_of_it() -> None:
    report = build(nf.compare(sample()))
    assert "P(better)" not in report.main.columns
    assert "osterior" not in report.main.caption + report.long


def test_the_page_of_a_bayesian_comparison_draws_the_posterior() -> None:
    pytest.importorskip("altair")
    assert '"posterior":' in nf.report(nf.compare(sample(), bayes=True), "html")
    assert '"posterior":{' not in nf.report(nf.compare(sample()), "html")


def test_a_test_says_which_system_is_which_and_its_alpha() -> None:
    report = build(nf.test(sample(), "wilcoxon", confidence_level=0.9))
    assert " new - old = 0.14" in report.long
    assert "the differences of new and old are symmetric about 0" in report.main.caption
    assert "; alpha = 0.1), p " in report.long
    assert report.settings["alpha"] == 0.1
    assert "pair('new', 'old'" in report.calls["Python"]


def test_a_test_of_unnamed_scores_names_nobody() -> None:
    report = build(nf.test(A, B, "sign"))
    assert "A is " not in report.long.partition("By the sign test")[0]
    assert ".unpaired(" in build(nf.test(A, B, "welch_t")).calls["Python"]


def test_a_ranking_says_metric_scores_effect_size_and_power() -> None:
    ranking = nf.rank(systems())
    long = build(ranking).long
    assert ranking.detectable is not None
    assert "Scores (higher is better) run from " in long
    assert "Effect size: the difference in score is " in long
    assert "between two typical systems would be found in at least 80% of such test sets" in long
    assert "score, " in build(ranking).short


def typical(result: Ranking, scores: dict[str, list[float]], level: float) -> tuple[float, float]:
    """The smallest and the largest detectable difference of all pairs."""
    found = [
        detectable_difference(_pair(scores, a, b), level, "greater").difference
        for at, a in enumerate(result.systems)
        for b in result.systems[at + 1 :]
    ]
    return min(found), max(found)


def _pair(scores: dict[str, list[float]], a: str, b: str) -> Sample:
    from nofluke.align import as_sample

    return as_sample(scores[a], scores[b])


def test_the_power_of_a_ranking_is_that_of_a_typical_pair_at_the_hardest_step() -> None:
    scores = systems()
    ranking = nf.rank(scores)
    assert ranking.detectable is not None
    low, high = typical(ranking, scores, 0.05 / ranking.claims)
    assert low <= ranking.detectable.difference <= high


@pytest.mark.parametrize("adjust", ["none", "bonferroni", "bh", "by", "max_t"])
def test_other_corrections_have_their_own_level(adjust: str) -> None:
    ranking = nf.rank(systems(), adjust=adjust)
    holm = nf.rank(systems())
    assert ranking.detectable is not None
    assert holm.detectable is not None
    if adjust == "none":
        assert ranking.detectable.difference < holm.detectable.difference
        assert "at least 80" not in " ".join(sentences(ranking))
    if adjust == "by":
        assert ranking.detectable.difference > holm.detectable.difference


def test_systems_on_other_items_have_no_detectable_difference() -> None:
    ranking = nf.rank(
        {name: scores[: 60 + at] for at, (name, scores) in enumerate(systems().items())}, method="welch_t"
    )
    assert "not given: the systems were not scored on the same items" in " ".join(sentences(ranking))


def test_ways_of_computing_are_told_in_whole_words() -> None:
    ranking = nf.rank(systems())
    ways = np.full(ranking.computed.shape, "saddlepoint")
    ways[0, 1] = "exact"
    assert p_values_are(replace(ranking, computed=ways)).startswith(
        "P-values: saddlepoint approximation (11 p-values), recomputed exactly wherever a verdict was close (1 "
        "p-value); those that are not exact are off by at most 0.1%. "
    )


def replication() -> Replication:
    draws = np.random.default_rng(3)
    data: dict[str, Any] = {}
    for at, name in enumerate(("de", "fr", "it")):
        base = draws.normal(size=60 + at)
        data[name] = (base + 0.3 + draws.normal(size=60 + at), base + draws.normal(size=60 + at))
    result = nf.replicate(data)
    assert isinstance(result, Replication)
    return result


def test_differences_of_datasets_have_the_digits_of_their_own_standard_errors() -> None:
    """Two significant digits of uncertainty: a precise dataset keeps the digits that a small one beside it lacks."""
    draws = np.random.default_rng(3)
    data = {
        name: (draws.normal(0.3, spread, n).round(6), draws.normal(0.28, spread, n).round(6))
        for name, spread, n in (("small", 1.0, 40), ("precise", 0.01, 400))
    }
    result = nf.replicate(data)
    assert isinstance(result, Replication)
    long = build(result).long
    assert f"small {result.estimates[0]:.2f} (n = 40)" in long
    assert f"precise {result.estimates[1]:.5f} (n = 400)" in long


def test_a_replication_says_n_differences_and_power_of_its_datasets() -> None:
    result = replication()
    long = build(result).long
    assert f"de {result.estimates[0]:.2f} (n = 60)" in long
    assert f"it {result.estimates[2]:.2f} (n = 62)" in long
    low, high = (f"{end(result.detectable):.3g}" for end in (min, max))
    assert f"A true difference of {low} to {high} on a dataset" in long
    assert all(row["detectable_difference"] > 0 for row in build(result).records)


def test_from_p_values_no_power_is_known() -> None:
    long = build(nf.replicate({"de": 0.001, "fr": 0.03})).long
    assert "What differences the datasets could have shown is not known from p-values." in long


def test_a_plan_can_be_computed_again_from_its_text() -> None:
    size = nf.sample_size(difference=0.02, sd=0.2)
    report = build(size)
    assert "true difference of 0.02" in report.long
    assert "sd of differences 0.2" in report.long
    assert "sd of differences" in report.main.columns
    found = build(detected("paired_t", n=500, sd=0.2))
    assert "sd of differences 0.2" in found.long
    assert "sd of differences 0.2" in found.main.caption
    groups = build(nf.sample_size("welch_t", difference=0.02, sd=0.2, sd_b=0.3))
    assert "sd of A's scores 0.2, sd of B's scores 0.3" in groups.long


def test_a_second_run_with_wider_ties_is_explained() -> None:
    again = note("compare.repeated", method="permutation", denominator=0, p_value=0.051)
    report = build(replace(nf.compare(sample()), repeated=(again,)))
    assert (
        "Tests run on these data: permutation. As a check on rounded scores, permutation was run again" in report.long
    )
    assert "with differences of one unit of the last printed decimal taken as ties: p = 0.051." in report.long
    assert report.settings["tests run"].startswith("permutation, permutation with differences of one unit")
    thirds = note("compare.repeated", method="sign", denominator=6, p_value=0.5)
    fractions = replace(nf.compare(sample(), method="sign"), repeated=(thirds,))
    assert "sign was run again with scores read as fractions of 6: p = 0.50." in build(fractions).long


def test_identical_systems_have_no_skewness() -> None:
    same = nf.compare(A, A)
    assert "skewness" not in nf.report(same, "text")
    assert "skewness" not in str(same.profile)
    assert "skewness" not in nf.report(same.profile, "text")


def test_what_could_be_found_survives_json() -> None:
    for result in (nf.rank(systems()), replication()):
        assert json.loads(nf.report(result, "json"))["detectable"]


def test_a_comparison_draws_its_posterior_where_it_has_one() -> None:
    pytest.importorskip("altair")
    result = nf.compare(sample(), bayes=True)
    assert result.posterior is not None
    assert f"P(new better) = {result.posterior.p_better:.3f}" in draw(result, "posterior").to_json()
    with pytest.raises(MethodError, match="it needs the Bayesian answer"):
        draw(nf.compare(sample()), "posterior")


LABELS = [["a", "a"], ["a", "b"], ["b", "b"], ["b", "b"], ["a", "a"], ["a", "b"]]


@pytest.mark.parametrize("name", AGREEMENT.names())
def test_only_coefficients_that_take_chance_off_are_called_agreement_beyond_chance(name: str) -> None:
    long = build(nf.agree(LABELS, name)).long
    # Without correction the value is the plain share of agreeing pairs.
    plain = nf.agree(LABELS, name).value == pytest.approx(4 / 6)
    assert ("Agreement beyond chance is" in long) == (not plain)
    assert ("Observed agreement, not corrected for chance, is 0.67" in long) == plain


def test_the_least_p_that_draws_allow_is_no_rate() -> None:
    rng = np.random.default_rng(2)
    gold = rng.normal(size=40)
    sample = nf.score("pearson", {"A": gold + 0.1 * rng.normal(size=40), "B": rng.normal(size=40)}, gold).pair()
    result = nf.test(sample, "permutation", monte_carlo=999)
    assert result.p_value == 2 / 1000
    report = build(result)
    assert "p <= 0.0020" in report.headline
    assert "at most 1 test set in 500 would show" in report.sentences[0]
    assert report.sentences[0].endswith(", as far as 999 draws can tell.")
    seen = nf.test([1, 0, 1, 1, 0, 1] * 3, [0, 0, 1, 0, 1, 0] * 3, "permutation", monte_carlo=999)
    assert "at most" not in build(seen).sentences[0]
    assert "p = " in build(seen).headline


def test_agreement_no_draw_reaches_is_said_as_a_bound() -> None:
    people = [[label] * 3 for label in "abcabcabcabcabcabcabcabcabcabc"]
    said = " ".join(build(nf.agree(people, "fleiss_kappa")).sentences)
    assert "at most 1 sample in 10,000 would give a coefficient this far from 0 (p <= 0.00010" in said


def test_items_without_a_score_of_their_own_are_counted_apart() -> None:
    gold = ["O O", "B-X O", "O O O", "B-X I-X", "O B-X", "O O"]
    tags = {"A": gold, "B": ["O O", "O O", "O O O", "B-X I-X", "O B-X", "O O"]}
    lines = {name: [line for text in texts for line in (*text.split(), "")] for name, texts in tags.items()}
    result = nf.compare(nf.score("span_f1", lines, [line for text in gold for line in (*text.split(), "")]).pair())
    told = " ".join(build(result).sentences)
    assert "A is better on 1 item, worse on 0 and tied on 2; 3 have no span_f1 of their own." in told
    assert "Scores (3 have one of their own; 6 items matched" in nf.report(result, "text")


def test_the_table_of_pairs_does_not_promise_the_digits_of_compare_for_tiny_p() -> None:
    words = ["a", "b", "c", "d", "e", "f", "g", "h"]
    rng = np.random.default_rng(8)
    gold = [" ".join(rng.choice(words, 9)) for _ in range(300)]
    worse = [" ".join([*line.split()[:5], "x", "y"]) for line in gold]
    scores = nf.score("bleu", {"A": gold, "B": worse, "C": [f"{line} z" for line in worse]}, gold)
    ranked, compared = nf.rank(scores), nf.compare(scores.pair("A", "B")).test
    assert 2 * ranked.p_values[0, 1] < 1e-6 * compared.p_value
    assert any("very small ones by far" in str(note) for note in ranked.notes)
