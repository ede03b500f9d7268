"""Test sizes: the square-root law where it must hold, and the words where it does not."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import select
from nofluke.errors import InputError
from nofluke.studies.pairs.segments import doubling_sizes, segment, shuffled
from nofluke.types import Sample
from nofluke.words import studies as words
from support.systems import graded


def test_needed_gain_follows_the_square_root_law() -> None:
    study = nf.studies.by_test_size(graded(), sizes=(100, 400, 1600))
    table = study.tables["sizes"]
    assert table["items"] == (100, 400, 1600)
    assert table["needed by the usual pair"][1] / table["needed by the usual pair"][0] == pytest.approx(0.5, abs=0.04)
    assert table["needed by the usual pair"][2] / table["needed by the usual pair"][1] == pytest.approx(0.5, abs=0.04)
    assert table["by the square-root law"][1:] == (0.5, 0.5)
    assert math.isnan(table["times the size before"][0])
    assert not any("far from the law" in text for text in words.sentences(study))
    assert study.charts == ("threshold_by_size", "gain_scatter")


def test_the_largest_size_is_the_study_of_gains() -> None:
    made = graded(400)
    largest = nf.studies.by_test_size(made, sizes=(100, 400)).series["400 items"]
    assert (
        largest.columns["p_value"].tolist() == nf.studies.gains(made).series["comparisons"].columns["p_value"].tolist()
    )


def test_first_items_of_another_kind_are_noticed() -> None:
    made = graded(800)
    quiet = {name: np.concatenate((values[:200] * 0.3, values[200:])) for name, values in made.items()}
    study = nf.studies.by_test_size(quiet, sizes=(100, 800))
    assert any("far from the law" in text for text in words.sentences(study))
    random = nf.studies.by_test_size(quiet, sizes=(100, 800), take="random", seed=3)
    assert not any("far from the law" in text for text in words.sentences(random))


def test_thresholds_of_a_handful_are_not_in_the_headline() -> None:
    study = nf.studies.by_test_size(graded(400, number=5), sizes=(100, 400))
    assert max(study.tables["sizes"]["just significant"]) < 20
    assert "usually significant" not in words.headline(study)
    assert "the typical pair needs" in words.headline(study)
    assert "Too few pairs have p from 0.04 to 0.06" in words.headline(study)
    firm = nf.studies.by_test_size(graded(400, number=60), sizes=(100, 400))
    assert min(firm.tables["sizes"]["just significant"]) >= 20
    assert "usually significant at 0.05" in words.headline(firm)


def test_the_law_is_claimed_where_it_holds() -> None:
    made = graded(800)
    quiet = {name: np.concatenate((values[:200] * 0.3, values[200:])) for name, values in made.items()}
    assert "Halving the gain takes four times" in words.sentences(nf.studies.by_test_size(made, sizes=(100, 400)))[0]
    away = words.sentences(nf.studies.by_test_size(quiet, sizes=(100, 800)))[0]
    assert "far from the law: the first items seem to differ in kind" in away
    assert "Halving" not in away
    tiny = words.sentences(nf.studies.by_test_size(made, sizes=(2, 3)))[0]
    assert "Halving" in tiny or "2 items hardly show how much scores vary" in tiny


def test_sizes_without_a_threshold_are_counted() -> None:
    for seed in range(40):
        study = nf.studies.by_test_size(graded(400, number=6, seed=seed), sizes=(50, 100, 200, 400))
        known = [value for value in study.tables["sizes"]["threshold"] if math.isfinite(value)]
        said = [text for text in words.sentences(study) if "with every larger size" in text]
        if len(known) == 3:
            assert "with every larger size that has one (3 of 4)" in said[0]
            assert said[0].startswith("As in Berg-Kirkpatrick et al. (2012)") == (known == sorted(known, reverse=True))
            break
    else:
        pytest.fail("no seed leaves one size without a threshold")


def test_progress_begins_with_the_first_size() -> None:
    seen: list[tuple[int, int]] = []
    made = graded(400, number=70)
    nf.studies.by_test_size(made, sizes=(200, 400), progress=lambda done, total: seen.append((done, total)))
    assert len({total for _, total in seen}) == 1
    assert seen[0][0] < seen[0][1] // 2
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1][0] == seen[-1][1]


def test_one_item_is_refused() -> None:
    with pytest.raises(InputError, match="there is 1 item"):
        nf.studies.by_test_size({name: values[:1] for name, values in graded(10).items()})


def test_warnings_name_every_small_size() -> None:
    made = graded(400)
    twins = {**made, "twin": np.concatenate((made["s0"][:30], made["s1"][30:]))}
    notes = words.notes(nf.studies.by_test_size(twins, sizes=(20, 30, 400)))
    assert any("With 20 or 30 items the bootstrap" in note for note in notes)
    assert any("same scores on every item" in note and "1 on 20 items, 1 on 30 items" in note for note in notes)


def test_a_size_at_which_nothing_differs() -> None:
    made = {name: np.concatenate((np.zeros(50), values[50:])) for name, values in graded(400).items()}
    study = nf.studies.by_test_size(made, sizes=(50, 200, 400))
    assert math.isnan(study.tables["sizes"]["needed by the usual pair"][0])
    assert not any("nan" in text for text in (words.headline(study), *words.sentences(study)))
    assert words.sentences(study)[0].startswith("With 2 times the items")
    one = nf.studies.by_test_size(made, sizes=(50, 400))
    assert "cannot be said" in words.sentences(one)[0]
    with pytest.raises(InputError, match="no two systems differ by more"):
        nf.studies.by_test_size(made, sizes=(20, 50))


def test_the_gain_alone_is_judged_on_the_largest_size_taken() -> None:
    far = {name: values + 50 * place for place, (name, values) in enumerate(graded(400, number=4).items())}
    study = nf.studies.by_test_size(far, sizes=(50, 100))
    assert words.sentences(study)[-1].startswith("On 100 items all comparisons are significant at 0.05")
    assert "cannot be said" in words.sentences(study)[-1]
    alike = graded(400, number=3, seed=4)
    level = {name: np.round(values - values[:100].mean(), 3) for name, values in alike.items()}
    study = nf.studies.by_test_size(level, sizes=(50, 100))
    assert words.sentences(study)[-1].startswith("On 100 items no comparison is significant")


def clustered(n: int, clusters: int) -> Sample:
    made = nf.studies.simulate_scores({"a": 0.1, "b": 0.0, "c": 0.2}, n=n, clusters=clusters, seed=1)
    return select(made, made.systems)


def ids(sample: Sample) -> set[str]:
    return set(sample.ids or ())


def test_segments_are_nested_and_repeatable() -> None:
    order = shuffled(50, 4)
    assert sorted(order.tolist()) == list(range(50))
    assert shuffled(50, 4).tolist() == order.tolist()
    assert shuffled(50, 5).tolist() != order.tolist()
    whole = select(made := nf.studies.simulate_scores({"a": 0.1, "b": 0.0, "c": 0.2}, n=60, seed=1), made.systems)
    small, large = segment(whole, 10, "random", 1), segment(whole, 30, "random", 1)
    assert small.n == 10
    assert ids(small) < ids(large)
    assert segment(whole, 10, "first", 0).ids == (whole.ids or ())[:10]


@pytest.mark.parametrize("take", ["first", "random"])
def test_clusters_are_taken_whole(take: str) -> None:
    whole = clustered(400, 40)
    part, larger = segment(whole, 100, take, 3), segment(whole, 200, take, 3)  # type: ignore[arg-type]
    assert whole.clusters is not None
    assert part.clusters is not None
    assert part.n == 100
    assert len(np.unique(part.clusters)) == 10
    assert ids(part) < ids(larger)
    # A size inside a cluster goes to the nearest end of one, and six clusters are the least.
    assert segment(whole, 104, take, 3).n == 100  # type: ignore[arg-type]
    assert segment(whole, 106, take, 3).n == 110  # type: ignore[arg-type]
    assert segment(whole, 3, take, 3).n == 60  # type: ignore[arg-type]


def test_sizes_that_whole_clusters_make_are_told() -> None:
    made = nf.studies.simulate_scores({f"s{i}": i / 10 for i in range(6)}, n=400, clusters=40, seed=1)
    study = nf.studies.by_test_size(made, sizes=(104, 108, 400), draws=200)
    assert study.tables["sizes"]["items"] == (100, 110, 400)
    assert study.settings["sizes"] == [104, 108, 400]
    assert any("Clusters were taken whole" in note and "104" in note for note in words.notes(study))
    same = nf.studies.by_test_size(made, sizes=(103, 104, 400), draws=200)
    assert same.tables["sizes"]["items"] == (100, 400)


@pytest.mark.parametrize(
    ("n", "sizes"), [(3004, (100, 200, 400, 800, 1600, 3004)), (50, (12, 25, 50)), (805, (100, 200, 400, 805))]
)
def test_default_sizes(n: int, sizes: tuple[int, ...]) -> None:
    assert doubling_sizes(n) == sizes


def test_wrong_sizes_are_refused() -> None:
    made = graded(100)
    for sizes in ((1, 50), (50, 101), ()):
        with pytest.raises(InputError, match=r"size|sizes"):
            nf.studies.by_test_size(made, sizes=sizes)
    with pytest.raises(InputError, match="way to take items"):
        nf.studies.by_test_size(made, take="last")  # type: ignore[arg-type]
