"""What a newcomer stumbled over stays mended: nothing left out in silence, nothing said that another line denies."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.align.units import group_into_units
from nofluke.reports.build import build
from nofluke.types import Interval, Scores, note
from nofluke.verbs.detectable_effect import detected_in
from nofluke.words import answer
from nofluke.words.layout import WIDTH, as_lines

NAMES = ("new", "baseline")


def read(columns: dict[str, Any]) -> Scores:
    """Scores of several systems, a column each."""
    rows = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    return nf.read(io.StringIO("\n".join(rows) + "\n"))


def test_an_untested_margin_is_not_called_a_possible_loss() -> None:
    """What the verdict says of the margin, what the range says and what the note says go together."""
    result = nf.compare(as_sample([0.5] * 59 + [0.6], [0.5] * 60, names=NAMES), margin=0.1)
    said = " ".join(str(result).split())
    assert "was not tested" in said
    assert "may be worse" not in said
    assert "The data allow" not in said
    (why,) = [one for one in result.notes if one.code.startswith("compare.margin")]
    assert why == note("compare.margin_few_different", a="new", b="baseline", different=1, clusters=False, enough=10)


def test_clusters_are_named_where_the_test_is() -> None:
    together = "3 clusters of items kept together"
    for clusters, expected in ((None, ", two-sided, exact."), ([1] * 5 + [2] * 5 + [3] * 5, together)):
        sample = as_sample([0.1 * (i % 4) for i in range(15)], [0.1 * (i % 3) for i in range(15)], names=NAMES)
        sample = replace(sample, clusters=None if clusters is None else np.array(clusters))
        assert expected in " ".join(str(nf.compare(sample)).split())


def test_items_that_fill_no_unit_are_told() -> None:
    rng = np.random.default_rng(0)
    sample = group_into_units(as_sample(rng.normal(0, 1, 40).tolist(), rng.normal(0, 1, 40).tolist(), names=NAMES), 15)
    told = "10 items at the end were left out: too few for another unit of 15."
    for result in (nf.test(sample), nf.compare(sample)):
        assert told in " ".join(str(result).split())
        assert told in " ".join(nf.report(result, "text").split())
    whole = group_into_units(as_sample(rng.normal(0, 1, 40).tolist(), rng.normal(0, 1, 40).tolist(), names=NAMES), 20)
    assert "left out" not in str(nf.test(whole))


def test_items_without_a_score_are_told_by_the_single_test_too() -> None:
    gaps = [0.3, None, 0.5, 0.9, 0.4, 0.8], [0.1, 0.2, 0.5, 0.3, 0.2, 0.6]
    told = "1 item left out (1 without a score for A)."
    assert told in " ".join(str(nf.test(*gaps, missing="drop")).split())
    assert " ".join(str(nf.compare(*gaps, missing="drop")).split()).count("left out") == 1


@pytest.mark.parametrize(
    ("settings", "p_value"),
    [
        ({}, "The p-value is exact if the two systems are exchangeable"),
        ({"monte_carlo": 999}, "The p-value comes from 999 random draws, seed 0; "),
    ],
)
def test_a_p_value_of_draws_is_not_called_exact(settings: dict[str, Any], p_value: str) -> None:
    rng = np.random.default_rng(1)
    made = nf.report(nf.test(rng.normal(0.2, 1, 60).round(2), rng.normal(0, 1, 60).round(2), **settings), "text")
    text = " ".join(made.split())
    assert p_value in text
    assert "random draws" not in text or "The p-value is exact" not in text
    assert "Null hypothesis: swapping A and B" in text


def test_an_approximation_is_called_rough_where_items_are_few() -> None:
    rng = np.random.default_rng(2)
    for n, rough in ((400, False), (30, True)):
        said = " ".join(str(nf.test(rng.integers(0, 9, n), rng.integers(0, 9, n), "bootstrap")).split())
        assert ("approximate, rough for so few." in said) == rough
        assert rough or said.partition(" Null ")[0].endswith(f"{n} items, approximate.")


@pytest.mark.parametrize("lower_is_better", [False, True])
def test_two_systems_are_ranked_with_the_interval_of_their_difference(lower_is_better: bool) -> None:
    """The interval is that of compare, digit for digit, whichever system leads."""
    rng = np.random.default_rng(3)
    base = rng.normal(0, 1, 80)
    for gain in (0.3, -0.3, 0.02):
        sample = as_sample((base + gain + rng.normal(0, 0.4, 80)).tolist(), base.tolist(), names=NAMES)
        sample = replace(sample, higher_is_better=not lower_is_better)
        compared, ranked = nf.compare(sample), nf.rank(sample)
        own = compared.effects["mean_difference"].interval
        assert own is not None
        assert ranked.interval is not None
        ends = (own.low, own.high) if ranked.systems == NAMES else (-own.high, -own.low)
        assert (ranked.interval.low, ranked.interval.high) == pytest.approx(ends, rel=1e-12)
        if compared.verdict != "inconclusive":
            assert str(ranked).split("\n\n")[0] == str(compared).split("\n\n")[0]
        else:
            assert "  Range  The data allow anything from " in str(ranked)


def test_an_interval_that_the_claim_outruns_is_left_out() -> None:
    """A claim and an interval that denies it never stand in one sentence."""
    rng = np.random.default_rng(8)
    base = rng.normal(0, 1, 60)
    ranked = nf.rank(as_sample((base + rng.normal(0.4, 0.5, 60)).tolist(), base.tolist(), names=NAMES))
    assert "(95% CI " in str(ranked)
    wider = replace(ranked, interval=Interval(-0.1, 0.9, 0.95, "another"))
    assert "(95% CI " not in str(wider)


def level_between(p: float) -> float:
    """A level that two digits of p would cross."""
    printed = float(f"{p:.2g}")
    return (p + printed) / 2


def test_no_digit_carries_a_p_value_over_the_level() -> None:
    """p = 0.0247 at a level of 0.0248 is never printed as 0.025."""
    rng = np.random.default_rng(5)
    base = rng.normal(0, 1, (50, 1))
    table = base + rng.normal([0.0, 0.1, 0.25, 0.3], 0.6, (50, 4))
    scores = read({f"s{i}": table[:, i].tolist() for i in range(4)})
    plain = nf.rank(scores, adjust="none", baseline="s0")
    at = plain.systems.index("s0")
    for other, name in enumerate(plain.systems):
        if name == "s0":
            continue
        p = float(np.nanmin([plain.adjusted[other, at], plain.adjusted[at, other]]))
        alpha = level_between(p)
        if not 0 < alpha < 0.5 or alpha == p:
            continue
        made = answer(nf.rank(scores, adjust="none", baseline="s0", alpha=alpha))
        assert made is not None
        assert made.table is not None
        (row,) = [row for row in made.table.rows if row[0] == name]
        assert (float(row[-1]) < alpha) == (p < alpha), (p, alpha, row)


def test_replicated_p_values_do_not_cross_the_level_either() -> None:
    p = [0.024651, 0.3]
    result = nf.replicate(p, names=["x", "y"], alpha=0.0247)
    made = answer(result)
    assert made is not None
    assert made.table is not None
    assert "0.025" not in made.table.rows[0]


@pytest.mark.parametrize(
    "laws",
    [
        (),
        (("normal(0.0525,1.125)", "normal(0.0333,1.125)", "paired_t"),),
        (("beta(1.25,4.5)", "beta(1.25,5.5)", "wilcoxon"),),
    ],
)
def test_simulated_sizes_keep_their_table(laws: tuple[tuple[str, str, str], ...]) -> None:
    study = nf.studies.sample_size_study(*((laws,) if laws else ()), sizes=(30, 25_000), iterations=2)
    made = answer(study)
    assert made is not None
    assert made.table is not None
    lines = as_lines(made)
    assert len(lines) <= 15
    assert max(map(len, lines)) <= WIDTH
    # A line with all headings: a table, not one fact a line.
    assert any(all(heading in line for heading in made.table.columns) for line in lines)


def test_no_heading_needs_the_paper_to_be_read() -> None:
    study = nf.studies.multiplicity(repetitions=50, seed=1)
    report = build(study)
    tables = [report.main, *(one.table for one in report.sections if one.table is not None)]
    assert tables[0] is not None
    assert "claims too many" in tables[0].columns
    for table in tables:
        assert table is not None
        assert not any("k-hat" in heading or "bonferroni" in heading for heading in table.columns)
        # What explains a column is found under what stands above it.
        assert set(table.explain) <= set(table.columns)


def test_intervals_are_headed_alike() -> None:
    ratings = [["a", "a"], ["b", "b"], ["a", "b"], ["a", "a"], ["b", "b"], ["a", "a"]] * 4
    rng = np.random.default_rng(6)
    scores = read({name: rng.normal(0, 1, 20).tolist() for name in "xyz"})
    for result in (nf.rank(scores), nf.agree(ratings)):
        assert "95% CI" in nf.report(result, "text")
        assert "95% interval" not in nf.report(result, "text")


def test_a_difference_is_named_as_it_is_subtracted() -> None:
    """Where lower is better, what favours the first is the second's score minus its own."""
    old, new = [0.31, 0.25, 0.4, 0.22, 0.35, 0.3], [0.3, 0.27, 0.33, 0.21, 0.3, 0.31]
    sample = as_sample(old, new, names=("old", "new"), higher_is_better=False)
    result = nf.test(sample, "paired_t")
    assert result.estimate == pytest.approx(np.mean(new) - np.mean(old))
    for said in (str(result), nf.report(result, "text")):
        assert "difference new - old" in " ".join(said.replace("(", "").split())
        assert "old - new" not in said
    assert "differences new - old are symmetric about 0.01" in " ".join(str(nf.test(sample, delta=0.01)).split())


def test_long_names_of_several_words_are_shortened_alike_everywhere() -> None:
    rng = np.random.default_rng(7)
    names = tuple(f"{'a model with a very long name ' * 9}{end}" for end in ("one", "two"))
    made = answer(nf.compare(as_sample(rng.normal(0.5, 1, 40), rng.normal(0, 1, 40), names=names)))
    assert made is not None
    lines = as_lines(made)
    assert len(lines) <= 15
    assert max(map(len, lines)) <= WIDTH
    said = "\n".join(lines)
    assert "long name one" in said
    assert "long name two" in said


def test_a_wide_table_goes_on_below() -> None:
    plan = nf.sample_size("crossed_runs", difference=0.03, sd=0.3, run_sd=0.01, answer_sd=0.3)
    lines = nf.report(plan, "text").splitlines()
    assert max(map(len, lines[: lines.index("What this rests on")])) <= 100
    assert sum(line.startswith("  test  ") for line in lines) == 2
    assert not any(line != line.rstrip() for line in lines)


def test_where_nothing_can_be_revealed_no_threshold_is_given() -> None:
    plan = detected_in(as_sample([0.1, 0.5, 0.4], [0.2, 0.1, 0.3], names=NAMES))
    assert "No true gap, however large" in str(plan)
    for said in (str(plan), nf.report(plan, "text")):
        assert "Significance begins" not in said
        assert "smaller true gap" not in said


def test_nothing_is_said_of_an_interval_that_is_not_there() -> None:
    result = nf.agree([["a", "a"], ["a", "a"], ["a", "b"]] * 8, "cohen_kappa")
    assert result.interval is None
    for said in (str(result), nf.report(result, "text")):
        assert "too narrow" not in said


def test_another_metric_does_not_say_which_scores_are_better() -> None:
    rows = [
        f"i{at},{name},{metric},{at % 7 + (name == 'a')}"
        for at in range(9)
        for name in "ab"
        for metric in ("bleu", "ter")
    ]
    scores = nf.read(io.StringIO("\n".join(("item,system,metric,score", *rows))))
    assert "Lower is better" not in str(nf.compare(scores, metric="bleu"))
    assert "Lower is better" in str(nf.compare(scores, metric="ter"))


def test_left_out_items_are_told_without_a_winner_too() -> None:
    rows = [f"i{at},{name},{(at * (3 + place)) % 5}" for at in range(12) for place, name in enumerate(NAMES)]
    scores = nf.read(io.StringIO("\n".join(("item,system,score", *rows[:-1]))))
    result = nf.compare(scores, missing="drop")
    assert result.verdict == "inconclusive"
    assert "1 item was left out because a score is missing." in " ".join(str(result).split())


def test_p_values_of_training_runs_are_not_called_exact() -> None:
    rows = [
        f"i{at},{name},r{run},{(at * (3 + place) + run) % 5}"
        for at in range(20)
        for place, name in enumerate(NAMES)
        for run in range(3)
    ]
    scores = nf.read(io.StringIO("\n".join(("item,system,run,score", *rows))))
    said = " ".join(nf.report(nf.rank(scores, runs="crossed"), "text").split())
    assert "P-values: exact" not in said
    assert "20 items and 3 runs each" in said
