"""Plans as reports: how many items, how much power, what could be found."""

from __future__ import annotations

import math
from typing import Any

from nofluke.call import calls
from nofluke.types import DetectableEffect, PlannedPower, Report, SampleSize, Section, Table
from nofluke.words import detectable_effect as words_of_effect
from nofluke.words import planned_power as words_of_power
from nofluke.words import sample_size as words_of_size
from nofluke.words.planning import ASSUMPTIONS, Plan, terms_of


def build_sample_size(result: SampleSize) -> Report:
    """Say how many items are needed."""
    terms = terms_of(result)
    assumed = ("true difference", *(term.heading for term in terms))
    columns = ("test", *assumed, "alpha", "target power", "n", "power with n")
    cells = (result.label, _difference(result.difference), *(term.value for term in terms))
    found = (f"{result.level:.4g}", f"{result.target:g}", f"{result.n:,}", f"{result.power:.4f}")
    return Report(
        main=Table(
            columns,
            ((*cells, *found),),
            words_of_size.caption(result),
            figures=columns[1:],
            explain=words_of_size.explain(result),
        ),
        records=({**_record(result), "target": result.target, "n_exact": result.n_exact},),
        **_shared(result, words_of_size) | {"sections": (*_other_runs(result), _assumptions(result))},
    )


def build_planned_power(result: PlannedPower) -> Report:
    """Say how often a difference would be found."""
    terms = terms_of(result)
    columns = ("test", "true difference", *(term.heading for term in terms), "alpha", "n", "power")
    assumed = (_difference(result.difference), *(term.value for term in terms))
    size = words_of_power.size_text(result)
    row = (result.label, *assumed, f"{result.level:.4g}", size, f"{result.power:.4f}")
    return Report(
        main=Table(
            columns,
            (row,),
            words_of_power.caption(result),
            figures=columns[1:],
            explain=words_of_power.explain(result),
        ),
        records=(_record(result),),
        **_shared(result, words_of_power),
    )


def build_detectable_effect(result: DetectableEffect) -> Report:
    """Say what a test set of this size could find."""
    what = words_of_effect.column(result)
    rows = tuple((f"{power:g}", words_of_effect.shown(result, value)) for power, value in result.by_power)
    strong = tuple(place for place, (power, _) in enumerate(result.by_power) if power == result.target)
    return Report(
        main=Table(
            ("power", what),
            rows,
            words_of_effect.caption(result),
            figures=("power", what),
            strong=strong,
            explain=words_of_effect.explain(result),
        ),
        records=tuple(
            {
                **{name: value for name, value in _record(result).items() if name != "signature"},
                "power": power,
                "difference": value,
                "signature": result.signature,
            }
            for power, value in result.by_power
        ),
        **_shared(result, words_of_effect),
    )


def _shared(result: Plan, words: Any) -> dict[str, Any]:
    short, long = words.for_paper(result)
    return {
        "kind": type(result).__name__,
        "title": words.TITLE,
        "headline": words.verdict(result),
        # What the numbers rest on stands in a section of its own.
        "sentences": tuple(text for label, text in words.points(result) if label != "Assumed"),
        "short": short,
        "long": long,
        "sections": (_assumptions(result),),
        "notes": tuple(map(str, result.notes)),
        "citations": (result.citation,) if result.citation else (),
        "calls": calls(result.call),
        "settings": {"test": result.test, "alpha": result.alpha, "alternative": result.alternative},
        "signature": result.signature,
    }


def _assumptions(result: Plan) -> Section:
    return Section(ASSUMPTIONS, bullets=tuple(map(str, result.assumptions)))


def _other_runs(result: SampleSize) -> tuple[Section, ...]:
    table = words_of_size.runs_table(result)
    return () if table is None else (Section(words_of_size.RUNS, table=table),)


def _difference(value: float) -> str:
    return "differs" if math.isnan(value) else f"{value:.6g}"


def _record(result: Plan) -> dict[str, Any]:
    plain = {
        "test": result.test,
        "alternative": result.alternative,
        "alpha": result.alpha,
        "level": result.level,
        "difference": result.difference,
        "n": result.n,
        **({"n_runs": result.terms["n_runs"]} if "n_runs" in result.terms else {}),
        "unit": result.unit,
    }
    power = {} if isinstance(result, DetectableEffect) else {"power": result.power}
    return {**plain, **power, "signature": result.signature}
