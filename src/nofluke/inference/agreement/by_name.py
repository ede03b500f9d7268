"""A coefficient by name: its options, its value on all ratings and on parts of them, its words and its signature."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nofluke.check import check_level
from nofluke.errors import By, Fix, InputError, MethodError, did_you_mean, listing, unknown
from nofluke.inference.agreement import detail, interpret
from nofluke.inference.agreement.disagreement import item_distances
from nofluke.inference.agreement.tally import Tally
from nofluke.inference.agreement.weights import agreement_weights
from nofluke.noting import signature
from nofluke.registry import AGREEMENT, Method
from nofluke.types import Call, Coefficient, Estimate, FloatArray, Ratings, frozen

# The same coefficient without weights or levels, for one label against all others.
_PLAIN = {"gwet_ac2": "gwet_ac1"}
_FINE = ("confidence_level",)


def coefficient_named(name: str) -> Method:
    """Find a coefficient, or say which there are."""
    if str(name).casefold() == "kappa":
        raise InputError(
            "there are several kappas, and 'kappa' names none of them.",
            fix="for two annotators did you mean 'cohen_kappa'? For more take 'conger_kappa' or 'fleiss_kappa'.",
        )
    if name not in AGREEMENT:
        raise unknown("coefficient of agreement", str(name), AGREEMENT.names())
    return AGREEMENT[name]


def settings_of(method: Method, rest: Sequence[Method], options: Mapping[str, Any]) -> dict[str, Any]:
    """Check options; with several coefficients each option must belong to one of them."""
    known = {option for one in (method, *rest) for option in one.option_names()}
    for option in options:
        if option not in known:
            raise MethodError(
                f"{' and '.join(one.name for one in (method, *rest))} has no option {option!r}.",
                fix=f"{did_you_mean(option, known)}options: {listing(sorted(known), 20)}.",
            )
    settings = method.check_options({key: value for key, value in options.items() if key in method.option_names()})
    if "confidence_level" in settings:
        check_level(settings["confidence_level"], "confidence_level")
    return settings


def fitting_options(method: Method, options: Mapping[str, Any]) -> dict[str, Any]:
    """Give a further coefficient the options it knows, and leave out values it does not know."""
    known = {option.name: option for option in method.options}
    fitting = {
        key: value
        for key, value in options.items()
        if key in known and (not known[key].choices or value in known[key].choices)
    }
    return method.check_options(fitting)


def computed(
    method: Method, data: Ratings, settings: Mapping[str, Any], progress: Callable[[int, int], None] | None = None
) -> Coefficient:
    """Compute a coefficient; three annotators where it takes two are refused."""
    two = method.facts["needs"] == "two annotators"
    if two and len(data.annotators) > 2:
        raise MethodError(
            f"{method.name} is for two annotators, and there are {len(data.annotators):,}.",
            fix=Fix(
                "use conger_kappa, fleiss_kappa or krippendorff_alpha for all of them, or choose two: ",
                By("annotators=('A', 'B')", "--annotators A,B", "Annotators"),
                ".",
            ),
        )
    result: Coefficient = method.function(data, **settings, progress=progress)
    return result


def chosen_options(method: Method, settings: Mapping[str, Any]) -> dict[str, Any]:
    """All options, with their defaults where nothing was said."""
    return {option.name: settings.get(option.name, option.default) for option in method.options}


def label_of(method: Method, settings: Mapping[str, Any]) -> str:
    """Name a coefficient with the option that makes it another one."""
    chosen = chosen_options(method, settings)
    if "level" in chosen:
        return f"{method.label} ({chosen['level']})"
    return f"{method.label} ({chosen['weights']} weights)" if chosen.get("weights", "none") != "none" else method.label


def words_of(found: Coefficient, rules: str) -> tuple[str, str, str]:
    """Give the rule's words for the value and both ends of the interval."""
    ends = ("", "")
    if found.interval is not None:
        ends = (interpret.word_for(found.interval.low, rules), interpret.word_for(found.interval.high, rules))
    return interpret.word_for(found.value, rules), *ends


def estimate_of(name: str, found: Coefficient, rules: str, signed: str, call: Call | None = None) -> Estimate:
    """Give a coefficient as an estimate, with its word."""
    return Estimate(
        name,
        found.value,
        found.interval,
        found.standard_error,
        interpret.word_for(found.value, rules),
        "" if rules == "none" else rules,
        found.notes,
        signed,
        call=call,
    )


def signed(
    method: Method, settings: Mapping[str, Any], data: Ratings, found: Coefficient, chosen: Mapping[str, Sequence[Any]]
) -> str:
    """Give the signature of a coefficient; `chosen` are the annotators and categories that were named."""
    usual = {option.name: option.default for option in method.options}
    draws = {key: settings.get(key, usual[key]) for key in ("n_resamples", "seed")}
    drawn = chosen_options(method, settings)["interval"] == "bootstrap"
    tested = found.test is not None and "seed" in dict(found.test.facts) and settings.get("seed", 0)
    told = {key: value for key, value in settings.items() if key not in draws and value != usual[key]}
    names = {key: ",".join(map(str, named)).replace("|", "/") for key, named in chosen.items()}
    size = {"items": found.items, "raters": len(data.annotators), "labels": len(data.categories)}
    last = draws if drawn else {"seed": draws["seed"]} if tested else {}
    return signature("agreement", method.name, told, names, size, last)


def call_of(method: Method, settings: Mapping[str, Any]) -> Call:
    """Give the call of one coefficient."""
    usual = {option.name: option.default for option in method.options}
    told = {key: value for key, value in settings.items() if value != usual[key]}
    return Call("agree", {"name": method.name, **told}, "ratings")


def plain_form(method: Method, settings: Mapping[str, Any]) -> Callable[[Ratings], Coefficient]:
    """The coefficient without weights or levels, which two labels do not need."""
    simple = AGREEMENT[_PLAIN.get(method.name, method.name)]
    kept = {key: value for key, value in settings.items() if key in _FINE}
    return lambda ratings: computed(simple, ratings, kept)


def pair_table(data: Ratings, method: Method, settings: Mapping[str, Any], names: tuple[str, ...]) -> FloatArray:
    """Fill the table for the annotators with most ratings; other pairs stay unknown."""
    kept = {key: value for key, value in settings.items() if key in ("weights", "level")}
    busiest = detail.busiest(data)
    small = detail.pairwise(data, lambda ratings: computed(method, ratings, kept), busiest)
    if names == busiest:
        return small
    table = np.full((len(names), len(names)), np.nan)
    np.fill_diagonal(table, 1.0)
    places = [names.index(name) for name in busiest]
    table[np.ix_(places, places)] = small
    return frozen(table)


def item_disagreement(data: Ratings, t: Tally, method: Method, settings: Mapping[str, Any]) -> FloatArray | None:
    """Give each item's disagreement where labels lie closer or further apart; None where they only differ."""
    chosen = chosen_options(method, settings)
    if chosen.get("weights", "none") != "none":
        return 1 - t.agreement(agreement_weights(data, str(chosen["weights"]), method.name))
    level = str(chosen.get("level", "nominal"))
    return None if level == "nominal" else item_distances(t, data, level)
