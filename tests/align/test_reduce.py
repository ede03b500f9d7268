"""One score from several runs: unbiased pass@k and best-of-k, majority, median; what is not comparable is refused."""

from __future__ import annotations

import io
import tracemalloc
from itertools import combinations
from math import comb
from statistics import fmean, median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import nofluke as nf
from nofluke.errors import InputError
from nofluke.option_groups import REDUCTIONS
from support.command_line import nofluke


def table(runs: list[list[float]], metric: str = "score") -> io.StringIO:
    """One system, an item per list of runs."""
    lines = [f"q{item},A,{run},{value}" for item, own in enumerate(runs) for run, value in enumerate(own)]
    return io.StringIO(f"item,system,run,{metric}\n" + "\n".join(lines))


def reduced(runs: list[list[float]], how: str, metric: str = "score") -> list[float]:
    scores = nf.read(table(runs, metric), reduce=how)
    assert scores.run is None
    return scores.statistics[:, 0].tolist()


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=6), min_size=2, max_size=5), st.integers(1, 3))
def test_the_best_of_k_is_the_mean_over_all_choices(runs: list[list[int]], k: int) -> None:
    expected = [fmean(max(chosen) for chosen in combinations(own, k)) for own in runs]
    assert reduced(runs, f"best_of_{k}") == pytest.approx(expected)  # type: ignore[arg-type]
    lower = [fmean(min(chosen) for chosen in combinations(own, k)) for own in runs]
    assert reduced(runs, f"best_of_{k}", "wer") == pytest.approx(lower)  # type: ignore[arg-type]


@settings(deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=2, max_size=7), min_size=2, max_size=5))
def test_pass_at_k_is_the_unbiased_estimator(runs: list[list[bool]]) -> None:
    right = [[float(one) for one in own] for own in runs]
    expected = [1 - comb(len(own) - sum(own), 2) / comb(len(own), 2) for own in runs]
    assert reduced(right, "pass_at_2") == pytest.approx(expected)
    assert reduced(right, "pass_at_1") == pytest.approx([fmean(own) for own in right])
    assert reduced(right, "median") == [median(own) for own in right]


def test_votes_and_counts() -> None:
    runs = [[1, 1, 0, 0], [1, 1, 1, 0], [0, 0, 1, 0]]
    assert reduced(runs, "majority") == [0.5, 1, 0]  # type: ignore[arg-type]
    assert reduced(runs, "at_least_2") == [1, 1, 0]  # type: ignore[arg-type]
    assert reduced(runs, "max") == [1, 1, 1]  # type: ignore[arg-type]


@settings(deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=2, max_size=5))
@pytest.mark.parametrize("how", ["majority", "at_least_3", "pass_at_2", "best_of_2", "max", "median"])
def test_errors_are_the_mirror_of_right_answers(how: str, runs: list[list[bool]]) -> None:
    right = [[float(one) for one in own] for own in runs]
    wrong = [[1 - one for one in own] for own in right]
    assert reduced(wrong, how, "wer") == pytest.approx([1 - value for value in reduced(right, how)])


def test_very_many_runs_take_no_table_of_all_numbers_of_runs() -> None:
    tracemalloc.start()
    found = reduced([[0.0, *[1.0] * 2999], [1.0, *[0.0] * 2999]], "pass_at_2")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == pytest.approx([1.0, 2 / 3000])
    assert peak < 40e6


@pytest.mark.parametrize(
    ("runs", "how", "said"),
    [
        ([[1, 0], [1, 0, 1]], "max", "2 to 3 scored runs"),
        ([[1, 0], [1, 0, 1]], "majority", "2 to 3 scored runs"),
        ([[1, 0], [1, 0, 1]], "pass_at_3", "of every item, and 1 has fewer"),
        ([[0.5, 0], [1, 0]], "pass_at_2", "one scores 0.5"),
        ([[-1, 0], [1, 0]], "pass_at_2", "one scores -1"),
        ([[1, 0], [1, 0]], "pass@2", "no way to reduce runs 'pass@2'"),
        ([[1, 0], [1, 0]], "best_of_0", "no way to reduce runs"),
    ],
)
def test_what_is_not_comparable_is_refused(runs: list[list[float]], how: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        nf.read(table(runs), reduce=how)


def test_datasets_whose_runs_do_not_allow_it_are_left_out() -> None:
    lines = [f"{task},q{at},A,{run},{value}" for task, value in (("x", 0.5), ("y", 0.25), ("z", 1)) for at in range(2)
             for run in range(2)]  # fmt: skip
    for tasks, said in (("xyz", "x, y are left out: their runs"), ("xz", "x is left out: its runs")):
        text = "task,item,system,run,score\n" + "\n".join(line for line in lines if line[0] in tasks)
        scores = nf.read(io.StringIO(text), reduce="majority")
        assert scores.datasets == ("z",)
        assert any(said in str(one) for one in scores.notes)


def test_every_way_is_described() -> None:
    runs = [[1.0, 0.0], [1.0, 1.0]]
    assert nf.read(table(runs), reduce="mean").run is not None
    for name, way in REDUCTIONS.items():
        if name != "mean":
            notes = nf.read(table(runs), reduce=f"{name}_2" if way.takes_k else name).notes
            assert any("2 runs" in str(one) for one in notes)


def test_single_runs_have_nothing_to_reduce() -> None:
    with pytest.raises(InputError, match="every item was run once"):
        nf.read(io.StringIO("item,A,B\nq1,1,0\nq2,0,0\n"), reduce="max")


def test_the_command_says_how_it_was_reduced(tmp_path: object) -> None:
    lines = [
        f"q{item},{name},{run},{int((item + run) % 3 > own)}"
        for item in range(20)
        for run in range(3)
        for own, name in enumerate("AB")
    ]
    text = ("item,system,run,score\n" + "\n".join(lines)).encode()
    run = nofluke("compare", "-", "--reduce", "pass_at_2", stdin=text)
    assert run.code == 0, run.err
    assert "pass_at_2" in run.out + run.err
