"""A coefficient by name, in words, as an estimate, and how to get it again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nofluke import __version__
from nofluke.inference.agreement import interpret
from nofluke.registry import Method
from nofluke.types import Coefficient, Estimate, Ratings
from nofluke.verbs.agreeing.options import chosen_options


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


def estimate_of(name: str, found: Coefficient, rules: str, signature: str) -> Estimate:
    """Give a coefficient as an estimate, with its word."""
    return Estimate(
        name,
        found.value,
        found.interval,
        found.standard_error,
        interpret.word_for(found.value, rules),
        "" if rules == "none" else rules,
        found.notes,
        signature,
    )


def signature_of(
    method: Method, settings: Mapping[str, Any], data: Ratings, found: Coefficient, chosen: Mapping[str, Sequence[Any]]
) -> str:
    """Say in one line how to get this number again; `chosen` are the annotators and categories that were named."""
    parts = [f"nofluke:{__version__}", f"agreement:{method.name}"]
    defaults = {option.name: option.default for option in method.options}
    drawn = chosen_options(method, settings)["interval"] == "bootstrap"
    for key, value in settings.items():
        if key not in ("seed", "n_resamples") and value != defaults[key]:
            parts.append(f"{key}:{value}")
    parts += [f"{key}:{','.join(map(str, names)).replace('|', '/')}" for key, names in chosen.items()]
    parts += [f"items:{found.items}", f"raters:{len(data.annotators)}", f"labels:{len(data.categories)}"]
    if drawn:
        parts += [f"{key}:{settings.get(key, defaults[key])}" for key in ("n_resamples", "seed")]
    elif found.test is not None and "seed" in dict(found.test.facts) and settings.get("seed", 0):
        parts.append(f"seed:{settings['seed']}")
    return "|".join(parts)
