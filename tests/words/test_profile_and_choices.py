"""The short answers of a look at the data and of the recommendation."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest

import nofluke as nf
from nofluke.align import as_sample
from nofluke.inference.recommend import zhu2020
from nofluke.inference.recommend.default import RULES
from nofluke.reports.build import build
from nofluke.types import Choices, Normality, Profile, Value, note
from nofluke.types.load import from_dict
from nofluke.words.notes.methods import CHOICE
from nofluke.words.profile import shape
from support.corpora import F1, corpus_sample, tagging
from support.snapshots import check_snapshot

_LONGEST, _WIDTH = 15, 80
A, B = [0.31, 0.5, 0.75, 0.2, 0.9, 0.6, 0.44, 0.8, 0.3], [0.25, 0.5, 0.5, 0.3, 0.4, 0.3, 0.41, 0.7, 0.1]
SAMPLE = as_sample(A, B, names=("new", "old"))
SKEWED = as_sample(np.random.default_rng(2).exponential(1, 60).round(3).tolist(), [0.0] * 60, names=("new", "old"))

SITUATIONS: dict[str, Callable[[], Value]] = {
    "profile": lambda: nf.describe(SAMPLE),
    "profile_identical": lambda: nf.describe(as_sample(A, A, names=("new", "old"))),
    "profile_lower": lambda: nf.describe(as_sample(A, B, names=("new", "old"), higher_is_better=False)),
    "profile_corpus": lambda: nf.describe(corpus_sample(tagging(30, 1), F1)),
    "choices": lambda: nf.recommend(SAMPLE),
    "choices_binary": lambda: nf.recommend([1, 0, 1, 1], [0, 0, 1, 0]),
    "choices_clusters": lambda: nf.recommend(as_sample(A, B, clusters=[i // 2 for i in range(9)])),
    "choices_zhu2020": lambda: nf.recommend(SKEWED, rules="zhu2020"),
}


@pytest.mark.parametrize("name", SITUATIONS)
def test_the_answer(name: str) -> None:
    result = SITUATIONS[name]()
    lines = str(result).splitlines()
    assert len(lines) <= _LONGEST
    assert max(map(len, lines)) <= _WIDTH
    check_snapshot(f"answers/{name}", "\n".join(lines) + "\n")
    back = from_dict(json.loads(json.dumps(result.to_dict())))
    assert str(back) == str(result)
    assert build(back) == build(result)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.method}-{rule.reason}")
def test_every_rule_has_words_for_its_reason(rule: object) -> None:
    assert str(note(rule.reason))  # type: ignore[attr-defined]


def test_every_reason_of_the_papers_procedure_has_words() -> None:
    tables = (zhu2020._NORMAL, zhu2020._SYMMETRIC, zhu2020._SKEWED)
    used = {why for table in tables for _, _, why in table} | {rule.reason for rule in RULES} | {"choice.looked_first"}
    assert used == {f"choice.{what}" for what in CHOICE}


def test_reasons_complete_a_sentence_about_the_test() -> None:
    """Each is said after "it": it begins with a verb and names neither A nor B."""
    for name in ("choices", "choices_binary", "choices_clusters", "choices_zhu2020"):
        result = SITUATIONS[name]()
        assert isinstance(result, Choices)
        for row in result:
            said = str(row.reason)
            assert said[0].islower()
            assert said.split()[0].endswith("s")
            assert not {"A", "B"} & set(said.replace(",", " ").replace("?", " ").split())


@pytest.mark.parametrize(
    ("conclusion", "said"),
    [
        ("normal", "the differences may be normal (Shapiro-Wilk, level 0.05)"),
        ("not normal", "the differences do not look normal (Shapiro-Wilk, level 0.05)"),
        ("constant", "Normality was not tested: all differences are equal"),
        ("few", "Normality was not tested: the Shapiro-Wilk test needs 3 values"),
        ("many", "Normality was not tested: the Shapiro-Wilk test is made for 5,000 values at most"),
    ],
)
def test_what_is_known_of_normality(conclusion: str, said: str) -> None:
    from dataclasses import replace

    profile = nf.describe(SAMPLE)
    assert isinstance(profile, Profile)
    nan = float("nan")
    of_this = replace(profile, normality=Normality(nan, nan, 0.05, conclusion))
    assert said.casefold() in shape(of_this).casefold()
