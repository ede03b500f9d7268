"""Reading formulas of column sums safely: a few operations on names and numbers, and nothing else."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import numpy as np

from nofluke.errors import InputError
from nofluke.types import FloatArray

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
