"""What a margin allows to say, and whether a claim that a release hangs on is shown."""

from __future__ import annotations

from nofluke.inference.p_values import significant
from nofluke.inference.tests.claims import Claim
from nofluke.types import Comparison
from nofluke.words.numbers import level_text, p_of


def margin_sentence(result: Comparison) -> str:
    """Say what holds for the margin, beyond the verdict itself; nothing where no margin was given."""
    if result.margin is None:
        return ""
    a, b = result.systems
    margin, interval = f"{result.margin:g}", result.margin_interval
    verdict = result.margin_verdict
    if interval is None and verdict in ("better", "worse"):
        return ""
    if result.margin_test is None:
        return f"Whether {a} is worse by {margin} or more was not tested."
    if verdict == "worse" and interval is not None:
        bounded = interval.low > -result.margin
        return f"The loss of {a} is below {margin}." if bounded else f"The loss of {a} may exceed {margin}."
    if verdict in ("better", "not worse") and _is_ruled_out(result):
        return f"A loss of {margin} or more is ruled out ({_margin_test(result)})."
    if verdict == "undecided" and _is_ruled_out(result):
        return f"A loss of {margin} or more is ruled out one-sided ({_margin_test(result)}), but not by the CI."
    if verdict == "undecided" and _lead_at_risk(result):
        return f"{a} may still be worse by more than {margin}: one badly lost item would undo its lead."
    return {
        "equivalent": f"{a} and {b} differ by less than {margin} in either direction.",
        "better": f"A loss of {margin} or more is ruled out by the CI.",
        "not worse": f"{a} is not worse than {b} by more than {margin}.",
        "not better": f"{a} is not better than {b} by more than {margin}, and may be worse by more than that.",
        "undecided": f"{a} may be worse by more than {margin}.",
    }[verdict]


def _is_ruled_out(result: Comparison) -> bool:
    """Whether the one-sided test of the margin excludes the loss."""
    return result.margin_test is not None and significant(result.margin_test.p_value, result.alpha)


def _margin_test(result: Comparison) -> str:
    return "" if result.margin_test is None else f"{p_of(result.margin_test)}, {result.margin_test.label}"


def _lead_at_risk(result: Comparison) -> bool:
    """Whether the main test found A better, its mean leads too, and the margin was judged with one lost item."""
    tested = result.margin_test
    return (
        result.verdict == "better" and tested is not None and tested.method == "one_lost_item" and tested.estimate > 0
    )


def margin_test_sentence(result: Comparison) -> str:
    """Give the figures behind the margin: the one-sided test and the interval it was read from."""
    if result.margin is None or result.margin_test is None:
        return ""
    interval = result.margin_interval
    read = "" if interval is None else f" The words on the margin rest on the {level_text(interval.level)} CI."
    tested = result.margin_test
    return f"Against a loss of {result.margin:g} or more: {tested.label}, one-sided, {p_of(tested)}.{read}"


def claim_sentence(claim: Claim) -> str:
    """Say whether a required claim is shown, by which test."""
    a, b = claim.systems
    content = f"{a} is better than {b}"
    if claim.claim == "not-worse":
        content = f"{a} is not worse than {b} by more than {claim.margin:g}"
    parts = [f"{'Shown' if claim.supported else 'Not shown'}: {content}"]
    if claim.test is not None:
        sides = "two-sided" if claim.test.alternative == "two-sided" else "one-sided"
        parts[0] += f" ({claim.test.label}, {sides}, {p_of(claim.test)}, level {claim.alpha:g})"
    if claim.reversed:
        parts.append("The evidence points the other way")
    if claim.only_one_sided:
        parts.append("The two-sided interval alone would leave it undecided")
    return " ".join([f"{'. '.join(parts)}.", *map(str, claim.notes)])
