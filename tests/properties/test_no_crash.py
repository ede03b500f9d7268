"""Whatever scores are given, a verb answers or refuses in words: no bare exception, no warning, no empty sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import nofluke as nf
from nofluke.errors import NoflukeError
from nofluke.registry import EFFECTS, TESTS
from nofluke.types import Sample
from support.extremes import FAMILIES, Case, each_family, effort, for_all, unequal_clusters

VERBS: dict[str, Callable[[Sample], Any]] = {
    "describe": lambda sample: str(nf.describe(sample)),
    "recommend": lambda sample: str(nf.recommend(sample)),
    "compare": lambda sample: nf.report(nf.compare(sample), "text"),
    "compare with a margin": lambda sample: nf.report(nf.compare(sample, margin=0.1), "text"),
    "compare one-sided": lambda sample: nf.report(nf.compare(sample, alternative="greater"), "text"),
    "bayes": lambda sample: str(nf.bayes(sample)),
    **{f"test {name}": lambda sample, name=name: str(nf.test(sample, method=name)) for name in TESTS.names()},
    **{f"effect {name}": lambda sample, name=name: str(nf.effect(sample, name)) for name in EFFECTS.names()},
}


def answers(verb: str, case: Case) -> None:
    try:
        assert VERBS[verb](case.sample())
    except NoflukeError as refused:
        assert refused.fix, f"no way out is named: {refused}"  # noqa: PT017 (a refusal is an answer too)


@effort
@each_family
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_answers_or_refuses_in_words(verb: str, family: str, examples: int) -> None:
    for_all(FAMILIES[family](), lambda case: answers(verb, case), examples // 2)


@effort
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_answers_or_refuses_clusters_in_words(verb: str, examples: int) -> None:
    for_all(unequal_clusters(), lambda case: answers(verb, case), examples // 2)


@effort
@each_family
def test_a_ranking_answers_or_refuses_in_words(family: str, examples: int) -> None:
    def holds(case: Case) -> None:
        a, b = (list(map(float, column)) for column in (case.a, case.b))
        try:
            assert nf.report(nf.rank({"A": a, "B": b, "C": a[1:] + a[:1]}), "text")
        except NoflukeError as refused:
            assert refused.fix  # noqa: PT017 (a refusal is an answer too)

    for_all(FAMILIES[family](), holds, examples // 2)
