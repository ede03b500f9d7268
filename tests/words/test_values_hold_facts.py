"""No value holds a sentence: strings are codes, facts of a registry, names of the user or signatures."""

from __future__ import annotations

import dataclasses
import io
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from tests.reports.kinds import NAMES, RESULTS, comparison, sample, type_of

import nofluke as nf
from nofluke.inference.power.designs import DESIGNS
from nofluke.registry import REGISTRIES
from nofluke.types import Note, PValues, Scores, Value
from nofluke.types.load import from_dict
from nofluke.verbs.contents import contents
from nofluke.words import ANSWERS, LINES, short
from support.once import made_once

_CODE = re.compile(r"[A-Za-z0-9_.:+\-/, ]{1,40}")
# A name or a noun phrase of a few words is no sentence; a registry fact may be longer.
_MOST_WORDS = 4


def table(column: str) -> Scores:
    """Scores of both systems on 24 items with such a further column, which repeats."""
    rows = [
        f"i{at},{name},{(at * (3 + place) % 7) / 7:.3f},{column[0]}{at % 6}"
        for at in range(24)
        for place, name in enumerate(NAMES)
    ]
    return nf.read(io.StringIO("\n".join((f"item,system,score,{column}", *rows))))


def p_values() -> PValues:
    return nf.read_p_values(io.StringIO("dataset,p\nde,0.001\nfr,0.04\n"))


def runs() -> Scores:
    rows = [
        f"i{at},{name},r{run},{(at * (3 + place) + run) % 5}"
        for at in range(20)
        for place, name in enumerate(NAMES)
        for run in range(3)
    ]
    return nf.read(io.StringIO("\n".join(("item,system,run,score", *rows))))


# What a kind looks like in other situations: the name of the type and the situation.
MORE: dict[str, Callable[[tuple[str, str]], Value]] = {
    "Comparison of datasets": lambda names: nf.compare(table("dataset"), a=names[0], b=names[1]),
    "Comparison of clusters": lambda names: nf.compare(table("cluster").pair(*names)),
    "Comparison of crossed runs": lambda names: nf.compare(runs(), a=names[0], b=names[1], runs="crossed"),
    "Comparison with a posterior": lambda names: nf.compare(sample(names), bayes=True, rope=0.01),
    "Comparison of items without spread": lambda _: nf.compare([0.5, 0.6, 0.7], [0.4, 0.5, 0.6]),
    "Contents": lambda _: contents(table("dataset")),
    "Estimate:bayes_factor": lambda names: nf.bayes(sample(names), method="bayes_factor"),
    "PValues": lambda _: p_values(),
    "Ranking of datasets": lambda _: nf.rank(table("dataset"), over="datasets"),
    "Ranking beside a baseline": lambda names: nf.rank(table("dataset"), baseline=names[0]),
    "Ratings": lambda _: nf.read_ratings(io.StringIO("item,ann,bob\n1,yes,no\n2,no,no\n")),
    "Replication of p-values": lambda _: nf.replicate(p_values()),
    "Sample": sample,
    "Scores": lambda _: table("dataset"),
    "SystemScore without a number": lambda names: nf.estimate(table("cluster"), names[0]),
}
KINDS = {**RESULTS, **made_once(MORE)}


def registry_facts() -> set[str]:
    found: set[str] = set()
    for registry in REGISTRIES.values():
        for method in registry:
            found |= {method.label, method.summary, method.cite}
            found |= {value for value in method.facts.values() if isinstance(value, str)}
    # Tests as they are planned have a list of their own.
    return found | {fact for design in DESIGNS.values() for fact in (design.label, design.cite)}


def strings(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Note):
        yield from strings(dict(value.facts), f"{path}.{value.code}")
    elif dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):  # type: ignore[arg-type]
            if field.name not in ("signature", "citation"):
                yield from strings(getattr(value, field.name), f"{path}.{field.name}")
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from strings(part, f"{path}.{name}")
    elif isinstance(value, tuple | list):
        for part in value:
            yield from strings(part, path)


def sentences_in(value: Value) -> list[tuple[str, str]]:
    facts = registry_facts()
    found = []
    for path, text in strings(value):
        known = text in facts or text in NAMES or any(fact and fact in text for fact in facts if len(fact) > 20)
        short_enough = len(text.split()) <= _MOST_WORDS and _CODE.fullmatch(text) is not None
        if text and not known and not short_enough:
            found.append((path, text))
    return found


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_string_is_a_fact(kind: str) -> None:
    assert not sentences_in(KINDS[kind](NAMES))


def test_every_kind_of_value_is_walked() -> None:
    parts = {"Alignment", "Computed", "Distribution", "Interval", "Source"}  # held by others
    assert {*ANSWERS, *LINES} - parts <= set(map(type_of, KINDS))


def test_the_walk_finds_a_sentence_wherever_it_is_held() -> None:
    said = "This is what a rendered sentence looks like."
    result = comparison()
    planted = dataclasses.replace(result.effects["mean_difference"], rule=said)
    assert sentences_in(dataclasses.replace(result, metric=said)) == [(".metric", said)]
    assert sentences_in(dataclasses.replace(result, effects={"mean_difference": planted}))
    assert sentences_in(dataclasses.replace(result, notes=(Note("compare.left_out", (("n", said),)),)))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_words_are_a_function_of_the_value(kind: str) -> None:
    result = KINDS[kind](NAMES)
    if kind in LINES:
        pytest.skip("made again from files")
    again = from_dict(result.to_dict())
    assert short(again) == short(result)
    for form in ("text", "markdown", "latex", "csv") if kind not in ("Contents", "PValues", "Ratings") else ():
        assert nf.report(again, form) == nf.report(result, form)


def test_every_kind_has_an_answer() -> None:
    assert set(ANSWERS) >= set(map(type_of, RESULTS))


@pytest.mark.parametrize("kind", sorted(set(KINDS) - set(LINES) - {"PValues"}))
def test_an_answer_is_short_and_narrow(kind: str) -> None:
    lines = short(KINDS[kind](NAMES)).splitlines()
    assert len(lines) <= 15
    assert max(map(len, lines)) <= 80
