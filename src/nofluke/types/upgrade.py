"""Results as schema 1 stored them, with the fields of today: sentences go, notes keep their text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from nofluke.types.load import PLANS
from nofluke.types.upgrade_calls import signed
from nofluke.types.upgrade_comparison import (
    COMPARISONS,
    Fields,
    detectable,
    estimate,
    stored,
    tested,
    without_sentences,
)

_NUMBERS = ("sd", "sd_b", "accuracy_a", "accuracy_b", "disagreement", "p10", "p01", "prob_a_better", "margin")
_WHOLE = ("tests", "datasets", "claim")
_WORDS = ("adjust", "each")
_TERMS = (*_NUMBERS, "design_effect", *_WHOLE, *_WORDS)
_HALF = re.compile(r"Half that difference would need ([\d,]+) ")
_SYSTEMS = re.compile(r"would often be missed: where (.+) and (.+) are not separated, that does not make")
_PROSE = ("title", "question", "headline", "sentences", "captions", "meanings")
_CLAIMS = {"A and B differ": "two-sided", "A is better": "greater", "B is better": "less"}
_TRUTHS = {"A and B are alike": "no difference", "A and B differ": "difference"}
_DROR = [[34, 0.0], [33, 0.2], [33, 0.5]]

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


def upgraded(kind: str, fields: Mapping[str, Any]) -> Fields:
    """Give the fields of a value of today; `kind` is the name of its type then."""
    made = dict(fields)
    return _UPGRADES[kind](made) if kind in _UPGRADES else made


def _plan(fields: Fields) -> Fields:
    """Give a plan as the second schema had it at first; terms are those of the signature."""
    fields.pop("headline", None)
    said = " ".join(fields.pop("sentences", ()))
    signature = signed(fields)
    fields["terms"] = {name: _term(name, signature[name]) for name in _TERMS if name in signature}
    if "each" in signature:
        fields["label"] = signature["each"]
        if "difference" in signature:
            fields["terms"]["difference"] = _term("difference", signature["difference"])
    if "n_exact" in fields:
        half = _HALF.search(said)
        fields["half"] = int(half[1].replace(",", "")) if half else None
    if "by_power" in fields:
        # A plan from numbers has no systems, and the sentences about data name them.
        named = _SYSTEMS.search(said)
        fields["systems"] = list(named.groups()) if named else []
        fields["n_items"] = int(signature.get("n_items", 0))
    elif "each" in signature:
        fields["bound"] = "leave a lower bound" in said
    if fields.get("n") == 0:
        fields["sizes"] = [int(part) for part in signature["n"].split(",")]
    return _with_notes(fields, "assumptions", "notes")


def _curve(fields: Fields) -> Fields:
    """Give a PowerCurve of today; what the pilot's standard error was is not known any more."""
    headline = str(fields.pop("headline", ""))
    fields.pop("sentences", None)
    signature = signed(fields)
    fields["computed"] = stored(str(fields.pop("inner", "")))
    fields["n_items"] = int(signature.get("n", 0))
    fields["tests"] = int(signature.get("tests", 1))
    if not fields.get("sizes"):
        why = headline.partition(": ")[2]
        fields["reason"] = stored(f"{why[:1].upper()}{why[1:]}")
    return _with_notes(fields, "assumptions", "notes")


def _with_notes(fields: Fields, *names: str) -> Fields:
    return {**fields, **{name: [stored(text) for text in fields.get(name, ())] for name in names}}


def _term(name: str, text: str) -> Any:
    if name in _WORDS:
        return text
    if name in _WHOLE:
        return int(text)
    numbers = [float(part) for part in text.split(",")]
    return numbers[0] if len(numbers) == 1 else numbers


def _study(fields: Fields) -> Fields:
    """Give the fields of a study of today; its notes keep their text."""
    made = {name: value for name, value in fields.items() if name not in _PROSE}
    made["notes"] = [stored(text) for text in fields.get("notes", ())]
    name, settings = fields.get("name"), fields.get("settings", {})
    made["facts"] = {"schema": 1}
    if name == "audit":
        made["facts"] |= {"systems": ["A", "B"], **_units(settings)}
        made = _recoded(made, ("tables", "significant", "claim"), _CLAIMS)
        made = _recoded(made, ("series", "p-values", "labels", "claim"), _CLAIMS)
    if name == "calibration":
        made["facts"] |= _units(settings)
    if name == "sample-size":
        made = _recoded(made, ("tables", "p-values", "truth"), _TRUTHS, other="another difference")
    if name == "multiplicity":
        made["facts"]["groups"] = _groups(settings)
    return made


def _units(settings: Fields) -> Fields:
    """What was drawn: clusters where there are any. Units of several items were told nowhere."""
    clusters = settings.get("clusters")
    if isinstance(clusters, int) and not isinstance(clusters, bool):
        return {"unit": "cluster", "units": clusters}
    return {"unit": "item", "units": settings.get("n")}


def _recoded(fields: Fields, path: tuple[str, ...], codes: dict[str, str], other: str = "") -> Fields:
    """Give the fields with codes for the phrases at the end of a path; what was read is not changed."""
    name, *further = path
    inner = fields.get(name)
    if further and isinstance(inner, dict):
        return {**fields, name: _recoded(inner, tuple(further), codes, other)}
    if not further and isinstance(inner, list):
        return {**fields, name: [codes.get(phrase, other or phrase) for phrase in inner]}
    return fields  # not a study after all: reading its fields says so


def _groups(settings: Fields) -> list[list[float]]:
    """The groups of (datasets, correlation) behind the name of a simulation."""
    dependence = str(settings.get("dependence"))
    if dependence == "dror":
        return _DROR
    if ":" not in dependence:
        return [[settings.get("datasets", 0), 0.0]]
    parts = (part.partition(":") for part in dependence.split(","))
    return [[int(size), float(correlation)] for size, _, correlation in parts]


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
_UPGRADES: dict[str, Callable[[Fields], Fields]] = {
    **COMPARISONS,
    **dict.fromkeys(PLANS, _plan),
    "Agreement": _agreement,
    "Coefficient": _coefficient,
    "Corrected": without_sentences,
    "MetricsReplication": _metrics_replication,
    "PValues": _p_values,
    "PowerCurve": _curve,
    "Ranking": _ranking,
    "Ratings": without_sentences,
    "Replication": _replication,
    "Study": _study,
}
