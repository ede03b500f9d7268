"""Comparisons and what they hold, as schema 1 stored them: what was said in words is read back into its facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nofluke.types.upgrade_calls import signed

Fields = dict[str, Any]

# What schema 1 held as sentences and words/ now says from the facts.
_SENTENCES = ("headline", "sentences", "claim")
_MATCHED = re.compile(r"([\d,]+) items? matched by (\w+)")
_LEFT_OUT = re.compile(r"; ([\d,]+) left out \((.*?)\)(?:; [\d,]+ items? at the end|$)")
_LEFTOVER = re.compile(r"; ([\d,]+) items? at the end did not fill a unit")
_FRACTIONS = re.compile(r"scores read as fractions of (\d+)")
# How the conclusion of the normality test began -> its code.
_NORMALITY = {
    "differences do not look normal": "not normal",
    "differences may be normal": "normal",
    "normality was not tested: all differences": "constant",
}

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
_ABOUT = {
    "mean difference": "mean",
    "difference in accuracy": "accuracy",
    "share of decided items that A wins": "wins",
    "mean difference over datasets like these": "datasets_mean",
    "difference on the next dataset like these": "next_dataset",
    "share of datasets on which A is better": "dataset_wins",
    "share of pairs of datasets whose average favours A": "dataset_pairs",
}


def stored(text: Any) -> Any:
    """Give an old text as the note that says it."""
    return {"code": "stored.text", "facts": {"text": text}} if isinstance(text, str) else text


def without_sentences(fields: Fields) -> Fields:
    """Leave out what words/ says from the facts, and keep the text of notes."""
    kept = {name: value for name, value in fields.items() if name not in _SENTENCES}
    return kept | {"notes": [stored(text) for text in fields.get("notes", ())]}


def comparison(fields: Fields) -> Fields:
    """Give the fields of a Comparison of today."""
    made = {name: value for name, value in fields.items() if name not in ("headline", "sentences")}
    if made.get("verdict") == "not separated":
        made["verdict"] = "inconclusive"
    made["alignment"] = _alignment(str(made.get("alignment", "")), made.get("systems", ()))
    made["profile"] = profile(dict(made["profile"]))
    made["choices"] = choices(dict(made["choices"]))
    made["detectable"] = detectable(dict(made["detectable"]))
    for name, upgraded in _NESTED.items():
        if isinstance(made.get(name), Mapping):
            made[name] = upgraded(made[name])
    made["effects"] = {name: estimate(one) for name, one in made["effects"].items()}
    if "also_run" in made:
        made["also_run"] = [tested(one) for one in made["also_run"]]
    made["repeated"] = [_repeated(name) for name in made["tests_run"] if " with " in name]
    made["tests_run"] = [name for name in made["tests_run"] if " with " not in name]
    made["notes"] = [stored(text) for text in made["notes"] if not text.endswith("was chosen by the user.")]
    return made


def profile(fields: Fields) -> Fields:
    """Give the fields of a Profile of today."""
    inner = normality(dict(fields["normality"]))
    if inner["conclusion"] not in _NORMALITY.values():
        inner["conclusion"] = "few" if fields["n"] < 3 else "many"
    return fields | {"normality": inner, "notes": [stored(text) for text in fields.get("notes", ())]}


def choices(fields: Fields) -> Fields:
    """Give the fields of Choices of today."""
    rows = [choice(dict(row)) for row in fields["rows"]]
    return fields | {"rows": rows, "notes": [stored(text) for text in fields.get("notes", ())]}


def choice(fields: Fields) -> Fields:
    """Give the fields of a Choice of today."""
    return fields | {"reason": stored(str(fields["reason"]))}


def detectable(fields: Fields) -> Fields:
    """Give the fields of a Detectable of today."""
    reason = fields.get("reason", "")
    return fields | {"reason": stored(str(reason)) if reason else None}


def normality(fields: Fields) -> Fields:
    """Give the fields of a Normality of today; without its values few and many cannot be told apart."""
    told = str(fields["conclusion"])
    return fields | {"conclusion": next((code for start, code in _NORMALITY.items() if told.startswith(start)), told)}


def _alignment(text: str, systems: Sequence[str]) -> Fields:
    """How items were matched, from its sentence."""
    matched, left_out, leftover = _MATCHED.match(text), _LEFT_OUT.search(text), _LEFTOVER.search(text)
    made: Fields = {"matched": _number(matched[1]) if matched else 0, "by": matched[2] if matched else "id"}
    if left_out:
        made["dropped"] = _number(left_out[1])
        made["missing"] = _missing(left_out[2], systems)
    if leftover:
        made["leftover"] = _number(leftover[1])
    return made


def _missing(text: str, systems: Sequence[str]) -> dict[str, int]:
    """How many scores each system lacks: those that lack any are listed in the order of the systems."""
    for names in (tuple(systems), *((name,) for name in systems)):
        pattern = ", ".join(rf"([\d,]+) without a score (?:of|for) {re.escape(name)}" for name in names)
        found = re.fullmatch(pattern, text)
        if found:
            return dict(zip(names, map(_number, found.groups()), strict=True))
    return {}


def _number(text: str) -> int:
    return int(text.replace(",", ""))


def _repeated(name: str) -> Fields:
    """The test that was run again; its p-value was not stored."""
    method, _, how = name.partition(" with ")
    fractions = _FRACTIONS.match(how)
    facts = {"method": method, "denominator": int(fractions[1]) if fractions else 0, "p_value": None}
    return {"code": "compare.repeated", "facts": facts}


def _interval(fields: Fields | None) -> Fields | None:
    if fields is None:
        return None
    method = str(fields["method"])
    name = method.removesuffix(_DRAWN_OUT)
    return {**fields, "method": name, "extended": name != method}


def estimate(fields: Fields) -> Fields:
    """Give the fields of an Estimate of today."""
    return {
        **fields,
        "interval": _interval(fields.get("interval")),
        "rule": str(fields.get("rule", "")).partition(" (")[0],
        "notes": [stored(text) for text in fields.get("notes", ())],
    }


def tested(fields: Fields) -> Fields:
    """Give the fields of a TestResult of today."""
    told = signed(fields)
    interval, computed = _interval(fields.get("interval")), dict(fields["computed"])
    detail = computed.get("detail")
    computed["detail"] = stored(detail) if detail else None
    kind = next((kind for kind in ("omnibus", "association", "correlation") if kind in told), "test")
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
        "notes": [stored(text) for text in fields.get("notes", ())],
        "kind": kind,
        "unit": "unit" if "unit" in told else "item" if told.get("omnibus", _OF_ITEMS) == _OF_ITEMS else "dataset",
        **{name: _named(fields.get(name, ""), systems) for name in ("null", "estimand")},
        "alpha": 0.05 if interval is None else round(1 - interval["level"], 12),
    }


def _named(phrase: str, systems: Sequence[str]) -> str:
    """Put the names of the systems for A and B, which stood for them in what the registry says of a test."""
    names = dict(zip("AB", systems, strict=True))
    return re.sub(r"\b[AB]\b", lambda place: names[place[0]], phrase)


def _distribution(fields: Fields) -> Fields:
    return {**fields, "how": _CURVES.get(fields["how"], fields["how"])}


def posterior(fields: Fields) -> Fields:
    """Give the fields of a Posterior of today."""
    made = without_sentences(fields)
    about = made.get("about", "").removesuffix(" by more than the region")
    return made | {"prior": stored(made["prior"]), "about": _ABOUT.get(about, about)}


_NESTED = {"test": tested, "margin_test": tested, "posterior": posterior}

# Name of the type -> what turns its old fields into the new ones. Values within values are the business of the outer.
COMPARISONS: dict[str, Callable[[Fields], Fields]] = {
    "Choice": choice,
    "Choices": choices,
    "Comparison": comparison,
    "Detectable": detectable,
    "Distribution": _distribution,
    "Estimate": estimate,
    "Interval": lambda fields: _interval(fields) or fields,
    "Normality": normality,
    "Posterior": posterior,
    "Profile": profile,
    "TestResult": tested,
}
