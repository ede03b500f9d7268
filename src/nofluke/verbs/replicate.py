"""replicate: on how many datasets is A better, and on which?"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import fields
from typing import Annotated, Any, Literal

from nofluke.align import select
from nofluke.check import check_level
from nofluke.errors import Fix, InputError, Option, unknown
from nofluke.inference.replication.analysis import check_dependence
from nofluke.inference.replication.conclude import Evidence, Request, conclude, conclude_metrics
from nofluke.inference.replication.evidence import (
    Manner,
    evidence_from_p_values,
    evidence_from_samples,
    evidence_from_scores,
    refuse_direction,
)
from nofluke.noting import called
from nofluke.option_groups import Aligning
from nofluke.options import LEVEL, Metric, Opt, Printed, Seed, Sides, SystemA, SystemB, listed
from nofluke.readers.p_values import to_p_values
from nofluke.registry import TESTS
from nofluke.types import MetricsReplication, PValues, Replication, Sample, Scores

ALTERNATIVES = ("two-sided", "greater", "less")
SIDED = ("one", "two")
_SAME_SIDED = {"1": "one", "2": "two", "one-sided": "one", "two-sided": "two"}
_ALIGNING = tuple(field.name for field in fields(Aligning) if field.name != "metric")


@called("replicate", lambda data: _kind_of(data), "data", further=select, methods=TESTS)
def replicate(
    data: Any,
    *,
    dependence: Annotated[
        Literal["unknown", "positive", "independent"] | None,
        Opt("How the datasets depend on each other: unknown (default), positive or independent."),
    ] = None,
    alternative: Annotated[
        Sides | None,
        Opt(
            "greater (A is better) or less, or two-sided: both at alpha/2. Default: two-sided from scores, greater "
            "from p-values, which speak for 'A is better' unless they are two-sided."
        ),
    ] = None,
    alpha: Annotated[float, Opt("Significance level: how often the number may be too high.", bounds=LEVEL)] = 0.05,
    sided: Annotated[
        Literal["one", "two"],
        Opt(
            "P-values given are one-sided for 'A is better' (one) or two-sided (two), with scores or signs.",
            label="the p-values are",
        ),
    ] = "one",
    signs: Sequence[Any] | None = None,
    scores_a: Sequence[float] | None = None,
    scores_b: Sequence[float] | None = None,
    names: Sequence[str] | None = None,
    a: SystemA = None,
    b: SystemB = None,
    metric: Metric = None,
    higher_is_better: bool | None = None,
    printed: Printed = None,
    logs: bool = False,
    method: Annotated[str, Opt("The test of each dataset; auto takes the recommended one.", label="test")] = "auto",
    seed: Seed = 0,
    subset: Annotated[
        Sequence[str],
        Opt("How many of these datasets are certain? Names with commas between them.", label="some of the datasets"),
    ] = (),
    fdr: Annotated[
        bool, Opt("Also the lists that control the false discovery rate.", label="false discovery rate")
    ] = False,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Replication | MetricsReplication:
    """On how many datasets is A better than B, and on which?

    `data` is one p-value per dataset (a list, {dataset: p}, or PValues), Scores with several datasets, or {dataset:
    Scores or Sample}; {metric: {dataset: p}} and Scores with several metrics give a MetricsReplication. P-values are
    one-sided for "A is better" unless sided="two", which needs `signs` or `scores_a` and `scores_b`. Scores are tested
    on each dataset's items by `method`, by default both claims at alpha / 2. `dependence` is unknown (default),
    positive or independent, and decides which count is the answer. `subset` asks how many of these datasets are
    certain. `printed` is the number of decimals of p-values printed as 0. Further options go to the alignment
    and the test.

    Null of each dataset: A is not better there. The count exceeds the truth with probability at most alpha.

    >>> import nofluke as nf
    >>> result = nf.replicate({"de": 0.0004, "fr": 0.013, "it": 0.02, "pl": 0.6})
    >>> result.count, result.identified, result.counts["count"]
    (3, ('de', 'fr', 'it'), 3)
    """
    sided = _SAME_SIDED.get(str(sided), sided)  # type: ignore[assignment]
    _check(alternative, alpha, sided)
    request = Request(
        alternative or ("two-sided" if _holds_scores(data) else "greater"),
        float(alpha),
        dependence or (data.dependence if isinstance(data, PValues) else "unknown"),
        fdr=bool(fdr),
        subset=tuple(str(name) for name in listed(subset, _names_of(data))),
    )
    check_dependence(request.dependence)
    if _holds_scores(data):
        of_p_values = {"signs": signs, "scores_a": scores_a, "scores_b": scores_b, "names": names, "printed": printed}
        _refuse_options_of_p_values(sided, logs, of_p_values)
        how = Manner(method, seed, *_split(options), progress, higher_is_better=higher_is_better)
        return _from_scores(data, request, a, b, metric, how)
    if options or method != "auto":
        given = ", ".join(sorted(options)) or "method"
        raise InputError(
            f"{given} cannot be used with p-values.", fix="these are options of tests; give scores instead."
        )
    reading = {"sided": sided, "higher_is_better": higher_is_better, "printed": printed, "logs": logs}
    if isinstance(data, Mapping) and data and all(isinstance(value, Mapping) for value in data.values()):
        evidence = {
            str(name): _from_p_values(given, request, None, None, signs, (a, b), str(name), reading)
            for name, given in data.items()
        }
        return conclude_metrics(evidence, request)
    scores = _side_by_side(scores_a, scores_b)
    return conclude(_from_p_values(data, request, names, scores, signs, (a, b), metric or "", reading), request)


def _check(alternative: str | None, alpha: float, sided: str) -> None:
    check_level(alpha, "alpha")
    if alternative is not None and alternative not in ALTERNATIVES:
        raise unknown("alternative", str(alternative), ALTERNATIVES)
    if sided not in SIDED:
        raise unknown("number of sides", str(sided), SIDED)


def _refuse_options_of_p_values(sided: str, logs: bool, others: Mapping[str, Any]) -> None:
    """Scores are tested here, so what describes given p-values would be passed over without a word."""
    given = [name for name, value in others.items() if value is not None]
    given += (["sided"] if sided != "one" else []) + (["logs"] if logs else [])
    if given:
        raise InputError(
            f"{given[0]} describes p-values, and scores were given.",
            fix=Fix(
                f"leave {given[0]} out: scores are tested in both directions, or in one by ",
                Option("alternative", "greater"),
                ".",
            ),
        )


def _holds_scores(data: Any) -> bool:
    if isinstance(data, Scores):
        return True
    return isinstance(data, Mapping) and bool(data) and all(_is_sample(value) for value in data.values())


def _kind_of(data: Any) -> str:
    return "scores" if _holds_scores(data) else "p_values"


def _names_of(data: Any) -> Collection[str]:
    return data.datasets if isinstance(data, Scores | PValues) else tuple(data) if isinstance(data, Mapping) else ()


def _is_sample(value: Any) -> bool:
    if isinstance(value, Sample | Scores):
        return True
    return isinstance(value, Sequence) and not isinstance(value, str) and len(value) == 2


def _split(options: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    aligning = {name: value for name, value in options.items() if name in _ALIGNING}
    return aligning, {name: value for name, value in options.items() if name not in _ALIGNING}


def _from_scores(
    data: Any, request: Request, a: str | None, b: str | None, metric: str | None, how: Manner
) -> Replication | MetricsReplication:
    if not isinstance(data, Scores):
        return conclude(evidence_from_samples(data, a, b, metric, request, how), request)
    refuse_direction(how)
    # Logs say which metric each task is judged by.
    judged = data.primary and all(name in data.primary for name in data.datasets)
    if metric is not None or len(data.metrics) == 1 or judged:
        return conclude(evidence_from_scores(data, a, b, metric, request, how), request)
    return conclude_metrics(
        {name: evidence_from_scores(data, a, b, name, request, how) for name in data.metrics}, request
    )


def _side_by_side(
    scores_a: Sequence[float] | None, scores_b: Sequence[float] | None
) -> list[tuple[float, float]] | None:
    if scores_a is None and scores_b is None:
        return None
    if scores_a is None or scores_b is None or len(scores_a) != len(scores_b):
        raise InputError("scores_a and scores_b do not belong together.", fix="give one score of A and of B a dataset.")
    return [(float(x), float(y)) for x, y in zip(scores_a, scores_b, strict=True)]


def _from_p_values(
    data: Any,
    request: Request,
    names: Sequence[str] | None,
    scores: list[tuple[float, float]] | None,
    signs: Sequence[Any] | None,
    systems: tuple[str | None, str | None],
    metric: str,
    reading: Mapping[str, Any],
) -> Evidence:
    """Read p-values as given, as evidence for the claims that are asked about."""
    given = data
    if not isinstance(given, PValues):
        pair = (systems[0] or "A", systems[1] or "B")
        rest = {name: value for name, value in reading.items() if name != "sided"}
        given = to_p_values(data, names=names, scores=scores, signs=signs, systems=pair, metric=metric, **rest)
    return evidence_from_p_values(given, request, reading["sided"])
