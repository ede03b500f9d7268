"""Whatever scores are given, a verb answers or refuses in words: no bare exception, no warning, no empty sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import nofluke as nf
from nofluke.errors import NoflukeError
from nofluke.registry import EFFECTS, TESTS
from nofluke.types import Sample
from support.extremes import FAMILIES, Case, each_family, effort, for_all, unequal_clusters

VERBS: dict[str, Callable[[Sample], str]] = {
    "describe": lambda sample: str(nf.describe(sample)),
    "recommend": lambda sample: str(nf.recommend(sample)),
    "compare": lambda sample: nf.report(nf.compare(sample), "text"),
    "compare with a margin": lambda sample: nf.report(nf.compare(sample, margin=0.1), "text"),
    "compare one-sided": lambda sample: nf.report(nf.compare(sample, alternative="greater"), "text"),
    "bayes": lambda sample: str(nf.bayes(sample)),
    **{f"test {name}": lambda sample, name=name: str(nf.test(sample, method=name)) for name in TESTS.names()},
    **{f"effect {name}": lambda sample, name=name: str(nf.effect(sample, name)) for name in EFFECTS.names()},
}


def words(verb: Callable[[Sample], str], case: Case) -> str | None:
    """What is said: the answer, or a refusal that names a way out."""
    try:
        return verb(case.sample())
    except NoflukeError as refused:
        return str(refused) if refused.fix else None


@effort
@each_family
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_answers_or_refuses_in_words(verb: str, family: str, examples: int) -> None:
    def holds(case: Case) -> None:
        said = words(VERBS[verb], case)
        assert said
        assert "np." not in said, "numbers are shown as numbers"

    for_all(FAMILIES[family](), holds, examples // 2)


@effort
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_answers_or_refuses_clusters_in_words(verb: str, examples: int) -> None:
    def holds(case: Case) -> None:
        said = words(VERBS[verb], case)
        assert said
        assert "np." not in said, "numbers are shown as numbers"

    for_all(unequal_clusters(), holds, examples // 2)


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
