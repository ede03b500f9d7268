"""What may be given to replicate, correct and combine, what is refused, and how it is worded."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.errors import InputError, MethodError, NoflukeError
from nofluke.inference.multiplicity.partial_conjunction import partial_conjunction
from nofluke.reports.build import build
from nofluke.types import Computed, Scores
from nofluke.verbs.correct import correct_named

VERBS = (nf.replicate, nf.correct, nf.combine)


def scores() -> Scores:
    rng = np.random.default_rng(1)
    rows = [f"{d},{d}{item},{rng.normal() + 1:.2f},{rng.normal():.2f}" for d in ("x", "y") for item in range(30)]
    return nf.read(io.StringIO("dataset,item,new,old\n" + "\n".join(rows) + "\n"))


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("bad", [0.01, "0.01", b"0.01", None])
def test_one_value_is_not_a_list(verb: Any, bad: Any) -> None:
    with pytest.raises(InputError, match="is not a list of p-values"):
        verb(bad)


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("bad", [[True, 0.5], np.array([True, False]), {"a": False}])
def test_decisions_are_no_p_values(verb: Any, bad: Any) -> None:
    with pytest.raises(InputError, match=r"(True|False) is not a p-value"):
        verb(bad)


def test_generators_and_arrays() -> None:
    assert nf.correct(p for p in (0.01, 0.04)).tolist() == nf.correct([0.01, 0.04]).tolist()
    assert nf.replicate(p for p in (0.01, 0.04)).count == nf.replicate(np.array([0.01, 0.04])).count == 2
    assert nf.combine(iter([0.01, 0.04])) == nf.combine([0.01, 0.04])


def test_frames_are_read_like_files() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"lang": ["de", "fr"], "new": [81.0, 70.0], "old": [80.0, 71.0], "p": [0.001, 0.002]})
    result = nf.replicate(frame)
    assert result.datasets == ("de", "fr")
    assert result.systems == ("new", "old")
    assert str(result).startswith("No count can be claimed")
    assert nf.correct(frame).tolist() == nf.correct([0.001, 0.002]).tolist()
    assert nf.replicate(frame.assign(p=[0.0, 0.5])).p_values.tolist() == [5e-324, 0.5]
    with pytest.raises(InputError, match="no column is called p"):
        nf.replicate(frame.drop(columns="p"))


@pytest.mark.parametrize("verb", VERBS)
def test_results_of_tests_are_refused(verb: Any) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=30), rng.normal(size=30)
    with pytest.raises(InputError, match="the result of a test is not a p-value"):
        verb([nf.test(a, b, "sign")])
    stopped = replace(nf.test(a, b, "sign"), computed=Computed("decision", 1e-3, 500))
    with pytest.raises(MethodError, match="stop at a yes or no") as error:
        verb([stopped])
    assert "stop='p_value'" in str(error.value)


def test_draws_that_only_decide_are_refused_from_scores() -> None:
    with pytest.raises(MethodError, match="stop at a yes or no") as error:
        nf.replicate(scores(), method="permutation", monte_carlo=100_000, stop="decision")
    assert "stop='p_value'" in str(error.value)


def test_draws_that_only_decide_are_refused_by_rank() -> None:
    with pytest.raises(MethodError, match="stop at a yes or no"):
        nf.rank({"a": [1, 2, 3], "b": [2, 3, 1], "c": [1, 1, 1]}, method="permutation", stop="decision")


def test_one_sided_p_values_are_not_turned_round() -> None:
    with pytest.raises(InputError, match='speak for "new is better", and "old is better" is asked') as error:
        nf.replicate([0.01, 0.2], a="new", b="old", alternative="less")
    assert "old as the first system" in str(error.value)
    assert nf.replicate([0.01, 0.2], sided="two", signs=[-1, 1], alternative="less").count == 1


@pytest.mark.parametrize(
    "options",
    [
        {"sided": "two"},
        {"sided": "2"},
        {"signs": [1, 1]},
        {"scores_a": [1, 2]},
        {"names": ["x"]},
        {"printed": 3},
        {"logs": True},
    ],
)
def test_options_of_p_values_are_refused_with_scores(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"{next(iter(options))} describes p-values, and scores were given"):
        nf.replicate(scores(), **options)


def test_numbers_of_sides() -> None:
    for two in ("two", "2", 2, "two-sided"):
        assert nf.replicate([0.04, 0.2], sided=two, signs=[1, -1]).p_values.tolist() == [0.02, 0.9]  # type: ignore[arg-type]
    assert nf.replicate([0.04, 0.2], sided="1").p_values.tolist() == [0.04, 0.2]
    with pytest.raises(NoflukeError, match="sides"):
        nf.replicate([0.04, 0.2], sided="3")


def test_bold_means_shown() -> None:
    table = nf.read_p_values(io.StringIO("lang,new,old,p\nde,50,53,0.0001\nfr,54,53,0.0001\n"))
    reversed_here = build(nf.replicate(table))
    assert reversed_here.main is not None
    assert reversed_here.main.strong == (1,)
    assert reversed_here.main.rows[0][-1] == "new better, but scores worse"
    assert reversed_here.sections[0].table is not None
    assert reversed_here.sections[0].table.strong == ()
    nothing = build(nf.replicate([0.5, 0.6]))
    assert nothing.sections[0].table is not None
    assert nothing.sections[0].table.strong == ()
    found = build(nf.replicate([0.001, 0.6]))
    assert found.sections[0].table is not None
    assert len(found.sections[0].table.strong) == 1
    metrics = build(nf.replicate({"x": {"de": 0.001, "fr": 0.4}, "y": {"de": 0.3, "fr": 0.001}}))
    assert metrics.main is not None
    assert [metrics.main.rows[place][0] for place in metrics.main.strong] == ["each metric"]


def test_the_other_reading_says_why_it_is_there() -> None:
    result = nf.replicate([0.001, 0.3], scores_a=[1, 2], scores_b=[2, 1])
    assert build(result).headline.startswith(
        "No count can be claimed, because the p-values are not one-sided: A scores worse"
    )
    assert build(result).sentences[0].endswith("if p is read as two-sided: none.")
    agreeing = nf.replicate([0.001, 0.3], scores_a=[2, 2], scores_b=[1, 1])
    assert (agreeing.contradicted, agreeing.turned_count) == ((), None)
    assert "contradict" not in nf.report(agreeing, "text")


def test_grammar_of_one() -> None:
    alone = build(correct_named([0.01]))
    assert alone.headline == "The one p-value is still significant at 0.05 after the correction (Holm)."
    assert alone.title == "1 p-value corrected"
    assert "The p-value was corrected by Holm" in alone.long
    assert "it is significant." in alone.long
    assert "1 of them is significant." in build(correct_named([0.01, 0.5])).long
    single = nf.replicate([0.01], subset=["dataset 1"])
    text = nf.report(single, "text")
    assert "1 datasets" not in text
    assert "1 datasets" not in build(single).title
    assert any(sentence.startswith("On dataset 1: A is better.") for sentence in build(single).sentences)


def test_several_metrics_in_words() -> None:
    result = nf.replicate({"x": {"de": "< 0.001", "fr": "0.4"}, "y": {"de": "0.003", "fr": "0.2"}})
    (note,) = result.notes
    assert (note.code, note["metrics"], note["note"].code) == ("replicate.by_metrics", ("x",), "p_values.bounds")
    assert str(note).startswith("x: 1 p-value is printed as a bound")
    short = build(result).short
    assert short.endswith("].")
    assert ". [" not in short


def test_text_zeros_in_correct_are_rounded_up() -> None:
    assert nf.correct(["0.00", "0.5"]).tolist() == [0.01, 0.5]


@pytest.mark.parametrize("size", [1, 2, 3, 40])
def test_the_quick_table_gives_the_same_figures_as_one_u_after_the_other(size: int) -> None:
    p = np.random.default_rng(size).uniform(size=size) ** 3
    one_by_one = partial_conjunction(np.stack([p, p]), "simes")[0]
    assert partial_conjunction(p, "simes").tolist() == one_by_one.tolist()


def test_pairs_of_sequences_have_names_and_a_direction() -> None:
    rng = np.random.default_rng(4)
    errors = {name: (rng.random(60).round(2), (rng.random(60) + 0.5).round(2)) for name in ("x", "y", "z")}
    lower = nf.replicate(errors, higher_is_better=False, a="new", b="old")
    assert lower.systems == ("new", "old")
    assert "new is better than old" in str(lower)
    assert "B is better than A" in str(nf.replicate(errors))


@pytest.mark.parametrize(
    "asked",
    [
        {"unit": 5},
        {"metric": "f1"},
        {"runs": "crossed"},
        {"weights": "items"},
        {"over": "datasets"},
        {"clusters": False},
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", ["pairs", "samples"])
def test_what_no_table_is_there_for_is_refused(kind: str, asked: dict[str, Any]) -> None:
    rng = np.random.default_rng(4)
    pairs = {name: (rng.random(20).round(2), rng.random(20).round(2)) for name in ("x", "y")}
    given: Any = pairs if kind == "pairs" else {name: as_sample(*pair) for name, pair in pairs.items()}
    with pytest.raises(InputError, match=f"{next(iter(asked))} would change nothing here"):
        nf.replicate(given, **asked)


@pytest.mark.parametrize("asked", [{"a": "old"}, {"b": "zzz"}, {"higher_is_better": False}], ids=str)
def test_samples_are_taken_as_they_are(asked: dict[str, Any]) -> None:
    rng = np.random.default_rng(4)
    samples = {name: as_sample(rng.random(20).round(2), rng.random(20).round(2)) for name in ("x", "y")}
    with pytest.raises(InputError, match="would change nothing here: the samples hold two systems"):
        nf.replicate(samples, **asked)


def test_a_table_says_itself_which_direction_is_better() -> None:
    with pytest.raises(InputError, match="a table says it itself"):
        nf.replicate(scores(), higher_is_better=False)
