"""Which coefficient, with which options, on these ratings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nofluke.errors import By, Fix, InputError, MethodError, did_you_mean, listing, unknown
from nofluke.registry import AGREEMENT, Method
from nofluke.types import Coefficient, Ratings
from nofluke.verbs.test import check_level


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
