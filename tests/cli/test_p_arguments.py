"""P-values typed on the command line or piped in, right and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import nofluke


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        (("correct", "n.s.", "0.03"), ("argument 1: 'n.s.' is not a p-value", "1 to be safe")),
        (("correct", "0.03", "0,03"), ("argument 2: '0,03' is not a p-value", "decimal point: '0.03'")),
        (("correct", "nan"), ("argument 1: 'nan' is not a p-value", "delete the row")),
        (("correct", "5%"), ("argument 1: '5%' is not a p-value", "0.05")),
        (("replicate", "1.3", "0.03"), ("argument 1: '1.3' is not a p-value", "between 0 and 1")),
        (("correct", "0.1", "p.csv"), ("argument 2: 'p.csv' is not a p-value", "not both")),
        (("correct", "0", "0.1", "--printed", "-3"), ("printed = -3", "whole number of at least 0")),
        (("replicate", "0.1", "0.2", "--alternative", "less"), ('speak for "A is better"', "--sided two")),
    ],
)
def test_the_argument_that_is_wrong_is_named(arguments: tuple[str, ...], messages: tuple[str, ...]) -> None:
    run = nofluke(*arguments)
    assert run.code == 2
    for message in messages:
        assert message in run.err


@pytest.mark.parametrize("command", ["correct", "replicate"])
def test_a_piped_line_works_like_arguments(command: str) -> None:
    piped = nofluke(command, "-", "--format", "csv", stdin=b"0.01 0.02 0.03\n")
    assert piped.code == 0, piped.err
    assert piped.out == nofluke(command, "0.01", "0.02", "0.03", "--format", "csv").out
    assert "stdin: 3 p-values" in piped.err


@pytest.mark.parametrize("command", ["correct", "replicate"])
def test_an_empty_pipe(command: str) -> None:
    run = nofluke(command, "-", stdin=b"")
    assert run.code == 2
    assert "stdin: the file is empty" in run.err


def test_the_columns_that_were_taken_are_said(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("dataset,n,new,old,p\na,100,50.1*,53,0.02\nb,120,54,53,0.3\n")
    for command in ("replicate", "correct"):
        run = nofluke(command, "p.csv", cwd=tmp_path)
        assert run.code == 0
        assert "p.csv: 2 p-values (scores of A = new, of B = old); not used: n" in run.err
        assert "not read" not in nofluke(command, "p.csv", "-q", cwd=tmp_path).err


def test_sides_and_scores(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    rows = "".join(f"{d},{d}{i},{i % 2},{i % 3 == 0:d}\n" for d in ("x", "y") for i in range(20))
    path.write_text("dataset,item,new,old\n" + rows)
    run = nofluke("replicate", str(path), "--sided", "two")
    assert run.code == 2
    assert "--sided would change nothing here: p-values are computed here" in run.err
    stopped = nofluke("replicate", str(path), "--method", "permutation", "--monte-carlo", "1000", "--stop", "decision")
    assert stopped.code == 2
    assert "stop at a yes or no" in stopped.err
    table = tmp_path / "p.csv"
    table.write_text("name,new,old,p\nx,2,1,0.01\n")
    assert nofluke("replicate", str(table), "--sided", "2").code == 0


def test_a_file_of_an_unknown_ending_is_said_to_be_text(tmp_path: Path) -> None:
    run = nofluke("correct", "0.01", "-o", "x.foo", cwd=tmp_path)
    assert "wrote x.foo as text" in run.err
    assert "as text" not in nofluke("correct", "0.01", "-o", "x.txt", cwd=tmp_path).err
    assert "as text" not in nofluke("correct", "0.01", "-o", "x.csv", cwd=tmp_path).err


@pytest.mark.parametrize("name", ["p (two-sided)", "Pr(>|t|)", "Sig. (2-tailed)"])
def test_a_column_that_calls_itself_two_sided_is_not_taken_as_one_sided(name: str) -> None:
    table = f"lang,new,old,{name}\nde,2,1,0.01\nfr,2,1,0.02\n".encode()
    run = nofluke("replicate", "-", stdin=table)
    assert run.code == 2
    assert f"'{name}' holds two-sided p-values, by its name" in run.err
    assert "--sided two" in run.err
    assert nofluke("replicate", "-", "--sided", "two", stdin=table).code == 0
    assert nofluke("correct", "-", stdin=table).code == 0
