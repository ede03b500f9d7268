"""BLEU and chrF of summed statistics, for one sum or for many at once, as sacrebleu computes them."""

from __future__ import annotations

import math

import numpy as np

from nofluke.errors import Fix, InputError, MethodError, Option
from nofluke.types import FloatArray

# sacrebleu's log of a precision of 0 (utils.my_log): the score becomes 0.
_LOG_OF_ZERO = -9999999999.0
# sacrebleu's defaults (Chen and Cherry 2014, methods 1 and 2).
SMOOTH_VALUES = {"none": None, "floor": 0.1, "add-k": 1.0, "exp": None}


def bleu_score(
    sums: FloatArray,
    n: float,  # noqa: ARG001 (the shape of every aggregate)
    *,
    smooth_method: str,
    smooth_value: float | None,
    max_ngram_order: int,
    effective_order: bool,
) -> FloatArray:
    """Give BLEU (0 to 100) of sums (..., 2 + 2 orders): system length, reference length, correct, total.

    >>> import numpy as np
    >>> sums = np.array([10.0, 10, 10, 9, 8, 7, 10, 9, 8, 7])
    >>> options = dict(smooth_method="exp", smooth_value=None, max_ngram_order=4, effective_order=False)
    >>> round(float(bleu_score(sums, 1.0, **options)), 6)
    100.0
    """
    sums = np.asarray(sums, dtype=np.float64)
    length, wanted = sums[..., 0], sums[..., 1]
    correct, total = sums[..., 2 : 2 + max_ngram_order], sums[..., 2 + max_ngram_order :]
    matched = (correct > 0).any(axis=-1)
    value = SMOOTH_VALUES[smooth_method] if smooth_value is None else smooth_value
    if smooth_method == "add-k":
        added = np.where(np.arange(max_ngram_order) > 0, value or 0.0, 0.0)
        correct, total = correct + added, total + added
    # sacrebleu stops at the first order without n-grams; the orders from there on have precision 0.
    alive = np.logical_and.accumulate(total > 0, axis=-1)
    precision = _precision(correct, total, alive, smooth_method, value)
    with np.errstate(divide="ignore"):
        logs = np.where(precision > 0, np.log(precision), _LOG_OF_ZERO)
    orders: FloatArray = np.full(length.shape, float(max_ngram_order))
    if effective_order:
        logs = np.where(alive, logs, 0.0)
        orders = np.maximum(alive.sum(axis=-1), 1).astype(np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        brevity = np.where(length < wanted, np.exp(1 - wanted / length), 1.0)
    brevity = np.where((length <= 0) & (wanted > 0), 0.0, brevity)
    score: FloatArray = np.where(matched, brevity * np.exp(logs.sum(axis=-1) / orders), 0.0)
    return score


def _precision(
    correct: FloatArray, total: FloatArray, alive: np.ndarray, smooth_method: str, value: float | None
) -> FloatArray:
    none = alive & (correct <= 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(alive, 100.0 * correct / total, 0.0)
        if smooth_method == "exp":
            # Each order without a match halves the credit again (NIST smoothing of mteval-v13a).
            smoothed = 100.0 / (2.0 ** np.cumsum(none, axis=-1) * total)
        elif smooth_method == "floor":
            smoothed = 100.0 * (value or 0.0) / total
        else:
            smoothed = np.zeros_like(total)
    given: FloatArray = np.where(none, smoothed, precision)
    return given


def chrf_score(
    sums: FloatArray,
    n: float,  # noqa: ARG001 (the shape of every aggregate)
    *,
    beta: int,
    eps_smoothing: bool,
) -> FloatArray:
    """Give chrF (0 to 100) of sums (..., 3 orders): n-grams of the system, of the reference, matches, per order.

    >>> import numpy as np
    >>> round(float(chrf_score(np.array([4.0, 4, 4, 3, 3, 3]), 1.0, beta=2, eps_smoothing=False)), 6)
    100.0
    """
    eps = 1e-16
    sums = np.asarray(sums, dtype=np.float64)
    system, reference, match = sums[..., 0::3], sums[..., 1::3], sums[..., 2::3]
    factor = float(beta**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(system > 0, match / system, eps)
        recall = np.where(reference > 0, match / reference, eps)
        if eps_smoothing:
            under = factor * precision + recall
            per_order = np.where(under > 0, (1 + factor) * precision * recall / under, eps)
            smoothed: FloatArray = 100.0 * per_order.sum(axis=-1) / system.shape[-1]
            return smoothed
        # Only orders that both texts are long enough for count (sacrebleu's effective order).
        both = (system > 0) & (reference > 0)
        orders = np.maximum(both.sum(axis=-1), 1)
        mean_precision = np.where(both, precision, 0.0).sum(axis=-1) / orders
        mean_recall = np.where(both, recall, 0.0).sum(axis=-1) / orders
        under = factor * mean_precision + mean_recall
        score: FloatArray = np.where(under > 0, 100.0 * (1 + factor) * mean_precision * mean_recall / under, 0.0)
    return score


def check_smoothing(method: str, value: float | None) -> None:
    """Refuse a value that the method of smoothing does not take."""
    if value is None:
        return
    if method not in ("floor", "add-k"):
        raise MethodError(
            f"smooth_value = {value:g} is for smooth_method floor and add-k, not {method}.",
            fix=Fix(
                "leave smooth_value out, or give ",
                Option("metric_option", "smooth_method=floor"),
                " or ",
                Option("metric_option", "smooth_method=add-k"),
                ".",
            ),
        )
    # sacrebleu adds it to counts, or puts it in the place of a count of 0.
    if not (value >= 0 and math.isfinite(value)):
        raise InputError(
            f"smooth_value = {value:g} is not 0 or more.", fix="give a number such as 0.1 (floor) or 1 (add-k)."
        )
