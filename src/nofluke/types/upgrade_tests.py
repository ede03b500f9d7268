"""Test results, estimates and intervals as schema 1 stored them: what was said in words becomes its code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

Fields = dict[str, Any]

# What schema 1 said in words -> the code of today.
_OF_ITEMS = "cochran_q"  # the one omnibus test whose rows are items
_DRAWN_OUT = ", drawn out to the null value"
_VALIDITIES = {
    "exact under the null": "exact",
    "exact under the null; asymptotic for equal means": "exact_if_swappable",
    "exact under exchangeable outputs; asymptotic for equal metrics": "exact_if_swappable_metric",
    "asymptotic, for A and B that are exchangeable once they are on one scale": "swappable_on_one_scale",
    "valid for any independent scores within the stated range": "bounded_scores",
    "exact under normal differences, asymptotic otherwise": "normal_differences",
    "exact under normal scores with equal variances, asymptotic otherwise": "normal_equal_variances",
    "exact under the null for normal numbers, otherwise asymptotic": "normal_columns",
    "asymptotic; close for normal scores": "welch",
    "asymptotic (close to the level for any n, but without guarantee)": "mid_p",
    "approximate: assumes that differences of two splits correlate by rho": "split_correlation",
    "asymptotic, for Pearson correlations of normal scores": "normal_correlations",
}
_CURVES = {
    "exact under random swaps of A and B": "exact",
    "under random swaps of A and B, smoothed": "smoothed",
    "normal, from many items": "normal",
}


def _stored_notes(notes: Iterable[Any]) -> list[Any]:
    """Keep old notes as the text they were."""
    return [{"code": "stored.text", "facts": {"text": text}} if isinstance(text, str) else text for text in notes]


def _interval(fields: Fields | None) -> Fields | None:
    if fields is None:
        return None
    method = str(fields["method"])
    name = method.removesuffix(_DRAWN_OUT)
    return {**fields, "method": name, "extended": name != method}


def _estimate(fields: Fields) -> Fields:
    return {
        **fields,
        "interval": _interval(fields.get("interval")),
        "rule": str(fields.get("rule", "")).partition(" (")[0],
        "notes": _stored_notes(fields.get("notes", ())),
    }


def _test_result(fields: Fields) -> Fields:
    signed = dict(part.partition(":")[::2] for part in fields.get("signature", "").split("|"))
    interval, computed = _interval(fields.get("interval")), dict(fields["computed"])
    detail = computed.get("detail")
    computed["detail"] = _stored_notes([detail])[0] if detail else None
    kind = next((kind for kind in ("omnibus", "association", "correlation") if kind in signed), "test")
    systems = ("x", "y") if kind == "association" else fields.get("systems", ("A", "B"))
    metric = str(fields.get("estimand", "")).removeprefix("difference in ")
    return {
        **fields,
        # Only where all items together have a score is the test one of the metric.
        "metric": metric if str(fields.get("label", "")).endswith(f" of {metric}") else "",
        "systems": systems,
        "interval": interval,
        "computed": computed,
        "validity": _VALIDITIES.get(fields["validity"], fields["validity"]),
        "notes": _stored_notes(fields.get("notes", ())),
        "kind": kind,
        "unit": "unit" if "unit" in signed else "item" if signed.get("omnibus", _OF_ITEMS) == _OF_ITEMS else "dataset",
        **{name: _named(fields.get(name, ""), systems) for name in ("null", "estimand")},
        "alpha": 0.05 if interval is None else round(1 - interval["level"], 12),
    }


def _named(phrase: str, systems: Sequence[str]) -> str:
    """Put the names of the systems for A and B, which stood for them in what the registry says of a test."""
    names = dict(zip("AB", systems, strict=True))
    return re.sub(r"\b[AB]\b", lambda place: names[place[0]], phrase)


def _distribution(fields: Fields) -> Fields:
    return {**fields, "how": _CURVES.get(fields["how"], fields["how"])}


# Name of the type -> what turns its old fields into the new ones.
TESTS: dict[str, Callable[[Fields], Fields]] = {
    "Distribution": _distribution,
    "Estimate": _estimate,
    "Interval": lambda fields: _interval(fields) or fields,
    "TestResult": _test_result,
}
