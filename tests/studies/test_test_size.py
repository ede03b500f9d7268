"""Size, domain and likeness: the square-root law where it must hold, and the words where it does not."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import InputError
from nofluke.studies.pairs.segments import doubling_sizes, segment, shuffled
from nofluke.studies.pairs.similarity import similarity


def scores(n: int = 1600, spread: float = 1.0, seed: int = 1) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    difficulty = rng.normal(size=n)
    return {f"s{i}": np.round(0.01 * i + difficulty + spread * rng.normal(size=n), 3) for i in range(14)}


def test_needed_gain_follows_the_square_root_law() -> None:
    study = nf.studies.by_test_size(scores(), sizes=(100, 400, 1600))
    table = study.tables["sizes"]
    assert table["items"] == (100, 400, 1600)
    assert table["needed by the usual pair"][1] / table["needed by the usual pair"][0] == pytest.approx(0.5, abs=0.04)
    assert table["needed by the usual pair"][2] / table["needed by the usual pair"][1] == pytest.approx(0.5, abs=0.04)
    assert table["by the square-root law"][1:] == (0.5, 0.5)
    assert math.isnan(table["times the size before"][0])
    assert not any("far from the law" in text for text in study.sentences)
    assert study.charts == ("threshold_by_size", "gain_scatter")


def test_the_largest_size_is_the_study_of_gains() -> None:
    made = scores(400)
    largest = nf.studies.by_test_size(made, sizes=(100, 400)).series["400 items"]
    assert (
        largest.columns["p_value"].tolist() == nf.studies.gains(made).series["comparisons"].columns["p_value"].tolist()
    )


def test_first_items_of_another_kind_are_noticed() -> None:
    made = scores(800)
    quiet = {name: np.concatenate((values[:200] * 0.3, values[200:])) for name, values in made.items()}
    study = nf.studies.by_test_size(quiet, sizes=(100, 800))
    assert any("far from the law" in text for text in study.sentences)
    random = nf.studies.by_test_size(quiet, sizes=(100, 800), take="random", seed=3)
    assert not any("far from the law" in text for text in random.sentences)


def test_segments_are_nested_and_repeatable() -> None:
    order = shuffled(50, 4)
    assert sorted(order.tolist()) == list(range(50))
    assert shuffled(50, 4).tolist() == order.tolist()
    assert shuffled(50, 5).tolist() != order.tolist()
    sample = nf.Sample  # the type is public
    made = nf.studies.simulate_scores({"a": 0.1, "b": 0.0, "c": 0.2}, n=60, clusters=6, seed=1)
    from nofluke.align import select

    whole = select(made, made.systems)
    assert isinstance(whole, sample)
    small, large = segment(whole, 10, "random", 1), segment(whole, 30, "random", 1)
    assert set(small.ids or ()) < set(large.ids or ())
    assert small.clusters is not None
    assert len(small.clusters) == small.n == 10
    assert segment(whole, 10, "first", 0).ids == (whole.ids or ())[:10]


@pytest.mark.parametrize(
    ("n", "sizes"), [(3004, (100, 200, 400, 800, 1600, 3004)), (50, (12, 25, 50)), (805, (100, 200, 400, 805))]
)
def test_default_sizes(n: int, sizes: tuple[int, ...]) -> None:
    assert doubling_sizes(n) == sizes


def test_wrong_sizes_are_refused() -> None:
    made = scores(100)
    for sizes in ((1, 50), (50, 101), ()):
        with pytest.raises(InputError, match=r"size|sizes"):
            nf.studies.by_test_size(made, sizes=sizes)
    with pytest.raises(InputError, match="way to take items"):
        nf.studies.by_test_size(made, take="last")  # type: ignore[arg-type]


def test_domains_of_equal_spread_need_the_same_and_others_do_not() -> None:
    alike = nf.studies.domain({"news": scores(300, seed=1), "web": scores(400, seed=2)})
    assert alike.tables["domains"]["test set"] == ("news", "web")
    assert alike.settings["size"] == 300
    assert "as in the paper" in alike.sentences[0]
    unlike = nf.studies.domain({"news": scores(300, 1.0), "web": scores(300, 3.0)})
    assert "unlike in the paper" in unlike.sentences[0]
    needed = unlike.tables["domains"]["needed by the usual pair"]
    assert needed[1] / needed[0] == pytest.approx(3, rel=0.1)
    with pytest.raises(InputError, match="smallest has 300"):
        nf.studies.domain({"news": scores(300), "web": scores(400)}, size=350)


def test_domains_by_item() -> None:
    made = nf.studies.simulate_scores({f"s{i}": i / 10 for i in range(5)}, n=120, seed=1)
    by_item = {item: "even" if place % 2 else "odd" for place, item in enumerate(made.item.labels)}
    study = nf.studies.domain(made, domains=by_item)
    assert study.tables["domains"]["items there"] == (60, 60)
    with pytest.raises(InputError, match="test sets are compared"):
        nf.studies.domain(made)
    with pytest.raises(InputError, match="no item has a domain"):
        nf.studies.domain(made, domains={"zzz": "x"})


def test_likeness_moves_the_needed_gain() -> None:
    rng = np.random.default_rng(2)
    difficulty, made = rng.normal(size=500), {}
    for number, likeness in enumerate(np.linspace(0.2, 0.95, 12)):
        noise = rng.normal(size=500)
        made[f"s{number}"] = np.round(math.sqrt(likeness) * difficulty + math.sqrt(1 - likeness) * noise, 3)
    study = similarity(made, bins=3)
    needed = study.tables["bins"]["needed by the usual pair"]
    assert needed[0] > needed[1] > needed[2]
    assert study.headline.startswith("Similar systems need less")
    points, law = study.series["comparisons"].columns, study.series["law"].columns
    # All have the same spread, so every pair lies near the law.
    fitted = np.interp(points["correlation"], law["correlation"], law["needed"])
    assert np.abs(points["needed"] / fitted - 1).max() < 0.15


def test_unlikeness_without_effect_is_said_so() -> None:
    rng = np.random.default_rng(3)
    difficulty = rng.normal(size=400)
    made = {f"s{i}": np.round((0.2 + 0.3 * i) * (difficulty + 0.2 * rng.normal(size=400)), 3) for i in range(6)} | {
        f"t{i}": np.round(0.05 * rng.normal(size=400), 3) for i in range(6)
    }
    study = similarity(made)
    assert "unlike in the paper" in study.sentences[0]
