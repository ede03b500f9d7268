"""The gate against computations of its own, its properties, and all that it must refuse."""

from __future__ import annotations

import io
import itertools
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.align.counts import sample_from_counts
from nofluke.inference.gate.chances import loss_caught
from nofluke.reports.gate_comment import as_comment, failure_comment
from nofluke.types.load import from_dict
from nofluke.words import short
from nofluke.words.gate import power_sentence
from nofluke.words.self_check import table
from support.gates import answers, scores_of, written
from support.logs import inspect, sample

SIZES = {"a": (40, 9, 1), "b": (60, 8, 3), "c": (30, 2, 2), "d": (25, 0, 4)}


def sides(sizes: dict[str, tuple[int, int, int]] = SIZES) -> tuple[Any, Any]:
    made = {task: answers(*size) for task, size in sizes.items()}
    baseline, candidate = ({task: pair[at] for task, pair in made.items()} for at in (0, 1))
    return scores_of(baseline), scores_of(candidate)


def binomial_at_least(k: int, n: int) -> float:
    return sum(math.comb(n, one) for one in range(k, n + 1)) / 2**n


def holm(p_values: list[float]) -> list[float]:
    order = sorted(range(len(p_values)), key=lambda at: p_values[at])
    found, running = [0.0] * len(p_values), 0.0
    for rank, at in enumerate(order):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[at]))
        found[at] = running
    return found


def test_forbidden_losses_are_binomial_tails_corrected_by_holm() -> None:
    found = nf.gate(*sides())
    expected = [binomial_at_least(lost, lost + won) for _, lost, won in SIZES.values()]
    assert [row.p_value for row in found.rows] == pytest.approx(expected, rel=1e-9)
    assert [row.adjusted for row in found.rows] == pytest.approx(holm(expected), rel=1e-9)
    assert [(row.lost, row.won) for row in found.rows] == [(lost, won) for _, lost, won in SIZES.values()]
    assert found.outcome == "worse"
    assert [row.verdict for row in found.rows] == ["worse", "passed", "passed", "passed"]
    assert [row.difference for row in found.rows] == pytest.approx(
        [(won - lost) / n for n, lost, won in SIZES.values()], abs=1e-12
    )


def test_swaps_of_other_scores_are_all_tried() -> None:
    d = np.array([-0.4, -0.3, 0.1, -0.6, 0.2, -0.5, -0.2, -0.1, 0.3, -0.65])
    baseline = np.full(10, 0.69)
    found = nf.gate(scores_of({"t": baseline}, "f1"), scores_of({"t": np.round(baseline + d, 6)}, "f1")).rows[0]
    sums = [
        sum(sign * one for sign, one in zip(signs, d, strict=True)) for signs in itertools.product((1, -1), repeat=10)
    ]
    assert found.p_value == pytest.approx(np.mean(np.array(sums) <= d.sum() + 1e-9), rel=1e-9)


@pytest.mark.parametrize("margin", [0.05, 0.1, 0.25])
def test_margins_are_those_of_compare(margin: float) -> None:
    baseline, candidate = sides()
    found = nf.gate(baseline, candidate, require="not-worse", margin=margin)
    for row, (n, lost, won) in zip(found.rows, SIZES.values(), strict=True):
        own = nf.compare(sample_from_counts(n - lost - won, won, lost, 0), margin=margin)
        assert own.margin_test is not None
        assert row.p_value == row.adjusted == own.margin_test.p_value
        assert row.method == own.margin_test.method == "tango"
        assert (row.verdict == "passed") == (row.p_value <= 0.05)
    assert found.outcome == ("passed" if all(row.p_value <= 0.05 for row in found.rows) else found.outcome)
    assert found.chance == pytest.approx(math.prod(row.chance for row in found.rows))


def test_a_margin_on_the_average_leaves_tasks_under_forbid() -> None:
    baseline, candidate = sides()
    found = nf.gate(baseline, candidate, require="not-worse", margin="average=0.2")
    plain = nf.gate(baseline, candidate)
    assert found.rows == plain.rows
    (average,) = found.averages
    table = {task: sample_from_counts(n - lost - won, won, lost, 0) for task, (n, lost, won) in SIZES.items()}
    assert average.method == "mover"
    assert average.difference == pytest.approx(np.mean([one.score(0) - one.score(1) for one in table.values()]))
    assert average.averaged == 4
    assert average.verdict == "passed"
    assert found.outcome == "worse"  # by the task


def test_a_loss_that_only_all_tasks_together_show_is_told() -> None:
    """Ten tasks of 20 items, each with four lost: p = 1/16 alone, and 2^-40 together."""
    found = nf.gate(*sides({f"t{at}": (20, 4, 0) for at in range(10)}))
    assert found.outcome == "passed"
    (told,) = (one for one in found.notes if one.code == "gate.average_lost")
    assert (told["tasks"], told["loss"]) == (10, pytest.approx(0.2))
    assert told["p_value"] == pytest.approx(2.0**-40)
    sentence = "The average of 10 tasks loses 0.20 (p = 9.1e-13), which no task shows alone."
    assert sentence in " ".join(str(found).split())
    assert f"**Average.** {sentence}" in as_comment(found)
    for same in (
        nf.gate(*sides({f"t{at}": (20, 0, 4) for at in range(10)})),
        nf.gate(*sides({f"t{at}": (20, 1, 1) for at in range(10)})),
        nf.gate(*sides({"one": (20, 4, 0)})),
        nf.gate(*sides({f"t{at}": (20, 4, 0) for at in range(10)}), require="not-worse", margin="average=0.3"),
    ):
        assert "gate.average_lost" not in [one.code for one in same.notes]


def test_a_lower_score_may_be_the_better_average() -> None:
    tasks = {f"t{at}": [0.25 + at / 40 for at in range(20)] for at in range(10)}
    more = {task: [value + (0.25 if at < 4 else 0) for at, value in enumerate(own)] for task, own in tasks.items()}
    worse, better = ([scores_of(own, "wer") for own in pair] for pair in ((tasks, more), (more, tasks)))
    assert [one.code for one in nf.gate(*worse).notes][:1] == ["gate.average_lost"]
    assert "gate.average_lost" not in [one.code for one in nf.gate(*better).notes]


def test_a_margin_of_one_task_leaves_the_others_under_forbid() -> None:
    found = nf.gate(*sides(), require="not-worse", margin={"c": 0.3})
    assert [row.rule for row in found.rows] == ["forbid", "forbid", "require", "forbid"]
    raw = [binomial_at_least(lost, lost + won) for task, (_, lost, won) in SIZES.items() if task != "c"]
    assert [row.adjusted for row in found.forbidden] == pytest.approx(holm(raw))
    both = nf.gate(*sides(), require="not-worse", margin=["0.4", "c=0.3"])
    assert [row.margin for row in both.rows] == [0.4, 0.4, 0.3, 0.4]


def test_the_interval_ends_where_the_decision_does() -> None:
    found = nf.gate(*sides(), require="not-worse", margin=0.25)
    for row in found.rows:
        assert row.interval is not None
        assert row.interval.level == pytest.approx(0.9)
        # Tango is exact up to 50 items, and its interval is that of the score test.
        if row.n > 50:
            assert (row.interval.low > -0.25) == (row.verdict == "passed")


def test_swapping_sides_mirrors() -> None:
    baseline, candidate = sides()
    there, back = nf.gate(baseline, candidate), nf.gate(candidate, baseline)
    for one, other in zip(there.rows, back.rows, strict=True):
        assert one.difference == -other.difference
        assert (one.lost, one.won) == (other.won, other.lost)
        assert one.caught == pytest.approx(other.caught)
        assert one.interval is not None
        assert other.interval is not None
        assert one.interval.low == pytest.approx(-other.interval.high)
        # P(X >= x) + P(X > -x mirrored) is 1 plus the mass at x.
        assert one.p_value + other.p_value >= 1


def test_one_more_task_never_lowers_a_corrected_p_value() -> None:
    sizes = dict(SIZES)
    before = {row.task: row.adjusted for row in nf.gate(*sides()).rows}
    for more in ((50, 0, 0), (50, 12, 0), (20, 3, 2)):
        after = {row.task: row.adjusted for row in nf.gate(*sides(sizes | {"e": more})).rows}
        assert all(after[task] >= before[task] - 1e-15 for task in before)


def test_identical_outputs_pass_and_are_not_all_seeing() -> None:
    right = np.array([1.0] * 30 + [0.0] * 10)
    found = nf.gate(scores_of({"a": right}), scores_of({"a": right}))
    assert found.passed
    assert found.flips == ()
    assert any(note.code == "gate.identical" for note in found.notes)
    # Seven lost items of 40 are the fewest of which five are lost in 8 of 10 test sets (one test: 2^-5 < .05).
    assert 5 / 40 < found.rows[0].caught < 8 / 40
    for loss, outcome in ((0.01, "blind"), (0.1, "blind"), (0.2, "passed")):
        assert nf.gate(scores_of({"a": right}), scores_of({"a": right}), must_catch=loss).outcome == outcome
    # Nor do scores that are no 0 and 1 promise more.
    graded = np.linspace(0, 1, 40)
    assert nf.gate(scores_of({"a": graded}, "f1"), scores_of({"a": graded}, "f1"), must_catch=0.05).outcome == "blind"


def test_what_is_caught_is_caught_in_eight_of_ten_test_sets() -> None:
    """By simulation: items lost with the probability that is named, at the level of Holm's first step."""
    n, tests, level = 120, 4, 0.05 / 4
    same = sample_from_counts(80, 3, 3, 34)
    loss = loss_caught(same, level).difference
    share = max(loss, float(_upper(6, n)))
    rng = np.random.default_rng(11)
    draws = rng.multinomial(n, [(share + loss) / 2, (share - loss) / 2, 1 - share], size=2500)
    found = np.mean([binomial_at_least(int(lost), int(lost + won)) <= level for lost, won, _ in draws])
    assert tests * level == 0.05
    assert found == pytest.approx(0.8, abs=0.03)


def _upper(k: int, n: int) -> float:
    from scipy.stats import beta

    return float(beta.ppf(0.8, k + 1, n - k))


def test_the_chance_to_pass_is_that_of_simulation() -> None:
    from nofluke.inference.gate.chances import chance_to_pass
    from nofluke.inference.tests.run import run_test

    rng = np.random.default_rng(5)
    sample = sample_from_counts(60, 6, 6, 28)
    tested = run_test(sample, "tango", alternative="greater", delta=-0.1)
    share = _upper(12, 100)
    passed = 0
    for won, lost, _ in rng.multinomial(100, [share / 2, share / 2, 1 - share], size=400):
        one = run_test(
            sample_from_counts(100 - won - lost, int(won), int(lost), 0), "tango", alternative="greater", delta=-0.1
        )
        passed += one.p_value <= 0.05
    assert chance_to_pass(sample, tested, 0.1, 0.05, (None, None)) == pytest.approx(passed / 400, abs=0.06)


def test_sides_decide_not_names() -> None:
    baseline, candidate = sides()
    assert baseline.systems == candidate.systems
    found = nf.gate(baseline, candidate)
    assert found.rows[0].scores == pytest.approx((39 / 40, 31 / 40))


def test_repeated_paths_are_runs() -> None:
    rng = np.random.default_rng(3)
    runs = [{"a": (rng.random(50) < 0.7).astype(float)} for _ in range(4)]
    one = nf.gate([scores_of(runs[0]), scores_of(runs[1])], [scores_of(runs[2]), scores_of(runs[3])])
    assert one.runs == (2, 2)
    means = [np.mean([np.mean(runs[at]["a"]) for at in pair]) for pair in ((0, 1), (2, 3))]
    assert one.rows[0].scores == pytest.approx(means)
    assert one.rows[0].n == 50


def test_two_training_runs_are_refused() -> None:
    rng = np.random.default_rng(4)

    def run() -> Any:
        return scores_of({"a": rng.random(30).round(3)}, "f1")

    with pytest.raises(nf.MethodError, match="there are 2 runs"):
        nf.gate([run(), run()], [run(), run()], runs="crossed")
    assert (
        nf.gate([run() for _ in range(3)], [run() for _ in range(3)], runs="crossed").rows[0].method == "crossed_runs"
    )


def test_items_of_the_candidate_alone_are_named_not_judged() -> None:
    baseline, candidate = {"a": [1, 1, 0, 1] * 5}, {"a": [1, 1, 0, 1] * 5 + [0, 0], "new": [1, 0]}
    found = nf.gate(scores_of(baseline), scores_of(candidate))
    assert found.new_tasks == ("new",)
    assert found.rows[0].coverage.new == 2
    assert found.rows[0].n == 20
    assert "Not judged: 2 new items and 1 new task (new) of the candidate." in " ".join(str(found).split())


def scored(rows: str) -> Any:
    return nf.read(io.StringIO("task,item,accuracy\n" + rows))


def many(task: str, n: int, start: int = 0) -> str:
    return "".join(f"{task},q{at},{at % 2}\n" for at in range(start, start + n))


@pytest.mark.parametrize(
    ("baseline", "candidate", "options", "said"),
    [
        (many("a", 20), many("b", 20), {}, "no task in common"),
        (many("a", 20) + many("b", 20), many("a", 20), {}, "no results on 1 task of the baseline: b"),
        (many("a", 20), many("a", 20, 50), {}, "no item in common on a"),
        (many("a", 20), many("a", 10), {}, "10 of the baseline's 20 items on a cannot be judged"),
        (many("a", 20), many("a", 10), {"missing": "refuse", "max_errors": 1.0}, "have no score for 'candidate'"),
        (many("a", 20), many("a", 20), {"min_items": 30}, "fewer than the 30 asked for"),
        (many("a", 20), many("a", 20), {"tasks": "zz*"}, "there is no task of the baseline like 'zz\\*'"),
        (many("a", 20), many("a", 20), {"metric": "f1"}, "there is no metric of the baseline 'f1'"),
        (many("a", 20), many("a", 20), {"require": "not-worse"}, "needs a margin"),
        (many("a", 20), many("a", 20), {"margin": 0.1}, "nothing is required"),
        (
            many("a", 20),
            many("a", 20),
            {"require": "not-worse", "margin": "z=0.1"},
            "there is no task with a margin 'z'",
        ),
        (many("a", 20), many("a", 20), {"require": "not-worse", "margin": "average=0.1"}, "no average"),
        (many("a", 20), many("a", 20), {"require": "not-worse", "margin": -1}, "not a positive number"),
        (many("a", 20), many("a", 20), {"require": "better", "margin": 1}, "claim to require 'better'"),
        (
            many("a", 20),
            many("a", 20),
            {"require": "not-worse", "margin": 0.2, "must_catch": 0.1},
            "a loss of 0.1 must be caught, and one of 0.2 would be accepted",
        ),
    ],
)
def test_what_cannot_be_judged_is_refused(baseline: str, candidate: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(nf.NoflukeError, match=said) as error:
        nf.gate(scored(baseline), scored(candidate), **options)
    assert error.value.fix


@pytest.mark.parametrize(
    ("status", "option", "other"), [({}, "on_unscored", "on_error"), ({"error": "x"}, "on_error", "on_unscored")]
)
def test_what_is_advised_where_scores_are_missing_helps(
    status: dict[str, str], option: str, other: str, tmp_path: Path
) -> None:
    baseline = inspect(tmp_path / "a.json", [sample(at, 1.0) for at in range(20)], model="a")
    lost = [sample(at, math.nan if at % 2 else 1.0, **(status if at % 2 else {})) for at in range(20)]
    candidate = inspect(tmp_path / "b.json", lost, model="b")
    with pytest.raises(nf.InputError, match="10 of the baseline's 20 items") as error:
        nf.gate(baseline, candidate)
    assert option in str(error.value.fix)
    assert other not in str(error.value.fix)
    assert nf.gate(baseline, candidate, **{option: "zero"}).outcome == "worse"


def test_several_metrics_and_systems_must_be_named() -> None:
    both = nf.read(io.StringIO("item,bleu,chrf\nq1,1,2\nq2,2,3\nq3,3,5\n"))
    with pytest.raises(nf.InputError, match="nothing says which one counts: bleu, chrf"):
        nf.gate(both, both)
    assert [row.metric for row in nf.gate(both, both, metric="bleu,chrf").rows] == ["bleu", "chrf"]
    two = nf.read(io.StringIO("item,A,B\nq1,1,0\nq2,0,0\nq3,1,1\n"))
    with pytest.raises(nf.InputError, match="the baseline holds 2 systems"):
        nf.gate(two, two)
    assert nf.gate(two, two, system="B").rows[0].scores == pytest.approx((1 / 3, 1 / 3))


def test_few_losses_of_items_are_within_the_limit() -> None:
    found = nf.gate(scored(many("a", 40)), scored(many("a", 38)))
    assert found.rows[0].coverage.missing == 2
    assert found.rows[0].coverage.lost == pytest.approx(0.05)
    assert "38 of the baseline's 40 items are judged (2 missing in the candidate)" in " ".join(str(found).split())


def test_lower_is_better_is_heeded() -> None:
    worse = nf.gate(scores_of({"a": [1.0] * 20}, "wer"), scores_of({"a": [2.0] * 20}, "wer"))
    assert worse.outcome == "worse"
    assert worse.rows[0].difference == -1.0


def test_clusters_are_kept_together() -> None:
    def table(lost: float) -> Any:
        lines = [f"q{at},d{at // 10},{0.5 - lost * (at // 10 % 2) + at / 1000:.3f}" for at in range(60)]
        return nf.read(io.StringIO("item,document,f1\n" + "\n".join(lines)), cluster="document")

    row = nf.gate(table(0.0), table(0.3)).rows[0]
    assert row.clusters == 6
    # Three clusters of six are lost, the others tie: one pattern of signs of 2^3.
    assert row.p_value == pytest.approx(1 / 8)
    assert nf.gate(table(0.0), table(0.3), clusters=False).rows[0].p_value == pytest.approx(2.0**-30)


def test_a_gate_is_read_back_and_says_the_same() -> None:
    for options in ({}, {"require": "not-worse", "margin": ["average=0.1", "a=0.2"]}, {"must_catch": 0.05}):
        found = nf.gate(*sides(), **options)
        again = from_dict(found.to_dict())
        assert short(again) == short(found)
        assert again.to_dict() == found.to_dict()
        assert nf.report(again, "markdown") == nf.report(found, "markdown")


def test_runs_of_one_system_are_checked_against_each_other() -> None:
    rng = np.random.default_rng(6)

    def run(shift: float = 0.0) -> Any:
        return scores_of({f"t{at}": (rng.random(80) < 0.6 + shift).astype(float) for at in range(20)})

    quiet = nf.self_check([run(), run()])
    assert quiet.outcome == "nothing found"
    assert len(quiet.tasks) == 20
    loud = nf.self_check([run(), run(), run(0.3), run(0.3)])
    assert loud.outcome == "alarm"
    assert loud.tasks[0].runs == (2, 2)
    shown = table(loud, most=20)
    assert shown.columns[-1] == "verdict"
    assert [row[-1] for row in shown.rows].count("differs") == loud.alarms
    with pytest.raises(nf.InputError, match="there is one run"):
        nf.self_check(run())
    assert short(from_dict(loud.to_dict())) == short(loud)


def test_four_of_twenty_are_an_alarm_and_three_are_not() -> None:
    from nofluke.verbs.self_check import _at_least

    expected = {k: 1 - sum(math.comb(20, i) * 0.05**i * 0.95 ** (20 - i) for i in range(k)) for k in (1, 3, 4)}
    for alarms, p in expected.items():
        assert _at_least(alarms, 20, 0.05) == pytest.approx(p, rel=1e-9)
    assert _at_least(4, 20, 0.05) < 0.05 < _at_least(3, 20, 0.05)
    assert _at_least(0, 20, 0.05) == 1.0


def test_flips_are_the_items_that_differ_most_losses_first() -> None:
    baseline, candidate = {"a": [1, 1, 0, 0.5]}, {"a": [0.5, 1, 1, 0.4]}
    found = nf.gate(scores_of(baseline, "f1"), scores_of(candidate, "f1"))
    assert [(flip.item, round(flip.difference, 6)) for flip in found.flips] == [("a2", 1.0), ("a0", -0.5), ("a3", -0.1)]
    assert found.flipped == 3
    tied = nf.gate(scores_of({"a": [1, 0, 1, 0]}), scores_of({"a": [0, 1, 0, 1]}))
    assert [flip.item for flip in tied.flips] == ["a0", "a2", "a1", "a3"]


def test_tasks_of_one_score_each_are_the_items() -> None:
    rows = "".join(f"t{at},x,{0.5 + at / 100}\n" for at in range(12))
    worse = "".join(f"t{at},x,{0.4 + at / 100}\n" for at in range(12))
    found = nf.gate(*(nf.read(io.StringIO("task,item,score\n" + text)) for text in (rows, worse)))
    assert [(row.n, row.verdict) for row in found.rows] == [(12, "worse")]
    assert found.rows[0].p_value == pytest.approx(2.0**-12)


def test_the_outcome_is_the_gravest_of_all_rows() -> None:
    found = nf.gate(*sides({"a": (40, 9, 1), "b": (20, 0, 0)}), must_catch=0.3)
    assert found.outcome == "worse"
    milder = nf.gate(*sides({"a": (40, 3, 3), "b": (20, 0, 0)}), must_catch=0.3)
    assert {row.task: row.verdict for row in milder.rows} == {"a": "passed", "b": "blind"}
    assert milder.outcome == "blind"
    shown = nf.gate(*sides({"a": (200, 5, 5), "b": (60, 20, 1)}), require="not-worse", margin=0.1)
    assert {row.task: row.verdict for row in shown.rows} == {"a": "passed", "b": "worse"}
    assert shown.outcome == "worse"


def test_a_value_is_frozen_and_comparable() -> None:
    found = nf.gate(*sides())
    assert replace(found, name="other") != found
    assert found.forbidden == found.rows
    assert found.required == ()


def test_items_without_a_score_may_not_hide_the_margin() -> None:
    base, most = scored(many("a", 400)), scored(many("a", 392))
    assert nf.gate(base, most).passed
    assert nf.gate(base, most, require="not-worse", margin=0.05).passed
    with pytest.raises(nf.InputError, match=r"may hide a loss of 0\.02: no margin of 0\.01 can be judged"):
        nf.gate(base, most, require="not-worse", margin=0.01)


def test_items_without_a_score_may_not_hide_the_margin_on_the_average() -> None:
    tasks = {"a": 400, "b": 200}
    base, most = (scored("".join(many(task, n - cut) for task, n in tasks.items())) for cut in (0, 8))
    for weights, hidden in (("equal", "0.03"), ("a=3,b=1", "0.025")):
        with pytest.raises(nf.InputError, match=f"may hide a loss of {hidden}: no margin of 0.02 can be judged"):
            nf.gate(base, most, require="not-worse", margin="average=0.02", weights=weights)
    assert nf.gate(base, most, require="not-worse", margin="average=0.05").passed


@pytest.mark.parametrize("order", [("m1", "m2"), ("m2", "m1")])
def test_a_metric_without_gaps_does_not_hide_those_of_another(order: tuple[str, str]) -> None:
    def side(lost: int) -> Any:
        cells = [
            (task, item, metric)
            for task in ("a", "b")
            for item in range(400)
            for metric in order
            if metric == "m2" or item >= lost
        ]
        rows = "".join(f"{task},q{item},{metric},{item % 2}\n" for task, item, metric in cells)
        return nf.read(io.StringIO("task,item,metric,score\n" + rows))

    margin = {"require": "not-worse", "margin": "average=0.03", "max_errors": 0.1}
    for metric in ("m1", "m1,m2", "m2,m1"):
        with pytest.raises(nf.InputError, match=r"may hide a loss of 0\.04"):
            nf.gate(side(0), side(16), metric=metric, **margin)
    judged = nf.gate(side(0), side(16), metric="m1,m2", **{**margin, "margin": "average=0.06"})
    assert judged.passed
    assert {row.metric: (row.n, row.coverage.matched, row.coverage.missing) for row in judged.averages} == {
        "m1": (768, 768, 32),
        "m2": (800, 800, 0),
    }
    assert "n:800" in judged.signature


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"metric": ""}, "metric is given, and names nothing"),
        ({"metric": []}, "metric is given, and names nothing"),
        ({"tasks": ","}, "tasks is given, and names nothing"),
        ({"require": "not-worse", "margin": []}, "a required claim needs a margin"),
        ({"require": "not-worse", "margin": {}}, "a required claim needs a margin"),
        ({"low": 1, "high": 0}, "low = 1 and high = 0 are no range"),
        ({"low": 0.5, "high": 0.6}, "scores run from 0 to 1, beyond the stated range 0.5 to 0.6"),
        ({"high": 1}, "low = None and high = 1 are no range"),
        ({"require": "not-worse", "margin": "b=0.1"}, "there is no task with a margin 'b'"),
    ],
    ids=str,
)
def test_what_would_judge_nothing_is_refused(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(nf.InputError) as caught:
        nf.gate(scored(many("a", 40)), scored(many("a", 40)), must_catch=0.9, **asked)
    assert caught.value.message.startswith(said)


def test_margins_of_tasks_stand_behind_that_of_all() -> None:
    base = scored(many("a", 400) + many("b", 400))
    judged = nf.gate(base, base, require="not-worse", margin="0.1,b=0.05")
    assert {row.task: row.margin for row in judged.rows} == {"a": 0.1, "b": 0.05}
    assert nf.gate(base, base, require="not-worse", margin="0.1,average=0.2").averages[0].margin == 0.2
    called = scored(many("average", 400) + many("b", 400))
    with pytest.raises(nf.InputError, match="is called 'average'"):
        nf.gate(called, called, require="not-worse", margin="average=0.1")


def test_one_file_is_not_two_runs(tmp_path: Path) -> None:
    file = written(tmp_path / "a.csv", {"a": [1, 0] * 20})
    beside = str(tmp_path / "." / "a.csv")
    with pytest.raises(nf.InputError, match="given twice as a run of one side"):
        nf.gate(file, [file, beside])
    with pytest.raises(nf.InputError, match="given twice as a run of one side"):
        nf.self_check([file, file])


def test_runs_are_not_compared_where_nothing_could_be_an_alarm() -> None:
    runs = [scores_of({"a": values}) for values in ([1.0] * 30, [0.0] * 30)]
    assert nf.self_check(runs).outcome == "alarm"
    with pytest.raises(nf.InputError, match=r"at alpha = 0\.1 1 task can never be an alarm"):
        nf.self_check(runs, alpha=0.1)


def test_errors_and_names_of_any_length_fit_into_a_comment() -> None:
    error = nf.InputError("@#" * 40_000, where="#@" * 40_000, fix="@#" * 40_000)
    for name in ("gate", "x" * 70_000):
        assert len(failure_comment(error, name)) < 60_000
        assert len(as_comment(replace(nf.gate(*sides()), name=name))) < 60_000


def test_tasks_that_could_catch_the_same_are_told_once() -> None:
    found = nf.gate(*sides({"a": (40, 2, 2), "b": (40, 2, 2)}))
    assert re.fullmatch(r"8 of 10 test sets reveal a loss of [0-9.]+ on any task\.", power_sentence(found))


def test_the_comment_is_found_again_however_long_it_is() -> None:
    tasks = {f"task {at} {'x' * 50}": (20, 2, 1) for at in range(300)}
    short_one, long_one = (nf.gate(*sides(own), name="nightly-regression-suite") for own in (SIZES, tasks))
    for found in (short_one, long_one):
        assert nf.report(found, "markdown").startswith("<!-- nofluke:nightly-regression-suite -->\n> [!")
