"""Notes of the significance tests: why a p-value is missing or 1, and where it says less than it seems to."""

from __future__ import annotations

from nofluke.errors import Fix, Option, listing
from nofluke.types.base import counted
from nofluke.words.notes import RANGE, Sayings

_PERMUTATION, _SIGN = Option("method", "permutation"), Option("method", "sign")
_EXACT = Option("mode", "exact")


def _use(instead: tuple[str, ...]) -> str:
    """Advise other methods, as the end of a sentence."""
    return f" Use {' or '.join(str(Option('method', one)) for one in instead)}." if instead else ""


def _all_equal(unit: str) -> str:
    return "All clusters have the same mean difference" if unit == "cluster" else "All differences are equal"


def _resamples_alike(unit: str, instead: tuple[str, ...]) -> str:
    return f"{_all_equal(unit)}, so all resamples are alike and the bootstrap gives no p-value.{_use(instead)}"


def _out_of_reach(instead: tuple[str, ...]) -> str:
    return (
        "No resample of these items can reach the observed evidence. A bootstrap p-value would be 0, which no finite "
        f"test set supports, so none is given.{_use(instead)}"
    )


def _median_fixed(count: int, n: int, tied: bool) -> str:
    where = "0 (ties)" if tied else "at one value"
    return (
        f"{count:,} of {n:,} differences are {where}, which fixes the median whatever the other items show. Use "
        f"{_PERMUTATION} for the mean or {_SIGN} for the share of wins."
    )


# Simulated sizes at a nominal .05.
_MEDIAN_SIZES = {
    "percentile": "up to 12% for 5 to 15 items",
    "shift": "17% at 20 items, 13% at 50, 11% at 200, 7% at 500",
}


def _few_items_for_median(n: int, form: str) -> str:
    return (
        f"With {counted(n, 'item')}, form {form!r} of this test rejects a true null hypothesis too often "
        f"({_MEDIAN_SIZES[form]}, instead of 5%). A median of 0 is tested exactly by {_SIGN}."
    )


def _resample_size(size: int, n: int, unit: str) -> str:
    wrong = "large" if size < n else "small"
    return (
        f"Each resample has {counted(size, unit)} instead of {n:,}. The p-value is that of a test set of this size, "
        f"too {wrong} for yours; the interval likewise."
    )


def _long_tails(names: tuple[str, ...], kurtosis: tuple[float, ...]) -> str:
    told = ", ".join(f"{name} (kurtosis {size:.0f})" for name, size in zip(names, kurtosis, strict=True))
    return (
        f"The scores of {told} have long tails (normal scores have kurtosis 3), so a few items decide. Tests of "
        "Pearson correlations then reject a true null hypothesis too often (up to 36% instead of 5%). Ranks have no "
        f"tails: {Option('metric', 'spearman')}."
    )


def _few_behind_ratio(metric: str, system: str, units: int, n: int, unit: str, held: bool) -> str:
    told = f"The {metric} of {system} rests on {units:,} of {counted(n, unit)}; on the others it is 0 / 0."
    if not held:
        return f"{told} So few say little about others like them."
    least, both = 2.0**-units, min(1.0, 2.0 ** (1 - units))
    return f"{told} So few allow no p-value below {least:.3g} (two-sided {both:.3g})."


def _ties_apart(exact: bool) -> str:
    if exact:
        return (
            "Because of ties, p-value and interval disagree here about the null value. The p-value is exact; the "
            "interval is wider than it needs to be."
        )
    return "Because of ties, the p-value (normal approximation) and the interval disagree here about the null value."


def _few_differ_in_datasets(datasets: tuple[str, ...], differing: tuple[int, ...]) -> str:
    shown = [
        f"{name} ({count:,})" for name, count in sorted(zip(datasets, differing, strict=True), key=lambda one: one[1])
    ]
    which = listing(shown) if len(shown) < 3 else f"{len(shown):,} datasets, fewest in {shown[0]}"
    weighs = "which weighs" if len(datasets) == 1 else "which weigh"
    return (
        f"Few items differ in {which}, {weighs} much in the average. A 95% CI then holds the truth in only 66 to 93 of "
        "100 test sets; p stays exact."
    )


TEST: Sayings = {
    "two_runs": "There are 2 runs of {systems}: this is indicative only. A claim about training needs {enough} runs of "
    "each system.",
    "all_at_null": lambda unit: (
        f"{_all_equal(unit)} and exactly at the null hypothesis: nothing favours either system, so p = 1."
    ),
    "all_tied": "All items are tied: nothing favours either system, so p = 1.",
    "all_right_or_all_wrong": "All answers are right, or all are wrong: nothing favours either system, so p = 1.",
    "one_score_only": "All scores are identical: nothing favours either system, so p = 1.",
    "right_on_same_items": lambda systems: (
        f"{' and '.join(systems)} are right on exactly the same items: nothing favours either, so p = 1."
    ),
    "right_on_same_items_margin": lambda systems, n, margin, chance: (
        f"{' and '.join(systems)} are right on exactly the same items. With {counted(n, 'item')} that has probability "
        f"{chance:.3g} even if their accuracies differ by {margin:g}."
    ),
    "no_spread_at_null": "Without variation t is undefined. The difference is that of the null hypothesis, so p = 1.",
    "no_spread": lambda instead: f"Without variation t and its p-value are undefined.{_use(instead)}",
    "no_spread_no_interval": "There is no interval, because the difference has no spread.",
    "equal_differences_no_interval": "All differences are equal, so there is no spread to make an interval from.",
    "one_unit_no_interval": "There is no interval: a score that rests on one {unit} has no known spread.",
    "resamples_alike": _resamples_alike,
    "out_of_reach": _out_of_reach,
    "least_of_draws": Fix(
        "No resample of these items can reach the observed evidence: p is only the least that {draws} draws can give, "
        "and more draws would lower it without end. Use ",
        _PERMUTATION,
        ".",
    ),
    "resamples_undefined": lambda share: (
        f"{share * 100:.2g}% of the resamples have no score; they count against both systems."
    ),
    "flat_resamples": Fix(
        "{share:.1%} of the resamples have no spread, and form 'studentized' cannot use them. Use ", _PERMUTATION, "."
    ),
    "resample_size": _resample_size,
    "few_items_for_bootstrap": Fix(
        "With {n:item} the bootstrap rejects a true null hypothesis too often (one-sided 7.7% at 10 items, 6.2% at 20, "
        "5.4% at 50, instead of 5%). Safer: ",
        _PERMUTATION,
        ".",
    ),
    "few_units_for_bootstrap": "With {n:{unit}} the bootstrap finds differences that do not exist too often.",
    "few_clusters_for_bootstrap": Fix(
        "With {clusters:cluster} the bootstrap rejects a true null hypothesis too often (10% to 15% at 10 clusters, 7% "
        "to 11% at 20, 6% to 8% at 50, instead of 5%). Use ",
        _PERMUTATION,
        ".",
    ),
    "few_items_for_median": _few_items_for_median,
    "median_fixed": _median_fixed,
    "moses": "Form 'moses' gives what Moses and sacrebleu print. It rejects a true null hypothesis about twice too "
    "often (11% instead of 5%); do not rely on it.",
    "berg_kirkpatrick_two_sided": Fix(
        "The test of the paper is one-sided; this p-value is twice its smaller tail. The one printed there: ",
        Option("alternative", "greater"),
        ".",
    ),
    "few_expected": Fix(
        "The smallest expected count is {expected:.3g}, below {least}, so the p-value is rough. Fisher's exact test "
        "on 0/1 scores: ",
        Option("method", "mann_whitney"),
        " with ",
        _EXACT,
        ".",
    ),
    "few_disagreements": Fix(
        "One system alone is right on only {n:item}; below {least} the chi-square approximation is rough. Use ",
        _EXACT,
        ".",
    ),
    "pairing_ignored": lambda systems, instead: (
        f"{' and '.join(systems)} were scored on the same items, and this test ignores that. Use "
        f"{Option('method', instead)}: it uses the pairs and usually finds smaller differences."
    ),
    "pairing_unknown": lambda systems, instead: (
        f"{' and '.join(systems)} have equally many scores. If these belong to the same items, use "
        f"{Option('method', instead)}: it uses the pairs and usually finds smaller differences."
    ),
    "single_score": "{system} has a single score; its spread is taken to be that of {other}.",
    "ties_in_shift_interval": "Some scores tie. The p-value allows for that; the interval of the shift may contain 0 "
    "although the test rejects it.",
    "ties_apart": _ties_apart,
    "ties_in_walsh_interval": lambda n: (
        f"The interval of the pseudo-median counts the {counted(n, 'tie')}, which the test leaves out. It answers "
        "another question than the p-value, and is left to the details."
    ),
    "many_ties": "{share:.0%} of the {unit}s are tied. The p-value is exact, and with {different:,} {unit}s that "
    "differ the interval holds about as often as it says.",
    "few_differ": lambda different, unit, enough, **_: (
        f"Only {counted(different, unit)} {'differs' if different == 1 else 'differ'}. With fewer than {enough}, a 95% "
        "CI holds the truth in 83 to 95 of 100 test sets; p stays exact."
    ),
    "few_differ_in_datasets": _few_differ_in_datasets,
    "clusters_swapped": "Whole clusters were swapped ({clusters}).",
    "smallest_p": "With {n:{unit}} the smallest two-sided p-value is {p:.3g}, so 0.05 cannot be reached.",
    "skewed": "The differences are skewed (skewness {skewness:.2f}). With equal means, 6 to 10 of 100 samples of "
    "{n:{unit}} show p below 0.05, instead of 5. Take a p near alpha as undecided, or add {unit}s.",
    "skewed_one_sided": "The differences are skewed (skewness {skewness:.2f}). With {n:{unit}} a one-sided p is then "
    "too small for one system and too large for the other. Take a p near alpha as undecided, or add {unit}s.",
    "largest_loss_seen": Fix(
        "The largest difference seen, {loss:.2g}, is taken for the largest possible loss on one item. If an item can "
        "lose more, give the range of scores: ",
        RANGE,
        ".",
    ),
    "few_clusters_for_lost_item": "With {clusters:cluster} of unequal size the margin test can claim too "
    "often (10% at 12 clusters, 9% at 25, 7% at 60, instead of 5%). Take a smaller level.",
    "few_behind_ratio": _few_behind_ratio,
    "denominators_apart": Fix(
        "The denominators of the two systems differ by a factor of {factor:.1f}. Raw swaps then test whether outputs "
        "are exchangeable, not whether the metric differs; ",
        Option("form", "studentized"),
        " tests the metric.",
    ),
    "long_tails": _long_tails,
    "stopped_p_value": "The draws ended once {hits} were as extreme as the data (Besag and Clifford 1991). The p-value "
    "is valid and may be corrected.",
    "draws_undecided": "{draws} draws do not settle whether p is below {alpha}; draw more.",
    "decision_only": "The draws ended once it was clear on which side of {alpha} the p-value is. This is a yes or no, "
    "not a p-value, and must not be corrected or combined.",
    "slides": Fix(
        "Mode 'slides' subtracts 0.5 from W+ - W-, which moves in steps of 2, and does not correct for ties. Its "
        "p-value is not right; that of ",
        Option("mode", "auto"),
        " is.",
    ),
    "margin_of_pseudo_median": "delta is a margin on the pseudo-median of the differences, not on their mean, and "
    "decides no gate.",
}
