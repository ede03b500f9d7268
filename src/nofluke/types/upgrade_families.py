"""Rankings, replications, corrections and agreements as schema 1 stored them: sentences are read back into facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from nofluke.types.upgrade_comparison import Fields, detectable, estimate, stored, tested, without_sentences

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
_SCHEMES = {
    "all ratings paired at random": "pooled",
    "the ratings of each annotator put to their items at random": "own",
    "ratings guessed, all labels equally likely": "even",
}
_DRAWN = re.compile(r"from ([\d,]+) random draws \(seed (\d+)\) with (.+?)(, none of which comes as far from 0)?")


def _ranking(fields: Fields) -> Fields:
    made = without_sentences(fields)
    made["notes"] = [_ranking_note(text) for text in fields.get("notes", ())]
    made["validity"] = _VALIDITIES.get(made.get("validity", ""), made.get("validity", ""))
    made["omnibus"] = [tested(one) for one in made["omnibus"]]
    if isinstance(made.get("detectable"), Mapping):
        made["detectable"] = detectable(made["detectable"])
    return made


def _ranking_note(text: str) -> Any:
    """That no verdict was possible is told first, so it is read back; other notes keep their text."""
    few = _TOO_FEW.fullmatch(text)
    if few is None:
        return stored(text)
    n, needed = (int(number.replace(",", "")) for number in few.group(1, 3))
    return {"code": "rank.too_few", "facts": {"n": n, "unit": few[2], "smallest": 2.0**-n, "needed": needed}}


def _replication(fields: Fields) -> Fields:
    made = without_sentences(fields)
    made["reasons"] = {name: stored(text) for name, text in made["reasons"].items()}
    made["tests"] = [tested(one) for one in made["tests"]]
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
    made = without_sentences(fields)
    made["by_metric"] = {metric: _replication(dict(one)) for metric, one in made["by_metric"].items()}
    # Several metrics have no scores in common, so nobody's score is better.
    made["together"] = _replication(dict(made["together"])) | {"signs": []}
    if made["together"].get("opposite") is not None:
        made["together"]["opposite"]["signs"] = []
    return made


def _p_values(fields: Fields) -> Fields:
    return without_sentences(fields) | {"shared": stored(fields["shared"]) if fields.get("shared") else None}


def _coefficient(fields: Fields) -> Fields:
    made = without_sentences(fields)
    if "test" in made:
        made["test"] = _agreement_test(made["test"])
    return made


def _agreement_test(said: str) -> Fields | None:
    """How agreement was tested; draws are read from the sentence, for p is a bound where none came as far from 0."""
    drawn = _DRAWN.fullmatch(said)
    if drawn is None or drawn[3] not in _SCHEMES:
        return stored(said) if said else None
    facts = {"draws": int(drawn[1].replace(",", "")), "seed": int(drawn[2]), "scheme": _SCHEMES[drawn[3]]}
    # How many came as far is known only where none did; any other number says as much.
    return {"code": "agree.test_draws", "facts": facts | {"as_far": 0 if drawn[4] else None}}


def _agreement(fields: Fields) -> Fields:
    made = _coefficient(fields)
    kind = made["label"].rpartition(" (")[2].removesuffix(")")
    made["scale"] = kind if kind in ("nominal", "ordinal", "interval", "ratio") else ""
    made["weights"] = kind.removesuffix(" weights") if kind.endswith(" weights") else ""
    made["rule"] = _rule(made["rule"])
    made["estimate"] = _estimate(made["estimate"])
    for name in ("per_category", "others"):
        made[name] = {label: _estimate(one) for label, one in made.get(name, {}).items()}
    return made


def _estimate(fields: Fields) -> Fields:
    return estimate(fields) | {"rule": _rule(fields.get("rule", ""))}


def _rule(cited: str) -> str:
    """The name of a rule, which stood before its source."""
    return cited.partition(" (")[0]


# Name of the type -> what turns its old fields into the new ones.
FAMILIES: dict[str, Callable[[Fields], Fields]] = {
    "Agreement": _agreement,
    "Coefficient": _coefficient,
    "Corrected": without_sentences,
    "MetricsReplication": _metrics_replication,
    "PValues": _p_values,
    "Ranking": _ranking,
    "Ratings": without_sentences,
    "Replication": _replication,
}
