"""Metrics of the user's own in nf.score: of single items, of whole lists, and by a formula of a table's sums."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError, MethodError
from support.command_line import nofluke
from support.own_metrics import f1_of_lists


def lines(seed: int, n: int = 120) -> tuple[list[str], list[str], list[str]]:
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 2, n)
    a, b = (np.where(rng.random(n) < wrong, 1 - gold, gold) for wrong in (0.2, 0.3))
    first, second, truth = ([str(one) for one in column] for column in (a, b, gold))
    return first, second, truth


def whole(seed: int = 0, n: int = 120, **options: int) -> nf.Sample:
    a, b, gold = lines(seed, n)
    return nf.score(f1_of_lists, {"A": a, "B": b}, gold, whole=True, **options).pair()


def test_a_function_of_items_has_the_mean() -> None:
    a, b, gold = lines(0)
    scores = nf.score(lambda output, truth: output == truth, {"A": a, "B": b}, gold)
    ours = nf.compare(scores.pair())
    built_in = nf.compare(nf.score("accuracy", {"A": a, "B": b}, gold).pair())
    assert (ours.scores, ours.test.p_value) == (built_in.scores, built_in.test.p_value)


def test_statistics_with_a_formula_are_tested_exactly() -> None:
    a, b, gold = lines(1)

    def counts(output: str, truth: str) -> tuple[bool, bool, bool]:
        return output == "1" == truth, output == "1", truth == "1"

    own = nf.score(counts, {"A": a, "B": b}, gold, names=("tp", "p", "g"), aggregate="2*tp/(p+g)", name="my_f1")
    built_in = nf.score("f1", {"A": a, "B": b}, gold, positive="1")
    ours, theirs = (nf.test(scores.pair(), "permutation", form="raw") for scores in (own, built_in))
    assert ours.computed.how == "exact"
    assert ours.p_value == theirs.p_value
    assert own.metrics == ("my_f1",)


def test_lower_is_better_when_said() -> None:
    scores = nf.score(
        lambda o, g: abs(len(o) - len(g)), {"A": ["ab"] * 9, "B": ["abc"] * 9}, ["a"] * 9, higher_is_better=False
    )
    assert nf.compare(scores.pair()).verdict == "better"
    with pytest.raises(MethodError, match="whether higher accuracy is better is known"):
        nf.score("accuracy", {"A": ["a"]}, ["a"], higher_is_better=False)


def test_statistics_need_not_be_whole_numbers() -> None:
    """Halves were once rounded to 0 on their way into a ratio of sums."""
    rng = np.random.default_rng(3)
    tables = {}
    for name, p in (("A", 0.6), ("B", 0.5)):
        tables[name] = {"hit": rng.binomial(4, p, 60) / 4, "all": np.ones(60)}
    whole_numbers = {name: {"hit": table["hit"] * 4, "all": table["all"] * 4} for name, table in tables.items()}
    for formula in ("hit/all", "sqrt(hit/all)"):
        for method in ("permutation", "bootstrap"):
            options = {"form": "raw"} if method == "permutation" else {}
            one, two = (
                nf.test(nf.from_statistics(given, formula).pair(), method, **options)
                for given in (tables, whole_numbers)
            )
            assert one.p_value == pytest.approx(two.p_value, rel=1e-6)
            assert one.estimate == pytest.approx(two.estimate, rel=1e-12)
    thirds = {name: {"hit": table["hit"] / 3, "all": table["all"] / 3} for name, table in tables.items()}
    one, two = (
        nf.test(nf.from_statistics(given, "hit/all").pair(), "permutation", form="raw", monte_carlo=999)
        for given in (tables, thirds)
    )
    assert one.p_value == pytest.approx(two.p_value, abs=0.01)


def test_a_black_box_agrees_with_the_metric_it_hides() -> None:
    a, b, gold = lines(4)
    open_box = nf.score("f1", {"A": a, "B": b}, gold, positive="1").pair()
    sample = whole(4)
    assert sample.score(0) == pytest.approx(open_box.score(0), rel=1e-12)
    swaps, exact = nf.test(sample, "permutation"), nf.test(open_box, "permutation", form="raw")
    assert swaps.computed.how == "monte-carlo"
    assert swaps.p_value == pytest.approx(exact.p_value, abs=4 * swaps.computed.error)
    for form in ("shift", "percentile", "moses"):
        # A metric's draws follow an order of its own, those of a black box the order of the items.
        ours, theirs = (nf.test(one, "bootstrap", form=form, monte_carlo=1_999, seed=2) for one in (sample, open_box))
        error = math.hypot(ours.computed.error, theirs.computed.error)
        assert ours.p_value == pytest.approx(theirs.p_value, abs=4 * error)
    profile = nf.describe(sample)
    assert profile.ties == sum(x == y for x, y in zip(a, b, strict=True))
    assert nf.recommend(sample).preferred == "permutation"


@pytest.mark.parametrize("method", ["permutation", "bootstrap"])
def test_workers_change_no_byte(method: str) -> None:
    one = nf.test(whole(5, 40), method, monte_carlo=700, seed=9)
    two = nf.test(whole(5, 40, workers=2), method, monte_carlo=700, seed=9)
    assert one == two


def test_progress_seeds_and_clusters() -> None:
    seen: list[tuple[int, int]] = []
    sample = whole(6, 40)
    first = nf.test(sample, "permutation", monte_carlo=600, progress=lambda done, of: seen.append((done, of)))
    assert seen == [(256, 600), (512, 600), (600, 600)]
    assert nf.test(sample, "permutation", monte_carlo=600).p_value == first.p_value
    assert nf.test(sample, "permutation", monte_carlo=600, seed=1).p_value != first.p_value


def test_what_is_refused() -> None:
    a, b, gold = lines(7, 10)
    with pytest.raises(InputError, match="cannot be sent to worker processes"):
        nf.score(lambda _o, _g: 0.0, {"A": a}, gold, whole=True, workers=2)
    with pytest.raises(InputError, match="your function gave 'x'"):
        nf.score(lambda _o, _g: "x", {"A": a, "B": b}, gold, whole=True).pair().score(0)
    with pytest.raises(InputError, match="your function raised ZeroDivisionError on 10 items"):
        nf.score(lambda _o, _g: 1 / 0, {"A": a, "B": b}, gold, whole=True).pair().score(0)
    with pytest.raises(MethodError, match="a metric of your own has no option 'stem'"):
        nf.score(lambda _o, _g: 1, {"A": a}, gold, stem=True)
    with pytest.raises(MethodError, match="whole=True has one score"):
        nf.score(f1_of_lists, {"A": a}, gold, whole=True, names=("a",))
    with pytest.raises(InputError, match="none was given"):
        nf.score("bleu", {"A": a})
    with pytest.raises(InputError, match="none was given"):
        nf.score(f1_of_lists, {"A": a})
    with pytest.raises(InputError, match=r"output line 3: your function raised ValueError"):
        nf.score(lambda o, _g: float(o), {"A": ["1", "2", "x"]}, ["1", "2", "3"])


def test_tables_on_the_command_line(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    for name, p in (("a.csv", 0.8), ("b.csv", 0.5)):
        tp = rng.binomial(6, p, 50)
        rows = [f"{i},{i // 5},{x},{6 - x},{x // 2}" for i, x in enumerate(tp)]
        (tmp_path / name).write_text("item,document,tp,fp,fn\n" + "\n".join(rows) + "\n")
    formula = ["--formula", "2*tp/(2*tp+fp+fn)"]
    run = nofluke("score", "A=a.csv", "B=b.csv", *formula, "--metric", "f1", "--format", "json", cwd=tmp_path)
    assert run.code == 0, run.err
    found = json.loads(run.out)
    library = nf.from_statistics({"A": tmp_path / "a.csv", "B": tmp_path / "b.csv"}, formula[1]).pair()
    assert found["scores"] == {"A": library.score(0), "B": library.score(1)}
    assert found["signature"] == "table|formula:2*tp/(2*tp+fp+fn)"
    compared = nofluke("compare", "A=a.csv", "B=b.csv", *formula, "--format", "json", cwd=tmp_path)
    assert compared.code == 0, compared.err
    answer = json.loads(compared.out)
    assert (answer["verdict"], answer["clusters"]) == ("better", 10)
    for wrong, told in (
        ("__import__('os').system('true')", "is not understood"),
        ("tp/(tp+fpp)", "did you mean 'fp'?"),
        ("tp.real", "is not understood"),
    ):
        refused = nofluke("score", "A=a.csv", "--formula", wrong, cwd=tmp_path)
        assert refused.code == 2
        assert told in refused.err
    both = nofluke("score", "A=a.csv", *formula, "--gold", "b.csv", cwd=tmp_path)
    assert "--formula scores tables of statistics" in both.err
    (tmp_path / "c.csv").write_text("tp,fp,fn\n1,2,3\n1,x,3\n")
    bad = nofluke("score", "A=c.csv", *formula, cwd=tmp_path)
    assert "c.csv line 3, column 'fp': 'x' is not a number." in bad.err
