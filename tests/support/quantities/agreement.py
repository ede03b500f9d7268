"""Agreement of annotators: figures of irr, vcd, psych, irrCAC, statsmodels, krippendorff and nltk."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import nofluke as nf
from nofluke.types import Coefficient, Interval
from support.quantities.base import Compute, Quantity

RATINGS = Path(__file__).parent.parent.parent / "reference" / "ratings.json"


@cache
def tables() -> dict[str, list[list[Any]]]:
    return json.loads(RATINGS.read_text(encoding="utf-8"))


def coefficient(inputs: dict[str, Any], name: str, **options: Any) -> Coefficient:
    """Compute the coefficient alone, without the tables that nf.agree adds."""
    from nofluke.readers.ratings import as_ratings
    from nofluke.registry import AGREEMENT

    found = AGREEMENT[name].function(as_ratings(tables()[inputs["agreement"]]), **options)
    assert isinstance(found, Coefficient)
    return found


def value(name: str, **options: Any) -> Compute:
    return lambda inputs, _a, _b: nf.agree(tables()[inputs["agreement"]], name, **options).value


def part(attribute: str, name: str, **options: Any) -> Compute:
    def compute(inputs: dict[str, Any], _a: list[float], _b: list[float]) -> Any:
        found = getattr(coefficient(inputs, name, **options), attribute)
        return [found.low, found.high] if isinstance(found, Interval) else found

    return compute


QUANTITIES: dict[str, Quantity] = {
    "raw_agreement": Quantity(value("observed_agreement"), ("agreement:observed_agreement",)),
    "cohen_kappa": Quantity(value("cohen_kappa"), ("agreement:cohen_kappa",)),
    "cohen_kappa.se_fce1969": Quantity(part("standard_error", "cohen_kappa")),
    "cohen_kappa.se_null": Quantity(part("null_standard_error", "cohen_kappa")),
    "cohen_kappa.ci95_fce1969": Quantity(part("interval", "cohen_kappa")),
    **{
        f"cohen_kappa_{weights}{suffix}": Quantity(part(attribute, "cohen_kappa", weights=weights))
        for weights in ("linear", "quadratic")
        for suffix, attribute in (
            ("", "value"),
            (".se_fce1969", "standard_error"),
            (".se_null", "null_standard_error"),
        )
    },
    "scott_pi": Quantity(value("scott_pi"), ("agreement:scott_pi",)),
    "fleiss_kappa": Quantity(value("fleiss_kappa"), ("agreement:fleiss_kappa",)),
    "fleiss_kappa.z_null": Quantity(part("z_score", "fleiss_kappa")),
    "fleiss_kappa.nltk_pi": Quantity(value("fleiss_kappa")),
    "fleiss_kappa_gwet_missing": Quantity(value("fleiss_kappa")),
    "multi_kappa.slides_conger": Quantity(value("multi_kappa"), ("agreement:conger_kappa",)),
    "conger_kappa_gwet_missing": Quantity(value("conger_kappa")),
    "light_kappa": Quantity(value("light_kappa"), ("agreement:light_kappa",)),
    **{
        f"krippendorff_alpha.{level}": Quantity(
            value("krippendorff_alpha", level=level), ("agreement:krippendorff_alpha",)
        )
        for level in ("nominal", "ordinal", "interval", "ratio")
    },
    "gwet_AC1": Quantity(value("gwet_ac1"), ("agreement:gwet_ac1",)),
    "gwet_AC1.se": Quantity(part("standard_error", "gwet_ac1")),
    **{
        f"gwet_AC2_{weights}": Quantity(value("gwet_ac2", weights=weights), ("agreement:gwet_ac2",))
        for weights in ("linear", "quadratic", "ordinal")
    },
    **{
        f"gwet_AC2_{weights}.se": Quantity(part("standard_error", "gwet_ac2", weights=weights))
        for weights in ("linear", "quadratic", "ordinal")
    },
    "brennan_prediger": Quantity(value("brennan_prediger"), ("agreement:brennan_prediger",)),
    "randolph_kappa": Quantity(value("randolph_kappa"), ("agreement:brennan_prediger",)),
}

LEFT_OUT: dict[str, str] = {
    "krippendorff_alpha.gwet_ordinal_weights": "alpha with Gwet's ordinal weights, which is not ordinal alpha",
}
