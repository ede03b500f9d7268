"""LaTeX: a booktabs table whose caption states test, sides, n and alpha."""

from __future__ import annotations

from functools import singledispatch

from nofluke.reports.rows import readable_rows
from nofluke.types import Comparison, TestResult, Value

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


def escaped(text: str) -> str:
    """Keep user text from being read as LaTeX.

    >>> escaped("a_b & 5%")
    'a\\\\_b \\\\& 5\\\\%'
    """
    return "".join(_ESCAPES.get(character, character) for character in text)


@singledispatch
def as_latex(result: Value) -> str:
    """Write a result as a LaTeX table."""
    return _table(result, "")


@as_latex.register
def _comparison(result: Comparison) -> str:
    return _table(result, f"{result.headline} {result.sentences[1]} alpha = {result.alpha:g}.")


@as_latex.register
def _test_result(result: TestResult) -> str:
    return _table(result, f"{result.label}, {result.alternative}, n = {result.n:,}.")


def _table(result: Value, caption: str) -> str:
    rows = [f"{escaped(name)} & {escaped(value)} \\\\" for name, value in readable_rows(result)]
    lines = [
        "% needs \\usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        r"\begin{tabular}{ll}",
        r"\toprule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
        f"\\caption{{{escaped(caption)}}}",
        r"\end{table}",
    ]
    return "\n".join(lines)
