"""How results were made that were stored before they said it themselves: from their signatures.

This is the only place that reads a signature. Options stand in it as text, and what was at its default was left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Fields = dict[str, Any]

# Facts of the sample and of the draws, which stand in a signature beside what a test was told.
_FACTS = ("nofluke", "n", "clusters", "unit", "shuffle_seed", "missing", "scored_by", "seed", "systems", "n_items")
_FACTS_OF_RATINGS = ("nofluke", "agreement", "items", "raters", "labels")
# Tests of then that do not match items.
_UNPAIRED = ("student_t", "welch_t", "mann_whitney", "chi_square")
_TESTS = ("test", "omnibus", "association", "correlation")
_UNNAMED = ("A", "B")
_DESIGN = re.compile(r"(.+) vs (.+) \((\w+)\)")
_STUDIES = {"test-size": "by_test_size", "sample-size": "sample_size_study", "synthesize": "synthesized"}
_OF_NO_DATA = ("multiplicity", "sample-size")
# What a study recorded of its data beside its options.
_FACTS_OF_STUDIES = ("n", "systems", "items", "datasets", "others")


def signed(fields: Fields) -> dict[str, str]:
    """Take the signature of stored fields apart.

    >>> signed({"signature": "nofluke:0.1.0|test:sign|unit:5:mean|n:9"})
    {'nofluke': '0.1.0', 'test': 'sign', 'unit': '5:mean', 'n': '9'}
    """
    parts = (part.partition(":") for part in str(fields.get("signature", "")).split("|") if ":" in part)
    return {name: value for name, _, value in parts}


def with_calls(name: str, fields: Fields) -> Fields:
    """Give stored fields, and those of the values within them, with the call that the signature tells of."""
    if "signature" not in fields or "call" in fields:
        return fields
    made = {key: _with_calls_inside(value) for key, value in fields.items()}
    told = signed(made)
    kind = _kind(told)
    call = _CALLS.get(name) or _CALLS.get(kind)
    made["call"] = None if call is None else call(told, made)
    scored = {"scored_by": told["scored_by"].replace(";", "|")} if "scored_by" in told else {}
    if name in ("Comparison", "Ranking") or kind == "rank":
        return made | scored
    if kind in _TESTS:
        return made | scored | {"left_out": "missing" in told}
    is_estimate = "value" in made and "magnitude" in made
    return made | ({"n": int(told["n"])} if is_estimate and told.get("n", "").isdigit() else {})


def _kind(told: dict[str, str]) -> str:
    """What a signature is of: its first field after the version."""
    return next((name for name in told if name != "nofluke"), "")


def _with_calls_inside(value: Any) -> Any:
    if isinstance(value, dict) and set(value) != {"code", "facts"}:
        if "signature" in value:
            return with_calls("", value)
        return {key: _with_calls_inside(part) for key, part in value.items()}
    several = isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    return [_with_calls_inside(part) for part in value] if several else value


def _called(verb: str, options: Fields, data: str = "", selection: Fields | None = None, *unwritten: str) -> Fields:
    made = {"verb": verb, "options": options, "data": data, "selection": selection or {}}
    return {**made, "unwritten": list(unwritten)}


def _literal(text: str) -> Any:
    """Read a value as Python would write it; text stays text, and numbers with commas are several."""
    if text in ("True", "False", "None"):
        return {"True": True, "False": False, "None": None}[text]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    parts = [_literal(part) for part in text.split(",")] if "," in text else [text]
    return parts if all(isinstance(part, int | float) for part in parts) else text


def _options(told: dict[str, str], *but: str) -> Fields:
    found = {name: _literal(text) for name, text in told.items() if name not in (*_FACTS, *but)}
    found |= {"seed": int(told["seed"])} if told.get("seed", "0") != "0" else {}
    return {name: value for name, value in found.items() if (name, value) != ("alternative", "two-sided")}


def _aligned(told: dict[str, str]) -> Fields:
    size, _, statistic = told.get("unit", "1:mean").partition(":")
    found: Fields = {"unit": int(size)} if size != "1" else {}
    found |= {"unit_statistic": statistic} if statistic != "mean" else {}
    found |= {"shuffle_seed": int(told["shuffle_seed"])} if "shuffle_seed" in told else {}
    return found | ({"missing": told["missing"]} if "missing" in told else {})


def _pair(told: dict[str, str], fields: Fields) -> Fields:
    systems = tuple(fields.get("systems") or _UNNAMED)
    named = {} if systems == _UNNAMED else dict(zip(("a", "b"), systems, strict=False))
    return {**named, **_part(told, fields), **_aligned(told)}


def _part(told: dict[str, str], fields: Fields) -> Fields:
    """Which dataset and which metric; scores that came without the name of a metric are called score."""
    found = {"dataset": fields["dataset"]} if fields.get("dataset") else {}
    named = "scored_by" not in told and fields.get("metric") not in ("", "score", None)
    return found | ({"metric": fields["metric"]} if named and "label" not in fields else {})


def _test(told: dict[str, str], fields: Fields) -> Fields:
    data = "unpaired" if told["test"] in _UNPAIRED else "pair"
    return _called("test", {"method": told["test"], **_options(told, "test")}, data, _pair(told, fields))


def _comparison(told: dict[str, str], fields: Fields) -> Fields:
    options = {"method": told.get("test", "auto"), **_options(told, "test", "confidence_level")}
    options |= {"alpha": fields["alpha"]} if fields.get("alpha") != 0.05 else {}
    options |= {"margin": fields["margin"]} if fields.get("margin") is not None else {}
    posterior = fields.get("posterior")
    if isinstance(posterior, dict):
        options |= {"bayes": True} | ({} if posterior.get("rope") is None else {"rope": posterior["rope"]})
    return _called("compare", options, "pair", _pair(told, fields))


def _omnibus(told: dict[str, str], _fields: Fields) -> Fields:
    return _called("omnibus", {"method": told["omnibus"], **_options(told, "omnibus")}, "scores")


def _association(told: dict[str, str], _fields: Fields) -> Fields:
    return _called("correlation", {"method": told["association"], **_options(told, "association")}, "columns")


def _correlation(told: dict[str, str], fields: Fields) -> Fields:
    options = {"method": told["correlation"], **_options(told, "correlation"), "n": fields["n"]}
    return _called("correlation_test", options, "", None, "r_a", "r_b", "r_ab")


def _effect(told: dict[str, str], fields: Fields) -> Fields:
    options = {"name": told["effect"], **_options(told, "effect")}
    return _called("effect", options, "unpaired" if options.get("form") == "unpaired" else "pair", _pair(told, fields))


def _bayes(told: dict[str, str], fields: Fields) -> Fields:
    options = {"method": told["bayes"], **_options(told, "bayes", "datasets")}
    if fields.get("datasets"):
        return _called("bayes", {**options, "systems": list(fields["systems"])}, "scores")
    return _called("bayes", options, "pair", _pair(told, fields))


def _correction(told: dict[str, str], fields: Fields) -> Fields:
    return _called("correct", {"method": told["correction"], "alpha": fields["alpha"]}, "p_values")


def _ranking(told: dict[str, str], fields: Fields) -> Fields:
    options = {"method": told["rank"], **_options(told, "rank", "resamples"), **_aligned(told)}
    options |= {"n_resamples": int(told["resamples"])} if fields.get("adjust") == "max_t" else {}
    options |= {"dataset": fields["datasets"][0]} if len(fields.get("datasets", ())) == 1 else {}
    return _called("rank", options | _part(told, {"metric": fields.get("metric")}), "scores")


def _replication(told: dict[str, str], fields: Fields) -> Fields:
    options = _options(told, "replicate", "test", "datasets", "metrics") | {"alternative": told["alternative"]}
    options |= {"subset": fields["subset"]} if fields.get("subset") else {}
    options |= {"fdr": True} if fields.get("fdr") else {}
    if "test" in told:
        systems = dict(zip(("a", "b"), fields.get("systems", ()), strict=False))
        return _called("replicate", {**systems, **options}, "scores")
    return _called("replicate", options | ({"sided": "two"} if fields.get("opposite") else {}), "p_values")


def _agreement(told: dict[str, str], fields: Fields) -> Fields:
    options = {name: _literal(text) for name, text in told.items() if name not in _FACTS_OF_RATINGS}
    options |= {name: told[name].split(",") for name in ("annotators", "categories") if name in told}
    others = {"others": list(fields["others"])} if fields.get("others") else {}
    return _called("agree", {"name": told["agreement"], **others, **options}, "ratings")


def _plan(told: dict[str, str], _fields: Fields) -> Fields:
    """What was found in a file is called by its numbers."""
    verb = _kind(told)
    left_out = ("nofluke", "n_items", verb)
    return _called(verb, {"test": told[verb]} | {k: _literal(text) for k, text in told.items() if k not in left_out})


def _curve(told: dict[str, str], fields: Fields) -> Fields:
    options = {"method": told["power_curve"], **_options(told, "power_curve")}
    options = {name: value for name, value in options.items() if value is not None}
    return _called("power_curve", options, "pair", _pair(told, fields))


def _study(_told: dict[str, str], fields: Fields) -> Fields:
    name, settings = str(fields.get("name")), dict(fields.get("settings", {}))
    clusters, across = settings.pop("clusters", "yes"), "others" in settings
    tables = ["domains"] if name == "domain" else [key for key in ("groups", "overlay") if key in settings]
    left_out = (*_FACTS_OF_STUDIES, *tables, *(("metric",) if settings.get("metric") == "score" else ()))
    options = {key: _designs(value) for key, value in settings.items() if key not in left_out}
    options |= {"clusters": False} if clusters == "no" else {}
    options |= {"across": True} if across else {}
    if name == "multiplicity":
        options["datasets"] = settings.get("datasets")
    data = "" if name in _OF_NO_DATA else "pair" if name == "audit" else "models" if name == "synthesize" else "scores"
    return _called(f"studies.{_STUDIES.get(name, name)}", options, data, None, *tables)


def _designs(value: Any) -> Any:
    """Designs of simulations were recorded as people read them: "normal(0,1) vs normal(0,1) (paired_t)"."""
    if not isinstance(value, list | tuple):
        return value
    found = [_DESIGN.fullmatch(part) if isinstance(part, str) else None for part in value]
    return [list(match.groups()) if match else part for match, part in zip(found, value, strict=True)]


# Name of the type, or of the first field of the signature -> what makes the call of it.
_CALLS: dict[str, Callable[[dict[str, str], Fields], Fields]] = {
    "Comparison": _comparison,
    "Study": _study,
    "agreement": _agreement,
    "association": _association,
    "bayes": _bayes,
    "correction": _correction,
    "correlation": _correlation,
    "detectable_effect": _plan,
    "effect": _effect,
    "omnibus": _omnibus,
    "power": _plan,
    "power_curve": _curve,
    "rank": _ranking,
    "replicate": _replication,
    "sample_size": _plan,
    "study": _study,
    "test": _test,
}
