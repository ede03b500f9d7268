"""replicate: the published tables, directions, dependence, printed zeros, several metrics, both claims."""

from __future__ import annotations

import io
import json
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

import nofluke as nf
from nofluke.errors import InputError, MethodError, NoflukeError
from nofluke.types import MetricsReplication, Replication
from nofluke.verbs.examples import EXAMPLES
from nofluke.words.replication import headline
from nofluke.words.replication_report import sentences
from support.snapshots import check_snapshot

# Dror et al. 2017, Table 1 and footnote 13: example, alpha -> count, Bonferroni, Fisher as printed.
PRINTED = {
    ("parsing-spacy", 0.05): (7, 7, 7),
    ("parsing-spacy", 0.01): (7, 7, 7),
    ("parsing-redshift", 0.05): (2, 1, 5),
    ("parsing-redshift", 0.01): (1, 0, 2),
    ("pos-tagging", 0.05): (11, 6, 16),
    ("pos-tagging", 0.01): (7, 5, 13),
    ("sentiment", 0.05): (10, 6, 10),
    ("sentiment", 0.01): (6, 2, 8),
    ("word-similarity", 0.05): (8, 6, 7),
    ("word-similarity", 0.01): (6, 4, 6),
}
ERRATA = {("sentiment", 0.05): (10, 6, 9)}
STARS = {
    ("parsing-spacy", 0.05): {"BC", "BN", "MZ", "NW", "PT", "TC", "WB"},
    ("parsing-redshift", 0.05): {"MZ"},
    ("pos-tagging", 0.05): {"Tamil", "Hungarian", "Basque", "Indonesian", "Chinese", "Czech"},
    ("sentiment", 0.05): {"B→D", "K→B", "K→D", "D→K", "D→E", "E→D"},
    ("sentiment", 0.01): {"K→D", "E→D"},
    ("word-similarity", 0.05): {"WS353", "WS353-SIM", "MC-30", "MEN", "YP-130", "SimLex999"},
    ("word-similarity", 0.01): {"WS353", "WS353-SIM", "MC-30", "YP-130"},
}
REVERSED = {"pos-tagging": ("Tamil", "Basque", "Indonesian"), "word-similarity": ("YP-130",)}


def replicate(data: Any, **options: Any) -> Replication:
    result = nf.replicate(data, **options)
    assert isinstance(result, Replication)
    return result


@pytest.mark.parametrize(("name", "alpha"), PRINTED)
def test_table_1_and_footnote_13(name: str, alpha: float) -> None:
    counts = replicate(nf.example(name), alpha=alpha).counts
    expected = ERRATA.get((name, alpha), PRINTED[name, alpha])
    assert (counts["count"], counts["bonferroni"], counts["fisher"]) == expected


@pytest.mark.parametrize(("name", "alpha"), STARS)
def test_stars_of_the_paper(name: str, alpha: float) -> None:
    assert set(replicate(nf.example(name), alpha=alpha).identified_by["holm"]) == STARS[name, alpha]


def test_key_values_of_the_paper_by_independent_recomputation() -> None:
    redshift = replicate(nf.example("parsing-redshift"))
    assert redshift.partial_conjunction_raw["fisher"].round(6).tolist() == pytest.approx(
        [0.000254, 0.003616, 0.011954, 0.023639, 0.044571, 0.083281, 0.1662], abs=1e-6
    )
    assert redshift.partial_conjunction_raw["bonferroni"].tolist() == pytest.approx(
        [0.0322, 0.2256, 0.4115, 0.3648, 0.2907, 0.1958, 0.1662], abs=1e-9
    )
    sentiment = replicate(nf.example("sentiment")).partial_conjunction["fisher"]
    assert sentiment[8] == pytest.approx(0.0326, abs=5e-5)
    assert sentiment[9] == pytest.approx(0.1853, abs=1e-4)


@pytest.mark.parametrize("name", EXAMPLES)
def test_wins_that_are_losses_are_flagged_by_name(name: str) -> None:
    result = replicate(nf.example(name))
    flagged = tuple(one for one in result.identified_by["holm"] if one in result.against)
    assert flagged == REVERSED.get(name, ())
    if flagged:
        assert set(flagged) <= set(result.contradicted)
        assert f"at least {result.turned_count} of" in headline(result)
        assert all(one in headline(result) for one in flagged)
        assert sentences(result)[0].endswith(f"if p is read as two-sided: {', '.join(result.turned)}.")
        turned = replicate(nf.example(name), sided="two")
        assert (result.turned_count, result.turned) == (turned.count, turned.identified)
    assert headline(result).startswith("No count can be claimed") == bool(result.contradicted)


def test_read_with_the_direction_of_the_scores() -> None:
    def counts(name: str, alpha: float = 0.05, **options: Any) -> tuple[int, ...]:
        result = replicate(nf.example(name), sided="two", alpha=alpha, **options)
        assert not set(result.identified) & set(result.against)
        return tuple(result.counts[one] for one in ("count", "bonferroni", "fisher"))

    assert counts("pos-tagging") == (7, 3, 4)
    assert counts("sentiment") == (10, 10, 9)
    assert counts("sentiment", 0.01) == (9, 5, 8)
    assert counts("word-similarity") == (7, 5, 7)
    assert counts("word-similarity", 0.01) == (5, 5, 6)
    other = replicate(nf.example("pos-tagging"), sided="two", alternative="less", dependence="unknown")
    assert set(other.identified) == {"Tamil", "Basque", "Indonesian"}
    assert (other.winner, other.loser) == ("Char→Tag", "MIMICK")
    assert headline(other).startswith("Char→Tag is better than MIMICK on at least 3 of 23 datasets")


def test_both_directions_at_half_the_level() -> None:
    result = replicate(nf.example("pos-tagging"), sided="two", alternative="two-sided", dependence="unknown")
    assert result.level == 0.025
    assert result.alpha == 0.05
    assert result.opposite is not None
    assert result.opposite.level == 0.025
    greater = replicate(nf.example("pos-tagging"), sided="two", alpha=0.025, dependence="unknown")
    less = replicate(nf.example("pos-tagging"), sided="two", alpha=0.025, alternative="less", dependence="unknown")
    assert result.counts == greater.counts
    assert result.opposite.counts == less.counts
    assert (result.wins, result.ties, result.losses) == (13, 0, 10)
    assert result.p_values.max() < 1


def test_two_sided_p_values_become_half_the_rest_or_1() -> None:
    result = replicate([0.04, 0.04, 0.04], sided="two", signs=[1, -1, 0])
    assert result.p_values.tolist() == [0.02, 0.98, 1.0]
    tied = replicate([0.5], sided="two", scores_a=[0.3], scores_b=[0.3])
    assert tied.p_values.tolist() == [1.0]
    with pytest.raises(InputError, match=r"direction is unknown on b\."):
        nf.replicate({"a": 0.1, "b": 0.2}, sided="two", signs=[1, math.nan])
    with pytest.raises(InputError, match="speak for one claim"):
        nf.replicate([0.1, 0.2], alternative="two-sided")
    with pytest.raises(InputError, match="signs contradict the scores"):
        nf.replicate([0.1], signs=[1], scores_a=[0.1], scores_b=[0.2])


def test_lower_is_better_turns_the_direction() -> None:
    given = {"scores_a": [0.1, 0.3], "scores_b": [0.2, 0.1], "sided": "two"}
    result = replicate([0.01, 0.01], higher_is_better=False, **given)
    assert result.p_values.tolist() == [0.005, 0.995]
    assert result.estimates.tolist() == pytest.approx([0.1, -0.2])
    assert result.against == ("dataset 2",)


def test_the_answer_follows_the_stated_dependence() -> None:
    p = nf.example("parsing-redshift")
    expected = {"unknown": ("bonferroni", "holm"), "positive": ("simes", "hommel"), "independent": ("fisher", "fisher")}
    for dependence, (method, listed) in expected.items():
        result = replicate(p, dependence=dependence)
        assert result.method == method
        assert result.count == result.counts[method]
        assert result.identified == result.identified_by[listed]
        assert set(result.reasons) == {"count", "bonferroni", "simes", "fisher"} - {method}
    with pytest.raises(InputError, match="no kind of dependence 'none'"):
        nf.replicate(p, dependence="none")
    with pytest.raises(InputError, match="cannot be taken as independent: WS353 is the union"):
        nf.replicate(nf.example("word-similarity"), dependence="independent")


def test_printed_zeros() -> None:
    assert replicate(["0.000", "0.031"]).p_values.tolist() == [0.0005, 0.031]
    assert replicate([0.0, 0.03], printed=4).p_values.tolist() == [5e-5, 0.03]
    floored = replicate([0.0, 0.03])
    assert floored.p_values.tolist() == [5e-324, 0.03]
    assert (floored.notes[0].code, floored.notes[0]["taken_as"]) == ("p_values.computed_zeros", 5e-324)
    assert "printed=4" in str(floored.notes[0])
    bounds = replicate(["< 0.001", "0.4"])
    assert bounds.p_values.tolist() == [0.001, 0.4]
    assert str(bounds.notes[0]).startswith("1 p-value is printed as a bound")
    # Nothing between 0 and the bound changes a cell of the paper.
    for name in EXAMPLES:
        table = nf.example(name)
        zero = replicate(np.where(table.p_values == 5e-5, 0.0, table.p_values))
        assert zero.counts == replicate(table.p_values).counts


def test_logarithms() -> None:
    logs = np.log([0.001, 0.02, 0.3])
    assert replicate(logs, logs=True).counts == replicate([0.001, 0.02, 0.3]).counts
    assert replicate([-1e6, -2.0], logs=True).count == 1
    with pytest.raises(InputError, match="log p-value"):
        nf.replicate([0.5], logs=True)


def test_the_multiplicity_problem_in_the_users_own_numbers() -> None:
    text = " ".join(sentences(replicate([0.01] * 9)))
    assert "9 independent datasets without a true difference give a false claim in about 37% of studies" in text
    assert "in more than 99% of studies" in " ".join(sentences(replicate([0.01] * 300)))


def test_false_discovery_rate_when_asked() -> None:
    p = {"a": 0.001, "b": 0.012, "c": 0.02, "d": 0.04, "e": 0.3}
    quiet, asked = replicate(p), replicate(p, fdr=True)
    assert quiet.identified_by["bh"] == asked.identified_by["bh"] == ("a", "b", "c", "d")
    assert "Benjamini" not in " ".join(sentences(quiet))
    assert "a, b, c, d (Benjamini-Hochberg" in " ".join(sentences(asked))
    assert "a, b, c, d (Benjamini-Hochberg" in " ".join(str(asked).split())


def test_nothing_and_everything() -> None:
    nothing = replicate([0.6, 0.7])
    assert nothing.count == 0
    assert nothing.identified == ()
    assert headline(nothing).startswith("A is not shown to be better than B on any of 2 datasets")
    assert "all 3 datasets" in headline(replicate([0.001] * 3))
    assert "both datasets" in headline(replicate([0.001] * 2))
    assert replicate([0.03]).count == 1


# From scores


def scores(ids: str = "row", datasets: int = 3, n: int = 40, metrics: tuple[str, ...] = ("score",)) -> nf.Scores:
    rng = np.random.default_rng(1)
    lines = ["dataset,item,system,metric,score"]
    for k in range(datasets):
        for i in range(n):
            name = {"row": str(i), "own": f"d{k}-{i}", "shared": f"q{i}", "sparse": str(100 + 7 * i)}[ids]
            for metric in metrics:
                a, b = rng.integers(0, 100, 2)
                lines += [f"d{k},{name},new,{metric},{a + (12 + 3 * k)}", f"d{k},{name},old,{metric},{b}"]
    return nf.read(io.StringIO("\n".join(lines)))


def test_every_dataset_is_tested_on_its_own_items_in_both_directions() -> None:
    table = scores()
    result = replicate(table)
    assert result.alternative == "two-sided"
    assert result.opposite is not None
    for place, name in enumerate(table.datasets):
        sample = table.pair("new", "old", dataset=name)
        for side, part in (("greater", result), ("less", result.opposite)):
            expected = nf.test(sample, alternative=side, confidence_level=0.975)
            assert part.p_values[place] == expected.p_value
            assert part.tests[place].method == expected.method
        interval = result.tests[place].interval
        assert interval is not None
        two_sided = nf.test(sample, confidence_level=0.95).interval
        assert two_sided is not None
        assert (interval.low, interval.high) == pytest.approx((two_sided.low, two_sided.high), rel=1e-3)
        assert result.estimates[place] == pytest.approx(sample.score(0) - sample.score(1))
    assert result.sizes == (40, 40, 40)
    assert result.systems == ("new", "old")


def test_one_claim_from_scores_and_a_stated_test() -> None:
    table = scores()
    result = replicate(table, alternative="greater", method="wilcoxon", zeros="pratt")
    assert result.level == 0.05
    assert result.opposite is None
    assert {test.method for test in result.tests} == {"wilcoxon"}
    swapped = replicate(table, a="old", b="new", alternative="less", method="wilcoxon", zeros="pratt")
    assert swapped.p_values.tolist() == result.p_values.tolist()
    assert swapped.winner == result.winner == "new"
    assert headline(swapped) == headline(result)


def test_shared_items_forbid_independence() -> None:
    for ids in ("shared", "sparse"):
        with pytest.raises(InputError, match="40 items occur in more than one dataset"):
            nf.replicate(scores(ids), dependence="independent")
        (note,) = replicate(scores(ids)).notes
        assert (note.code, note["items"], note["datasets"]) == ("replicate.shared_items", 40, ("d0", "d1", "d2"))
    assert replicate(scores("own"), dependence="independent").method == "fisher"
    assert not replicate(scores("own")).notes
    numbered = replicate(scores("row"), dependence="independent")
    assert [note.code for note in numbered.notes] == ["replicate.same_numbers"]


def test_samples_and_tables_by_dataset() -> None:
    table = scores()
    by_sample = {name: table.pair("new", "old", dataset=name) for name in table.datasets}
    assert replicate(by_sample).p_values.tolist() == replicate(table).p_values.tolist()
    sequences = {"x": ([1, 1, 1, 0, 1, 1], [0, 0, 0, 0, 0, 0]), "y": ([1, 0, 1, 1], [1, 0, 0, 1])}
    assert replicate(sequences).sizes == (6, 4)
    shared = scores("shared")
    with pytest.raises(InputError, match="occur in more than one dataset"):
        nf.replicate(
            {name: shared.pair("new", "old", dataset=name) for name in shared.datasets}, dependence="independent"
        )


def test_identical_systems_have_p_1_everywhere() -> None:
    same = {name: ([0.5, 0.25, 0.75], [0.5, 0.25, 0.75]) for name in ("x", "y")}
    result = replicate(same)
    assert result.p_values.tolist() == [1.0, 1.0]
    assert (result.wins, result.ties, result.losses) == (0, 2, 0)
    assert headline(result).startswith("No dataset shows a clear difference between A and B")


def test_refusals_from_scores() -> None:
    with pytest.raises(InputError, match="one dataset"):
        nf.replicate(scores(datasets=1))
    with pytest.raises(InputError, match="one score only"):
        nf.replicate(scores(n=1))
    with pytest.raises(MethodError, match="99 draws cannot give a p-value small enough"):
        nf.replicate(scores(datasets=6), monte_carlo=99, method="permutation")
    assert replicate(scores(), monte_carlo=999, method="permutation").count >= 0
    constant = {"x": ([0.5, 0.6, 0.7], [0.4, 0.5, 0.6]), "y": ([0.5, 0.6], [0.4, 0.6])}
    with pytest.raises(MethodError, match="dataset x"):
        nf.replicate(constant, method="paired_t")
    with pytest.raises(NoflukeError, match="options of tests"):
        nf.replicate([0.1, 0.2], zeros="pratt")


# Several metrics


def test_several_metrics_in_both_readings() -> None:
    p = {"bleu": {"de": 0.001, "fr": 0.002, "it": 0.5}, "chrf": {"de": 0.003, "fr": 0.4, "it": 0.001}}
    result = nf.replicate(p)
    assert isinstance(result, MetricsReplication)
    assert [one.count for one in result.by_metric.values()] == [2, 2]
    assert result.count_each == 2
    assert result.together.p_values.tolist() == [0.003, 0.4, 0.5]
    assert result.together.identified == ("de",)
    verdict = " ".join(str(result).partition("\n\n")[0].split())
    assert "at least 2 of 3 datasets by each of 2 metrics" in verdict
    assert "at least 1 of 3 datasets by all of them at once" in verdict
    with pytest.raises(InputError, match="other datasets"):
        nf.replicate({"bleu": {"de": 0.1}, "chrf": {"fr": 0.1}})


def test_several_metrics_from_scores() -> None:
    table = scores(metrics=("bleurt", "comet"))
    result = nf.replicate(table)
    assert isinstance(result, MetricsReplication)
    largest = np.max([one.p_values for one in result.by_metric.values()], axis=0)
    assert result.together.p_values.tolist() == largest.tolist()
    assert result.together.opposite is not None
    assert replicate(table, metric="comet").p_values.tolist() == result.by_metric["comet"].p_values.tolist()


# Words and other forms


@pytest.mark.parametrize("name", EXAMPLES)
def test_wording_of_the_examples(name: str) -> None:
    result = replicate(nf.example(name))
    check_snapshot(f"replicate_{name}", f"{result}\n\n{nf.report(result, 'text')}\n")


def test_wording_of_both_directions() -> None:
    result = replicate(
        nf.example("word-similarity"), sided="two", alternative="two-sided", subset=["MEN", "YP-130"], fdr=True
    )
    check_snapshot("replicate_both", f"{result}\n\n{nf.report(result, 'text')}\n")


def test_a_result_is_safe_for_json_and_never_changes() -> None:
    result = replicate(scores())
    text = json.dumps(result.to_dict(), allow_nan=False)
    assert json.loads(text)["count"] == result.count
    for array in (result.p_values, result.estimates, result.scores, *result.adjusted.values()):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "csv", "json"])
def test_reports(format: str) -> None:
    both = nf.replicate(nf.example("pos-tagging"), sided="two", alternative="two-sided")
    metrics = nf.replicate({"x": {"de": 0.001, "fr": 0.4}, "y": {"de": 0.003, "fr": 0.2}})
    for result in (both, nf.replicate(nf.example("sentiment")), metrics):
        assert len(nf.report(result, format)) > 100


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0}, "alpha"),
        ({"alternative": "both"}, "alternative"),
        ({"sided": "three"}, "sides"),
        ({"names": ["a"]}, "1 name for 2"),
        ({"names": ["a", "a"]}, "called a"),
        ({"signs": [1]}, "1 sign for 2"),
        ({"signs": ["x", "+"]}, "not a sign"),
        ({"scores_a": [1, 2]}, "do not belong together"),
        ({"subset": ["c"]}, "no dataset 'c'"),
        ({"subset": ["dataset 1", "dataset 1"]}, "twice"),
    ],
)
def test_bad_arguments(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        nf.replicate([0.1, 0.2], **options)


@pytest.mark.parametrize("bad", [[], [0.1, 2.0], ["n.s.", "0.1"], ["0,04"], {"a": "x"}, [math.nan]])
def test_bad_p_values(bad: Any) -> None:
    with pytest.raises(InputError, match="p-value"):
        nf.replicate(bad)


def with_gaps() -> nf.Scores:
    """Three datasets, of which B lacks c."""
    rng = np.random.default_rng(3)
    rows = [
        (dataset, f"{dataset}{item}", name, int(rng.random() < 0.6))
        for dataset in "abc"
        for item in range(25)
        for name in "AB"
        if (dataset, name) != ("c", "B")
    ]
    return nf.read(pd.DataFrame(rows, columns=["dataset", "item", "system", "score"]))


def test_a_dataset_that_a_system_lacks_is_named_and_can_be_left_out() -> None:
    scores = with_gaps()
    with pytest.raises(InputError, match="'B' has no score on c") as refused:
        nf.replicate(scores)
    assert "missing='drop'" in str(refused.value)
    dropped = nf.replicate(scores, missing="drop")
    assert dropped.datasets == ("a", "b")
    assert "c was left out: a system has no score there." in str(dropped)
    with pytest.raises(InputError, match="a is the only dataset"):
        nf.replicate(scores, dataset="a,c", missing="drop")


def test_some_of_the_datasets_can_be_named() -> None:
    named = nf.replicate(with_gaps(), dataset="a,b")
    assert named.datasets == ("a", "b")
    assert named.p_values.tolist() == nf.replicate(with_gaps(), missing="drop").p_values.tolist()
    with pytest.raises(InputError, match="a is the only dataset"):
        nf.replicate(with_gaps(), dataset="a")
    with pytest.raises(InputError, match="all datasets that were given"):
        nf.replicate({"x": ([1, 0, 1], [0, 0, 1]), "y": ([1, 1, 1], [0, 0, 1])}, dataset="x")
