"""Which rule computes the inner p-values of a test, and what that rule can be asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nofluke.errors import MethodError
from nofluke.inference.power.curves import inner_means as means
from nofluke.inference.power.curves.inner import Inner, Setting
from nofluke.inference.power.curves.inner_corpus import corpus_inner
from nofluke.inference.power.curves.inner_direct import direct_inner
from nofluke.inference.power.curves.pilot import Pilot
from nofluke.registry import Method
from nofluke.types import Sample

# Test -> (rule, the options it knows with the values it knows, None for all). Anything else runs the test itself.
_RULES: dict[str, tuple[Callable[[Pilot, Setting], Inner], dict[str, tuple[Any, ...] | None]]] = {
    "paired_t": (means.t_inner, {}),
    "one_lost_item": (means.lost_item_inner, {"low": None, "high": None}),
    "permutation": (means.flip_inner, {"form": ("studentized", "raw")}),
    "wilcoxon": (
        means.wilcoxon_inner,
        {"zeros": ("drop", "pratt"), "mode": ("auto", "exact", "normal"), "continuity": (False,), "snap": (True,)},
    ),
    "sign": (means.sign_inner, {"snap": (True,), "tie_width": (0.0, 0)}),
    "mcnemar": (means.sign_inner, {"mode": ("exact",), "continuity": (False,)}),
    "tango": (means.tango_inner, {"mode": ("auto",)}),
    "bootstrap": (
        means.bootstrap_inner,
        {
            "form": ("shift", "berg_kirkpatrick", "percentile"),
            "recentre": ("observed",),
            "two_sided": ("doubled",),
            "resample_size": (None,),
        },
    ),
}


def has_rule(sample: Sample, method: Method, setting: Setting) -> bool:
    """Whether p-values of whole blocks can be computed; otherwise the test itself is run on every test set."""
    if method.name == "corrected_resampled_t":
        raise MethodError(
            "the units of corrected_resampled_t are overlapping training sets, which cannot be drawn like items.",
            fix="draw the curve for a test of items, such as 'permutation'.",
        )
    if method.name not in _RULES or (not sample.aggregate.linear and method.name not in ("permutation", "bootstrap")):
        return False
    known = _RULES[method.name][1]
    given = {name: value for name, value in setting.options.items() if value is not None}
    return all(name in known and _knows(known[name], value) for name, value in given.items())


def _knows(values: tuple[Any, ...] | None, value: Any) -> bool:
    return values is None or value in values


def inner_of(pilot: Pilot, method: Method, setting: Setting, seed: int) -> Inner:
    """Give the rule for a pilot, grouped where there is one (`has_rule`)."""
    if not has_rule(pilot.sample, method, setting):
        return direct_inner(pilot, method, setting, seed)
    if pilot.statistics is not None:
        return corpus_inner(pilot, setting, swaps=method.name == "permutation")
    return _RULES[method.name][0](pilot, setting)
