"""Tables of p-values with stars, bold, spreads, LaTeX and columns that are no scores."""

from __future__ import annotations

import io
from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.readers.given import given_from
from nofluke.readers.p_cells import parse_p, parse_score
from nofluke.readers.p_table import is_p_table, read_p_table
from nofluke.types import PValues
from nofluke.words.sources import p_table_line


def read(text: str, **options: Any) -> PValues:
    return nf.read_p_values(io.StringIO(text), **options)


@pytest.mark.parametrize(
    "cell",
    [
        *(
            "50.1*",
            "50.1%",
            "50.1 %",
            "50.1±0.3",
            "50.1 ± 0.3",
            "50.1 (0.3)",
            "**50.1**",
            "__50.1__",
            "50.1†",
            "50.1* ± 0.3",
        ),
        *(
            r"\textbf{50.1}",
            r"$50.1$",
            r"$\mathbf{50.1}$",
            r"50.1$^{*}$",
            r"50.1 $\pm$ 0.3",
            r"{\bf 50.1}",
            r"\textbf{50.1}\%",
        ),
    ],
)
def test_scores_as_papers_print_them(cell: str) -> None:
    assert parse_score(cell) == 50.1
    other = "53.2%" if "%" in cell else "53.2"
    found = read(f"lang,new,old,p\nYP-130,{cell},{other},0.0001\nX,{other},{other},0.4\n")
    assert found.signs.tolist() == [-1, 0]
    assert found.systems == ("new", "old")


def test_a_starred_score_does_not_lose_the_check_of_the_direction() -> None:
    result = nf.replicate(read("lang,new,old,p\nYP-130,50.1*,53.2,0.0001\n"))
    assert str(result).startswith("No count can be claimed")


@pytest.mark.parametrize("cell", ["50.1a", "(see text)", "n/a", "50,1", "*", "(50.1"])
def test_a_score_that_cannot_be_read_is_named(cell: str) -> None:
    text = f"lang\tnew\told\tp\nde\t81\t80\t0.01\nYP-130\t{cell}\t53.2\t0.0001\nfr\t81\t80\t0.01\n"
    with pytest.raises(InputError, match=r"line 3: .* is not a number"):
        read(text)


def test_a_percent_sign_on_one_side_only_is_refused() -> None:
    with pytest.raises(InputError, match="line 2: one score has a percent sign"):
        read("lang,new,old,p\nde,91.2%,0.93,0.01\n")


@pytest.mark.parametrize(
    "name", ["n", "t", "z", "df", "year", "statistic", "effect", "se", "ci", "N", "Effect-Size", "difference"]
)
def test_columns_that_are_no_scores(name: str) -> None:
    text = f"dataset,{name},old,p\na,100,2.2,0.02\nb,120,1.1,0.3\n"
    found = read(text)
    assert found.systems == ("A", "B")
    assert all(sign != sign for sign in found.signs)
    table = read_p_table(given_from(io.StringIO(text))[0])
    assert f"; not used: {name}, old" in p_table_line(table)
    assert read(text, a=name, b="old").signs.tolist() == [1, 1]


def test_signs_of_comparison_between_spaces() -> None:
    found = read("lang new old p\nGerman 81.2 83.1 < 0.001\nOld French 71.2 70.0 p = .04\nX 1.0 ± 0.1 2 0.0004 ***\n")
    assert found.datasets == ("German", "Old French", "X")
    assert found.p_values.tolist() == [0.001, 0.04, 0.0004]
    assert found.signs.tolist() == [-1, 1, -1]
    assert read("German 81.2 83.1 < 0.001\nFrench 81.2 80.1 0.2\n").p_values.tolist() == [0.001, 0.2]


@pytest.mark.parametrize(
    "name",
    ["p.value", "p-value", "pvalue", "Pr(>|t|)", "Pr(>F)", "P>|z|", "Sig.", "p (two-sided)", "P", "**p**", "$p$"],
)
def test_names_of_the_column_of_p_values(name: str) -> None:
    text = f"dataset,{name}\na,0.02\nb,0.3\n"
    assert is_p_table(given_from(io.StringIO(text))[0])
    assert read(text).p_values.tolist() == [0.02, 0.3]


def test_names_between_spaces_and_beside_others() -> None:
    assert read("lang p (two-sided)\nde 0.02\nfr 0.3\n").p_values.tolist() == [0.02, 0.3]
    assert read("lang p value\nde 0.02\nfr 0.3\n").p_values.tolist() == [0.02, 0.3]
    assert read("lang,p,sig\nde,0.02,*\nfr,0.3,\n").p_values.tolist() == [0.02, 0.3]
    assert not is_p_table(given_from(io.StringIO("item,a,b,significance\nq1,0.5,0.4,high\nq2,0.1,0.2,low\n"))[0])


def test_a_header_without_p_is_named() -> None:
    with pytest.raises(
        InputError, match=r"first line looks like a header .dataset, outcome.*no column in it is called p"
    ) as error:
        read("dataset,outcome\nde,0.02\nfr,0.3\n")
    assert "call the column with the p-values p" in str(error.value)


@pytest.mark.parametrize("cell", ["**0.003**", "0.003 ***", r"\textbf{0.003}", r"$0.003^{**}$", "0.003†"])
def test_marked_p_values(cell: str) -> None:
    found = parse_p(cell)
    assert found is not None
    assert (found.value, found.decimals) == (0.003, 3)


@pytest.mark.parametrize(
    ("cell", "fix"),
    [
        *((cell, "1 to be safe") for cell in ("> .05", "n.s.", "ns", "p > 0.05", "not significant")),
        *((cell, "delete the row") for cell in ("-", "–", "", "NA", "nan")),
        ("5%", "without the percent sign: 0.05"),
        ("0,03", "use a decimal point: '0.03'"),
    ],
)
def test_what_to_do_about_a_cell_that_is_no_p_value(cell: str, fix: str) -> None:
    with pytest.raises(InputError, match=r"line 3: .* is not a p-value") as error:
        read(f"name\tp\nde\t0.01\nfr\t{cell}\n")
    assert fix in str(error.value)


def test_p_values_in_one_line() -> None:
    for text in ("0.01 0.02 0.03\n", "0.01, 0.02, 0.03", "0.01\t.02\t0.03\n"):
        assert is_p_table(given_from(io.StringIO(text))[0])
        assert read(text).p_values.tolist() == [0.01, 0.02, 0.03]
    with pytest.raises(InputError, match="2 columns of numbers without names"):
        read("0.01 0.02\n0.03 0.04\n")


def test_latex() -> None:
    text = r"""\begin{tabular}{lrrr}
\toprule
Language & New & \textbf{Old} & $p$ \\
\midrule
\textbf{German} & \textbf{81.2} & 83.0$^{*}$ & $<$ 0.001 \\ \hline
R\&D\_x & 71.2$\pm$0.3 & 70.0 & 0.02** \\[2pt]
\cmidrule(lr){1-2}
\bottomrule
\end{tabular}
"""
    assert is_p_table(given_from(io.StringIO(text))[0])
    found = read(text)
    assert found.datasets == ("German", "R&D_x")
    assert found.systems == ("New", "Old")
    assert found.p_values.tolist() == [0.001, 0.02]
    assert found.signs.tolist() == [-1, 1]


@pytest.mark.parametrize("text", ["1e-400", "10^-400", "0." + "0" * 400 + "1"])
def test_a_p_value_below_the_smallest_float_stays_tiny(text: str) -> None:
    assert read(f"{text}\n0.5\n").p_values.tolist() == [5e-324, 0.5]


def test_printed_zeros_are_never_stronger_than_they_were_printed() -> None:
    assert read("0\n0.5\n").p_values.tolist() == [0.05, 0.5]
    assert read("0\n1e-5\n").p_values.tolist() == [0.5, 1e-5]
    assert "0 at 0 decimals" in str(read("0\n1e-5\n").notes[0])
    assert read("0.00\n0.0001\n").p_values.tolist() == [0.005, 0.0001]
    assert "at 1 decimal (" in str(read("0.0\n0.5\n").notes[0])
    assert read("0\n0.5\n", printed=4).p_values.tolist() == [5e-5, 0.5]
    with pytest.raises(InputError, match="printed = -3"):
        read("0\n0.5\n", printed=-3)


def test_two_rows_of_one_name_are_named_with_their_lines() -> None:
    with pytest.raises(InputError, match=r"line 3: two p-values are called a; the first is .* line 2"):
        read("test,p\na,0.1\na,0.2\n")
