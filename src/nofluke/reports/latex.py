"""LaTeX: the booktabs table for the paper, its caption with test, sides, correction and n, and the sentences."""

from __future__ import annotations

import textwrap

from nofluke.reports.bibliography import keys
from nofluke.reports.latex_text import NEEDS_T1, breakable, escaped, foreign
from nofluke.types import Report, Table

# Beyond this a table does not fit a page, and longtable breaks it.
_LONG = 45
_MANY_COLUMNS = 6
_LONG_CELL = 40
# About what one column of a two-column page holds; wider tables are shrunk to the line, if they do not fit it.
_ONE_COLUMN = 45
_SHRINK = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"


def as_latex(report: Report) -> str:
    """Write the main table, ready for \\input, with the sentences for the text as comments."""
    table = report.main
    body = _long_table(table) if len(table.rows) > _LONG else _floating_table(table)
    said = [
        *(_comment(f"For the text, short: {escaped(report.short)}") if report.short else ()),
        *(_comment(f"For the text, long: {escaped(report.long)}") if report.long else ()),
        *_comment("Cite (entries: --format bibtex): " + _citation(report)),
        *_comment(f"Signature: {report.signature}" if report.signature else ""),
    ]
    text = "\n".join([*body, *said])
    return "\n".join([*_needs(report, text), text])


def _needs(report: Report, text: str) -> list[str]:
    wanted = {"booktabs": r"\toprule", "array": r"\arraybackslash", "longtable": r"\begin{longtable}"}
    wanted |= {"graphicx": r"\resizebox"}
    packages = [name for name, command in wanted.items() if command in text]
    lines = [f"% needs \\usepackage{{{', '.join(packages)}}}"]
    if NEEDS_T1.search(text):
        lines.append(r"% needs \usepackage[T1]{fontenc}")
    strange = foreign(_everything(report))
    if strange:
        shown = strange[:20] + (" ..." if len(strange) > 20 else "")
        lines += [
            "% needs XeLaTeX or LuaLaTeX (\\usepackage{fontspec}, \\setmainfont) and a font with these characters:",
            f"% {shown}",
        ]
    return lines


def _everything(report: Report) -> str:
    table = report.main
    marks = (mark for _, _, mark in table.marks)
    return " ".join([*table.columns, *(cell for row in table.rows for cell in row), *marks, table.caption])


def _floating_table(table: Table) -> list[str]:
    return [
        r"\begin{table}",
        r"\centering",
        *([r"\small"] if len(table.columns) > _MANY_COLUMNS else []),
        *([f"\\caption{{{breakable(table.caption)}}}"] if table.caption else []),
        *([_SHRINK] if _letters(table) > _ONE_COLUMN else []),
        f"\\begin{{tabular}}{{{_alignment(table)}}}",
        r"\toprule",
        *_head(table),
        *_rows(table),
        r"\bottomrule",
        r"\end{tabular}" + ("}" if _letters(table) > _ONE_COLUMN else ""),
        r"\end{table}",
    ]


def _letters(table: Table) -> int:
    """About how wide the table is: the longest cell of every column, and the space between columns."""
    columns = zip(table.columns, *table.rows, strict=True)
    return sum(min(_LONG_CELL, max(len(cell) for cell in column)) + 2 for column in columns)


def _long_table(table: Table) -> list[str]:
    return [
        f"\\begin{{longtable}}{{{_alignment(table)}}}",
        *([f"\\caption{{{breakable(table.caption)}}}\\\\"] if table.caption else []),
        r"\toprule",
        *_head(table),
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
        *_rows(table),
        r"\end{longtable}",
    ]


def _alignment(table: Table) -> str:
    wide = [any(len(row[at]) > _LONG_CELL for row in table.rows) for at in range(len(table.columns))]
    share = 0.9 / max(2, len(table.columns))
    paragraph = f">{{\\raggedright\\arraybackslash}}p{{{share:.2f}\\linewidth}}"
    figures = ["r" if name and name in table.figures else "l" for name in table.columns]
    return "".join(paragraph if long else letter for long, letter in zip(wide, figures, strict=True))


def _head(table: Table) -> list[str]:
    if not any(table.columns):
        return []
    return [" & ".join(escaped(name) for name in table.columns) + r" \\", r"\midrule"]


def _rows(table: Table) -> list[str]:
    marks = {(row, column): f"\\textsuperscript{{{escaped(mark)}}}" for row, column, mark in table.marks}
    lines = []
    for number, row in enumerate(table.rows):
        cells = [breakable(cell) for cell in row]
        if number in table.strong:
            cells = [f"\\textbf{{{cell}}}" if cell else "" for cell in cells]
        cells = [cell + marks.get((number, column), "") for column, cell in enumerate(cells)]
        # A bracket after \\ would be read as the distance to the next row.
        first = "{}" if cells[0].startswith("[") else ""
        lines.append(first + " & ".join(cells) + r" \\")
    return lines


def _citation(report: Report) -> str:
    named = keys(report.citations)
    return f"\\cite{{{','.join(named)}}}" if named else ""


def _comment(text: str) -> list[str]:
    if not text or text.endswith(": "):
        return []
    return textwrap.wrap(
        text, 110, initial_indent="% ", subsequent_indent="%   ", break_long_words=False, break_on_hyphens=False
    )
