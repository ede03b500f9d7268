"""Rankings, replications and corrected p-values as schema 1 stored them: sentences are read back into their facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Fields = dict[str, Any]

_SENTENCES = ("headline", "sentences", "claim")
_VALIDITIES = {
    "exact under the null": "exact",
    "exact under the null; asymptotic for equal means": "exact_if_swappable",
    "exact under exchangeable outputs; asymptotic for equal metrics": "exact_if_swappable_metric",
    "exact under exchangeable outputs but for what the straight line leaves out; asymptotic for equal metrics": (
        "nearly_exact_if_swappable_metric"
    ),
    "exact under normal differences, asymptotic otherwise": "normal_differences",
}
_TOO_FEW = re.compile(r"with ([\d,]+) (\w+?)s? the smallest possible p-value is .* ([\d,]+) \w+ are the least\.")
_TURNED = re.compile(r"Some p-values contradict .*\(sided two\): (.*) \(.*confidence\); by name: (.*)\.", re.DOTALL)
_COUNT = re.compile(r"on at least ([\d,]+) of")


def _stored(text: Any) -> Any:
    """Keep an old text as the note that says it."""
    return {"code": "stored.text", "facts": {"text": text}} if isinstance(text, str) else text


def _facts_of(fields: Fields) -> Fields:
    kept = {name: value for name, value in fields.items() if name not in _SENTENCES}
    return kept | {"notes": [_stored(text) for text in fields.get("notes", ())]}


def _tests(found: Any) -> list[Any]:
    from nofluke.types.upgrade import upgraded

    return [upgraded("TestResult", test) for test in found]


def _ranking(fields: Fields) -> Fields:
    from nofluke.types.upgrade import upgraded

    made = _facts_of(fields)
    made["notes"] = [_ranking_note(text) for text in fields.get("notes", ())]
    made["validity"] = _VALIDITIES.get(made.get("validity", ""), made.get("validity", ""))
    made["omnibus"] = _tests(made["omnibus"])
    if isinstance(made.get("detectable"), Mapping):
        made["detectable"] = upgraded("Detectable", made["detectable"])
    return made


def _ranking_note(text: str) -> Any:
    """That no verdict was possible is told first, so it is read back; other notes keep their text."""
    few = _TOO_FEW.fullmatch(text)
    if few is None:
        return _stored(text)
    n, needed = (int(number.replace(",", "")) for number in few.group(1, 3))
    return {"code": "rank.too_few", "facts": {"n": n, "unit": few[2], "smallest": 2.0**-n, "needed": needed}}


def _replication(fields: Fields) -> Fields:
    made = _facts_of(fields)
    made["reasons"] = {name: _stored(text) for name, text in made["reasons"].items()}
    made["tests"] = _tests(made["tests"])
    if isinstance(made.get("opposite"), Mapping):
        made["opposite"] = _replication(dict(made["opposite"]))
    p_values = dict(zip(made["datasets"], made["p_values"], strict=True))
    made["signs"] = _signs(made)
    made["contradicted"] = [name for name in made["against"] if not made["tests"] and p_values[name] < 0.5]
    turned = next((found for text in fields["sentences"] if (found := _TURNED.fullmatch(text))), None)
    if turned is not None:
        count = _COUNT.search(turned[1])
        every = 0 if "not shown" in turned[1] else len(p_values)
        made["turned_count"] = int(count[1].replace(",", "")) if count else every
        made["turned"] = [name for name in p_values if name in turned[2].split(", ")]
    return made


def _signs(fields: Fields) -> list[float | None]:
    """Who scores better on each dataset, from the differences, the losses, and the wins where nothing is tied."""
    losing = 1.0 if fields["alternative"] == "less" else -1.0
    rest = -losing if fields["wins"] is not None and not fields["ties"] else None
    return [
        losing if name in fields["against"] else rest if gap is None else float((gap > 0) - (gap < 0))
        for name, gap in zip(fields["datasets"], fields["estimates"], strict=True)
    ]


def _metrics_replication(fields: Fields) -> Fields:
    made = _facts_of(fields)
    made["by_metric"] = {metric: _replication(dict(one)) for metric, one in made["by_metric"].items()}
    # Several metrics have no scores in common, so nobody's score is better.
    made["together"] = _replication(dict(made["together"])) | {"signs": []}
    if made["together"].get("opposite") is not None:
        made["together"]["opposite"]["signs"] = []
    return made


def _p_values(fields: Fields) -> Fields:
    return _facts_of(fields) | {"shared": _stored(fields["shared"]) if fields.get("shared") else None}


FAMILIES: dict[str, Callable[[Fields], Fields]] = {
    "Corrected": _facts_of,
    "MetricsReplication": _metrics_replication,
    "PValues": _p_values,
    "Ranking": _ranking,
    "Replication": _replication,
}
