"""What a paper says of the single datasets: their sizes and differences, and what they could have shown."""

from __future__ import annotations

from statistics import median

from nofluke.types import Replication

# So many datasets are told one by one in a sentence; the table holds all of them.
_ALL_TOLD = 12


def datasets_sentence(result: Replication) -> str:
    """Give n and difference of every dataset, or how far they reach where there are many."""
    a, b = result.systems if result.higher_is_better else result.systems[::-1]
    known = [(name, value) for name, value in zip(result.datasets, result.estimates, strict=True) if value == value]
    if not known:
        return ""
    sizes = dict(zip(result.datasets, result.sizes, strict=True)) if result.sizes else {}
    what = f"Differences {a} - {b}"
    if len(known) <= _ALL_TOLD:
        told = [f"{name} {_told(value)}" + (f" (n = {sizes[name]:,})" if sizes else "") for name, value in known]
        return f"{what}: {', '.join(told)}."
    values = [value for _, value in known]
    reach = f"from {_told(min(values))} to {_told(max(values))}, median {_told(median(values))}"
    return f"{what}: {reach}{f' (n = {min(sizes.values()):,} to {max(sizes.values()):,} items)' if sizes else ''}."


def power_sentence(result: Replication) -> str:
    """Say which difference single datasets could have shown, or that nobody knows from p-values alone."""
    if not result.tests:
        return "What differences the datasets could have shown is not known from p-values."
    known = [value for value in result.detectable if value == value]
    if not known:
        return "What differences the datasets could have shown cannot be said: they are too few or do not vary."
    low, high = f"{min(known):.3g}", f"{max(known):.3g}"
    where = "on a dataset" if low == high else "on a dataset, by its size and spread,"
    by = "" if all(test.about == "mean" for test in result.tests) else " (by a test of the mean)"
    return (
        f"A true difference of {low if low == high else f'{low} to {high}'} {where} would be named by Holm in at least "
        f"80 of 100 such studies{by}, whatever the other datasets show (one-sided at {result.level:g} / "
        f"{len(result.datasets):,}, spread from these data)."
    )


def _told(value: float) -> str:
    return f"{value:.3g}"
