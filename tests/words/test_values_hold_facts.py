"""No value holds a sentence: strings are codes, facts of a registry, names of the user or signatures."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
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

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
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


def logs() -> Scores:
    with contextlib.chdir(EXAMPLES):  # the paths are the user's own words
        return nf.read(["lm-eval/tuned", "lm-eval/base"])


# What a kind looks like in other situations: the name of the type and the situation.
MORE: dict[str, Callable[[tuple[str, str]], Value]] = {
    "Comparison of datasets": lambda names: nf.compare(table("dataset"), a=names[0], b=names[1]),
    "Comparison of clusters": lambda names: nf.compare(table("cluster").pair(*names)),
    "Comparison of crossed runs": lambda names: nf.compare(runs(), a=names[0], b=names[1], runs="crossed"),
    "Comparison with a posterior": lambda names: nf.compare(sample(names), bayes=True, rope=0.01),
    "Comparison of items without spread": lambda _: nf.compare([0.5, 0.6, 0.7], [0.4, 0.5, 0.6]),
    "Comparison of logs": lambda _: nf.compare(logs(), a="acme/tuned", b="acme/base"),
    "Contents": lambda _: contents(table("dataset")),
    "Contents of logs": lambda _: contents(logs()),
    "Estimate:bayes_factor": lambda names: nf.bayes(sample(names), method="bayes_factor"),
    "PValues": lambda _: p_values(),
    "Ranking of datasets": lambda _: nf.rank(table("dataset"), over="datasets"),
    "Ranking beside a baseline": lambda names: nf.rank(table("dataset"), baseline=names[0]),
    "Ratings": lambda _: nf.read_ratings(io.StringIO("item,ann,bob\n1,yes,no\n2,no,no\n")),
    "Replication of p-values": lambda _: nf.replicate(p_values()),
    "Sample": sample,
    "Scores": lambda _: table("dataset"),
    "Scores of logs": lambda _: logs(),
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
        known = text in facts or text in NAMES
        # A fact may stand behind or before a name or a code: "f1 of the positive label".
        rests = [text, *(text.replace(fact, "") for fact in facts if len(fact) > 20 and fact in text)]
        if text and not known and not any(map(_is_short, rests)):
            found.append((path, text))
    return found


def _is_short(text: str) -> bool:
    return len(text.split()) <= _MOST_WORDS and (not text or _CODE.fullmatch(text) is not None)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_string_is_a_fact(kind: str) -> None:
    assert not sentences_in(KINDS[kind](NAMES))


def test_every_kind_of_value_is_walked() -> None:
    parts = {"Alignment", "Computed", "Distribution", "Interval", "Source"}  # held by others
    parts.add("Stored")  # scores on disk hold what Scores do, but for the rows
    assert {*ANSWERS, *LINES} - parts <= set(map(type_of, KINDS))


def test_the_walk_finds_a_sentence_wherever_it_is_held() -> None:
    said = "This is what a rendered sentence looks like."
    result = comparison()
    planted = dataclasses.replace(result.effects["mean_difference"], rule=said)
    assert sentences_in(dataclasses.replace(result, metric=said)) == [(".metric", said)]
    assert sentences_in(dataclasses.replace(result, effects={"mean_difference": planted}))
    assert sentences_in(dataclasses.replace(result, notes=(Note("compare.left_out", (("n", said),)),)))


@pytest.mark.parametrize("kind", [one for one in sorted(KINDS) if type_of(one) not in LINES])  # made again from files
def test_words_are_a_function_of_the_value(kind: str) -> None:
    result = KINDS[kind](NAMES)
    again = from_dict(result.to_dict())
    assert short(again) == short(result)
    for form in ("text", "markdown", "latex", "csv") if type_of(kind) not in ("Contents", "PValues", "Ratings") else ():
        assert nf.report(again, form) == nf.report(result, form)


def test_every_kind_has_an_answer() -> None:
    assert set(ANSWERS) >= set(map(type_of, RESULTS))


@pytest.mark.parametrize("kind", sorted(kind for kind in KINDS if type_of(kind) not in {*LINES, "PValues"}))
def test_an_answer_is_short_and_narrow(kind: str) -> None:
    lines = short(KINDS[kind](NAMES)).splitlines()
    assert len(lines) <= 15
    assert max(map(len, lines)) <= 80
