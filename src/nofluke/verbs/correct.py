"""correct: which p-values are still significant when there are many of them?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from nofluke.check import check_level
from nofluke.errors import By, Fix, MethodError
from nofluke.inference.multiplicity.partial_conjunction import at_most
from nofluke.noting import called, signature
from nofluke.options import LEVEL, Opt
from nofluke.readers.p_values import numbers_of, to_p_values
from nofluke.registry import CORRECTIONS, Method
from nofluke.types import Corrected, FloatArray, PValues, frozen


def correct(
    p_values: Any,
    method: Annotated[str, Opt("The correction.", registry="correction")] = "holm",
    *,
    alpha: Annotated[float, Opt("Significance level after the correction.", bounds=LEVEL)] = 0.05,
    **options: Any,
) -> FloatArray:
    """Which p-values are still significant when there are many of them?

    Gives adjusted p-values in the caller's order: a claim is significant when its adjusted p-value is at most alpha.
    `methods("correction")` says which error each method controls under which dependence. alpha matters to bky only,
    whose values belong to one alpha.

    >>> import nofluke as nf
    >>> nf.correct([0.01, 0.04, 0.03], "holm").round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    chosen = _method(method)
    check_level(alpha, "alpha")
    settings = dict(options)
    if "alpha" in chosen.option_names():
        settings["alpha"] = alpha
    adjusted: FloatArray = chosen.function(numbers_of(p_values), **chosen.check_options(settings))
    return adjusted


@called("correct", "p_values", "p_values", methods=CORRECTIONS)
def correct_named(
    p_values: Any,
    method: str = "holm",
    *,
    alpha: float = 0.05,
    names: Sequence[str] | None = None,
    printed: int | None = None,
    **options: Any,
) -> Corrected:
    """Which named claims are still significant when there are many of them, and what does that promise?"""
    given = p_values if isinstance(p_values, PValues) else to_p_values(p_values, names=names, printed=printed)
    own = _own_names(given.datasets)
    adjusted = correct(given.p_values, method, alpha=alpha, **options)
    chosen = _method(method)
    stands = at_most(adjusted, alpha)
    standing = tuple(name for name, kept in zip(own, stands, strict=True) if kept)
    return Corrected(
        names=own,
        p_values=given.p_values,
        adjusted=frozen(adjusted),
        method=chosen.name,
        label=chosen.label,
        controls=str(chosen.facts["controls"]),
        under=str(chosen.facts["under"]),
        alpha=float(alpha),
        standing=standing,
        notes=given.notes,
        signature=signature("correction", chosen.name, {"alpha": f"{alpha:g}", "n": len(stands)}),
    )


def _own_names(datasets: tuple[str, ...]) -> tuple[str, ...]:
    """Claims without names are p-values here, not datasets."""
    numbered = tuple(f"dataset {number}" for number in range(1, len(datasets) + 1))
    return tuple(name.replace("dataset", "p-value") for name in datasets) if datasets == numbered else datasets


def _method(name: str) -> Method:
    if name == "max_t":
        raise MethodError(
            "max_t needs the scores of all systems, not only p-values.",
            fix=Fix("use holm, or ", By("nf.rank(..., adjust='max_t')", "nofluke rank FILE --adjust max_t"), "."),
        )
    return CORRECTIONS[name]
