"""Answers of rank, replicate and correct: their wording, their length, and that they are made of the value alone."""

from __future__ import annotations

import io
import json
import re
import shlex
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nofluke as nf
from nofluke.errors import speaking_on
from nofluke.reports.build import build
from nofluke.types import Value
from nofluke.types.load import from_dict
from nofluke.types.notes import note
from nofluke.verbs.correct import correct_named
from nofluke.words import answer, short
from nofluke.words.layout import as_lines
from nofluke.words.ranking_tables import group_letters
from support.command_line import nofluke
from support.snapshots import check_snapshot

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
LONG = "meta-llama/Llama-3.1-70B-Instruct-preview-of-the-second-of-May-2026"


def noisy(n: int = 60, systems: int = 5, gain: float = 0.25) -> dict[str, list[Any]]:
    rng = np.random.default_rng(0)
    table = rng.normal(0, 1, (n, 1)) + gain * np.arange(systems) + rng.normal(0, 0.7, (n, systems))
    return {f"s{i}": np.round(column, 2).tolist() for i, column in enumerate(table.T)}


def with_gaps() -> dict[str, list[Any]]:
    return {
        name: [None if at % 4 == 0 and at // 4 % 5 == place else score for at, score in enumerate(scores)]
        for place, (name, scores) in enumerate(noisy().items())
    }


def over_datasets_text(n: int, items: int) -> str:
    rng = np.random.default_rng(2)
    rows = [
        f"d{d},d{d}-{i}," + ",".join(f"{score:.3f}" for score in rng.normal([0.9, 0.5, 0.1], 0.5) + 0.3 * d)
        for d in range(n)
        for i in range(items)
    ]
    return "\n".join(["dataset,item,x,y,z", *rows]) + "\n"


def over_datasets(n: int, items: int) -> nf.Scores:
    return nf.read(io.StringIO(over_datasets_text(n, items)))


def benchmark() -> nf.Scores:
    """Three datasets of 10, 30 and 90 items."""
    text = [over_datasets_text(3, 90).splitlines()[at] for at in (0, *range(1, 11), *range(91, 121), *range(181, 271))]
    return nf.read(io.StringIO("\n".join(text) + "\n"))


def outputs() -> nf.Scores:
    rng = np.random.default_rng(8)
    gold = [" ".join(rng.choice(list("abcdefgh"), 9)) for _ in range(60)]
    noise = {"A": 0.1, "B": 0.2, "C": 0.22}
    said = {
        name: [" ".join(word if rng.random() > share else "x" for word in line.split()) for line in gold]
        for name, share in noise.items()
    }
    return nf.score("chrf", said, gold)


def two_systems(metrics: tuple[str, ...] = ("score",)) -> nf.Scores:
    rng = np.random.default_rng(1)
    lines = ["dataset,item,system,metric,score"]
    for k in range(10):
        for i in range(40):
            for metric in metrics:
                a, b = rng.integers(0, 100, 2)
                lines += [f"d{k},d{k}-{i},new,{metric},{a + 6 * (k - 3)}", f"d{k},d{k}-{i},old,{metric},{b}"]
    return nf.read(io.StringIO("\n".join(lines)))


P_VALUES = {"bleu": {"de": 0.001, "fr": 0.002, "it": 0.5}, "chrf": {"de": 0.003, "fr": 0.4, "it": 0.001}}
RANKINGS: dict[str, Callable[[], Value]] = {
    "rank": lambda: nf.rank(noisy()),
    "rank_many": lambda: nf.rank(nf.read(EXAMPLES / "shared-task.csv")),
    "rank_150": lambda: nf.rank(noisy(systems=150, n=80, gain=0.02), method="paired_t"),
    "rank_nothing": lambda: nf.rank(noisy(systems=3, gain=0.0)),
    "rank_all": lambda: nf.rank(noisy(n=200, systems=4, gain=1.0)),
    "rank_two": lambda: nf.rank(noisy(systems=2)),
    "rank_two_unclear": lambda: nf.rank(noisy(systems=2, gain=0.0)),
    "rank_two_sign": lambda: nf.rank(noisy(systems=2), method="sign"),
    "rank_baseline": lambda: nf.rank(noisy(), baseline="s1"),
    "rank_baseline_many": lambda: nf.rank(nf.read(EXAMPLES / "shared-task.csv"), baseline="elm-4"),
    "rank_baseline_greater": lambda: nf.rank(noisy(), baseline="s2", alternative="greater"),
    "rank_one_sided": lambda: nf.rank(noisy(), alternative="greater", family="pairs", adjust="bonferroni"),
    "rank_max_t": lambda: nf.rank(noisy(), adjust="max_t", n_resamples=999),
    "rank_bh": lambda: nf.rank(noisy(), adjust="bh"),
    "rank_uncorrected": lambda: nf.rank(noisy(), adjust="none"),
    "rank_corpus_metric": lambda: nf.rank(outputs()),
    "rank_pairwise": lambda: nf.rank(with_gaps(), missing="pairwise"),
    "rank_left_out": lambda: nf.rank(with_gaps(), missing="drop"),
    "rank_lower_is_better": lambda: nf.rank(noisy(), higher_is_better=False),
    "rank_wilcoxon": lambda: nf.rank(noisy(), method="wilcoxon"),
    "rank_unpaired": lambda: nf.rank(noisy(), method="mann_whitney"),
    "rank_datasets": lambda: nf.rank(over_datasets(12, 5), over="datasets"),
    "rank_too_few_datasets": lambda: nf.rank(over_datasets(3, 5), over="datasets"),
    "rank_average": lambda: nf.rank(benchmark()),
    "rank_average_items": lambda: nf.rank(benchmark(), weights="items"),
    "rank_average_given": lambda: nf.rank(benchmark(), weights={"d0": 2, "d1": 1, "d2": 1}, baseline="y"),
    "rank_average_two": lambda: nf.rank(benchmark(), systems=("x", "y")),
    "rank_average_unclear": lambda: nf.rank(over_datasets(2, 9), systems=("y", "z"), adjust="max_t", n_resamples=999),
    "rank_long_name": lambda: nf.rank({LONG if name == "s2" else name: scores for name, scores in noisy().items()}),
}
OTHERS: dict[str, Callable[[], Value]] = {
    "replicate": lambda: nf.replicate(two_systems()),
    "replicate_worse": lambda: nf.replicate(two_systems(), a="old", b="new", dependence="independent"),
    "replicate_one_claim": lambda: nf.replicate(two_systems(), alternative="greater", dependence="positive"),
    "replicate_sign": lambda: nf.replicate(two_systems(), method="sign"),
    "replicate_published": lambda: nf.replicate(nf.example("pos-tagging")),
    "replicate_contradicted": lambda: nf.replicate(nf.example("sentiment")),
    "replicate_hidden": lambda: nf.replicate(nf.example("parsing-redshift")),
    "replicate_nothing": lambda: nf.replicate([0.6, 0.7]),
    "replicate_subset": lambda: nf.replicate({"de": 0.0004, "fr": 0.026, "it": 0.03}, subset=["fr", "it"], fdr=True),
    "replicate_metrics": lambda: nf.replicate(P_VALUES),
    "replicate_metrics_both": lambda: nf.replicate(two_systems(("bleurt", "comet"))),
    "correct": lambda: correct_named({"de": 0.001, "fr": 0.04, "it": 0.3}, "holm"),
    "correct_many": lambda: correct_named([0.0005 * k for k in range(1, 41)], "bh"),
    "correct_long_names": lambda: correct_named(
        {f"NiuTrans.21 / Machine_Translation.{k}": min(1.0, 1e-7 * 3.0**k) for k in range(40)}, "holm"
    ),
    "correct_half": lambda: correct_named({f"language {k}": 1e-6 if k < 6 else 0.03 for k in range(23)}, "holm"),
    "correct_none": lambda: correct_named([0.1, 0.2]),
    "correct_zero": lambda: correct_named([0.0, 0.2]),
    "p_values": lambda: nf.example("word-similarity"),
}
CASES = {**RANKINGS, **OTHERS}


@cache
def made(name: str) -> Value:
    return CASES[name]()


@pytest.mark.parametrize("name", CASES)
def test_wording_and_size(name: str) -> None:
    result = made(name)
    lines = short(result).splitlines()
    check_snapshot(f"answers/{name}", "\n".join(lines) + "\n")
    said = answer(result)
    assert said is not None
    rows = () if said.table is None else said.table.rows
    assert rows or name == "rank_too_few_datasets"
    assert max(map(len, lines)) <= 80
    if name in RANKINGS:
        assert len(rows) <= 15
        assert len(lines) - len(rows) <= 10
    else:
        assert len(lines) <= (18 if name == "p_values" else 15)
    assert len(said.notes) <= 3


def test_a_ranking_whose_one_note_is_long_keeps_to_its_lines() -> None:
    """Three lines below the table and a note of three: 25 lines are those of any ranking."""
    rng = np.random.default_rng(4)
    many = {f"run-of-the-{k}th-of-May": np.round(rng.beta(0.35, 0.6 + 0.02 * k, 50), 1) for k in range(129)}
    lines = short(nf.rank(many)).splitlines()
    assert len(lines) == 25
    assert any("pairs have skewed differences" in line for line in lines)
    assert any("114 more systems" in line for line in lines)


def test_a_test_with_long_names_gives_up_its_last_notes() -> None:
    names = [f"a-system-with-a-rather-long-name-that-says-{what}" for what in ("one", "two")]
    table = f"item,{names[0]},{names[1]}\n1,0.6,0.5\n2,0.7,0.5\n"
    result = nf.test(nf.read(io.StringIO(table)).pair(*names), method="bootstrap_median")
    lines = str(result).splitlines()
    assert len(lines) <= 15
    assert "No resample of these items can reach" in " ".join(" ".join(lines).split())
    assert len(result.notes) > len(answer(result).notes) >= 1


@pytest.mark.parametrize("name", CASES)
def test_words_are_made_of_the_value_alone(name: str) -> None:
    result = made(name)
    again = from_dict(json.loads(json.dumps(result.to_dict(), allow_nan=False)))
    assert answer(again) == answer(result)
    if name != "p_values":
        # Records are the numbers, of which unknown ones (nan) differ from themselves.
        assert replace(build(again), records=()) == replace(build(result), records=())
        assert nf.report(again, "csv") == nf.report(result, "csv")


def test_house_words_are_not_said() -> None:
    for name in CASES:
        if name == "p_values":
            continue
        said = f"{made(name)}\n{nf.report(made(name), 'text')}".casefold()
        for word in ("separated", "oriented", "linear+correction", "validity", "spread from these data", " told"):
            assert word not in said, (name, word)


@pytest.mark.parametrize("name", ["rank", "replicate", "correct"])
def test_narrow_and_plain(name: str) -> None:
    said = answer(made(name))
    assert said is not None
    narrow = as_lines(said, 50)
    assert max(map(len, narrow)) <= 50
    check_snapshot(f"answers/{name}_narrow", "\n".join(narrow) + "\n")
    plain = as_lines(said, 80, glyphs=False, pictures=False)
    assert all(line.isascii() for line in plain)


def test_a_stored_ranking_says_first_that_no_verdict_was_possible() -> None:
    stored = Path(__file__).parents[1] / "stored_schema1" / "ranking_datasets.json"
    ranking = from_dict(json.loads(stored.read_text(encoding="utf-8")))
    assert str(ranking).startswith("No verdict is possible: 6 items are too few to show any difference (at least 7\n")


def test_a_stored_replication_keeps_what_its_sentences_told() -> None:
    stored = Path(__file__).parents[1] / "stored_schema1" / "replication_published.json"
    old, new = from_dict(json.loads(stored.read_text(encoding="utf-8"))), nf.replicate(nf.example("word-similarity"))
    for fact in ("signs", "contradicted", "turned", "turned_count", "winner", "loser"):
        assert getattr(old, fact) == getattr(new, fact), fact
    before, after = answer(old), answer(new)
    assert before is not None
    assert after is not None
    # How many rows are left depends on the notes, which a stored result keeps as it had them.
    assert (before.verdict, before.points) == (after.verdict, after.points)


def test_a_least_p_of_draws_is_a_bound() -> None:
    far = {"new": [1.0 + at / 100 for at in range(40)], "old": [at / 90 for at in range(40)]}
    drawn = nf.rank(far, method="permutation", monte_carlo=999)
    assert str(drawn).startswith("new is better than old: ")
    assert "p <= 0.0020." in str(drawn)
    assert " <= " not in str(nf.rank(far, method="permutation"))


def test_a_note_on_single_datasets_is_for_the_details() -> None:
    rng = np.random.default_rng(5)
    skewed = {"plain": rng.normal(size=20), "long": 20 * rng.exponential(size=20) ** 2}
    result = nf.replicate({"even": (rng.normal(size=40), rng.normal(size=40)), "skewed": tuple(skewed.values())})
    told = [str(note) for note in result.notes]
    assert any(note.startswith("skewed: ") for note in told)
    assert not any(note in " ".join(str(result).split()) for note in told)
    assert all(note in " ".join(nf.report(result, "text").split()) for note in told)


def test_a_system_whose_name_has_a_p_keeps_its_explanation() -> None:
    result = nf.replicate([0.01, 0.2], scores_a=[2, 1], scores_b=[1, 2], a="my parser", b="old p", sided="two")
    explained = build(result).main.explain
    assert explained["my parser"] == "the score of my parser on the dataset"
    assert explained["old p"] == "the score of old p on the dataset"


def test_unclear_pairs_without_a_common_letter_are_counted() -> None:
    result = nf.rank(nf.read(EXAMPLES / "shared-task.csv"))
    letters = group_letters(result)
    unclear = [
        (a, b)
        for a, b in combinations(result.systems, 2)
        if min(result.p_value(a, b), result.p_value(b, a)) > 0.05 and not set(letters[a]) & set(letters[b])
    ]
    assert unclear
    assert f"A shared letter: no clear difference; {len(unclear)} pairs without one are unclear too." in " ".join(
        short(result).split()
    )


def test_too_few_datasets_can_be_ranked_by_their_items_as_advised() -> None:
    said = short(nf.rank(over_datasets(3, 5), over="datasets"))
    assert "over='items'" in said
    assert nf.rank(over_datasets(3, 5), over="items").n == 15
    assert "over=" not in short(nf.rank(over_datasets(3, 1)))


def test_no_audit_is_advised_of_an_average() -> None:
    """An audit draws test sets of one dataset."""
    draw = np.random.default_rng(2)
    rows = [
        f"{task},{at},0.5,{draw.exponential():.3f},{0.4 + at / 40:.3f}\n" for task in ("x", "y") for at in range(12)
    ]
    scores = nf.read(io.StringIO("dataset,item,A,B,C\n" + "".join(rows)))
    (averaged,) = [one for one in nf.rank(scores).notes if one.code == "rank.skewed"]
    assert "audit" not in str(averaged)
    (alone,) = [one for one in nf.rank(scores, dataset="x").notes if one.code == "rank.skewed"]
    assert "audit" in str(alone)


@pytest.mark.parametrize(
    ("pairs", "said"), [(1, "One pair has skewed differences: with 9 items p may be too small. Check it: "), (3, "3 ")]
)
def test_a_skewed_pair_is_to_be_audited_by_a_command_that_runs(pairs: int, said: str, tmp_path: Path) -> None:
    names = ("x y", "z")
    found = note("rank.skewed", pairs=pairs, n=9, unit="item", most=names, skewness=2.1)
    file = tmp_path / "scores.csv"
    file.write_text("item,x y,w,z\n" + "".join(f"i{at},{at % 3},{at % 4},{at % 2}\n" for at in range(12)))
    with speaking_on("shell"):
        text = str(found)
    assert text.startswith(said)
    advised = text.partition(": nofluke ")[2].removesuffix(".")
    assert nofluke(*shlex.split(advised.replace("FILE", str(file))), "--iterations", "100").code == 0
    assert str(found).endswith("nf.studies.audit(scores.pair('x y', 'z')).")


def test_contradicted_p_values_support_no_number_but_that_of_the_two_sided_reading() -> None:
    data = nf.example("sentiment")
    said, turned = short(nf.replicate(data)), nf.replicate(data, sided="two")
    assert said.startswith("No count can be claimed")
    assert f"better on at least {turned.count} of 12" in " ".join(said.split())
    assert "at least 6 " not in said


def test_folds_are_no_items() -> None:
    rng = np.random.default_rng(4)
    rows = [
        f"d{d},{run},{fold},{rng.normal(1, 1):.3f},{rng.normal(0, 1):.3f}"
        for d in range(3)
        for run in range(2)
        for fold in range(5)
    ]
    text = "\n".join(["dataset,run,fold,new,old", *rows]) + "\n"
    said = " ".join(short(nf.replicate(nf.read(io.StringIO(text)))).split())
    advised = "Use columns={'ignore': 'fold,run'}, method='corrected_resampled_t', rho=0.2 (one item per split)."
    assert advised in said
    with speaking_on("shell"):
        said = " ".join(short(nf.replicate(nf.read(io.StringIO(text)))).split())
    assert "Use --columns ignore=fold,run --method corrected_resampled_t --rho 0.2 (one item per split)." in said
    splits = nf.read(io.StringIO(text), columns={"ignore": "fold,run"})
    followed = nf.replicate(splits, method="corrected_resampled_t", rho=0.2)
    assert followed.sizes == (10, 10, 10)
    assert "folds" not in short(followed)


def test_bounds_and_items_left_out_are_said() -> None:
    rng = np.random.default_rng(5)
    rows = [
        f"{name},{name}{i},{rng.normal(2, 1):.4f},{'' if i == 7 else f'{rng.normal(0, 1):.4f}'}"
        for name in ("d", "e")
        for i in range(60)
    ]
    scores = nf.read(io.StringIO("\n".join(["dataset,item,new,old", *rows]) + "\n"))
    said = short(nf.replicate(scores, missing="drop", method="permutation", monte_carlo=999))
    assert "<= 0.0040" in said
    assert "2 items without a score for both systems were left out (2 datasets)." in " ".join(said.split())


def test_counting_p_values_is_given_one_error_rate_for_both_directions() -> None:
    told = nf.report(nf.replicate(nf.read(EXAMPLES / "domains.csv")), "text")
    rates = set(re.findall(r"false\s+claim\s+in\s+about\s+(\d+)%", told))
    assert rates == {f"{100 * (1 - 0.95**6):.0f}"}


def test_letters_are_not_shown_where_they_would_mislead() -> None:
    """Pairs without a common letter are taken for clearly different: where most are not, there are no letters."""
    result = made("rank_many")
    assert group_letters(result)
    better = np.zeros_like(result.better)
    better[0, -1] = True
    few = replace(result, better=better, groups=(result.systems[:2], result.systems[-2:]))
    assert not group_letters(few)
    assert "group" not in short(few)
    assert "letter" not in nf.report(few, "text")


def test_details_of_datasets_have_the_digits_of_the_answer() -> None:
    told = nf.report(nf.replicate(nf.read(EXAMPLES / "domains.csv")), "text")
    assert re.search(r"chat +180 +0\.628 +0\.706 +-0\.078 ", told)
    assert "chat -0.078 (n = 180)" in " ".join(told.split())


def test_what_files_hold_is_said_once_and_is_nothing_for_a_paper() -> None:
    from nofluke.verbs.contents import contents

    found = contents(nf.read(EXAMPLES / "translation.csv"))
    said = nf.report(found, "text")
    assert said.count("400 items") == 1
    for form in ("text", "markdown", "html"):
        assert "For a paper" not in nf.report(found, form)


def test_the_sd_of_data_has_three_digits() -> None:
    told = nofluke("power", "detect", str(EXAMPLES / "translation.csv"), "--details").out
    assert "sd of differences 0.212" in " ".join(told.split())
    stated = nofluke("power", "detect", "--n", "90", "--sd", "0.21171", "--details").out
    assert "sd of differences 0.21171" in " ".join(stated.split())


def test_a_rankings_table_does_not_say_again_how_p_was_computed() -> None:
    report = build(made("rank_many"))
    assert "p-values" not in report.main.caption
    assert any("P-values:" in sentence for sentence in report.sentences)
