"""Is A at least not worse by more than a margin?"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

from nofluke.errors import InputError
from nofluke.inference.margins import margin_method, margin_sentence, margin_verdict
from nofluke.inference.recommending.rules import facts_of
from nofluke.types import Sample, TestResult
from nofluke.verbs.test import test


@dataclass(frozen=True, slots=True)
class MarginPart:
    """What a comparison says about its margin."""

    margin: float | None = None
    verdict: str = ""
    test: TestResult | None = None
    sentences: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of the margin's test."""
        return () if self.test is None else self.test.notes

    @property
    def tests_run(self) -> tuple[str, ...]:
        """The name of the margin's test, if it was run."""
        return () if self.test is None else (self.test.method,)


def judge_margin(
    sample: Sample,
    margin: Any,
    verdict: str,
    *,
    alpha: float,
    seed: int,
    score_range: tuple[float | None, float | None],
) -> MarginPart:
    """Test "A is worse by the margin or more", one-sided at alpha, and read the verdict from the two-sided interval."""
    if margin is None:
        return MarginPart()
    if isinstance(margin, bool) or not isinstance(margin, Real) or not 0 < float(margin) < float("inf"):
        raise InputError(
            f"margin = {margin!r} is not a positive number.",
            fix="give the largest loss you would accept, in score units.",
        )
    margin = float(margin)
    method = margin_method(sample)
    options = _range_options(sample, score_range) if method == "bounded_mean" else {}
    settings: dict[str, Any] = {"confidence_level": 1 - alpha, "seed": seed, **options}
    tested = test(sample, method, alternative="greater", delta=-margin, **settings)
    words = margin_verdict(test(sample, method, **settings).interval, margin, verdict)
    names = (sample.systems[0], sample.systems[1])
    return MarginPart(margin, words, tested, (margin_sentence(words, names, margin, 1 - alpha),))


def _range_options(sample: Sample, score_range: tuple[float | None, float | None]) -> dict[str, float]:
    """The range of possible scores: known for 0/1, otherwise the user's to state; the seen range proves nothing."""
    low, high = score_range
    if facts_of(sample).binary:
        low, high = 0.0, 1.0
    if low is None or high is None:
        raise InputError(
            "a margin on scores with many ties needs the range of possible scores.",
            fix="state it with --low and --high (low=, high= in Python), such as 1 and 5 for ratings.",
        )
    return {"low": float(low), "high": float(high)}
