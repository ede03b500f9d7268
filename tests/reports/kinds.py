"""One small real result of every kind that has a report; `names` are the systems, so that nasty ones can be tried."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import nofluke as nf
from nofluke.align import as_sample
from nofluke.align.datasets import part_of_rows
from nofluke.types import Comparison, Gate, Sample, Scores, Value
from nofluke.verbs.contents import contents
from nofluke.verbs.correct import correct_named
from nofluke.verbs.detectable_effect import detected
from nofluke.verbs.power import planned
from nofluke.verbs.score import scored
from support.once import made_once

A, B = [0.31, 0.5, 0.75, 0.2, 0.9, 0.6, 0.44, 0.8, 0.3], [0.25, 0.5, 0.5, 0.3, 0.4, 0.3, 0.41, 0.7, 0.1]
NAMES = ("new", "old")
RATINGS = ["yes", "no", "yes", "yes", "no", "maybe", "no", "no", "yes"]


def sample(names: tuple[str, str] = NAMES) -> Sample:
    return as_sample(A, B, names=names)


def comparison(names: tuple[str, str] = NAMES) -> Comparison:
    return nf.compare(sample(names), margin=0.05, low=0, high=1)


def runs_of(names: tuple[str, str], task: str = "task", metric: str = "accuracy") -> Scores:
    """Two tasks by one metric in two runs of one system, in which task and item have these names."""
    rows = [
        (f"{names[0]} {at % 2 + 1}", f"{names[1]} {at // 2}", run, (at * 7 + at * run) % 10 > 3)
        for at in range(40)
        for run in (1, 2)
    ]
    file = io.StringIO()
    written = csv.writer(file)
    written.writerow((task, "item", "run", metric))
    written.writerows((*row[:3], int(row[3])) for row in rows)
    return nf.read(io.StringIO(file.getvalue()))


def gate_of(names: tuple[str, str], **options: Any) -> Gate:
    """The first run of these names as baseline, the second as candidate."""
    scores = runs_of(names)
    sides = [_run(scores, run) for run in ("1", "2")]
    return nf.gate(*sides, **options)


def _run(scores: Scores, run: str) -> Scores:
    if scores.run is None:
        raise TypeError("scores without runs have no part of one")
    return replace(part_of_rows(scores, scores.run.codes == scores.run.code_of(run)), run=None)


# Name of the type (with what was asked, where it answers several questions) -> a function of the two names. Every key
# of reports.build.BUILDERS stands here (a test demands it).
RESULTS: dict[str, Callable[[tuple[str, str]], Value]] = {
    "Agreement": lambda names: nf.agree({names[0]: RATINGS, names[1]: RATINGS[::-1]}, "cohen_kappa"),
    "Choices": lambda names: nf.recommend(sample(names)),
    "Comparison": comparison,
    "Contents": lambda names: contents(nf.read(io.StringIO(json.dumps({names[0]: A, names[1]: B})))),
    "Corrected": lambda _: correct_named({"de": 0.001, "fr": 0.04, "it": 0.3}, "holm"),
    "PowerPlan difference": lambda _: detected("paired_t", n=50, sd=0.2),
    "Gate": lambda names: gate_of(names, require="not-worse", margin={f"{names[0]} 1": 0.5}, must_catch=0.5),
    "Estimate": lambda names: nf.effect(sample(names), "cohens_d"),
    "MetricsComparison": lambda names: nf.compare({"bleu": sample(names), "chrf": as_sample(B, A, names=names)}),
    "MetricsReplication": lambda names: nf.replicate(
        {"bleu": {"de": 0.001, "fr": 0.03}, "chrf": {"de": 0.002, "fr": 0.2}}, a=names[0], b=names[1]
    ),
    "PowerPlan power": lambda _: planned("mcnemar", n=500, accuracy_a=0.9, accuracy_b=0.88, disagreement=0.1),
    "Posterior": lambda names: nf.bayes(sample(names), rope=0.05),
    "PowerCurve": lambda names: nf.power_curve(sample(names), sizes=4, iterations=20),
    "Profile": lambda names: nf.describe(sample(names)),
    "Ranking": lambda names: nf.rank({names[0]: A, names[1]: B, "third": B[::-1]}),
    "Replication": lambda names: nf.replicate({"de": sample(names), "fr": sample(names)}),
    "PowerPlan": lambda _: nf.sample_size(difference=0.05, sd=0.2),
    "Scored": lambda names: scored(nf.score("accuracy", {names[0]: RATINGS, names[1]: RATINGS[::-1]}, RATINGS)),
    "SelfCheck": lambda names: nf.self_check(runs_of(names)),
    "Study": lambda names: nf.studies.gains({names[0]: A, names[1]: B, "third": B[::-1]}),
    "SystemScore": lambda names: nf.estimate(sample(names), names[0], against=0.5),
    "TestResult": lambda names: nf.test(sample(names), "sign"),
}
RESULTS = made_once(RESULTS)


def type_of(kind: str) -> str:
    """The name of the type in a key of RESULTS."""
    return kind.partition(" ")[0]
