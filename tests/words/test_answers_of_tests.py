"""What tests, effect sizes and correlations answer: wording, length, and words made from facts alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.metrics.statistics import ratio_aggregate
from nofluke.reports import report
from nofluke.types import VALIDITIES, Estimate, Note, Sample, TestResult, Value
from nofluke.types.load import from_dict
from nofluke.words import answer
from nofluke.words.computed import promise, promise_in_short
from nofluke.words.layout import as_lines
from support.command_line import nofluke
from support.corpora import F1, GEOMETRIC, corpus_sample, tagging
from support.snapshots import check_snapshot

NEW, OLD = [0.31, 0.5, 0.75, 0.2, 0.9, 0.6, 0.44, 0.8, 0.3], [0.25, 0.5, 0.5, 0.3, 0.4, 0.3, 0.41, 0.7, 0.1]
NAMES = ("new", "old")
RANKED = [[0.7, 0.6, 0.5], [0.8, 0.6, 0.7], [0.9, 0.5, 0.6], [0.6, 0.5, 0.4], [0.6, 0.5, 0.4], [0.7, 0.6, 0.5]]
RIGHT, WRONG = [1, 1, 1, 0, 1, 1, 0, 1, 1, 1], [0, 0, 1, 0, 0, 1, 0, 0, 0, 1]


def pair(a: list[float] = NEW, b: list[float] = OLD, names: tuple[str, str] = NAMES, **options: object) -> Sample:
    return as_sample(a, b, names=names, **options)


def sparse() -> Sample:
    """The precision of A rests on 4 of 200 sentences."""
    rows = np.zeros((200, 2, 3))
    rows[:, 1] = [1, 2, 2]
    rows[:, 0, 2] = 2
    rows[:4, 0] = [2, 2, 2]
    return corpus_sample(rows, ratio_aggregate("precision", (1, 0, 0), (0, 1, 0)))


def many(n: int = 400, gain: float = 0.4) -> Sample:
    rng = np.random.default_rng(3)
    return pair((rng.normal(size=n) + gain).round(3).tolist(), rng.normal(size=n).round(3).tolist())


TESTS: dict[str, Callable[[], TestResult]] = {
    "better": lambda: nf.test(pair(), "permutation"),
    "better, named second": lambda: nf.test(pair(OLD, NEW, ("old", "new")), "paired_t"),
    "nothing found": lambda: nf.test(pair(NEW[:5], OLD[:5]), "permutation"),
    "far out": lambda: nf.test(many(gain=2.0), "permutation"),
    "one-sided, shown": lambda: nf.test(pair(), "paired_t", alternative="greater"),
    "one-sided, shown for the second": lambda: nf.test(pair(OLD, NEW, ("old", "new")), "paired_t", alternative="less"),
    "one-sided, not shown": lambda: nf.test(pair(), "paired_t", alternative="less"),
    "one-sided, of items": lambda: nf.test(pair(), "sign", alternative="greater"),
    "beyond a difference": lambda: nf.test(many(), "paired_t", delta=0.1, alternative="greater"),
    "not beyond a difference": lambda: nf.test(pair(), "paired_t", delta=0.1),
    "lower is better": lambda: nf.test(pair(OLD, NEW, higher_is_better=False), "paired_t"),
    "clusters": lambda: nf.test(pair(clusters=[1, 1, 2, 3, 3, 4, 5, 6, 6]), "permutation"),
    "identical": lambda: nf.test(pair(NEW, NEW), "permutation"),
    "all tied, sign": lambda: nf.test(pair(NEW, NEW), "sign"),
    "all tied, one-sided": lambda: nf.test(pair(NEW, NEW), "sign", alternative="greater"),
    "undefined": lambda: nf.test(pair([score + 1 for score in NEW], NEW), "paired_t"),
    "sign": lambda: nf.test(many(), "sign"),
    "sign, for the second": lambda: nf.test(pair(OLD * 4, NEW * 4, ("old", "new")), "sign"),
    "Wilcoxon": lambda: nf.test(many(), "wilcoxon"),
    "median, nothing found": lambda: nf.test(pair(), "bootstrap_median", monte_carlo=999),
    "unpaired": lambda: nf.test(pair(NEW, OLD[:6], paired=False), "mann_whitney"),
    "right and wrong": lambda: nf.test(pair(RIGHT, WRONG), "mcnemar"),
    "draws, none as extreme": lambda: nf.test(many(gain=2.0), "permutation", monte_carlo=999),
    "a bound from resamples": lambda: nf.test(corpus_sample(tagging(60, 3, (0.9, 0.6)), GEOMETRIC), "bootstrap"),
    "few items behind a score": lambda: nf.test(sparse(), "permutation"),
    "corpus metric": lambda: nf.test(corpus_sample(tagging(60, 3, (0.9, 0.6)), F1), "permutation", form="raw"),
    "yes or no": lambda: nf.test(
        corpus_sample(tagging(60, 3, (0.9, 0.6)), GEOMETRIC), "permutation", monte_carlo=5000, stop="decision"
    ),
    "splits": lambda: nf.test(pair(), "corrected_resampled_t", rho=0.1),
    "systems differ": lambda: nf.omnibus(RANKED),
    "systems not told apart": lambda: nf.omnibus(RANKED[:2], "iman_davenport"),
    "datasets agree": lambda: nf.omnibus(RANKED, "kendall_w"),
    "columns rise together": lambda: nf.correlation(NEW, OLD, "pearson"),
    "no clear correlation": lambda: nf.correlation(NEW[:5], OLD[4:], "spearman"),
    "correlation with gold": lambda: nf.correlation_test(0.5, 0.4, 0.7, 200),
    "no better correlation": lambda: nf.correlation_test(0.45, 0.4, 0.7, 50),
}
ESTIMATES: dict[str, Callable[[], Estimate]] = {
    "mean difference": lambda: nf.effect(pair(), "mean_difference"),
    "by a rule": lambda: nf.effect(pair(), "cliffs_delta", rules="romano2006"),
    "no interval": lambda: nf.effect(pair(clusters=[1, 1, 2, 3, 3, 4, 5, 6, 6]), "hodges_lehmann"),
    "undefined": lambda: nf.effect(pair(NEW, NEW), "cohens_d"),
    "infinite": lambda: nf.effect(pair(RIGHT, WRONG), "odds_ratio"),
}
# Words of the house, and claims that nothing found must not make.
NEVER = (
    "separated",
    "oriented",
    "validity",
    "linear+correction",
    "monte-carlo",
    "wished",
    "nothing speaks",
    "no effect",
)


def everything() -> dict[str, Callable[[], Value]]:
    return {f"test: {name}": made for name, made in TESTS.items()} | {
        f"estimate: {name}": made for name, made in ESTIMATES.items()
    }


def test_answers_read_well() -> None:
    check_snapshot("answers/test", "\n\n".join(f"# {name}\n\n{made()}" for name, made in TESTS.items()) + "\n")


def test_estimates_read_well() -> None:
    check_snapshot("answers/effect", "\n\n".join(f"# {name}\n\n{made()}" for name, made in ESTIMATES.items()) + "\n")


@pytest.mark.parametrize("name", everything())
def test_answers_are_short_and_free_of_house_words(name: str) -> None:
    result = everything()[name]()
    lines = str(result).splitlines()
    assert len(lines) <= 15
    assert max(map(len, lines)) <= 80
    whole = " ".join([*lines, nf.report(result, "text")])
    assert not [word for word in NEVER if word in whole]
    # No p-value is torn apart by the end of a line.
    assert not any(line.endswith((" p", "p =", "p <=")) for line in lines)


@pytest.mark.parametrize("name", everything())
def test_words_are_made_from_facts_alone(name: str) -> None:
    result = everything()[name]()
    again = from_dict(json.loads(json.dumps(result.to_dict())))
    assert str(again) == str(result)
    assert report(again, "text") == report(result, "text")
    assert all(isinstance(note, Note) for note in again.notes)
    assert again.notes == result.notes


def test_narrow_windows_and_plain_characters() -> None:
    made = answer(TESTS["Wilcoxon"]())
    assert made is not None
    narrow = as_lines(made, 40)
    assert max(map(len, narrow)) <= 40
    assert "\n".join(as_lines(made, glyphs=False)).isascii()
    check_snapshot("answers/test_narrow", "\n".join(narrow) + "\n")


def test_names_are_never_changed() -> None:
    for result in (
        nf.test(pair(names=("bert", "{a} delta")), method) for method in ("permutation", "sign", "paired_t")
    ):
        text = f"{result} {nf.report(result, 'text')}"
        assert "Bert" not in text
        assert "{b}" not in text
        assert "{a} delta" in text


def test_the_command_prints_the_answer_the_verdict_or_everything(tmp_path: Path) -> None:
    rows = "".join(f"q{at},{a},{b}\n" for at, (a, b) in enumerate(zip(NEW, OLD, strict=True)))
    (tmp_path / "wide.csv").write_text(f"item,new,old\n{rows}")
    usual = nofluke("test", "wide.csv", "--method", "paired_t", cwd=tmp_path)
    assert usual.out == f"{nf.test(pair(), 'paired_t')}\n"
    assert "--details" in usual.err
    quiet = nofluke("test", "wide.csv", "--method", "paired_t", "-q", cwd=tmp_path)
    assert quiet.out == "new is better than old: mean difference +0.149 (95% CI 0.008 to 0.289),\np = 0.040.\n"
    details = nofluke("test", "wide.csv", "--method", "paired_t", "--details", cwd=tmp_path)
    assert "For a paper" in details.out
    plain = nofluke("test", "wide.csv", "--method", "paired_t", "--plain", cwd=tmp_path)
    assert plain.out == usual.out


@pytest.mark.parametrize("validity", VALIDITIES)
def test_every_promise_has_words(validity: str) -> None:
    assert promise(validity) != validity
    for units in (10, 1000):
        first, *rest = promise_in_short(validity, units).split()
        assert first.removesuffix(",") in ("exact", "approximate", "valid")
        # That an approximation is rough is said where items are few.
        assert units == 10 or "rough" not in rest


@pytest.mark.parametrize("name", TESTS)
def test_what_a_p_value_promises_is_one_of_the_list(name: str) -> None:
    assert TESTS[name]().validity in VALIDITIES


def stored(name: str) -> Value:
    """A result that an older nofluke wrote as JSON, with its sentences in it (schema 1)."""
    return from_dict(json.loads((Path(__file__).parent / "stored" / f"{name}.json").read_text()))


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("mcnemar", lambda: nf.test(pair(RIGHT, WRONG), "mcnemar")),
        ("permutation", lambda: nf.test(pair(), "permutation")),
        ("friedman", lambda: nf.omnibus(RANKED[:4])),
        ("kendall", lambda: nf.correlation(NEW, OLD, "kendall")),
        ("steiger", lambda: nf.correlation_test(0.5, 0.4, 0.7, 200)),
        # Whose effect it was, an older version did not store.
        ("cohens_d", lambda: nf.effect(NEW, OLD, "cohens_d", rules="cohen1988")),
    ],
)
def test_results_of_an_older_version_say_the_same(name: str, made: Callable[[], Value]) -> None:
    old, new = stored(name), made()
    assert headline_of(old) == headline_of(new)
    for field in ("interval", "validity", "kind", "unit", "alpha"):
        assert getattr(old, field, None) == getattr(new, field, None), field
    assert all(note.code == "stored.text" for note in old.notes)
    assert len(old.notes) == len(new.notes)
    assert nf.report(old, "text")


def headline_of(result: Value) -> str:
    made = answer(result)
    assert made is not None
    return made.verdict


@pytest.mark.parametrize("method", ["welch_t", "student_t"])
def test_equal_means_are_not_said_to_differ_by_zero(method: str) -> None:
    told = dict(answer(nf.test(pair(), method=method)).points)["Null"]
    assert told.startswith("The mean of new equals the mean of old")
    assert "plus" not in told
    told = dict(answer(nf.test(pair(), method=method, delta=0.1)).points)["Null"]
    assert told.startswith("The mean of new equals the mean of old plus 0.1")
