"""What a p-value promises, in half a sentence; `types.VALIDITIES` is the list of its codes."""

from __future__ import annotations

# From so many items or clusters on the approximations hold their level well (tests/calibration).
_MANY = 50
# After "the p-value is" or "the test is".
_PROMISES = {
    "exact": "exact under the null hypothesis",
    "exact_if_swappable": "exact if the two systems are exchangeable; approximate if only their means are equal",
    "exact_if_swappable_metric": "exact if the outputs are exchangeable; approximate if only the two scores are equal",
    "nearly_exact_if_swappable_metric": "exact if the outputs are exchangeable, but for what a linear approximation "
    "leaves out; approximate if only the two scores are equal",
    "swappable_on_one_scale": "approximate, for systems that are exchangeable once they are on one scale",
    "bounded_scores": "valid for any independent scores within the stated range",
    "normal_differences": "exact for normal differences, approximate for others",
    "normal_equal_variances": "exact for normal scores with equal variances, approximate for others",
    "normal_columns": "exact for normal numbers, approximate for others",
    "welch": "approximate, and close for normal scores",
    "mid_p": "approximate: close to the level at any n, but without a guarantee",
    "split_correlation": "approximate: it assumes that the differences of two splits correlate by rho",
    "normal_correlations": "approximate, for Pearson correlations of normal scores",
    "asymptotic": "approximate in small samples",
}
EXACT = ("exact", "exact_if_swappable", "exact_if_swappable_metric")
_SHORT = {
    **dict.fromkeys(EXACT, "exact"),
    "bounded_scores": "valid in samples of any size",
    "normal_differences": "exact for normal differences",
    "normal_equal_variances": "exact for normal scores with equal variances",
    "normal_columns": "exact for normal numbers",
    "split_correlation": "approximate",
    "normal_correlations": "approximate",
    "swappable_on_one_scale": "approximate",
}


def promise(validity: str) -> str:
    """Say what the p-value promises, after "the p-value is" or "the test is"; an older nofluke stored a text here.

    >>> promise("exact")
    'exact under the null hypothesis'
    """
    return _PROMISES.get(validity, validity)


def promise_in_short(validity: str, units: int) -> str:
    """The same in a word or two; that few items or clusters make an approximation rough is said where they are few.

    >>> promise_in_short("exact_if_swappable", 20), promise_in_short("asymptotic", 20)
    ('exact', 'approximate, rough for so few')
    >>> promise_in_short("asymptotic", 400)
    'approximate'
    """
    return _SHORT.get(validity, "approximate" if units >= _MANY else "approximate, rough for so few")
