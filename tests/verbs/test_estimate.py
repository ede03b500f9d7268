"""One system's own score: which interval, which test, what is said and what is refused."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path

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


def unlike(x: int, y: int, systems: str = "A") -> nf.Scores:
    """F1 statistics of two datasets, an easy one of x items and a hard one of y items."""
    rng = np.random.default_rng(7)
    tables = {}
    for name in systems:
        right = np.concatenate((rng.binomial(6, 0.9, x), rng.binomial(6, 0.3, y)))
        table = {"tp": right, "pred": np.where(np.arange(x + y) < x, 6, 9), "gold": np.full(x + y, 6)}
        tables[name] = table | {"dataset": ["x"] * x + ["y"] * y}
    return nf.from_statistics(tables, "2*tp/(pred+gold)")


@pytest.mark.parametrize("systems", ["A", "AB", "ABC"])
@pytest.mark.parametrize("sizes", [(40, 90), (60, 60)])
def test_an_average_of_corpus_scores_has_the_same_interval_whoever_stands_beside_it(
    systems: str, sizes: tuple[int, int]
) -> None:
    scores = unlike(*sizes, systems)
    both, x, y = (nf.estimate(scores, "A", dataset=name) for name in (None, "x", "y"))
    assert both.value == pytest.approx((x.value + y.value) / 2)
    assert both.standard_error == pytest.approx(math.hypot(x.standard_error, y.standard_error) / 2, rel=1e-6)
    drawn = nf.estimate(scores, "A", interval="bootstrap")
    assert drawn.interval is not None
    assert both.interval is not None
    assert drawn.interval.low == pytest.approx(both.interval.low, abs=0.3 * both.standard_error)
    assert drawn.interval.high == pytest.approx(both.interval.high, abs=0.3 * both.standard_error)
    if len(systems) > 1:
        ranked = nf.rank(scores)
        own = dict(zip(ranked.systems, ranked.intervals, strict=True))["A"]
        assert own is not None
        assert (own.low, own.high) == pytest.approx((both.interval.low, both.interval.high), rel=1e-9)
        pair = scores.pair("A", "B")
        assert nf.estimate(pair, "A", interval="bootstrap").interval == drawn.interval


def test_resampling_within_datasets_is_refused_with_a_way_out() -> None:
    with pytest.raises(MethodError, match="x has fewer than 10 items") as caught:
        nf.estimate(unlike(8, 90), interval="bootstrap")
    assert "auto" in caught.value.advice()


def right_and_wrong(right: list[int], sizes: list[int], **options: object) -> nf.SystemScore:
    flat = np.concatenate([np.arange(n) < k for k, n in zip(right, sizes, strict=True)]) * 1.0
    datasets = np.repeat([f"t{j}" for j in range(len(sizes))], sizes).tolist()
    return nf.estimate(scores_of({"A": flat[:, None]}, datasets=datasets), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(("right", "sizes"), [([19, 1800], [20, 2000]), ([10, 10], [10, 10]), ([3, 40, 7], [4, 50, 9])])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_averages_of_shares_have_the_interval_of_their_score_test(
    right: list[int], sizes: list[int], alternative: str
) -> None:
    from scipy.optimize import minimize_scalar

    found = right_and_wrong(right, sizes, against=0.5, alternative=alternative)
    assert found.interval is not None
    assert found.test == "score"
    assert found.value == pytest.approx(float(np.mean(np.array(right) / np.array(sizes))))
    assert 0 <= max(found.interval.low, 0) <= found.value <= min(found.interval.high, 1) <= 1
    for end, way in ((found.interval.low, -1), (found.interval.high, 1)):
        if 0 < end < 1:
            inside, outside = (
                right_and_wrong(right, sizes, against=end + way * step, alternative=alternative)
                for step in (-1e-6, 1e-6)
            )
            assert inside.p_value > 0.05 >= outside.p_value
    if len(right) == 2:
        # z at a number, with the variance of the most likely shares on the line p + q = 2 * number.
        number = found.value - 0.1
        k, n = np.array(right), np.array(sizes)

        def unlikely(p: float) -> float:
            both = np.array([p, 2 * number - p])
            with np.errstate(divide="ignore", invalid="ignore"):
                return -float(np.sum(k * np.log(both) + np.where(k == n, 0, (n - k) * np.log(1 - both))))

        ends = max(2 * number - 1, 0) + 1e-12, min(2 * number, 1) - 1e-12
        p = minimize_scalar(unlikely, bounds=ends, method="bounded", options={"xatol": 1e-12}).x
        both = np.array([p, 2 * number - p])
        z = 0.1 / math.sqrt(float(np.sum(both * (1 - both) / n)) / 4)
        tested = right_and_wrong(right, sizes, against=number, alternative="greater")
        assert tested.p_value == pytest.approx(math.erfc(z / math.sqrt(2)) / 2, rel=1e-4)


def test_right_answers_of_a_heavy_little_dataset_are_no_certainty() -> None:
    """t takes 20 right answers of 20 for no spread at all; the interval must still reach down to what 20 allow."""
    found = right_and_wrong([20, 1800], [20, 2000])
    assert found.interval is not None
    assert found.interval.low < 0.89 < 0.9499 < found.interval.high


def test_one_pool_is_one_dataset_and_equal_weights_are_not() -> None:
    apart = [98, 2]
    assert right_and_wrong(apart, [100, 100]).standard_error < 0.012
    assert right_and_wrong(apart, [100, 101]).standard_error < 0.012
    assert right_and_wrong(apart, [100, 100], weights="items").standard_error == pytest.approx(0.5 / math.sqrt(199))
    values = np.tile([0.9, 1.0, 0.0, 0.1], 50) + np.round(RNG.normal(0, 0.001, 200), 5)
    datasets = ["x", "x", "y", "y"] * 50
    table = scores_of({"A": values[:, None]}, datasets=datasets)
    equal, pooled = nf.estimate(table), nf.estimate(table, weights="items")
    assert equal.standard_error == pytest.approx(0.05 / math.sqrt(199), rel=0.05)
    assert pooled.standard_error == pytest.approx(values.std(ddof=1) / math.sqrt(200))


def test_a_perfect_corpus_score_has_no_spread() -> None:
    """What central differences leave behind is none."""
    tp = RNG.binomial(6, 0.7, 90)
    found = nf.estimate(nf.from_statistics({"A": {"tp": tp, "pred": tp, "gold": tp}}, "2*tp/(pred+gold)"))
    assert (found.value, found.interval, found.standard_error) == (1, None, 0)


def test_one_item_has_no_interval_and_says_why() -> None:
    assert "a single item has no spread" in str(nf.estimate([1.5]))


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
    assert "new  0.725  95% CI 0.572 to 0.839" in scored.out
    rows = json.loads(nofluke("score", file, "--interval", "--format", "json").out)
    assert rows["intervals"]["new"]["method"] == "Wilson score"


@pytest.mark.parametrize(("runs", "code"), [(2, 2), (3, 0)])
def test_two_runs_are_indicative_and_no_gate(runs: int, code: int, tmp_path: Path) -> None:
    """A claim about training takes three runs, also where one system is compared with a number."""
    rng = np.random.default_rng(2)
    rows = [
        f"{item},{seed},{name},{rng.random() < chance:d}"
        for name, chance in (("A", 0.9), ("B", 0.5))
        for item in range(60)
        for seed in range(runs)
    ]
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(["item,seed,system,score", *rows]) + "\n")
    indicative = "There are 2 runs of A: this is indicative only."
    found = nf.estimate(nf.read(path), "A", against=0.3, runs="crossed")
    assert found.verdict == "better"
    assert (indicative in " ".join(str(found).split())) == (runs == 2)
    ran = nofluke("compare", str(path), "--a", "A", "--against", "0.3", "--runs", "crossed", "--require", "better")
    assert ran.code == code
    assert ("too few for a claim about training" in ran.err) == (runs == 2)
    scored = nofluke("score", str(path), "--interval", "--runs", "crossed")
    assert ("There are 2 runs of A, B: this is indicative only." in " ".join(scored.out.split())) == (runs == 2)


@pytest.mark.parametrize("right", [0, 29, 40])
@pytest.mark.parametrize("sizes", [(40,), (15, 25)])
def test_right_answers_of_100_are_shares_as_those_of_1_are(right: int, sizes: tuple[int, ...]) -> None:
    ones = np.zeros((40, 1))
    ones[:right] = 1
    datasets = [f"d{at}" for at, size in enumerate(sizes) for _ in range(size)]
    more = {} if len(sizes) == 1 else {"datasets": datasets}
    # Where no answer is right, the other system tells what one would count.
    other = np.ones((40, 1))
    for against in (None, 0.6):
        shares, percent = (
            nf.estimate(
                scores_of({"A": full * ones, "B": full * other}, **more).pair(),  # type: ignore[arg-type]
                "A",
                against=None if against is None else against * full,
            )
            for full in (1, 100)
        )
        assert shares.interval is not None
        assert percent.interval is not None
        assert percent.interval.method == shares.interval.method
        found = (percent.value, percent.interval.low, percent.interval.high, percent.standard_error)
        expected = (shares.value, shares.interval.low, shares.interval.high, shares.standard_error)
        assert found == pytest.approx([100 * one for one in expected])
        assert percent.p_value == pytest.approx(shares.p_value, nan_ok=True)
    ranking = nf.rank(scores_of({"A": 100 * ones, "B": 100 * other}, **more))  # type: ignore[arg-type]
    own = nf.rank(scores_of({"A": ones, "B": other}, **more))  # type: ignore[arg-type]
    for tens, unit in zip(ranking.intervals, own.intervals, strict=True):
        assert tens is not None
        assert unit is not None
        assert (tens.low, tens.high) == pytest.approx((100 * unit.low, 100 * unit.high))


@pytest.mark.parametrize("full", [1, 100])
@pytest.mark.parametrize("how", ["runs", "clusters"])
def test_no_share_lies_beyond_its_range(full: int, how: str) -> None:
    rng = np.random.default_rng(7)
    right = (rng.random((30, 3 if how == "runs" else 1)) < 0.96).astype(np.float64) * full
    more: dict[str, object] = {"clusters": [i // 5 for i in range(30)]} if how == "clusters" else {}
    asked = {"runs": "crossed"} if how == "runs" else {}
    scores = scores_of({"A": right, "B": full - right}, **more)  # type: ignore[arg-type]
    for name in "AB":
        found = nf.estimate(scores, name, **asked).interval
        assert found is not None
        assert (found.low, found.high)[name == "A"] == (full if name == "A" else 0)
        assert found in nf.rank(scores, **asked).intervals or how == "clusters"
    assert all(one is not None and 0 <= one.low <= one.high <= full for one in nf.rank(scores, **asked).intervals)
