"""A row that sums up the others is no item: it is left out and told; a row that is only called so is kept and told."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest

import nofluke as nf
from support.command_line import nofluke

ROWS = "de,30,28\nfr,35,32\ncs,22,20\nit,31,30\nes,33,29\n"
LONG = "".join(
    f"{system},{item},{value}\n"
    for system, values in (("A", (30, 35, 22, 31, 33)), ("B", (28, 32, 20, 30, 29)))
    for item, value in zip("vwxyz", values, strict=True)
)


def codes(scores: nf.Scores) -> list[str]:
    return [note.code for source in scores.sources for note in source.notes]


def read(text: str) -> nf.Scores:
    return nf.read(io.StringIO(text))


@pytest.mark.parametrize("first", ["lang", "item", "task"])
@pytest.mark.parametrize(
    "summary",
    [
        *("Average,30.2,27.8", "AVG,30.20,27.80", "mean,30,28", "Macro avg.,30.2,27.8", "overall,30.2,27.8"),
        *("Total,151,139", "all,30.2,27.8", "Sum,151,139", "Average,30.2,27.8\nTotal,151,139"),
    ],
)
def test_a_last_row_of_means_or_sums_is_no_item(first: str, summary: str) -> None:
    with_it, without = (read(f"{first},A,B\n{ROWS}{more}") for more in (summary, ""))
    assert codes(with_it).count("read.summary_left_out") == summary.count("\n") + 1
    assert with_it.sources[0].rows == 5
    assert with_it.item.labels == without.item.labels
    assert with_it.dataset.labels == without.dataset.labels
    assert with_it.statistics.tolist() == without.statistics.tolist()
    assert nf.compare(with_it.pair()).test.p_value == 2 / 2**5


def test_the_command_line_says_so_and_how_to_keep_it() -> None:
    run = nofluke("compare", "-", stdin=f"lang,A,B\n{ROWS}Average,30.2,27.8\n".encode())
    assert "No verdict is possible: 5 items are too few" in run.out
    assert "'Average' is left out" in run.err
    assert "rename it" in run.err


def test_the_summary_of_every_system_in_a_long_table_is_left_out() -> None:
    ordered = LONG[: len(LONG) // 2] + "A,Average,30.2\n" + LONG[len(LONG) // 2 :] + "B,Average,27.8\n"
    for text in (LONG + "A,Average,30.2\nB,Average,27.8\n", ordered):
        scores = read(f"system,item,score\n{text}")
        assert scores.item.labels == tuple("vwxyz")
        assert scores.statistics.sum() == 151 + 139
    apart = read(f"system,item,score\n{LONG}A,Average,30.2\nB,Average,29.9\n")
    assert "Average" in apart.item.labels


def test_frames_and_json_are_read_alike() -> None:
    rows = [line.split(",") for line in (ROWS + "Average,30.2,27.8").split()]
    objects = [{"lang": name, "A": float(a), "B": float(b)} for name, a, b in rows]
    for source in (pd.DataFrame(objects), io.StringIO(json.dumps(objects))):
        assert len(nf.read(source).item.labels) == 5


def test_means_of_rounded_scores_and_of_scores_with_gaps_agree() -> None:
    # The mean of 0.1234 and 0.5678 before rounding is 0.3456, after it 0.345.
    assert len(read("lang,A,B\nde,0.12,0.9\nfr,0.57,0.3\nmean,0.3456,0.6\n").item.labels) == 2
    scores = read("lang,A,B\nde,30,28\nfr,,32\ncs,22,20\nmean,26,26.7\n")
    assert scores.item.labels == ("de", "fr", "cs")


@pytest.mark.parametrize(
    "last",
    [
        *("Average,29.2,27.8", "Average,30.2,", "total,150,139", "all,1,0"),
        "mean,30.2,27.8\npt,25,20\nall,3,4",  # a mean with an item below it sums up only a part
    ],
)
def test_a_row_that_is_only_called_so_is_an_item_and_that_is_told(last: str) -> None:
    scores = read(f"lang,A,B\n{ROWS}{last}\n")
    assert len(scores.item.labels) == 6 + last.count("\n")
    assert set(codes(scores)) >= {"read.perhaps_summary"}
    assert "read.summary_left_out" not in codes(scores)


def test_an_item_that_no_number_betrays_is_kept() -> None:
    # 1 is the mean of right and wrong answers as far as a whole number goes: that says nothing.
    assert "all" in read("word,A,B\nsome,1,0\nno,1,1\nmany,0,1\nfew,1,1\nall,1,1\n").item.labels
    plain = read("lang,A,B\n" + ROWS.replace("fr", "Average"))
    assert len(plain.item.labels) == 5
    assert not {"read.perhaps_summary", "read.summary_left_out"} & set(codes(plain))
    assert len(read("lang,A,B\n" + ROWS + "average speed,30.2,27.8\n").item.labels) == 6


@pytest.mark.parametrize("chance", ["0.5", "0.3333333333333333", "0.30000000000000004"])
def test_a_column_that_never_changes_says_nothing_of_the_last_row(chance: str) -> None:
    # Its last number is the mean of those above to the last digit, whatever the row is; 1 and 0 are means of anything.
    scores = read("chance,mine\n" + "".join(f"{chance},{right}\n" for right in (1, 0, 1, 1, 0, 1, 1, 1, 0, 1)))
    assert len(scores.item.labels) == 10
    assert "read.last_row" not in codes(scores)
