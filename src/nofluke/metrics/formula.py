"""Formulas of column sums, such as 2*tp/(pred+gold): read safely, and made aggregates; ratios are recognised."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NoReturn

import numpy as np

from nofluke.errors import InputError, did_you_mean, listing
from nofluke.metrics.statistics import ratio_aggregate, smooth_aggregate
from nofluke.types import Aggregate, FloatArray

_LONGEST = 1000
_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: np.divide,
    ast.Pow: np.power,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {"exp": np.exp, "log": np.log, "sqrt": np.sqrt, "abs": np.abs}
_FOLDS: dict[str, Callable[..., Any]] = {"min": np.minimum, "max": np.maximum}


def names_in(formula: str) -> tuple[str, ...]:
    """Give the names that stand for column sums, in the order in which they come."""
    functions = {*_FUNCTIONS, *_FOLDS}
    tree = ast.walk(parsed(formula))
    found = [(node.lineno, node.col_offset, node.id) for node in tree if isinstance(node, ast.Name)]
    return tuple(dict.fromkeys(name for *_, name in sorted(found) if name not in functions))


def parsed(formula: str) -> ast.expr:
    """Give the checked syntax tree of a formula."""
    if len(formula) > _LONGEST:
        raise InputError(f"the formula has {len(formula):,} characters.", fix=f"at most {_LONGEST} are read.")
    try:
        tree = ast.parse(formula.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        _refuse(formula, "it cannot be read")
    _check(tree, formula)
    return tree


def _check(node: ast.AST, formula: str) -> None:
    """Allow names, numbers, + - * / **, parentheses and a few functions; nothing else is ever evaluated."""
    children: list[ast.expr] = []
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        children = [node.left, node.right]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        children = [node.operand]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        name, given = node.func.id, len(node.args)
        if not ((name in _FUNCTIONS and given == 1) or (name in _FOLDS and given >= 2)):
            _refuse(formula, f"{name}() with {given} arguments is not known")
        children = node.args
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, bool) or not isinstance(node.value, int | float) or not abs(node.value) < 1e15:
            _refuse(formula, f"{node.value!r} is not a usable number")
    elif not isinstance(node, ast.Name):
        _refuse(formula, f"{type(node).__name__} is not allowed")
    for child in children:
        _check(child, formula)


def _refuse(formula: str, why: str) -> NoReturn:
    raise InputError(
        f"the formula {formula!r} is not understood: {why}.",
        fix="use column names, numbers, + - * / **, parentheses, min, max, exp, log, sqrt, abs.",
    )


def value_of(node: ast.expr, values: Mapping[str, FloatArray]) -> Any:
    """Evaluate a formula on sums; arrays of sums give arrays."""
    match node:
        case ast.Name(id=name):
            return values[name]
        case ast.Constant(value=number):
            return np.float64(number)  # type: ignore[arg-type]
        case ast.UnaryOp(op=sign, operand=operand):
            return -value_of(operand, values) if isinstance(sign, ast.USub) else value_of(operand, values)
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATORS[type(op)](value_of(left, values), value_of(right, values))
        case ast.Call(func=ast.Name(id=name), args=args):
            given = [value_of(one, values) for one in args]
            if name in _FUNCTIONS:
                return _FUNCTIONS[name](given[0])
            folded = given[0]
            for one in given[1:]:
                folded = _FOLDS[name](folded, one)
            return folded
    raise TypeError(node)


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
