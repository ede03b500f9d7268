"""The user's own functions and tables: formulas of sums, recognised ratios, refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.errors import InputError
from nofluke.metrics.custom import callable_metric
from nofluke.metrics.formula import formula_aggregate, names_in

NAMES = ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("formula", "over", "under"),
    [
        ("2*a/(b+c)", (2, 0, 0, 0), (0, 1, 1, 0)),
        ("a/b", (1, 0, 0, 0), (0, 1, 0, 0)),
        ("1-(a+b)/(c+d)", (-1, -1, 1, 1), (0, 0, 1, 1)),
        ("100*(a-b)/c", (100, -100, 0, 0), (0, 0, 1, 0)),
        ("a/(0.5*b+0.5*c)", (2, 0, 0, 0), (0, 1, 1, 0)),
        ("-(a/b)/2", (-1, 0, 0, 0), (0, 2, 0, 0)),
        ("a/b + c/b", (1, 0, 1, 0), (0, 1, 0, 0)),
        ("1/(a/b)", (0, 1, 0, 0), (1, 0, 0, 0)),
    ],
)
def test_ratios_of_sums_are_recognised(formula: str, over: tuple[int, ...], under: tuple[int, ...]) -> None:
    ratio = formula_aggregate(formula, NAMES).ratio
    assert ratio is not None
    assert (ratio.numerator, ratio.denominator) == (over, under)


@pytest.mark.parametrize(
    "formula", ["a*b/c", "sqrt(a/b)", "a/b+c/d", "(a+1)/(b+2)", "a", "a**2/b", "max(a,b)/c", "a/0"]
)
def test_other_formulas_are_smooth(formula: str) -> None:
    assert formula_aggregate(formula, NAMES).ratio is None


EXPRESSION = st.recursive(
    st.sampled_from([*NAMES, "2", "0.5", "3"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda parts: f"({''.join(parts)})"),
        inner.map(lambda one: f"-{one}"),
        st.tuples(inner, inner).map(lambda two: f"min({two[0]},{two[1]})"),
        inner.map(lambda one: f"sqrt({one})"),
        inner.map(lambda one: f"exp({one}/9)"),
    ),
    max_leaves=6,
)


@settings(deadline=None, derandomize=True, max_examples=300)
@given(EXPRESSION, st.lists(st.integers(1, 9), min_size=4, max_size=4))
def test_any_formula_is_what_python_makes_of_it(formula: str, numbers: list[int]) -> None:
    columns = dict(zip(NAMES, numbers, strict=True))
    try:
        direct = eval(formula, {"min": min, "sqrt": np.sqrt, "exp": np.exp}, {k: float(v) for k, v in columns.items()})
    except (ZeroDivisionError, RuntimeWarning):
        direct = np.nan
    sums = np.array([[[*numbers], [*numbers]]], dtype=float)
    found = formula_aggregate(formula, NAMES)(sums, 1.0)
    assert found.shape == (1, 2)
    if np.isfinite(direct):
        assert found[0] == pytest.approx([direct] * 2, rel=1e-9, abs=1e-9)
    else:
        assert np.isnan(found).all()


def test_names_come_in_order() -> None:
    assert names_in("2*tp/(pred+gold) + log(tp)") == ("tp", "pred", "gold")


@pytest.mark.parametrize(
    ("formula", "why"),
    [
        ("__import__('os')", "__import__() with 1 arguments is not known"),
        ("a.b", "Attribute is not allowed"),
        ("a if b else c", "IfExp is not allowed"),
        ("[a]", "List is not allowed"),
        ("a//b", "BinOp is not allowed"),
        ("sqrt(a, b)", "sqrt() with 2 arguments is not known"),
        ("a +", "it cannot be read"),
        ("'a'", "'a' is not a usable number"),
        ("1e999*a", "inf is not a usable number"),
        ("True", "True is not a usable number"),
        ("(lambda: a)()", "Call is not allowed"),
    ],
)
def test_nothing_else_is_evaluated(formula: str, why: str) -> None:
    with pytest.raises(InputError) as caught:
        formula_aggregate(formula, NAMES)
    assert str(caught.value) == (
        f"the formula {formula!r} is not understood: {why}.\n"
        "  fix: use column names, numbers, + - * / **, parentheses, min, max, exp, log, sqrt, abs."
    )


TABLE = {"item": ["x", "y", "z"], "tp": [1, 0, 2], "pred": [2, 1, 2], "gold": [1, 0, 4]}


def test_a_table_from_a_file_a_mapping_or_a_frame(tmp_path: Path) -> None:
    frame = pd.DataFrame(TABLE)
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_csv(tmp_path / "t.tsv", index=False, sep="\t")
    for source in (TABLE, frame, pl.DataFrame(TABLE), pa.table(TABLE), tmp_path / "t.csv", str(tmp_path / "t.tsv")):
        found = nf.from_statistics({"A": source}, "2*tp/(pred+gold)")
        assert found.statistics.tolist() == [[1, 2, 1], [0, 1, 0], [2, 2, 4]]
        assert found.item.labels == ("x", "y", "z")
        assert float(found.aggregates["score"](found.statistics.sum(axis=0), 3.0)) == pytest.approx(6 / 10)
        assert found.signatures["score"] == "table|formula:2*tp/(pred+gold)"


def test_n_is_the_number_of_rows_unless_a_column_has_that_name() -> None:
    mean = nf.from_statistics({"A": TABLE}, "tp / n")
    assert mean.aggregates["score"].linear
    assert mean.statistics.tolist() == [[1], [0], [2]]
    both = nf.from_statistics({"A": TABLE}, "(tp + pred) / n")
    assert both.aggregates["score"].ratio is not None
    assert float(both.aggregates["score"](both.statistics.sum(axis=0), 3.0)) == pytest.approx(8 / 3)
    own = nf.from_statistics({"A": {"tp": [1, 2], "n": [4, 2]}}, "tp/n")
    assert float(own.aggregates["score"](own.statistics.sum(axis=0), 2.0)) == 0.5
    assert own.statistics.shape == (2, 2)


def test_a_function_of_two_lines(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("a b\nc\n")

    def overlap(line: str, gold: str) -> tuple[int, int, int]:
        own, wanted = set(line.split()), set(gold.split())
        return len(own & wanted), len(own), len(wanted)

    f1 = callable_metric(overlap, "2*tp/(pred+gold)", names=("tp", "pred", "gold"), name="set_f1")
    found = f1(path, ["a", "c d e"])
    assert found.values.tolist() == [[1, 2, 1], [1, 1, 3]]
    assert float(found.aggregate(found.values.sum(axis=0), 2.0)) == pytest.approx(4 / 7)
    assert found.signature == "callable:set_f1|formula:2*tp/(pred+gold)"
    several = callable_metric(lambda line, golds: float(line in golds))
    assert several(["a", "b"], [["a", "x"], ["c", "y"]]).values.tolist() == [[1], [0]]
    smooth = callable_metric(overlap, lambda sums, _n: sums[..., 0] ** 2, names=("tp", "pred", "gold"))
    assert float(smooth(path, ["a", "c"]).aggregate(np.array([3.0, 1, 1]), 2.0)) == 9


def message(call: Any) -> str:
    with pytest.raises(InputError) as caught:
        call()
    return str(caught.value)


def test_messages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("tp,fp\n1,2\n3,x\n")
    Path("ragged.csv").write_text("tp,fp\n1,2\n3\n")
    Path("out.txt").write_text("a\nb\n")
    assert message(lambda: nf.from_statistics({"A": "t.csv"}, "tp/fp")).startswith(
        "t.csv line 3, column 'fp': 'x' is not a number."
    )
    assert message(lambda: nf.from_statistics({"A": "ragged.csv"}, "tp/fp")).startswith(
        "ragged.csv line 3: 1 field, and the header has 2 (separated by ',')."
    )
    assert message(lambda: nf.from_statistics({"A": TABLE}, "tp/golt")) == (
        "the table: the formula 'tp/golt' names 'golt', which is no column.\n"
        "  fix: did you mean 'gold'? columns: item, tp, pred, gold."
    )
    assert message(lambda: nf.from_statistics({"A": TABLE}, "1/2")).startswith(
        "the table: the formula '1/2' names no column."
    )
    assert message(lambda: nf.from_statistics({"A": {"tp": [1, "x"]}}, "tp/n")).startswith(
        "the table row 2, column 'tp': 'x' is not a number."
    )
    assert message(lambda: callable_metric(max, names=("a", "b"))).startswith("2 statistics have no mean: a, b.")
    assert message(lambda: callable_metric(lambda _line, _gold: 1 / 0)("out.txt", ["x", "y"])).startswith(
        "out.txt line 1: your function raised ZeroDivisionError: division by zero"
    )
    assert message(
        lambda: callable_metric(lambda line, _gold: float("nan") if line == "b" else 1)("out.txt", ["x", "y"])
    ) == ("out.txt line 2: your function gave nan.\n  fix: let it give a finite number.")
