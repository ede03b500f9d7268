"""A fixture for pytest: claims about two systems that can be asserted, and say in words why they do not hold.

    def test_the_candidate_may_be_released(nofluke):
        assert nofluke.not_worse(candidate, baseline, margin=0.02)

pytest loads this file in every run, used or not: it loads nothing else of nofluke before a test asks.
"""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from nofluke.types import Comparison, Scores

# What the two are called in every answer: the words of the test, also where logs name the same model twice.
NAMES = ("candidate", "baseline")


class Answer:
    """Whether a claim is shown: true or false in an assert, one sentence where pytest prints it."""

    def __init__(self, sentence: str, result: Any, *, shown: bool) -> None:
        """Keep the verdict, its sentence, and the result behind both."""
        self.shown, self.sentence, self.result = shown, sentence, result

    def __bool__(self) -> bool:
        return self.shown

    def __repr__(self) -> str:
        return self.sentence


class Claims:
    """The claims that a test can assert; each is about `candidate` and `baseline`.

    Both may be sequences of scores (item i against item i), {id: score}, Scores, or paths of tables and logs; a Sample
    holds both. Options are those of `nf.read`, of `scores.pair` and of the verb, by name. Input that cannot be compared
    raises nofluke's errors: the test then fails with what is wrong, where, and how to fix it.
    """

    def __init__(self, item: pytest.Item) -> None:
        """Answers that are not what was hoped for are shown with the report of this test."""
        self._item = item

    def __repr__(self) -> str:
        return "nofluke"

    def better(self, candidate: Any, baseline: Any = None, **options: Any) -> Answer:
        """Is the candidate shown to be better? Two-sided p at most alpha, and its mean above the baseline's."""
        return self._claim("better", candidate, baseline, options)

    def not_worse(self, candidate: Any, baseline: Any = None, *, margin: float | None = None, **options: Any) -> Answer:
        """Is a loss of `margin` or more excluded? One-sided at alpha; the margin is in score units, chosen before."""
        return self._claim("not-worse", candidate, baseline, {"margin": margin, **options})

    def gate(self, candidate: Any, baseline: Any, **options: Any) -> Answer:
        """May the candidate take the baseline's place, on every task? Options are those of `nf.gate`."""
        import nofluke as nf
        from nofluke.words.gate import headline

        sides, how = _sides(candidate, baseline, options)
        result = nf.gate(sides["baseline"], sides["candidate"], **how, **options)
        return self._told(headline(result), result, shown=result.passed)

    def _claim(self, claim: str, candidate: Any, baseline: Any, options: dict[str, Any]) -> Answer:
        from nofluke.inference.tests.claims import check_request, judge_claim
        from nofluke.words.margin import claim_sentence

        alternative, delta = options.get("alternative", "two-sided"), options.get("delta", 0.0)
        check_request(claim, options.get("margin"), alternative, delta, options.get("method", "auto"))
        result = _compared(candidate, baseline, options)
        judged = judge_claim(result, claim)
        # pytest cuts what an assert prints after 240 characters; the notes are in the answer below it.
        return self._told(claim_sentence(replace(judged, notes=())), result, shown=judged.supported)

    def _told(self, sentence: str, result: Any, *, shown: bool) -> Answer:
        """Put the whole answer into the report of the test as well, which pytest prints where the test fails."""
        if not shown:
            self._item.add_report_section("call", "nofluke", f"{sentence}\n\n{result}\n")
        return Answer(sentence, result, shown=shown)


@pytest.fixture
def nofluke(request: pytest.FixtureRequest) -> Claims:
    """Claims about a candidate and its baseline, to be asserted: nofluke.not_worse(..., margin=...), nofluke.better."""
    return Claims(request.node)


def _compared(candidate: Any, baseline: Any, options: dict[str, Any]) -> Comparison:
    """Compare what was given, whatever it is."""
    import nofluke as nf
    from nofluke.align import as_sample
    from nofluke.option_groups import SELECTING, Reading
    from nofluke.verbs.gate import read_for_gate

    if isinstance(candidate, nf.Sample):
        return nf.compare(candidate, baseline, **options)
    if any(_has_ids(one) for one in (candidate, baseline)):
        sides, how = _sides(candidate, baseline, options)
        scores = read_for_gate(sides, Reading(**how), None, 1)
        return nf.compare(scores.pair(*NAMES, **_taken(options, SELECTING)), **options)
    _refuse_nothing(baseline)
    how = _taken(options, ("higher_is_better", "missing", "clusters"))
    return nf.compare(as_sample(candidate, baseline, names=NAMES, **how), **options)


def _refuse_nothing(baseline: Any) -> None:
    if baseline is None:
        from nofluke.errors import InputError

        raise InputError("only the candidate was given.", fix="give the baseline as well, or a Sample of both.")


def _has_ids(given: Any) -> bool:
    """Whether what was given names its items, or is read from files, which may."""
    from nofluke.types import Scores

    several = given if isinstance(given, list | tuple) and given else [given]
    return isinstance(given, Mapping) or all(isinstance(one, str | os.PathLike | Scores) for one in several)


def _taken(options: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Take some options out of all."""
    return {name: options.pop(name) for name in names if name in options}


def _sides(candidate: Any, baseline: Any, options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give both as files or Scores, with the options of reading that are left to be heeded.

    {id: score} becomes a table of the dataset and the metric that the other side has, if it has one of each.
    """
    from nofluke.errors import InputError
    from nofluke.option_groups import Reading
    from nofluke.options import options_of
    from nofluke.verbs.gate import read_for_gate

    _refuse_nothing(baseline)
    how = _taken(options, [one.name for one in options_of(Reading)])
    given = dict(zip(NAMES, (candidate, baseline), strict=True))
    for name, one in given.items():
        if not _has_ids(one):
            raise InputError(
                f"the {name} is a list of scores without ids, so its items cannot be matched with the others.",
                fix="give both as {id: score}; nofluke.better and not_worse also take two lists in the same order.",
            )
    bare = [name for name, one in given.items() if isinstance(one, Mapping)]
    if not bare:
        return given, how
    read = {
        name: read_for_gate({name: one}, Reading(**how), None, 1) for name, one in given.items() if name not in bare
    }
    datasets = {dataset for one in read.values() for dataset in one.datasets}
    metrics = {metric for one in read.values() for metric in one.metrics}
    about = (datasets.pop() if len(datasets) == 1 else "", metrics.pop() if len(metrics) == 1 else "score")
    tables = {name: _of_mapping(name, given[name], about, how.get("higher_is_better")) for name in bare}
    return {name: (read | tables)[name] for name in NAMES}, {}


def _of_mapping(name: str, given: Mapping[Any, Any], about: tuple[str, str], higher_is_better: bool | None) -> Scores:
    """Give {id: score} as a table."""
    import nofluke as nf

    dataset, metric = about
    rows = [(str(item), _cell(name, item, score), dataset) for item, score in given.items()]
    if len({item for item, _, _ in rows}) < len(rows):
        raise nf.InputError("two ids are the same when written as text.", where=name, fix="give each item its own id.")
    file = io.StringIO()
    file.name = name  # errors name what was given
    width = 3 if dataset else 2
    csv.writer(file).writerows(row[:width] for row in [("item", metric, "dataset"), *rows])
    file.seek(0)
    columns = {"item": "item", "score": metric} | ({"dataset": "dataset"} if dataset else {})
    return nf.read({name: file}, columns=columns, higher_is_better=higher_is_better)


def _cell(name: str, item: Any, score: Any) -> str:
    """Write a score; None and nan are missing."""
    from nofluke.errors import InputError

    try:
        number = math.nan if score is None else float(score)
    except (TypeError, ValueError):
        number = math.inf
    if isinstance(score, str) or math.isinf(number):
        raise InputError(
            f"the score of item {item!r} is {score!r}, not a number.", where=name, fix="give {id: score} with numbers."
        )
    return "" if math.isnan(number) else repr(number)
