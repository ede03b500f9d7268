"""The same coefficient again: for one label, for each pair of annotators, for each item."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from nofluke.inference.agreement import detail
from nofluke.inference.agreement.disagreement import item_distances
from nofluke.inference.agreement.tally import Tally
from nofluke.inference.agreement.weights import agreement_weights
from nofluke.registry import AGREEMENT, Method
from nofluke.types import Coefficient, FloatArray, Ratings, frozen
from nofluke.verbs.agreeing.options import chosen_options, computed

# The same coefficient without weights or levels, for one label against all others.
_PLAIN = {"gwet_ac2": "gwet_ac1"}
_FINE = ("confidence_level",)


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
