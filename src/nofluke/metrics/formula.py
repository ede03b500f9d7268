"""Formulas of column sums, such as 2*tp/(pred+gold), as aggregates; ratios of sums are recognised."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from nofluke.errors import InputError, did_you_mean, listing
from nofluke.metrics.formula_syntax import names_in, parsed, value_of
from nofluke.metrics.statistics import ratio_aggregate, smooth_aggregate
from nofluke.types import Aggregate, FloatArray

# The number of items, unless a column has this name.
COUNT = "n"
# Weights of columns; the empty name is the constant.
Linear = dict[str, Fraction]


def formula_aggregate(formula: str, columns: Sequence[str]) -> Aggregate:
    """Make the aggregate of a formula over sums of these columns.

    It is the mean for score/n, a ratio where numerator and denominator are weighted sums (this allows exact tests),
    and a smooth function otherwise. 0/0 is nan.

    >>> import numpy as np
    >>> f1 = formula_aggregate("2*tp/(pred+gold)", ("tp", "pred", "gold"))
    >>> f1.ratio.numerator, f1.ratio.denominator, float(f1(np.array([3.0, 4.0, 6.0]), 9.0))
    ((2, 0, 0), (0, 1, 1), 0.6)
    """
    tree = parsed(formula)
    require_columns(formula, columns)
    quotient = _quotient(tree)
    if quotient is not None and _is_ratio(quotient):
        over, under = (tuple(side.get(name, Fraction(0)) for name in columns) for side in quotient)
        scale = math.lcm(*(weight.denominator for weight in (*over, *under)))
        whole = [tuple(int(weight * scale) for weight in side) for side in (over, under)]
        common = math.gcd(*whole[0], *whole[1])
        return ratio_aggregate(formula, *(tuple(weight // common for weight in side) for side in whole))

    def function(sums: FloatArray, _n: float) -> FloatArray:
        values = {name: np.asarray(sums, dtype=np.float64)[..., index] for index, name in enumerate(columns)}
        with np.errstate(all="ignore"):
            score: FloatArray = value_of(tree, values) + np.zeros(np.shape(sums)[:-1])
        return np.where(np.isfinite(score), score, np.nan)

    return smooth_aggregate(formula, function)


def require_columns(formula: str, columns: Sequence[str]) -> None:
    """Refuse a formula that names what is no column."""
    missing = [name for name in names_in(formula) if name not in columns]
    if missing:
        raise InputError(
            f"the formula {formula!r} names {missing[0]!r}, which is no column.",
            fix=f"{did_you_mean(missing[0], columns)}columns: {listing(columns, 20)}.",
        )


def is_mean_of(formula: str) -> str | None:
    """Give the column whose mean the formula is (score/n), or None."""
    quotient = _quotient(parsed(formula))
    if quotient is None or quotient[1] != {COUNT: Fraction(1)} or len(quotient[0]) != 1:
        return None
    (name, weight), *_ = quotient[0].items()
    return name if name not in ("", COUNT) and weight == 1 else None


def _is_ratio(quotient: tuple[Linear, Linear]) -> bool:
    over, under = quotient
    return "" not in over and "" not in under and bool(over) and bool(under)


def _quotient(node: ast.expr) -> tuple[Linear, Linear] | None:
    """Give numerator and denominator where both are linear in the sums, else None."""
    match node:
        case ast.Name(id=name):
            return {name: Fraction(1)}, {"": Fraction(1)}
        case ast.Constant(value=number):
            return _scaled({"": Fraction(str(number))}, Fraction(1)), {"": Fraction(1)}
        case ast.UnaryOp(op=sign, operand=operand):
            inner = _quotient(operand)
            factor = Fraction(-1 if isinstance(sign, ast.USub) else 1)
            return inner and (_scaled(inner[0], factor), inner[1])
        case ast.BinOp(left=left, op=op, right=right):
            sides = _quotient(left), _quotient(right)
            return None if sides[0] is None or sides[1] is None else _combined(op, sides[0], sides[1])
    return None


def _combined(op: ast.operator, a: tuple[Linear, Linear], b: tuple[Linear, Linear]) -> tuple[Linear, Linear] | None:
    if isinstance(op, ast.Div):
        op, b = ast.Mult(), (b[1], b[0])
    if isinstance(op, ast.Mult):
        over, under = _product(a[0], b[0]), _product(a[1], b[1])
        return None if over is None or not under else (over, under)
    if isinstance(op, ast.Add | ast.Sub):
        if isinstance(op, ast.Sub):
            b = _scaled(b[0], Fraction(-1)), b[1]
        if a[1] == b[1]:
            return _sum(a[0], b[0]), a[1]
        left, right, under = _product(a[0], b[1]), _product(b[0], a[1]), _product(a[1], b[1])
        return None if left is None or right is None or under is None else (_sum(left, right), under)
    return None


def _scaled(form: Linear, factor: Fraction) -> Linear:
    return {name: weight * factor for name, weight in form.items() if weight * factor}


def _sum(a: Linear, b: Linear) -> Linear:
    total = {name: a.get(name, Fraction(0)) + b.get(name, Fraction(0)) for name in (*a, *b)}
    return {name: weight for name, weight in total.items() if weight}


def _product(a: Linear, b: Linear) -> Linear | None:
    """Multiply two forms when one of them is a constant."""
    for one, other in ((a, b), (b, a)):
        if not one:
            return {}
        if set(one) == {""}:
            return _scaled(other, one[""])
    return None
