"""One system's own score: which interval, which test, what is said and what is refused."""

from __future__ import annotations

import io
import json
import math

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError, MethodError
from nofluke.types.load import from_dict
from support.command_line import nofluke
from support.runs import scores_of

RNG = np.random.default_rng(16)
RIGHT = [1] * 29 + [0] * 11
REAL = np.round(RNG.normal(0.6, 0.2, 50), 3)


def test_shares_have_wilsons_interval_and_the_one_of_their_test_against_a_number() -> None:
    alone, tested = nf.estimate(RIGHT), nf.estimate(RIGHT, against=0.6)
    assert alone.interval is not None
    assert tested.interval is not None
    assert (alone.interval.method, tested.interval.method) == ("Wilson score", "Clopper-Pearson")
    assert math.isnan(alone.p_value)
    assert alone.verdict == ""
    assert (tested.verdict, tested.test) == ("inconclusive", "binomial")


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("values", [RIGHT, REAL.tolist()], ids=["shares", "means"])
def test_the_interval_is_what_the_test_does_not_reject(values: list[float], alternative: str) -> None:
    found = nf.estimate(values, against=0.5, alternative=alternative)
    assert found.interval is not None
    for end, way in ((found.interval.low, -1), (found.interval.high, 1)):
        if not math.isfinite(end) or end in (0, 1):
            continue
        inside, outside = (
            nf.estimate(values, against=end + way * step, alternative=alternative) for step in (-1e-6, 1e-6)
        )
        assert inside.p_value > 0.05 >= outside.p_value


def test_lower_is_better_turns_the_claim_and_not_the_number() -> None:
    errors = scores_of({"A": REAL[:, None]}, higher_is_better=False)
    found = nf.estimate(errors, against=0.9)
    assert (found.value, found.verdict) == (pytest.approx(REAL.mean()), "better")
    better = nf.estimate(errors, against=0.9, alternative="greater")
    assert better.p_value == pytest.approx(found.p_value / 2)
    assert better.interval is not None
    assert math.isinf(better.interval.low)


def test_several_systems_need_a_name_and_one_does_not() -> None:
    scores = scores_of({"new": REAL[:, None], "old": REAL[:, None] - 0.1})
    with pytest.raises(InputError, match="one system's score was asked for, and there are 2: new, old") as caught:
        nf.estimate(scores)
    assert caught.value.fix.on("shell") == "name it: --a new."  # type: ignore[union-attr]
    assert nf.estimate(scores, "old").value == pytest.approx(REAL.mean() - 0.1)
    assert nf.estimate(scores.pair("new", "old"), "old").value == nf.estimate(scores, "old").value
    with pytest.raises(InputError, match="there is no system 'odl'"):
        nf.estimate(scores, "odl")


def test_other_items_of_another_system_play_no_part() -> None:
    scores = nf.read(io.StringIO("item,system,score\n1,A,1\n2,A,0\n3,A,1\n4,A,1\n1,B,0\n"))
    assert nf.estimate(scores, "A").n == 4


def test_runs_are_averaged_or_sampled() -> None:
    table = np.round(REAL[:, None] + RNG.normal(0, 0.05, (50, 4)) + np.array([-0.1, 0.0, 0.05, 0.1]), 3)
    scores = scores_of({"A": table})
    nested, crossed = nf.estimate(scores), nf.estimate(scores, runs="crossed")
    assert nested.value == pytest.approx(crossed.value)
    assert nested.interval is not None
    assert crossed.interval is not None
    assert crossed.interval.low < nested.interval.low
    runs = nf.estimate(table.mean(axis=0)).interval
    assert runs is not None
    assert crossed.interval.low <= runs.low
    assert (nested.runs, crossed.runs) == (0, 4)
    assert "4 training runs" in str(crossed)


def test_corpus_metrics_by_the_delta_method_and_by_resampling() -> None:
    tp = RNG.binomial(6, 0.7, 300)
    table = {"tp": tp, "pred": tp + RNG.binomial(4, 0.4, 300), "gold": np.full(300, 6)}
    scores = nf.from_statistics({"A": table}, "2*tp/(pred+gold)")
    delta, drawn = nf.estimate(scores), nf.estimate(scores, interval="bootstrap", seed=3)
    assert delta.interval is not None
    assert drawn.interval is not None
    assert delta.value == pytest.approx(2 * tp.sum() / (table["pred"] + table["gold"]).sum())
    assert drawn.standard_error == pytest.approx(delta.standard_error, rel=0.05)
    assert drawn.interval.low == pytest.approx(delta.interval.low, abs=0.2 * delta.standard_error)
    assert nf.estimate(scores, against=delta.value - 5 * delta.standard_error).verdict == "better"
    tested = nf.estimate(scores, interval="bootstrap", against=delta.interval.low, seed=3)
    assert tested.p_value == pytest.approx(0.05, abs=0.02)


def test_corpus_metrics_are_averaged_over_datasets() -> None:
    tp = RNG.binomial(6, 0.7, 120)
    table = {"tp": tp, "pred": tp + 1, "gold": np.full(120, 6), "dataset": ["x"] * 40 + ["y"] * 80}
    scores = nf.from_statistics({"A": table}, "2*tp/(pred+gold)")
    both, x, y = (nf.estimate(scores, dataset=name) for name in (None, "x", "y"))
    assert both.value == pytest.approx((x.value + y.value) / 2)
    assert both.standard_error == pytest.approx(math.hypot(x.standard_error, y.standard_error) / 2, rel=1e-6)


def test_correlations_are_resampled() -> None:
    gold = RNG.normal(size=60)
    scores = nf.score("pearson", {"A": [f"{x:.4f}" for x in gold + RNG.normal(0, 0.5, 60)]}, [f"{x:.4f}" for x in gold])
    found = nf.estimate(scores)
    assert found.interval is not None
    assert found.interval.method == "percentile bootstrap"
    assert found.interval.low < found.value < found.interval.high < 1
    with pytest.raises(MethodError, match="belongs to all items together"):
        nf.estimate(scores, interval="t")


def test_scores_without_spread_have_no_interval_and_say_so() -> None:
    found = nf.estimate([0.5, 0.5, 0.5], against=0.4)
    assert found.interval is None
    assert found.verdict == "undefined"
    assert "every item has the same score" in str(found)
    assert nf.estimate([0.5, 0.5], against=0.5).p_value == 1
    assert nf.estimate([0.5]).interval is None
    assert nf.estimate([1, 1, 1]).interval is not None


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"alternative": "greater"}, InputError, "no number to test against"),
        ({"against": math.nan}, InputError, "is not a finite number"),
        ({"against": 72}, MethodError, "is no share"),
        ({"interval": "wald"}, InputError, "there is no interval 'wald'"),
        ({"weights": "items"}, InputError, "chooses from a table of scores"),
        ({"confidence_level": 95}, InputError, "confidence_level"),
    ],
)
def test_what_cannot_be_asked_is_refused(options: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        nf.estimate(RIGHT, **options)


def test_wilson_is_for_independent_shares() -> None:
    for scores in (REAL.tolist(), scores_of({"A": np.array(RIGHT)[:, None]}, clusters=[i // 4 for i in range(40)])):
        with pytest.raises(MethodError, match="independent scores of 0 and 1"):
            nf.estimate(scores, interval="wilson")


def test_the_answer_comes_first() -> None:
    assert str(nf.estimate(RIGHT)).startswith("the system scores 0.725 (95% CI 0.572 to 0.839) on 40 items.")
    said = str(nf.estimate(scores_of({"tuned": np.array(RIGHT)[:, None]}), against=0.5))
    assert said.startswith("tuned is better than 0.5: it scores 0.725 (95% CI 0.561 to 0.854), p = 0.0064.")
    assert "No clear answer: 40 items cannot tell the system" in str(nf.estimate(RIGHT, against=0.7))
    datasets = scores_of({"A": REAL[:, None]}, datasets=["x"] * 20 + ["y"] * 30)
    assert "on the average of 2 datasets (50 items)." in str(nf.estimate(datasets))


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "json", "csv"])
def test_it_is_reported_in_every_format(format: str) -> None:
    found = nf.estimate(scores_of({"tuned": np.array(RIGHT)[:, None]}), against=0.5)
    assert "tuned" in nf.report(found, format)


def test_it_is_read_again_from_json() -> None:
    found = nf.estimate(scores_of({"tuned": np.array(RIGHT)[:, None]}), against=0.5)
    again = from_dict(json.loads(nf.report(found, "json")))
    assert str(again) == str(found)


def test_the_shell_asks_the_same(tmp_path: object) -> None:
    file = f"{tmp_path}/scores.csv"
    with open(file, "w", encoding="utf-8") as out:
        out.write("item,new,old\n" + "".join(f"q{i},{right},{i % 2}\n" for i, right in enumerate(RIGHT)))
    said = nofluke("compare", file, "--a", "new", "--against", "0.5", "--format", "json")
    assert said.code == 0
    assert json.loads(said.out)["p_value"] == nf.estimate(RIGHT, against=0.5).p_value
    assert nofluke("compare", file, "--a", "old", "--against", "0.5", "--require", "better").code == 3
    assert nofluke("compare", file, "--a", "new", "--against", "0.5", "--require", "better").code == 0
    assert nofluke("compare", file, "--against", "0.5").code == 2
    assert nofluke("compare", file, "--a", "new", "--against", "0.5", "--margin", "0.1").code == 2
    scored = nofluke("score", file, "--interval")
    assert "new  0.7250  95% CI 0.572 to 0.839" in scored.out
    rows = json.loads(nofluke("score", file, "--interval", "--format", "json").out)
    assert rows["intervals"]["new"]["method"] == "Wilson score"
